"""An import is undone: what it entered goes, what it corrected is as it was, and its guests go with it."""

from dataclasses import replace
from datetime import UTC

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from entry.services.imports import import_events
from entry.services.undo_imports import Undone, changed_since, is_built_on, undo_import
from league.models import Change, Entry, Event, Import, Player, PlayerAlias
from league.services.errors import Refused
from league.services.events import correct_result, delete_event
from league.services.seasons import close_season
from payouts.models import EntryMoney
from reading.event_files.reader import read_event_file
from tests.factories import correct, enter

pytestmark = pytest.mark.django_db
HEAD = "event,date,player,place,number,knockouts,cost\n"
NIGHT = (
    "n1,2026-01-13T19:30,Ada,1,,2,40\nn1,2026-01-13T19:30,Boris,2,,,\nn1,2026-01-13T19:30,Cleo,3,,0,20.5\n"
)
OTHER = "n2,2026-01-14,Ada,1,,,\nn2,2026-01-14,Dana,2,,,\n"


def read(text):
    found = read_event_file(HEAD + text, tz=UTC)
    assert not found.problems
    return found.events


def imported(season, text, **more):
    return import_events(season, read(text), actor=None, files="n.csv", **more).record


def rows(*, but=("version",)):
    """All stored rows that an import writes."""
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name not in but}
            for row in model.objects.order_by("pk").values()
        ]
        for model in (Event, Entry, Player, PlayerAlias, EntryMoney)
    }


def test_what_was_entered_goes_with_its_guests_and_nothing_happens_twice(season, people):
    enter(season, "Ada\nBoris")
    before = rows()
    record = imported(season, NIGHT + OTHER)
    assert not is_built_on(record)
    assert undo_import(record, actor=people["organizer"]) == Undone(2, 0, 2)
    assert rows() == before
    n = Change.objects.count()
    assert undo_import(record, actor=people["organizer"]) == Undone()
    assert Change.objects.count() == n
    record.refresh_from_db()
    assert record.undone_by == people["organizer"]


def test_a_corrected_event_is_restored_with_rows_of_entries_that_were_gone(season):
    imported(season, NIGHT)
    gone = Entry.objects.get(player__name="Cleo")
    EntryMoney.objects.create(entry=gone, **{money_field(): 3})
    before, guests = rows(), Player.objects.count()
    record = imported(season, NIGHT.replace("Cleo", "Emil").replace(",2,40", ",3,41"))
    assert not Player.objects.filter(name="Cleo").exists()
    assert Player.objects.count() == guests
    assert undo_import(record, actor=None) == Undone(0, 1, 1)
    assert rows() == before
    assert Event.objects.get().version == 3
    assert Change.objects.filter(kind=Change.Kind.RESULT_CORRECTED).count() == 2


def money_field():
    return next(
        field.attname
        for field in EntryMoney._meta.concrete_fields
        if field.get_internal_type() == "PositiveSmallIntegerField"
    )


NAMES = ("Ada", "Boris", "Cleo", "Dana", "Emil")
LINEUPS = st.lists(
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True), min_size=3, max_size=3
)
COSTS = st.lists(st.sampled_from(["", "1", "20.5", "7.125"]), min_size=15, max_size=15)


def file_of(lineups, costs):
    costs = iter(costs)
    return "".join(
        f"n{i},2026-01-{13 + i}T19:30:0{i}.{i:06},{name},{place},,{place},{next(costs)}\n"
        for i, lineup in enumerate(lineups)
        for place, name in enumerate(lineup, 1)
    )


@pytest.mark.rest
@settings(
    max_examples=10, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(LINEUPS, LINEUPS, COSTS, COSTS)
def test_undoing_any_import_leaves_the_rows_as_they_were(season, first, second, costs, others):
    imported(season, file_of(first[:2], costs))
    before = rows()
    again = imported(season, file_of(second, others))
    if again:
        undo_import(again, actor=None)
    assert rows() == before
    for event in Event.objects.all():
        delete_event(event, version=event.version, actor=None)


def test_events_that_were_changed_since_are_named_and_can_be_left(season):
    record = imported(season, NIGHT + OTHER)
    event = Event.objects.get(key="n1")
    correct(event, "Boris\nAda\nCleo")
    assert is_built_on(record)
    assert [row.event_id for row in changed_since(record)] == [event.pk]
    before = rows()
    with pytest.raises(Refused, match=f"Changed since this import, and so not undone: {event}"):
        undo_import(record, actor=None)
    assert rows() == before
    assert undo_import(record, actor=None, leaves=[event.pk]) == Undone(1, 0, 1)
    assert [event.key for event in Event.objects.all()] == ["n1"]


def test_a_deleted_event_is_no_obstacle(season):
    record = imported(season, NIGHT + OTHER)
    event = Event.objects.get(key="n1")
    delete_event(event, version=event.version, actor=None)
    assert changed_since(record) == []
    assert undo_import(record, actor=None).n_deleted == 1
    assert not Event.objects.exists()


def test_a_later_result_makes_it_a_correction_and_keeps_guests_who_play_in_it(season):
    record = imported(season, OTHER)
    enter(season, "Dana\nZoe", day=20)
    assert is_built_on(record)
    assert undo_import(record, actor=None) == Undone(1, 0, 1)
    assert set(Player.objects.values_list("name", flat=True)) == {"Dana", "Zoe"}


def test_a_closed_season_keeps_its_imports(season, people):
    record = imported(season, NIGHT)
    close_season(season, actor=people["organizer"])
    with pytest.raises(Refused, match="is closed"):
        undo_import(record, actor=None)
    assert Event.objects.count() == 1


def test_an_import_that_changes_nothing_leaves_no_record(season):
    imported(season, NIGHT)
    assert imported(season, NIGHT) is None
    assert Import.objects.count() == 1


def test_a_guest_of_a_wrong_name_goes_when_the_name_is_corrected(season):
    event = enter(season, "Ada\nBorsi")
    correct(event, "Ada\nBoris (new)")
    assert set(Player.objects.values_list("name", flat=True)) == {"Ada", "Boris"}


def test_a_guest_somebody_needs_stays(season, people):
    """A player of the club, one with an account, and one with another name stay without an entry."""
    event = enter(season, "Ada\nBoris\nCleo\nDana\nEmil")
    Player.objects.filter(name="Boris").update(is_guest=False)
    Player.objects.filter(name="Cleo").update(user=people["member"])
    PlayerAlias.objects.create(club=season.club, player=Player.objects.get(name="Dana"), name="D", key="d")
    correct(event, "Ada\nZoe")
    assert set(Player.objects.values_list("name", flat=True)) == {"Ada", "Boris", "Cleo", "Dana", "Zoe"}


def test_a_guest_who_changes_events_in_one_import_stays_the_same_player(season, people):
    imported(season, OTHER)
    dana, before = Player.objects.get(name="Dana"), rows(but=("version", "id"))
    instead = OTHER.replace("Dana", "Emil") + "n3,2026-01-15,Dana,1,,,\nn3,2026-01-15,Ada,2,,,\n"
    record = imported(season, instead)
    assert Player.objects.get(name="Dana") == dana
    assert dana.entries.get().event.key == "n3"
    undo_import(record, actor=people["organizer"])
    assert Player.objects.get(name="Dana") == dana
    assert rows(but=("version", "id")) == before


def test_other_names_that_were_remembered_are_forgotten(season):
    enter(season, "Ada\nBoris")
    boris = Player.objects.get(name="Boris")
    events = [replace(event) for event in read(OTHER.replace("Dana", "Boris"))]
    record = import_events(season, events, actor=None, aliases={"Borsi": boris.pk}).record
    assert PlayerAlias.objects.get().name == "Borsi"
    undo_import(record, actor=None)
    assert not PlayerAlias.objects.exists()
    assert Player.objects.filter(pk=boris.pk).exists()


def test_a_correction_of_what_was_restored_goes_on(season):
    imported(season, NIGHT)
    record = imported(season, NIGHT.replace("Ada,1", "Zoe,1"))
    undo_import(record, actor=None)
    event = Event.objects.get()
    item = read(NIGHT.replace("Boris,2", "Emil,2"))[0]
    corrected = correct_result(event, item.details, item.entries, version=event.version, actor=None)
    assert corrected.version == 4
