"""Any sequence of writes, undone in reverse, leaves the same rows and ratings to the bit; and versions brought back."""

import random
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from league.models import BinItem, Change, Entry, Event, Player
from league.results import EntryInput, EventDetails
from league.services.bin import restore
from league.services.deletions import delete_season
from league.services.errors import Refused
from league.services.events import correct_result, delete_event, enter_result
from league.services.kept_rows import KeptRows
from league.services.versions import bring_version_back
from payouts.models import EntryMoney
from standings.recomputation.service import recompute
from tests.factories import START, correct, enter, names
from tests.standings.all_rows import all_rows
from tests.storm.rows import wrong_leagues

pytestmark = pytest.mark.django_db
PEOPLE = names(7)


def a_field(rng):
    """Entries of some players, sometimes one with a re-entry; some places are shared."""
    chosen = rng.sample(PEOPLE, rng.randint(3, 6))
    slots = [(name, 1) for name in chosen]
    if rng.random() < 0.4:
        slots = [(chosen[0], 2), *slots[1:], (chosen[0], 1)]
    order = sorted(rng.choices(range(len(slots)), k=len(slots)))
    return [EntryInput(name, 1 + order.index(at), n) for (name, n), at in zip(slots, order, strict=True)]


class Writer:
    """Writes at random, and knows how each is undone."""

    def __init__(self, season, rng, actor):
        self.season, self.rng, self.actor, self.undos = season, rng, actor, []

    def write(self):
        writes = [
            self.enter,
            self.correct,
            self.correct,
            self.revert,
            self.delete,
            self.restore,
            self.season_and_back,
        ]
        self.rng.choice(writes)()

    def an_event(self):
        return self.rng.choice(list(self.season.events.order_by("pk")))

    def details(self):
        return EventDetails(START + timedelta(days=self.rng.randrange(30)))

    def enter(self):
        event = enter_result(self.season, self.details(), a_field(self.rng), actor=self.actor)
        self.undos.append(lambda: self.delete_now(event.pk))

    def correct(self):
        event = self.an_event()
        correct_result(event, self.details(), a_field(self.rng), version=event.version, actor=self.actor)
        self.undo_by_version(event.changes.first())

    def revert(self):
        corrections = list(self.an_event().changes.filter(kind="result-corrected"))
        if corrections and (done := bring_version_back(self.rng.choice(corrections), actor=self.actor)):
            self.undo_by_version(done)

    def undo_by_version(self, change):
        self.undos.append(lambda: bring_version_back(Change.objects.get(pk=change.pk), actor=self.actor))

    def delete(self):
        if self.season.events.count() > 1:
            pk = self.an_event().pk
            self.delete_now(pk)
            self.undos.append(lambda: self.restore_now(pk))

    def restore(self):
        if items := list(BinItem.objects.order_by("pk")):
            pk = self.event_of(self.rng.choice(items))
            self.restore_now(pk)
            self.undos.append(lambda: self.delete_now(pk))

    def season_and_back(self):
        item = delete_season(self.season, actor=self.actor)
        if self.rng.random() < 0.5:
            recompute(self.season.pool_id)
        restore(self.season.club, item.pk, actor=self.actor)

    def delete_now(self, pk):
        delete_event(event := Event.objects.get(pk=pk), version=event.version, actor=self.actor)

    def restore_now(self, pk):
        [item] = [item for item in BinItem.objects.all() if self.event_of(item) == pk]
        restore(self.season.club, item.pk, actor=self.actor)

    @staticmethod
    def event_of(item):
        return KeptRows.from_json(item.data).ids(Event)[0]


@pytest.mark.parametrize("seed", range(5))
def test_any_sequence_undone_in_reverse(season, people, seed):
    rng = random.Random(seed)
    for day in range(3):
        enter_result(
            season,
            EventDetails(START + timedelta(days=day)),
            [EntryInput(name, i) for i, name in enumerate(PEOPLE, 1)],
            actor=None,
        )
        enter_result(season, EventDetails(START + timedelta(days=day)), a_field(rng), actor=None)
    EntryMoney.objects.create(entry=Entry.objects.first(), rebuys=1, prize=Decimal("2.5"))
    recompute(season.pool_id)
    before = all_rows()
    writer = Writer(season, rng, people["owner"])
    for _write in range(12):
        writer.write()
        if rng.random() < 0.3:
            recompute(season.pool_id)
    recompute(season.pool_id)
    assert not wrong_leagues()
    assert len(writer.undos) > 4
    for undo in reversed(writer.undos):
        undo()
    recompute(season.pool_id)
    assert all_rows() == before


@pytest.fixture
def corrected(season):
    """An event of two versions, and the money of the player who is in the first only."""
    event = enter(season, "Ada\nBo x2\nCy @21:10", name="Opening")
    EntryMoney.objects.create(entry=event.entries.get(player__name="Cy"), rebuys=2)
    recompute(season.pool_id)
    return event


def test_the_first_version_comes_back_with_the_money_that_went(corrected, people):
    before = all_rows()
    correct(corrected, "Bo\nAda", name="Other", later=timedelta(hours=1))
    change = Change.objects.first()
    assert not EntryMoney.objects.exists()
    done = bring_version_back(change, actor=people["helper"])
    recompute(corrected.season.pool_id)
    assert all_rows() == before
    assert (done.actor, done.kind, done.event) == (people["helper"], "result-corrected", corrected)
    assert bring_version_back(change, actor=people["helper"]) is None
    assert bring_version_back(Change.objects.get(pk=done.pk), actor=None) is not None
    assert [entry.player.name for entry in corrected.entries.order_by("place")] == ["Bo", "Ada"]


def test_what_is_not_kept_whole_cannot_come_back(corrected, people):
    entered = corrected.changes.get()
    with pytest.raises(Refused, match="does not keep all of it"):
        bring_version_back(entered, actor=None)


def test_a_guest_who_went_with_a_correction_comes_back_or_is_who_has_the_name_now(corrected):
    cy = Player.objects.get(name="Cy")
    correct(corrected, "Bo\nAda")
    assert not Player.objects.filter(name="Cy").exists()
    change = Change.objects.first()
    bring_version_back(change, actor=None)
    assert Player.objects.get(name="Cy") == cy
    correct(corrected, "Bo\nAda", version=3)
    other = Player.objects.create(club=corrected.season.club, name="CY", key="cy")
    bring_version_back(change, actor=None)
    assert set(corrected.entries.values_list("player__name", flat=True)) == {"Ada", "Bo", "CY"}
    assert corrected.entries.filter(player=other).exists()


def version_url(event, change):
    return reverse("league:version-restore", args=[event.season.club.slug, event.pk, change.pk])


def test_one_click_and_its_undo(corrected, organizer_client):
    correct(corrected, "Bo\nAda")
    change = Change.objects.first()
    page = organizer_client.post(version_url(corrected, change), follow=True).content.decode()
    undo = Change.objects.first()
    assert f'action="{version_url(corrected, undo)}"' in page
    organizer_client.post(version_url(corrected, change))
    assert Change.objects.first() == undo
    organizer_client.post(version_url(corrected, undo))
    assert corrected.entries.count() == 2
    assert organizer_client.post(version_url(corrected, corrected.changes.last())).status_code == 404


def test_only_helpers_bring_versions_back(corrected, refused_to):
    correct(corrected, "Bo\nAda")
    refused_to(version_url(corrected, Change.objects.first()), below="helper", is_page=False)
    assert corrected.entries.count() == 2
