"""Writes at random, each with the way back that the site gives."""

from collections import Counter
from datetime import timedelta

from django.db import transaction

from entry.services.imports import import_events
from entry.services.undo_imports import changed_since, undo_import
from league.models import BinItem, Change, Event, Import, Player, PlayerMerge, Season
from league.services.bin import restore
from league.services.deletions import delete_player, delete_season
from league.services.errors import Refused
from league.services.events import correct_result, delete_event, enter_result
from league.services.kept_rows import KeptRows
from league.services.players import add_player, update_player
from league.services.seasons import close_season, reopen_season
from league.services.versions import restore_version
from people.services.hidden_names import hide_name, show_name
from people.services.merges import merge_players, unmerge
from reading.event_files.reader import FileEvent
from reading.results import EntryInput, EventDetails
from standings.awards.services import remove_award, restore_award
from standings.models import Award
from tests.factories import START, names

PEOPLE = names(7)
OTHERS = names(3, start=7)  # who came in no event at first


def a_field(rng, people=PEOPLE):
    """Entries of some players, sometimes one with a re-entry; some places are shared."""
    chosen = rng.sample(people, rng.randint(3, 6))
    slots = [(name, 1) for name in chosen]
    if rng.random() < 0.4:
        slots = [(chosen[0], 2), *slots[1:], (chosen[0], 1)]
    order = sorted(rng.choices(range(len(slots)), k=len(slots)))
    return [EntryInput(name, 1 + order.index(at), n) for (name, n), at in zip(slots, order, strict=True)]


class Writer:
    """Writes at random, and knows how each is undone; what is refused leaves nothing."""

    def __init__(self, season, rng, actor):
        self.season, self.club, self.rng, self.actor = season, season.club, rng, actor
        self.undos, self.made = [], Counter()
        self.writes = [
            self.enter,
            *[self.correct, self.revert] * 2,
            self.delete,
            self.restore,
            self.delete_season,
            self.merge,
            self.unmerge,
            self.hide_name,
            self.rename,
            self.add_player,
            self.delete_player,
            self.remove_award,
            self.close_season,
            self.import_file,
            self.undo_the_last,
        ]

    def write(self):
        chosen = self.rng.choice(self.writes)
        try:
            with transaction.atomic():
                undo = chosen()
        except (Refused, Season.DoesNotExist):
            return
        if undo:
            self.undos.append(undo)
            self.made[chosen.__name__] += 1

    def undo_all(self):
        while self.undos:
            self.undos.pop()()

    def undo_the_last(self):
        if self.undos:
            self.undos.pop()()
            self.made["undo_the_last"] += 1

    def one_of(self, rows):
        """Choose one of the rows, if there are any."""
        rows = list(rows.order_by("pk"))
        return self.rng.choice(rows) if rows else None

    def details(self):
        return EventDetails(START + timedelta(days=self.rng.randrange(30)))

    def entries(self):
        """Entries under the names that the players have now, or of guests."""
        stored = Player.objects.filter(club=self.club).order_by("pk").values_list("name", flat=True)
        return a_field(self.rng, sorted({*stored, *OTHERS}))

    def newcomers(self):
        """Return the way back from new guests, who stay when their event is deleted."""
        before = set(Player.objects.values_list("pk", flat=True))

        def forget():
            for player in Player.objects.exclude(pk__in=before).order_by("pk"):
                delete_player(player, actor=self.actor)

        return forget

    def enter(self):
        forget = self.newcomers()
        season = Season.objects.get(pk=self.season.pk)
        event = enter_result(season, self.details(), self.entries(), actor=self.actor)
        return lambda: (self.delete_now(event.pk), forget())

    def correct(self):
        if event := self.one_of(Event.objects.all()):
            forget = self.newcomers()
            was = event.version
            correct_result(event, self.details(), self.entries(), version=was, actor=self.actor)
            change = event.changes.filter(kind="result-corrected").first()
            return lambda: (self.bring_back(change), forget())
        return None

    def revert(self):
        corrections = Change.objects.filter(kind="result-corrected").exclude(event=None)
        if chosen := self.one_of(corrections):
            forget = self.newcomers()
            if done := restore_version(chosen, actor=self.actor):
                return lambda: (self.bring_back(done), forget())
        return None

    def bring_back(self, change):
        restore_version(Change.objects.get(pk=change.pk), actor=self.actor)

    def delete(self):
        if event := self.one_of(Event.objects.all()):
            self.delete_now(event.pk)
            return lambda: self.restore_now("event", event.pk)
        return None

    def restore(self):
        if item := self.one_of(BinItem.objects.exclude(kind="award")):
            pk, forget = self.main_id(item), self.newcomers()
            assert restore(self.club, item.pk, actor=self.actor)
            return lambda: (self.delete_again(item.kind, pk), forget())
        return None

    def delete_again(self, kind, pk):
        if kind == "event":
            self.delete_now(pk)
        elif kind == "season":
            delete_season(Season.objects.get(pk=pk), actor=self.actor)
        else:
            delete_player(Player.objects.get(pk=pk), actor=self.actor)

    def delete_season(self):
        if Season.objects.exists():
            delete_season(self.season, actor=self.actor)
            return lambda: self.restore_now("season", self.season.pk)
        return None

    def merge(self):
        kept, others = self.one_of(Player.objects.all()), Player.objects.all()
        if self.rng.random() < 0.8:  # others are refused
            others = Player.objects.exclude(entries__event__in=kept.entries.values("event"))
        merged = self.one_of(others.exclude(pk=kept.pk))
        if merged is None:
            return None
        merge_players(kept, merged, actor=self.actor)
        return lambda: self.unmerge_now(merged.pk)

    def unmerge(self):
        if merge := self.one_of(PlayerMerge.objects.all()):
            self.unmerge_now(merge.merged_id)
            return lambda: merge_players(
                Player.objects.get(pk=merge.kept_id),
                Player.objects.get(pk=merge.merged_id),
                actor=self.actor,
            )
        return None

    def unmerge_now(self, merged_id):
        merge = PlayerMerge.objects.get(merged_id=merged_id)
        assert unmerge(self.club, merge.pk, actor=self.actor)

    def hide_name(self):
        if player := self.one_of(Player.objects.filter(real_name="")):
            hide_name(player, actor=self.actor)
            return lambda: show_name(Player.objects.get(pk=player.pk), actor=self.actor)
        return None

    def rename(self):
        if player := self.one_of(Player.objects.filter(real_name="")):
            self.rename_now(player, self.rng.choice([*PEOPLE, *OTHERS]))
            return lambda: self.rename_now(Player.objects.get(pk=player.pk), player.name)
        return None

    def rename_now(self, player, name):
        update_player(player, name=name, is_guest=player.is_guest, actor=self.actor)

    def add_player(self):
        player = add_player(self.club, name=self.rng.choice(OTHERS), actor=self.actor)
        return lambda: delete_player(player, actor=self.actor)

    def delete_player(self):
        if player := self.one_of(Player.objects.all()):
            delete_player(player, actor=self.actor)
            return lambda: self.restore_now("player", player.pk)
        return None

    def remove_award(self):
        if award := self.one_of(Award.objects.all()):
            item = remove_award(award.season, award.pk, actor=self.actor)
            return lambda: restore_award(self.club, item.pk, actor=self.actor)
        return None

    def close_season(self):
        if Season.objects.filter(is_closed=False).exists():
            self.set_closed(is_closed=True)
            return lambda: self.set_closed(is_closed=False)
        return None

    def set_closed(self, *, is_closed):
        change = close_season if is_closed else reopen_season
        change(Season.objects.get(pk=self.season.pk), actor=self.actor)

    def import_file(self):
        """Import a new event, and one that the season may have already."""
        keys = [self.rng.choice("abc"), f"n{Import.objects.count()}"]
        events = [FileEvent(key, self.details(), tuple(self.entries()), 1) for key in keys]
        season = Season.objects.get(pk=self.season.pk)
        forget = self.newcomers()
        record = import_events(season, events, actor=self.actor).record
        return lambda: (self.undo_import_now(record.pk), forget())

    def undo_import_now(self, pk):
        """Undo an import; its events that were changed since, and changed back, are undone one by one."""
        record = Import.objects.get(pk=pk)
        left = changed_since(record)
        undo_import(record, actor=self.actor, leaves=[row.event_id for row in left])
        for row in left:
            if row.before is None:
                self.delete_now(row.event_id)
            else:
                changes = row.event.changes.filter(kind="result-corrected", after__has_key="entries")
                self.bring_back(self.made_by_import(changes, record))

    @staticmethod
    def made_by_import(changes, record):
        """The change that an import made: the last of its pool by then."""
        return changes.filter(version__lte=max(record.versions.values())).first()

    def delete_now(self, pk):
        delete_event(event := Event.objects.get(pk=pk), version=event.version, actor=self.actor)

    def restore_now(self, kind, pk):
        [item] = [item for item in BinItem.objects.filter(kind=kind) if self.main_id(item) == pk]
        assert restore(self.club, item.pk, actor=self.actor)

    @staticmethod
    def main_id(item):
        model = {"event": Event, "season": Season, "player": Player}[item.kind]
        return KeptRows.from_json(item.data).ids(model)[0]
