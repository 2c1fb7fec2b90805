"""Rows that were kept in an earlier format come back. The formats are written here as they were stored."""

import pytest

from league.models import BinItem, Change, Entry, Player
from league.services.bin import restore
from league.services.events import delete_event
from league.services.kept_formats import FORMAT
from league.services.versions import restore_version
from people.services.merges import merge_players
from tests.factories import correct, enter

pytestmark = pytest.mark.django_db

COLUMNS = [
    "id",
    "player_id",
    "number",
    "place",
    "is_last",
    "registered_at",
    "busted_at",
    "knockouts",
    "cost",
    "score",
    "balance",
    "chips",
    "penalty",
    "seat",
]
DETAILS = [
    "name",
    "starts_at",
    "ends_at",
    "closes_at",
    "table_size",
    "final_table_size",
    "pool_id",
    "game_id",
    "round",
    "table",
    "scoring",
]


@pytest.fixture
def owner(season):
    return season.club.memberships.get().user


@pytest.fixture
def event(season):
    return enter(season, "Ada\nBoris\nCleo")


def table(rows, columns):
    """Read columns of rows as JSON had them."""
    return [
        [value.isoformat() if hasattr(value, "isoformat") else value for value in row]
        for row in rows.values_list(*columns)
    ]


def version_of(event):
    """Write a result as the history kept it in the first format."""
    players = Player.objects.filter(entries__event=event)
    names = [field.attname for field in Player._meta.concrete_fields]
    (details,) = table(type(event).objects.filter(pk=event.pk), DETAILS)
    return {
        "event": dict(zip(DETAILS, details, strict=True)),
        "entries": table(event.entries.order_by("pk"), COLUMNS),
        "players": {"label": "league.player", "fields": names, "rows": table(players.order_by("pk"), names)},
    }


def texts_of(event):
    """Write a result as an import kept it in the first format: texts by column."""

    def packed(row):
        fields = row._meta.concrete_fields
        return {
            field.attname: None if field.value_from_object(row) is None else field.value_to_string(row)
            for field in fields
        }

    entries = list(event.entries.select_related("player"))
    guests = {entry.player for entry in entries if entry.player.is_guest}
    return {
        "event": packed(event),
        "entries": list(map(packed, entries)),
        "of_entries": {},
        "guests": list(map(packed, guests)),
    }


def result_of(event):
    return list(Entry.objects.filter(event=event).order_by("place").values("pk", "player__name", "place"))


@pytest.mark.parametrize("written", [version_of, texts_of])
def test_a_version_of_an_earlier_format_comes_back(event, owner, written):
    before, result = written(event), result_of(event)
    correct(event, "Boris\nDana\nAda")
    change = Change.objects.get(kind=Change.Kind.RESULT_CORRECTED)
    change.before["whole"] = before
    change.save()
    restore_version(change, actor=owner)
    assert result_of(event) == result


def test_a_version_of_an_earlier_format_follows_a_merge(event, owner):
    enter(event.season, "Cleo\nBoris", day=1)
    enter(event.season, "Kleo (new)\nBoris", day=2)
    before = version_of(event)
    correct(event, "Boris\nDana\nAda")
    change = Change.objects.get(kind=Change.Kind.RESULT_CORRECTED)
    change.before["whole"] = before
    change.save()
    kept, merged = Player.objects.get(name="Kleo"), Player.objects.get(name="Cleo")
    merge = merge_players(kept, merged, actor=owner)
    restore_version(change, actor=owner)
    assert [row["player__name"] for row in result_of(event)] == ["Ada", "Boris", "Kleo"]
    merge.refresh_from_db()
    assert event.pk in merge.data["events"]


def test_an_item_of_the_bin_without_a_number_of_its_format_comes_back(event, owner):
    result = result_of(event)
    item = delete_event(event, version=event.version, actor=owner)
    stored = BinItem.objects.get(pk=item.pk)
    assert stored.data.pop("format") == FORMAT
    stored.save()
    restore(event.season.club, item.pk, actor=owner)
    assert result_of(event) == result


def test_everything_is_kept_in_the_present_format(event, owner):
    correct(event, "Boris\nDana\nAda")
    change = Change.objects.get(kind=Change.Kind.RESULT_CORRECTED)
    assert (change.before["whole"]["format"], change.before["removed"]["format"]) == (FORMAT, FORMAT)
