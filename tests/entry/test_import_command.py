"""The command import_events: files of any size, read by columns or by rows."""

import io
from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command

from league.models import Entry, Event, Import, Player, PlayerAlias, Season
from reading.event_files.reader import MAX_EVENTS
from tests.reading.tables.previews import DATA

pytestmark = pytest.mark.django_db
HEAD = "event,date,player,place\n"


@pytest.fixture
def imported(season, tmp_path):
    """Import a file and return the last line of what is said."""
    Season.objects.update(starts_on=date(2001, 1, 1), ends_on=None)

    def run(text, *options, encoding="utf-8", name="results.csv"):
        path, err = tmp_path / name, io.StringIO()
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        call_command(
            "import_events",
            str(path),
            "--club",
            season.club.slug,
            "--season",
            season.slug,
            *options,
            stderr=err,
        )
        run.said = err.getvalue()
        return run.said.splitlines()[-1]

    return run


def rows(n_events):
    days = [(date(2001, 1, 1) + timedelta(e)).isoformat() for e in range(n_events)]
    return "".join(f"e{e},{day},髙橋,1\ne{e},{day},Ada,2\n" for e, day in enumerate(days))


@pytest.mark.rest
def test_a_file_larger_than_an_upload_may_be_is_imported(imported):
    n = MAX_EVENTS + 1
    text = HEAD + rows(n)
    assert imported(text, "--dry-run", encoding="cp932").endswith(f"{n} events, nothing saved")
    assert imported(text) == f"{n} entered, 0 corrected, 0 unchanged"
    more = text.replace("Ada,2", "Bo,2", 1) + "new,2001-01-01,Ada,1\nnew,2001-01-01,Ed,2\n"
    assert imported(more, encoding="cp932") == f"1 entered, 1 corrected, {n - 1} unchanged"
    assert Event.objects.count() == n + 1


def test_each_mistake_is_named_and_nothing_is_saved(imported):
    with pytest.raises(CommandError) as error:
        imported(HEAD + rows(2) + "".join(f"x,2001-01-01,P{i},0\n" for i in range(130)))
    lines = str(error.value).splitlines()
    assert (len(lines), lines[-1]) == (101, "and 30 more")
    assert lines[0].startswith("results.csv, line 6, place: “0” is no whole number")
    assert not Event.objects.exists()


FOREIGN = "Datum;Rang;Wer;Bem\n03/04/2005;1;Märta;ok\n03/04/2005;2;Bär;12\n10/04/2005;1;Bär;9\n10/04/2005;2;Märta;\n"


def stopped(imported, *arguments, **options):
    """Run an import that ends with questions or problems; return its lines."""
    with pytest.raises(CommandError) as error:
        imported(*arguments, **options)
    assert not Event.objects.exists()
    return str(error.value).splitlines()


def test_questions_are_printed_with_the_options_that_answer_them(imported):
    question, *choices = stopped(imported, FOREIGN, encoding="cp1252")
    assert question.startswith("Is 03/04/2005 the ")
    options = [choice.split("    ")[1] for choice in choices]
    assert sorted(options) == ["--answer dates=dmy", "--answer dates=mdy"]
    assert (
        imported(FOREIGN, "--answer", "dates=dmy", encoding="cp1252") == "2 entered, 0 corrected, 0 unchanged"
    )
    assert {f"{event.starts_at:%d.%m.}" for event in Event.objects.all()} == {"03.04.", "10.04."}
    assert "Western European (Windows-1252): Märta, Bär" in imported.said
    assert "Datum = date, Rang = place, Wer = player, Bem = unused" in imported.said
    assert "results.csv: not used: column Bem" in imported.said
    assert Import.objects.get().files == "results.csv"


def test_a_column_is_given_its_meaning_by_heading_or_number(imported):
    text = "Day,Nr,Who,Hm\n2026-01-13,1,Ada,3\n2026-01-13,2,Bo,0\n"
    imported(text, "--meaning", "Nr=place", "--meaning", "4=knockouts")
    assert list(Entry.objects.order_by("place").values_list("player__name", "knockouts")) == [
        ("Ada", 3),
        ("Bo", 0),
    ]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("Nr", "--meaning: “Nr” has no ="),
        ("Nr=glory", "--meaning: “glory” is none of place, player, "),
        ("Prize=cost", "--meaning: no table has a column “Prize”"),
    ],
)
def test_a_meaning_that_is_none_is_refused(imported, option, message):
    (line,) = stopped(imported, "Day,Nr,Who\n2026-01-13,1,Ada\n2026-01-13,2,Bo\n", "--meaning", option)
    assert line.startswith(message)


def test_a_name_like_a_known_one_is_asked_about_and_remembered(imported, season):
    belle = Player.objects.create(club=season.club, name="Bella", key="bella")
    text = HEAD + "e1,2026-01-13,Belle,1\ne1,2026-01-13,Ada,2\n"
    question, *choices = stopped(imported, text)
    assert question.startswith("Belle: new guest, or Bella?")
    assert choices[0].split()[:2] == ["--answer", f"name:Belle={belle.pk}"]
    imported(text, "--answer", f"name:Belle={belle.pk}")
    assert Entry.objects.get(place=1).player == belle
    assert PlayerAlias.objects.get().player == belle


def test_names_are_not_asked_about_if_all_are_new(imported, season):
    Player.objects.create(club=season.club, name="Bella", key="bella")
    imported(HEAD + "e1,2026-01-13,Belle,1\ne1,2026-01-13,Bellb,2\n", "--new-players")
    assert set(Player.objects.values_list("name", flat=True)) == {"Bella", "Belle", "Bellb"}


@pytest.mark.parametrize(
    ("name", "options", "n_events"),
    [
        ("files/workbook-with-several-sheets.xlsx", ["--answer", "sheets=likely"], 1),
        ("files/workbook-of-open-document.ods", [], 1),
        ("files/wide-table-of-places.csv", ["--answer", "wide=places"], 2),
        ("clock-logs/2025-10-15.csv", [], 1),
        ("files/json-as-it-is-rated.json", [], 1),
    ],
)
def test_any_file_that_the_page_reads_is_read_by_the_command(imported, name, options, n_events):
    path = DATA / name
    imported(path.read_bytes(), *options, "--new-players", name=path.name)
    assert Event.objects.count() == n_events
