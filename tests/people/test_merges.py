"""Merging players who are one person, and undoing it."""

import pytest

from entry.services.imports import import_events
from entry.services.undo_imports import changed_since, undo_import
from league.models import BinItem, Change, Event, Player, PlayerAlias, PlayerMerge
from league.services.bin import restore
from league.services.deletions import delete_season
from league.services.errors import Refused
from league.services.events import delete_event
from league.services.versions import restore_version
from payouts.models import BroughtTotals
from people.services.claims import ask_for_player, claim_player
from people.services.merges import PlayedTogether, WhichAccount, later_events, merge_players, unmerge
from reading.event_files.reader import FileEvent
from reading.results import EntryInput, EventDetails
from standings.models import Award
from standings.seals.queries import broken_by
from standings.seals.services import seal_season
from tests.factories import SeasonFactory, UserFactory, correct, enter
from tests.people.merged_rows import computed, stored_rows
from tests.storm.rows import wrong_leagues

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def owner(club, people):
    return people["owner"]


@pytest.fixture
def evenings(season):
    """Three evenings; Keene came to the second one only, Keane to the others."""
    texts = ("Keane\nIris\nMoss", "Iris\nKeene (new)\nMoss", "Moss\nIris\nKeane")
    return [enter(season, text, day=day) for day, text in enumerate(texts)]


def named(name):
    return Player.objects.select_related("club").get(name=name)


def merged(actor, one="Keane", other="Keene", **choice):
    return merge_players(named(one), named(other), actor=actor, **choice)


def test_all_entries_belong_to_the_player_who_stays_and_the_name_is_understood(season, owner, evenings):
    merged(owner)
    keane = named("Keane")
    assert list(keane.entries.values_list("event", flat=True)) == [event.pk for event in evenings]
    assert not Player.objects.filter(name="Keene").exists()
    later = enter(season, "Keene\nIris", day=5)
    assert later.entries.get(place=1).player == keane
    computed(season.club)
    assert wrong_leagues() == 0
    assert season.standings.get(player=keane).n_events == 4


def test_merging_twice_is_one_merge(season, owner, evenings):
    keane, keene = named("Keane"), named("Keene")
    first = merge_players(keane, keene, actor=owner)
    assert merge_players(keane, keene, actor=owner) == first
    assert Change.objects.filter(kind="players-merged").count() == 1


def test_who_played_together_is_two_people(season, owner, evenings):
    before = stored_rows(season.club)
    with pytest.raises(PlayedTogether, match="Keane and Iris played in the same event 2 times") as refusal:
        merged(owner, "Keane", "Iris")
    assert refusal.value.events == [evenings[0], evenings[2]]
    assert stored_rows(season.club) == before


def test_a_player_is_not_merged_with_itself(season, owner, evenings):
    with pytest.raises(Refused, match="two different players"):
        merged(owner, "Keane", "Keane")


def test_players_of_a_sealed_season_stay_apart(season, owner, evenings):
    computed(season.club)
    type(season).objects.filter(pk=season.pk).update(is_closed=True)
    season.refresh_from_db()
    seal_season(season, actor=owner)
    with pytest.raises(Refused, match="is sealed"):
        merged(owner)


def test_a_merge_stays_while_a_seal_has_an_award_of_it(season, owner, evenings):
    Award.objects.create(season=season, position=1, kind="chosen", title="Best hat", player=named("Keene"))
    merge = merged(owner)
    other = SeasonFactory(club=season.club)
    season.events.update(season=other)
    computed(season.club)
    type(season).objects.filter(pk=season.pk).update(is_closed=True)
    season.refresh_from_db()
    seal_season(season, actor=owner)
    with pytest.raises(Refused, match="is sealed"):
        unmerge(season.club, merge.pk, actor=owner)
    assert broken_by(season) == ""
    assert not Player.objects.filter(key="keene").exists()


def test_totals_that_both_brought_forward_to_a_season_are_joined_first(season, owner, evenings):
    for name in ("Keane", "Keene"):
        BroughtTotals.objects.create(season=season, player=named(name), numerator=3, n_events=1, n_entries=1)
    with pytest.raises(Refused, match=f"Both have totals brought forward in {season}"):
        merged(owner)


def test_totals_awards_names_and_claims_move_and_come_back(season, owner, evenings):
    club, keene = season.club, named("Keene")
    asking = UserFactory()
    BroughtTotals.objects.create(season=season, player=keene, numerator=3, n_events=1, n_entries=1)
    Award.objects.create(season=season, position=1, kind="chosen", title="Best hat", player=keene)
    PlayerAlias.objects.create(club=club, player=keene, name="Keeny", key="keeny")
    for name in ("Keane", "Keene"):
        ask_for_player(named(name), user=asking)
    before, rates = stored_rows(club), computed(club)
    merge = merged(owner)
    keane = named("Keane")
    assert keane.totals_brought_forward.count() == keane.awards.count() == keane.claims.count() == 1
    assert set(keane.aliases.values_list("key", flat=True)) == {"keeny", "keene"}
    assert computed(club) != rates
    unmerge(club, merge.pk, actor=owner)
    assert stored_rows(club) == before
    assert computed(club) == rates
    assert {name: named(name).claims.count() for name in ("Keane", "Keene")} == {"Keane": 1, "Keene": 1}
    assert unmerge(club, merge.pk, actor=owner) is None


def test_the_account_of_the_merged_player_stays_with_the_person(club, season, people, owner, evenings):
    claim_player(named("Keene"), user=people["member"], actor=owner)
    merge = merged(owner)
    assert named("Keane").user == people["member"]
    unmerge(club, merge.pk, actor=owner)
    assert (named("Keane").user, named("Keene").user) == (None, people["member"])


@pytest.mark.parametrize("chosen", ["member", "helper"])
def test_of_two_accounts_one_is_chosen_and_both_come_back(club, season, people, owner, evenings, chosen):
    for name, who in (("Keane", "member"), ("Keene", "helper")):
        claim_player(named(name), user=people[who], actor=owner)
    with pytest.raises(WhichAccount) as question:
        merged(owner)
    assert question.value.accounts == [people["member"], people["helper"]]
    merge = merged(owner, account=people[chosen].pk)
    assert named("Keane").user == people[chosen]
    unmerge(club, merge.pk, actor=owner)
    assert (named("Keane").user, named("Keene").user) == (people["member"], people["helper"])


def test_a_member_who_was_entered_as_a_guest_stays_a_member(season, owner, evenings):
    Player.objects.filter(name="Keene").update(is_guest=False)
    merge = merged(owner)
    assert not named("Keane").is_guest
    unmerge(season.club, merge.pk, actor=owner)
    assert named("Keane").is_guest


def test_later_evenings_stay_unless_they_are_chosen(season, owner, evenings):
    merge = merged(owner)
    later = [enter(season, "Keene\nIris", day=day) for day in (5, 6)]
    assert later_events(merge) == later
    unmerge(season.club, merge.pk, actor=owner, later_events=[later[1].pk, evenings[0].pk])
    keane, keene = (list(named(name).entries.values_list("event", flat=True)) for name in ("Keane", "Keene"))
    assert keane == [evenings[0].pk, evenings[2].pk, later[0].pk]
    assert keene == [evenings[1].pk, later[1].pk]
    computed(season.club)
    assert wrong_leagues() == 0


def test_a_form_opened_before_is_stale_after_the_merge_is_undone(season, owner, evenings):
    merge = merged(owner)
    version = Event.objects.get(pk=evenings[1].pk).version
    unmerge(season.club, merge.pk, actor=owner)
    assert Event.objects.get(pk=evenings[1].pk).version > version


def test_a_name_given_to_somebody_else_since_is_in_the_way(season, owner, evenings):
    merge = merged(owner)
    Player.objects.create(club=season.club, name="Keene", key="keene")
    with pytest.raises(Refused, match="has the name Keene: rename that one first"):
        unmerge(season.club, merge.pk, actor=owner)
    assert PlayerMerge.objects.get() == merge


@pytest.mark.parametrize("is_deleted_first", [True, False])
def test_an_evening_in_the_bin_comes_back_to_whoever_its_player_is_now(
    season, owner, evenings, is_deleted_first
):
    before, rates = stored_rows(season.club), computed(season.club)
    steps = [lambda: delete_event(evenings[1], version=1, actor=owner), lambda: merged(owner)]
    for step in steps if is_deleted_first else reversed(steps):
        step()
    merge, item = PlayerMerge.objects.get(), BinItem.objects.get()
    if is_deleted_first:
        restore(season.club, item.pk, actor=owner)
        assert named("Keane").entries.count() == 3
        unmerge(season.club, merge.pk, actor=owner)
    else:
        unmerge(season.club, merge.pk, actor=owner)
        restore(season.club, item.pk, actor=owner)
    assert stored_rows(season.club) == before
    assert computed(season.club) == rates


def test_a_deleted_evening_of_both_waits_until_the_merge_is_undone(season, owner, evenings):
    both = enter(season, "Keane\nKeene\nMoss", day=4)
    before = stored_rows(season.club)
    item = delete_event(both, version=1, actor=owner)
    merge = merged(owner)
    with pytest.raises(Refused, match="Both Keene and Keane played in"):
        restore(season.club, item.pk, actor=owner)
    unmerge(season.club, merge.pk, actor=owner)
    assert restore(season.club, item.pk, actor=owner) == item
    assert stored_rows(season.club) == before


def test_a_version_before_a_merge_comes_back_as_who_stays(season, owner, evenings):
    second = evenings[1]
    Player.objects.filter(name="Keene").update(is_guest=False)
    before = stored_rows(season.club)
    correct(second, "Iris\nMoss")
    removed = second.changes.first()
    merge = merged(owner)
    restore_version(removed, actor=owner)
    assert second.entries.filter(player=named("Keane")).exists()
    assert restore_version(removed, actor=owner) is None
    unmerge(season.club, merge.pk, actor=owner)
    assert stored_rows(season.club) == before


def test_a_version_of_a_merge_comes_back_as_who_was_merged(season, owner, evenings):
    second = evenings[1]
    before = stored_rows(season.club)
    merge = merged(owner)
    second.refresh_from_db()
    correct(second, "Iris\nMoss")
    unmerge(season.club, merge.pk, actor=owner)
    restore_version(second.changes.first(), actor=owner)
    assert stored_rows(season.club) == before


def test_a_version_in_which_both_played_waits_until_the_merge_is_undone(season, owner, evenings):
    both = enter(season, "Keane\nKeene\nMoss", day=4)
    correct(both, "Keane\nMoss")
    merged(owner)
    with pytest.raises(Refused, match="Both Keene and Keane played in"):
        restore_version(both.changes.first(), actor=owner)


def test_an_import_that_took_a_merged_player_out_is_undone(season, owner, evenings):
    second = evenings[1]
    Event.objects.filter(pk=second.pk).update(key="n")
    Player.objects.filter(name="Keene").update(is_guest=False)
    entries = (EntryInput("Iris", 1), EntryInput("Moss", 2))
    item = FileEvent("n", EventDetails(second.starts_at), entries, 1)
    record = import_events(season, [item], actor=owner).record
    merged(owner)
    undo_import(record, actor=owner)
    assert second.entries.filter(player=named("Keane")).exists()


def test_an_import_during_a_merge_is_undone_after_it(season, owner, evenings):
    second = evenings[1]
    Event.objects.filter(pk=second.pk).update(key="n")
    before = stored_rows(season.club)
    merge = merged(owner)
    entries = (EntryInput("Iris", 1), EntryInput("Moss", 2))
    item = FileEvent("n", EventDetails(second.starts_at), entries, 1)
    record = import_events(season, [item], actor=owner).record
    unmerge(season.club, merge.pk, actor=owner)
    undo_import(record, actor=owner)
    assert stored_rows(season.club) == before


@pytest.mark.parametrize("with_season", [False, True])
def test_what_is_in_the_bin_while_a_merge_is_undone_comes_back_as_who_was_merged(
    season, owner, evenings, with_season
):
    """The rows before an import, and the version before a correction, were written during the merge."""
    second = evenings[1]
    Event.objects.filter(pk=second.pk).update(key="n")
    before = stored_rows(season.club)
    merge = merged(owner)
    entries = (EntryInput("Iris", 1), EntryInput("Moss", 2))
    item = FileEvent("n", EventDetails(second.starts_at), entries, 1)
    record = import_events(season, [item], actor=owner).record
    second.refresh_from_db()
    if with_season:
        delete_season(season, actor=owner)
    else:
        delete_event(second, version=second.version, actor=owner)
    unmerge(season.club, merge.pk, actor=owner)
    restore(season.club, BinItem.objects.get().pk, actor=owner)
    again = merged(owner)
    left = [row.event_id for row in changed_since(record)]  # its deletion and its way back are changes
    undo_import(record, actor=owner, leaves=left)
    if left:
        restore_version(Change.objects.filter(event=second, kind="result-corrected").last(), actor=owner)
    unmerge(season.club, again.pk, actor=owner)
    assert stored_rows(season.club) == before
