"""An archive that was changed, cut or made up is refused with the file and line, and nothing is written."""

import hashlib
import io
import json
import zipfile

import pytest
from django.core.management import call_command

from league.models import BinItem, Club, Event, Player
from ratings.engine.tier.params import TierParams
from ratings.services.settings import set_rating_settings
from standings.archive import reading
from standings.archive.reading import BadArchive, read_archive
from standings.archive.sequences import set_last_id
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


@pytest.mark.postgresql
def test_a_player_who_is_there_twice_is_refused_on_every_database(files):
    """PostgreSQL finds it while it copies rows, SQLite at their INSERT."""
    heading, _first, second = map(json.loads, files["rows/league.player.jsonl"].splitlines())
    twice = changed_cell(files, "league.player", "name", second[heading.index("name")])
    refused(
        packed(changed_cell(twice, "league.player", "key", second[heading.index("key")])),
        "contradicts itself",
    )


@pytest.mark.parametrize(
    ("label", "column", "value", "message"),
    [
        ("league.entry", "place", "x", r"rows/league.entry.jsonl, line 2, place: .*"),
        ("league.entry", "place", -3, r"rows/league.entry.jsonl, line 2, place: .*"),
        ("league.pool", "kind", "chess", r"rows/league.pool.jsonl, line 2, kind: .*chess"),
        ("league.player", "name", "x" * 200, r"rows/league.player.jsonl, line 2, name: .*"),
        ("league.entry", "player_id", 10**9, r"rows/league.entry.jsonl, player_id: refers to a row"),
        ("league.entry", "player_id", None, r"rows/league.entry.jsonl, line 2, player_id"),
        ("league.player", "id", 10**9, "refers to a row that is not in the archive"),
        ("league.event", "starts_at", "yesterday", r"rows/league.event.jsonl, line 2, starts_at"),
        ("league.change", "before", {"player": -7}, "contradicts itself"),
        ("league.change", "before", {"event_id": -7}, "contradicts itself"),
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
        ("league.change", "id", 10**30, "an id is there twice, or is too high"),
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


def with_bin_item(files, data, facts=None):
    """Add an item to the bin of the club."""
    heading = json.loads(files["rows/league.binitem.jsonl"].splitlines()[0])
    club_id = json.loads(files["rows/league.club.jsonl"].splitlines()[1])[0]
    row = {"id": 1, "club_id": club_id, "kind": "event", "label": "x", "facts": facts or {}, "data": data}
    row |= {"deleted_at": "2026-01-01T00:00:00+00:00", "deleted_by_id": None}
    lines = [heading, [row[column] for column in heading]]
    return files | {"rows/league.binitem.jsonl": "\n".join(map(json.dumps, lines)).encode()}


def kept(label="league.entry", fields=("id", "event_id"), row=(1, 1), links=()):
    tables = [{"label": label, "fields": list(fields), "rows": [list(row)]}]
    return {"root": label, "tables": tables, "links": list(links), "players": None}


def imported(files):
    return import_archive(read_archive(packed(files)), owner=UserFactory(), name="Copy", slug="copy")


def test_rows_of_another_club_cannot_be_reached(files):
    """The bin of a made-up archive names ids of another club: they become ids that nobody has."""
    other = enter(SeasonFactory(club=ClubFactory()), "Cleo\nDora")
    club = imported(
        with_bin_item(files, kept(row=(1, other.pk)), {"winners": [other.entries.first().player_id]})
    )
    item = BinItem.objects.get(club=club)
    (row,) = item.data["tables"][0]["rows"]
    assert not Event.objects.filter(pk=row[1]).exists()
    assert not Player.objects.filter(pk=item.facts["winners"][0]).exists()
    assert enter(SeasonFactory(club=ClubFactory()), "Eda\nFay").pk > row[1]  # and nobody gets


def test_an_archive_of_very_many_files_is_refused_before_they_are_read(files):
    refused(packed(files | {f"x{n}": b"" for n in range(300)}), "too large when it is unpacked")


def test_no_number_of_an_upload_drives_the_ids_of_the_site(files):
    """Finding H1: one upload with ids of 10**12 made every later archive of the site useless."""
    manifest = json.loads(files[MANIFEST])
    manifest["highest_ids"] = dict.fromkeys(["league.club", "league.player", "league.event"], 10**12)
    far = with_bin_item(files, kept(row=(10**12, 10**15)))
    imported(far | {MANIFEST: json.dumps(manifest).encode()})
    event = enter(SeasonFactory(club=ClubFactory()), "Cleo\nDora")
    taken = event.pk, event.season.club_id, *event.entries.values_list("pk", "player_id").first()
    assert max(taken) < 10**9  # PostgreSQL's sequences go on from those of earlier tests
    file = io.BytesIO()
    said = write_archive(event.season.club, file)
    assert "highest_ids" not in said  # how much other clubs have is nobody's business
    import_archive(read_archive(file), owner=UserFactory(), name="Other", slug="other")


def test_a_site_that_was_hit_is_repaired(files, capsys):
    imported(with_bin_item(files, kept(row=(1, 10**9))))
    named = BinItem.objects.get().data["tables"][0]["rows"][0][1]  # what is gone keeps its id
    assert named > max(Event.objects.values_list("pk", flat=True))
    set_last_id(Event, 10**12)
    call_command("repair_ids")
    assert "league.event: the next id is" in capsys.readouterr().out
    assert enter(SeasonFactory(club=ClubFactory()), "Eda\nFay").pk == named + 1
    call_command("repair_ids")
    assert "league.event" not in capsys.readouterr().out


def test_ids_beyond_those_of_a_site_that_was_hit_are_read(files):
    """An archive written while a site gave ids above 10**12 can be imported, there and elsewhere."""
    text = {name: data for name, data in files.items() if name.endswith(".jsonl")}
    heading, row = [json.loads(line) for line in text["rows/league.club.jsonl"].splitlines()]
    old, new = row[0], 10**12 + 5
    moved = dict(files)
    for name, data in text.items():
        lines = [json.loads(line) for line in data.splitlines()]
        places = [
            i
            for i, column in enumerate(lines[0])
            if column == "club_id" or (name.endswith("league.club.jsonl") and column == "id")
        ]
        for line in lines[1:]:
            for i in places:
                line[i] = new if line[i] == old else line[i]
        moved[name] = "\n".join(map(json.dumps, lines)).encode() + b"\n"
    assert heading
    assert imported(moved).pk < 10**9


def test_an_archive_links_nobody_to_an_account(files):
    """Finding M1: links of a bin item named any account of the site."""
    stranger = UserFactory()
    player_id = json.loads(files["rows/league.player.jsonl"].splitlines()[1])[0]
    links = [{"label": "league.player", "field": "user_id", "pairs": [[player_id, stranger.pk]]}]
    club = imported(with_bin_item(files, kept(links=links)))
    assert BinItem.objects.get(club=club).data["links"][0]["pairs"][0][1] is None
    event = BinItem.objects.get(club=club)
    assert str(stranger.pk) not in json.dumps(event.data["links"])


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        (("id", "place"), (1, "x")),
        (("id", "place"), (1, -3)),
        (("id", "cost"), (1, "NaN")),
        (("id", "busted_at"), (1, "yesterday")),
        (("id", "hair"), (1, "long")),
        (("id", "place"), (1, None)),
    ],
)
def test_rows_in_the_bin_are_checked_as_those_of_files(files, fields, row):
    refused(packed(with_bin_item(files, kept(fields=fields, row=row))), "contradicts itself")


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
