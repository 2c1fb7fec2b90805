"""An archive that was changed, cut or made up is refused with the file and line, and nothing is written."""

import hashlib
import io
import json
import zipfile

import pytest

from league.models import Club
from ratings.engine.tier.params import TierParams
from ratings.services.settings import set_rating_settings
from standings.archive import reading
from standings.archive.reading import BadArchive, read_archive
from standings.archive.services import import_archive
from standings.archive.writing import MANIFEST, write_archive
from tests.factories import ClubFactory, SeasonFactory, UserFactory, correct, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def files(db):
    """The files of an archive by name, to be changed."""
    season = SeasonFactory()
    correct(enter(season, "Ada\nBoris"), "Boris\nAda")
    set_rating_settings(season.pool, TierParams(rate_floor=1000.0), revision=0, actor=None)
    file = io.BytesIO()
    write_archive(season.club, file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files, *, is_signed=True):
    """Pack files as an archive, with the checksums of what is in them now."""
    manifest = json.loads(files[MANIFEST])
    for name, said in manifest["files"].items():
        if is_signed and name in files:
            said["sha256"] = hashlib.sha256(files[name]).hexdigest()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in (files | {MANIFEST: json.dumps(manifest).encode()}).items():
            archive.writestr(name, data)
    return file


def changed_cell(files, label, column, value):
    """Change a cell of the first row of a model."""
    name = f"rows/{label}.jsonl"
    heading, first, *rest = [json.loads(line) for line in files[name].splitlines()]
    first[heading.index(column)] = value
    lines = [json.dumps(row) for row in (heading, first, *rest)]
    return files | {name: "\n".join(lines).encode() + b"\n"}


def refused(file, match):
    before = Club.objects.count()
    with pytest.raises(BadArchive, match=match):
        import_archive(read_archive(file), owner=UserFactory(), name="Copy", slug="copy")
    assert Club.objects.count() == before


def test_what_is_no_archive_is_refused(files):
    refused(io.BytesIO(b"no zip"), "no archive of a club")
    refused(io.BytesIO(packed(files).getvalue()[:-200]), "no archive of a club")
    refused(packed({MANIFEST: files[MANIFEST]}), "has no file rows/league.club.jsonl")
    refused(packed(files | {MANIFEST: files[MANIFEST].replace(b"club/1", b"club/9")}), "“format” must be")


def test_a_file_that_was_changed_is_refused_by_its_checksum(files):
    changed = files | {"rows/league.player.jsonl": files["rows/league.player.jsonl"].replace(b"Ada", b"Eva")}
    refused(packed(changed, is_signed=False), "rows/league.player.jsonl is not as it was written")


@pytest.mark.parametrize(
    ("label", "column", "value", "message"),
    [
        ("league.entry", "place", "x", r"rows/league.entry.jsonl, line 2, place: .*"),
        ("league.entry", "place", -3, r"rows/league.entry.jsonl, line 2, place: .*"),
        ("league.pool", "kind", "chess", r"rows/league.pool.jsonl, line 2, kind: .*chess"),
        ("league.player", "name", "x" * 200, r"rows/league.player.jsonl, line 2, name: .*"),
        ("league.entry", "player_id", 10**9, r"rows/league.entry.jsonl, player_id: refers to a row"),
        ("league.entry", "player_id", None, r"rows/league.entry.jsonl, line 2, player_id"),
        ("league.player", "id", 10**9, "an id is there twice, or is too high"),
        ("league.event", "starts_at", "yesterday", r"rows/league.event.jsonl, line 2, starts_at"),
        ("league.change", "before", {"player": -7}, "contradicts itself"),
        ("league.player", "name", "A\0da", r"rows/league.player.jsonl, line 2: this is no JSON"),
        ("league.player", "name", "A\ud800da", r"rows/league.player.jsonl, line 2: this is no JSON"),
        (
            "league.change",
            "before",
            {"n": float("inf")},
            r"rows/league.change.jsonl, line 2: this is no JSON",
        ),
        ("league.entry", "cost", [], r"rows/league.entry.jsonl, line 2, cost"),
        ("league.change", "before", [], r"rows/league.change.jsonl, line 2, before"),
        ("payouts.seasonrules", "structure", [], r"rows/payouts.seasonrules.jsonl, line 2, structure"),
        ("payouts.seasonrules", "tie_breaks", {}, r"rows/payouts.seasonrules.jsonl, line 2, tie_breaks"),
        ("payouts.seasonrules", "tie_breaks", ["hair"], "contradicts itself: tie_breaks"),
        ("ratings.ratingsettings", "params", {"beta": -1}, "contradicts itself"),
        ("league.player", "id", 10**30, "an id is there twice, or is too high"),
        ("league.change", "after", {"whole": {"entries": []}}, "contradicts itself"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(files, label, column, value, message):
    refused(packed(changed_cell(files, label, column, value)), message)


def test_a_column_of_a_later_version_is_refused_and_one_of_an_earlier_one_takes_the_default(files):
    players = files["rows/league.player.jsonl"]
    later = players.replace(b'"real_name"', b'"rating_of_hair"')
    refused(packed(files | {"rows/league.player.jsonl": later}), "rating_of_hair.*later version")
    heading, *rows = [json.loads(line) for line in players.splitlines()]
    at = heading.index("real_name")
    earlier = [json.dumps(row[:at] + row[at + 1 :]) for row in (heading, *rows)]
    file = packed(files | {"rows/league.player.jsonl": "\n".join(earlier).encode()})
    club = import_archive(read_archive(file), owner=UserFactory(), name="Copy", slug="copy")
    assert {player.real_name for player in club.players.all()} == {""}


def test_rows_of_another_club_cannot_be_reached(files):
    """The bin of a made-up archive names an id above those that were given: it may be another club's row."""
    other = enter(SeasonFactory(club=ClubFactory()), "Cleo\nDora")
    item = {"winners": [other.pk + 10**6]}
    binned = {
        "root": "league.entry",
        "tables": [{"label": "league.entry", "fields": ["id", "event_id"], "rows": [[1, other.pk + 10**6]]}],
        "links": [],
        "players": None,
    }
    heading = json.loads(files["rows/league.binitem.jsonl"].splitlines()[0])
    row = {"id": 1, "club_id": 1, "kind": "event", "label": "x", "facts": item, "data": binned}
    row |= {"deleted_at": "2026-01-01T00:00:00+00:00", "deleted_by_id": None}
    club_id = json.loads(files["rows/league.club.jsonl"].splitlines()[1])[0]
    lines = [heading, [(row | {"club_id": club_id})[column] for column in heading]]
    manifest = json.loads(files[MANIFEST])
    manifest["highest_ids"]["league.binitem"] = 1
    made_up = files | {
        "rows/league.binitem.jsonl": "\n".join(map(json.dumps, lines)).encode(),
        MANIFEST: json.dumps(manifest).encode(),
    }
    refused(packed(made_up), "contradicts itself")


@pytest.mark.rest
@pytest.mark.parametrize(
    "bomb", [b"\n" * 200_000_001, b"[" + b"[]," * 10_000_001 + b"0]"], ids=["bytes", "values"]
)
def test_a_small_file_that_unpacks_to_very_much_is_refused_before_it_is_read(files, bomb, monkeypatch):
    monkeypatch.setattr(reading, "_json", None)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (files | {"rows/league.player.jsonl": bomb}).items():
            archive.writestr(name, data)
    assert len(file.getvalue()) < 1_000_000
    refused(file, "too large when it is unpacked")


def test_text_that_looks_like_an_escape_is_text(files):
    named = changed_cell(files, "league.player", "name", "A\\u0000da")
    club = import_archive(read_archive(packed(named)), owner=UserFactory(), name="Copy", slug="copy")
    assert club.players.filter(name="A\\u0000da").exists()
