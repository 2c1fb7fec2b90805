"""Standings as CSV, and the commands that bring events in and numbers out."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from league.models import Change, Event, Player
from ratings.models import RatedEntry
from standings.exports import COLUMNS, safe_cell
from standings.models import Recomputation, Standing
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


def test_the_columns_and_every_cell(season, enter_evening):
    enter_evening("\n".join(["髙橋", *names(9)]))
    standing = Standing.objects.get(points_position=1)
    text, _err = command("export_standings", *of(season))
    assert text.splitlines()[0].split(",") == list(COLUMNS)
    assert text.count("\r\n") == text.count("\n") == 11
    assert text.splitlines()[1] == f"1,髙橋,5,6,1,1,1,4.000000,{standing.rate:.1f},B1,1,0"
    assert [row["rank"] for row in parsed(text)] == ["1", "2", "3", "3", "5", "5", "5", "5", "5", "5"]
    assert parsed(text)[-1]["profit_per_tourney"] == "-1.000000"


def test_shared_points_are_written_exactly(season, enter_evening):
    enter_evening("Ada = Boris = Cleo\nDana")
    rows = parsed(command("export_standings", *of(season))[0])
    assert [row["points"] for row in rows][:3] == ["1.3333"] * 3
    assert [row["points"] for row in rows][3] == "0"


@pytest.mark.parametrize("by", ["points", "tier", "profit"])
def test_the_download_is_the_command_with_a_byte_order_mark(client, season, enter_evening, by):
    for day in range(3):
        enter_evening("Ada\nBoris\nCleo", day=day)
    enter_evening("Dana\nAda", day=3)
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


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_name_like_a_formula_gets_an_apostrophe(name):
    assert safe_cell(name) == f"'{name}"
    assert safe_cell(f"A{name}") == f"A{name}"


def test_a_formula_and_a_quote_come_out_of_the_download_as_names(client, season, enter_evening):
    enter_evening('-2+3\n@SUM(A1)\nAda "the, Ace"')
    rows = parsed(client.get(address(season)).content.decode("utf-8-sig"))
    assert [row["player"] for row in rows] == ["'-2+3", "'@SUM(A1)", 'Ada "the, Ace"']


def test_a_season_without_results_is_a_head_alone(client, season):
    assert client.get(address(season)).content.decode("utf-8-sig") == ",".join(COLUMNS) + "\r\n"


def test_exporting_what_there_is_not_says_so(season):
    with pytest.raises(CommandError, match=r"--season: club .* has no season nothing"):
        command("export_standings", "--club", season.club.slug, "--season", "nothing")


def test_import_events_saves_once(season, tmp_path):
    file = tmp_path / "n.csv"
    file.write_text(FILE, encoding="cp932")
    assert command("import_events", str(file), *of(season))[1] == "1 entered, 0 corrected, 0 unchanged\n"
    assert command("import_events", str(file), *of(season))[1] == "0 entered, 0 corrected, 1 unchanged\n"
    assert (Event.objects.count(), Player.objects.count(), Change.objects.count()) == (1, 2, 1)


def test_a_dry_run_saves_nothing(season, tmp_path):
    file = tmp_path / "n.csv"
    file.write_text(FILE.replace("place\n", "place,shirt\n"), encoding="utf-8")
    said = command("import_events", str(file), *of(season), "--dry-run")[1]
    assert "The column “shirt” is not known" in said
    assert "1 events, nothing saved" in said
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            FILE.replace("Boris,2", "Boris,3").encode(),
            "n.csv, line 3, place: place 3 should be 2 in the event n1",
        ),
        (
            FILE.replace("髙橋,1", ",one").replace("Boris,2", "Boris,two").encode(),
            r"A name is missing. .*\(and 1 more\)",
        ),
        (b"\x00", "n.csv: This is no text file"),
        (b"x" * 2_000_001, "n.csv: The file has 2.0 MB"),
        (FILE.replace("2026-01", "2025-01").encode(), "n.csv: 2025-01-13 is outside the season"),
        (None, "No such file"),
    ],
)
def test_a_bad_file_is_an_error_and_nothing_is_saved(season, tmp_path, data, said):
    file = tmp_path / "n.csv"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(CommandError, match=said) as caught:
        command("import_events", str(file), *of(season))
    assert caught.value.returncode == 1
    assert not Event.objects.exists()


def test_importing_into_no_season_says_so(season, tmp_path):
    with pytest.raises(CommandError, match="has no season nothing"):
        command("import_events", str(tmp_path / "n.csv"), "--club", season.club.slug, "--season", "nothing")


def test_recompute_from_scratch_from_an_event_and_what_waits(season):
    events = [enter(season, "Ada\nBoris\nCleo", day=day) for day in range(3)]
    command("recompute", "--stale")
    first = list(
        RatedEntry.objects.order_by("event", "player").values_list("posterior_mu", "posterior_sigma")
    )
    assert len(first) == 9
    kept = set(RatedEntry.objects.filter(event__in=events[:1]).values_list("pk", flat=True))
    said = command("recompute", "--club", season.club.slug, "--from", str(events[1].pk))[1]
    assert f"{season.pool}: done" in said
    assert set(RatedEntry.objects.filter(event__in=events[:1]).values_list("pk", flat=True)) == kept
    command("recompute", "--club", season.club.slug)
    again = list(
        RatedEntry.objects.order_by("event", "player").values_list("posterior_mu", "posterior_sigma")
    )
    assert again == first
    assert Recomputation.objects.get().rated_version == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--club", "nowhere"), "--club: there is no club nowhere"),
        (("--club", "CLUB", "--from", "0"), "--from: club .* has no event 0"),
        ((), "one of the arguments --club --stale is required"),
    ],
)
def test_recomputing_what_there_is_not_says_so(season, arguments, said):
    arguments = [season.club.slug if it == "CLUB" else it for it in arguments]
    with pytest.raises(CommandError, match=said):
        command("recompute", *arguments)
