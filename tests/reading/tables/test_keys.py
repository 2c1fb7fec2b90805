"""What tells the events of a foreign table from those of other files."""

from reading.event_files.reader import MAX_KEY_LENGTH
from reading.tables.reading import read_file
from tests.reading.tables.previews import TZ

LONG = "The very long name of a tournament that is held since nobody knows when"


def keys_of(*names, day="2026-01-13"):
    rows = [f"{day};{name};{place};{player}" for name in names for place, player in ((1, "Ada"), (2, "Bo"))]
    read = read_file("\n".join(["Datum;Turnier;Platz;Spieler", *rows]).encode(), "a.csv", tz=TZ)
    return [event.key for event in read.events]


def test_an_event_of_the_same_name_on_another_day_is_another_event():
    assert keys_of("Weekly") == ["2026-01-13 Weekly"]
    assert keys_of("Weekly", day="2026-01-20") == ["2026-01-20 Weekly"]


def test_an_event_has_the_same_key_whatever_else_the_file_holds():
    assert keys_of("Weekly")[0] == keys_of("Main", "Weekly")[1]


def test_long_names_that_differ_at_the_end_are_two_events():
    keys = keys_of(f"{LONG} one", f"{LONG} two")
    assert len(set(keys)) == 2
    assert {len(key) for key in keys} == {MAX_KEY_LENGTH}
