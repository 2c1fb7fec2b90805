"""Standings and awards as CSV and XLSX, and the commands that import events and export tables."""

import csv
import io
import re
import zipfile
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.models import Change, Event, Player
from payouts.brought_forward import read_brought_forward
from ratings.models import RatedEntry
from reading.spreadsheets import plain_cell, safe_cell
from standings.exports.tables import AWARDS_COLUMNS, STANDINGS_COLUMNS, Table
from standings.exports.xlsx import workbook
from standings.models import Award, Recomputation, Standing
from tests.factories import enter, names

pytestmark = pytest.mark.django_db
FILE = "event,date,player,place\nn1,2026-01-13T19:30,髙橋,1\nn1,2026-01-13T19:30,Boris,2\n"


def address(season, query=""):
    return reverse("standings:standings-file", args=[season.club.slug, season.slug]) + query


def parsed(text):
    return list(csv.DictReader(io.StringIO(text)))


def command(*arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def of(season):
    return ("--club", season.club.slug, "--season", season.slug)


def test_the_columns_and_every_cell(season, enter_event):
    enter_event("\n".join(["髙橋", *names(9)]))
    standing = Standing.objects.get(points_position=1)
    text, _err = command("export_standings", *of(season))
    assert text.splitlines()[0].split(",") == list(STANDINGS_COLUMNS)
    assert text.count("\r\n") == text.count("\n") == 11
    assert text.splitlines()[1] == f"1,髙橋,5,6,1,1,1,4.000000,{standing.rate:.1f},B1,1,0"
    assert [row["rank"] for row in parsed(text)] == ["1", "2", "3", "3", "5", "5", "5", "5", "5", "5"]
    assert parsed(text)[-1]["profit_per_tourney"] == "-1.000000"


def test_shared_points_are_written_exactly(season, enter_event):
    enter_event("Ada = Boris = Cleo\nDana")
    rows = parsed(command("export_standings", *of(season))[0])
    assert [row["points"] for row in rows][:3] == ["1.3333"] * 3
    assert [row["points"] for row in rows][3] == "0"


@pytest.mark.parametrize("by", ["points", "tier", "profit"])
def test_the_download_is_the_command_with_a_byte_order_mark(client, season, enter_event, by):
    for day in range(3):
        enter_event("Ada\nBoris\nCleo", day=day)
    enter_event("Dana\nAda", day=3)
    answer = client.get(address(season, f"?by={by}"))
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="{season.club.slug}-{season.slug}-{by}.csv"'
    )
    text = answer.content.decode("utf-8-sig")
    assert text == command("export_standings", *of(season), "--by", by)[0]
    rows = parsed(text)
    in_order = Standing.objects.order_by(f"{by}_position").values_list("player__name", flat=True)
    assert [row["player"] for row in rows] == list(in_order)
    unranked = [row["player"] for row in rows if row["rank"] == ""]
    assert unranked == ([] if by != "tier" else ["Dana"])


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "'=1"])
def test_a_name_like_a_formula_gets_an_apostrophe(name):
    assert safe_cell(name) == f"'{name}"
    assert safe_cell(f"A{name}") == f"A{name}"


@pytest.mark.parametrize("separator", [";", "\t", "\n", "\r", "; "])
def test_what_a_separator_would_turn_into_a_formula_gets_an_apostrophe(separator):
    assert safe_cell(f"Ann{separator}=1+1") == f"Ann{separator}'=1+1"
    assert safe_cell(f"Ann{separator}Bo") == f"Ann{separator}Bo"


@given(st.text("=+-@'; \t\r\nA", max_size=12))
def test_no_part_of_a_cell_begins_like_a_formula_and_all_come_back(text):
    safe = safe_cell(text)
    assert not [part for part in re.split("[;\t\r\n]", safe) if part.lstrip(" ").startswith(tuple("=+-@"))]
    assert plain_cell(safe) == text


def test_a_download_read_back_has_the_names_it_was_made_from(client, season, enter_event):
    names = ["-2+3", "@SUM(A1)", "Ann;+1", "'-2", "O'Hara"]
    enter_event("\n".join(names).replace("Ann;+1", "Ann"))
    Player.objects.filter(name="Ann").update(name="Ann;+1")
    read = read_brought_forward(client.get(address(season)).content.decode("utf-8-sig"), {})
    assert [line.problem for line in read.lines] == [""] * 5
    assert [totals.name for totals in read.totals] == names


def test_a_formula_and_a_quote_come_out_of_the_download_as_names(client, season, enter_event):
    enter_event('-2+3\n@SUM(A1)\nAda "the, Ace" (new)')
    rows = parsed(client.get(address(season)).content.decode("utf-8-sig"))
    assert [row["player"] for row in rows] == ["'-2+3", "'@SUM(A1)", 'Ada "the, Ace"']


def test_a_season_without_results_is_only_a_header(client, season):
    assert client.get(address(season)).content.decode("utf-8-sig") == ",".join(STANDINGS_COLUMNS) + "\r\n"


def test_exporting_a_missing_season_is_an_error(season):
    with pytest.raises(CommandError, match=r"--season: club .* has no season nothing"):
        command("export_standings", "--club", season.club.slug, "--season", "nothing")


def test_import_events_saves_once(season, tmp_path):
    file = tmp_path / "n.csv"
    file.write_text(FILE, encoding="cp932")
    encoding = "n.csv: Japanese (Shift-JIS): 髙橋\n"
    for done in ("1 entered, 0 corrected, 0 unchanged\n", "0 entered, 0 corrected, 1 unchanged\n"):
        assert command("import_events", str(file), *of(season))[1] == encoding + done
    assert (Event.objects.count(), Player.objects.count(), Change.objects.count()) == (1, 2, 1)


def test_a_dry_run_saves_nothing(season, tmp_path):
    file = tmp_path / "n.csv"
    file.write_text(FILE.replace("place\n", "place,shirt\n"), encoding="utf-8")
    message = command("import_events", str(file), *of(season), "--dry-run")[1]
    assert "The column “shirt” is not known" in message
    assert "1 events, nothing saved" in message
    assert not Event.objects.exists()


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_each_problem_of_a_file_is_reported_with_its_line_and_event(season, tmp_path, options):
    file = tmp_path / "n.csv"
    late, early = FILE.replace("n1,2026", "n2,2190"), FILE.replace("n1,2026", "n3,2025")
    file.write_text(FILE + late.partition("\n")[2] + early.partition("\n")[2])
    with pytest.raises(CommandError) as caught:
        command("import_events", str(file), *of(season), *options)
    assert str(caught.value).splitlines() == [
        "n.csv, line 4, date: This day is still to come: a result is entered when it is over. (n2)",
        f"n.csv, line 6, date: 2025-01-13 is outside the season {season}. (n3)",
    ]
    assert not Event.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            FILE.replace("Boris,2", "Boris,3").encode(),
            "n.csv, line 3, place: place 3 should be 2 in the event n1",
        ),
        (
            FILE.replace("髙橋,1", ",one").replace("Boris,2", "Boris,two").encode(),
            r"n.csv, line 2, player: A name is missing. \(n1\)\nn.csv, line 3, place: “two” is no whole number",
        ),
        (b"\x00", "n.csv: This is no text in a known encoding"),
        (b"x" * 2_000_001, "n.csv, player: No column holds the players"),
        (
            FILE.replace("2026-01", "2025-01").encode(),
            "n.csv, line 2, date: 2025-01-13 is outside the season",
        ),
        (None, "No such file"),
    ],
)
def test_a_bad_file_is_an_error_and_nothing_is_saved(season, tmp_path, data, message):
    file = tmp_path / "n.csv"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(CommandError, match=message) as caught:
        command("import_events", str(file), *of(season))
    assert caught.value.returncode == 1
    assert not Event.objects.exists()


def test_importing_into_a_missing_season_is_an_error(season, tmp_path):
    with pytest.raises(CommandError, match="has no season nothing"):
        command("import_events", str(tmp_path / "n.csv"), "--club", season.club.slug, "--season", "nothing")


def test_recompute_stale_pools_from_an_event_and_from_scratch(season):
    events = [enter(season, "Ada\nBoris\nCleo", day=day) for day in range(3)]
    command("recompute", "--stale")
    first = list(
        RatedEntry.objects.order_by("event", "player").values_list("posterior_mu", "posterior_sigma")
    )
    assert len(first) == 9
    first_rows = set(RatedEntry.objects.filter(event__in=events[:1]).values_list("pk", flat=True))
    message = command("recompute", "--club", season.club.slug, "--from", str(events[1].pk))[1]
    assert f"{season.pool}: done" in message
    assert set(RatedEntry.objects.filter(event__in=events[:1]).values_list("pk", flat=True)) == first_rows
    command("recompute", "--club", season.club.slug)
    again = list(
        RatedEntry.objects.order_by("event", "player").values_list("posterior_mu", "posterior_sigma")
    )
    assert again == first
    assert Recomputation.objects.get().rated_version == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--club", "nowhere"), "--club: there is no club nowhere"),
        (("--club", "CLUB", "--from", "0"), "--from: club .* has no event 0"),
        ((), "one of the arguments --club --stale is required"),
    ],
)
def test_recomputing_a_missing_club_or_event_is_an_error(season, arguments, message):
    arguments = [season.club.slug if argument == "CLUB" else argument for argument in arguments]
    with pytest.raises(CommandError, match=message):
        command("recompute", *arguments)


SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def sheet(content):
    """Cells of a workbook's only sheet, read by the standard library: texts and numbers; a formula fails the test."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        texts = [
            "".join(part.text or "" for part in item.iter(f"{SHEET}t"))
            for item in ET.fromstring(book.read("xl/sharedStrings.xml")).iter(f"{SHEET}si")
        ]
        tree = ET.fromstring(book.read("xl/worksheets/sheet1.xml"))
    assert not list(tree.iter(f"{SHEET}f")), "a formula"

    def value(cell):
        text = cell.findtext(f"{SHEET}v")
        return texts[int(text)] if cell.get("t") == "s" else float(text)

    rows = [{re.sub(r"\d", "", c.get("r")): value(c) for c in row} for row in tree.iter(f"{SHEET}row")]
    head, *others = rows
    return [{name: row.get(letter) for letter, name in head.items()} for row in others]


def as_in_csv(row):
    """A row of the CSV with its numbers as numbers, like the workbook."""

    def cell(column, text):
        if column in {"player", "badge", "award", "kind"}:
            return text.removeprefix("'")
        return float(text) if text else None

    return {column: cell(column, text) for column, text in row.items()}


def binary(*arguments):
    out = io.TextIOWrapper(io.BytesIO())
    call_command(*arguments, stdout=out)
    out.flush()
    return out.buffer.getvalue()


@pytest.mark.parametrize("by", ["points", "tier", "profit"])
def test_the_workbook_has_the_cells_of_the_csv_with_texts_and_numbers(client, season, enter_event, by):
    enter_event('髙橋 = 1+1-x\n-2+3\n@SUM(A1)\n"http://a.example"\n007\n')
    answer = client.get(
        reverse("standings:standings-workbook", args=[season.club.slug, season.slug]) + f"?by={by}"
    )
    assert answer.headers["Content-Type"].endswith("spreadsheetml.sheet")
    assert answer.headers["Content-Disposition"].endswith(f'-{by}.xlsx"')
    rows = sheet(answer.content)
    assert rows == [as_in_csv(row) for row in parsed(command("export_standings", *of(season), "--by", by)[0])]
    assert {row["player"] for row in rows} >= {"-2+3", "@SUM(A1)", "http://a.example", "007"}
    assert sheet(binary("export_standings", *of(season), "--by", by, "--format", "xlsx")) == rows


def test_no_beginning_of_a_text_makes_it_a_formula():
    texts = ["=1+1", "+1", "-1", "@A1", "007", "1e5", "http://a.example", "<b>&", " x", "{=1}", "TRUE"]
    table = Table("texts", ("text", "number"), [(text, Decimal("1.50")) for text in texts])
    assert sheet(workbook(table)) == [{"text": text, "number": 1.5} for text in texts]


def test_a_column_shows_the_decimals_that_all_its_numbers_have():
    table = Table("numbers", ("rate", "points"), [(Decimal("1500.0"), Decimal("1.5")), (None, Decimal(2))])
    with zipfile.ZipFile(io.BytesIO(workbook(table))) as book:
        styles = ET.fromstring(book.read("xl/styles.xml"))
        cells = {
            cell.get("r"): cell
            for cell in ET.fromstring(book.read("xl/worksheets/sheet1.xml")).iter(f"{SHEET}c")
        }
    codes = {code.get("numFmtId"): code.get("formatCode") for code in styles.iter(f"{SHEET}numFmt")}
    shown = [codes.get(xf.get("numFmtId"), "") for xf in styles.find(f"{SHEET}cellXfs")]
    assert [shown[int(cells[at].get("s", 0))] for at in ("A2", "B2", "B3")] == ["0.0", "", ""]


def test_a_workbook_of_an_empty_season_is_only_a_header(client, season):
    answer = client.get(reverse("standings:standings-workbook", args=[season.club.slug, season.slug]))
    assert sheet(answer.content) == []


@pytest.fixture
def awards(season, enter_event):
    enter_event("Ada = Boris\nCleo\n")
    enter_event("Ada\nBoris\nDana", day=7)
    person = Player.objects.get(name="Dana")
    for position, kind in enumerate(("first_three", "best_profit", "most_improved", "most_wins")):
        Award.objects.create(season=season, position=position, kind=kind)
    Award.objects.create(season=season, position=9, kind="chosen", title="+1 for manners", player=person)


def test_awards_as_csv(client, season, awards):
    text, _err = command("export_awards", *of(season))
    assert text.splitlines()[0] == ",".join(AWARDS_COLUMNS)
    rows = parsed(text)
    assert [tuple(row.values()) for row in rows] == [
        ("First three on points", "first_three", "1", "Ada", "5.5"),
        ("First three on points", "first_three", "2", "Boris", "4.5"),
        ("First three on points", "first_three", "3", "Cleo", "1"),
        ("First three on points", "first_three", "3", "Dana", "1"),
        ("Best profit per tourney", "best_profit", "1", "Ada", "0.75"),
        ("Most wins", "most_wins", "1", "Ada", "2"),
        ("'+1 for manners", "chosen", "1", "Dana", ""),
    ]
    address = reverse("standings:awards-file", args=[season.club.slug, season.slug])
    assert (
        client.get(address).content
        == client.get(f"{address}?bom=1").content
        == b"\xef\xbb\xbf" + text.encode()
    )
    assert client.get(f"{address}?bom=0").content == text.encode()


def test_awards_as_a_workbook(client, season, awards):
    answer = client.get(reverse("standings:awards-workbook", args=[season.club.slug, season.slug]))
    rows = sheet(answer.content)
    expected = [as_in_csv(row) for row in parsed(command("export_awards", *of(season))[0])]
    for row in expected:
        row["award"] = row["award"].removeprefix("'")
    assert rows == expected
    assert sheet(binary("export_awards", *of(season), "--format", "xlsx")) == rows


def test_titles_are_in_the_language_of_the_page(client, season, awards):
    client.cookies["django_language"] = "ja"
    address = reverse("standings:awards-file", args=[season.club.slug, season.slug])
    assert "最多優勝賞,most_wins,1,Ada,2" in client.get(address).content.decode()


def test_the_byte_order_mark_can_be_left_out(client, season):
    assert client.get(address(season, "?bom=0")).content.startswith(b"rank,")


def test_exporting_awards_of_a_missing_season_is_an_error(season):
    with pytest.raises(CommandError, match=r"--season: club .* has no season nothing"):
        command("export_awards", "--club", season.club.slug, "--season", "nothing")
