"""Imports of several files and seasons, the page of a saved import with its way back, and the list of imports."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Event, Import, ImportDraft, Player, Season
from reading.tables.layouts import REMEMBERED, WHY
from tests.entry.test_imports import GOOD, stored, upload, upload_url
from tests.factories import SeasonFactory, correct, enter
from tests.reading.tables.test_sheets import workbook

pytestmark = pytest.mark.django_db


def night(key, day, *names, head=""):
    rows = [f"{key},{day},{name},{place}" for place, name in enumerate(names, 1)]
    return "\n".join([head or "event,date,player,place", *rows]) + "\n"


def upload_all(client, season, **files):
    uploads = [SimpleUploadedFile(f"{name}.csv", text.encode()) for name, text in files.items()]
    return client.post(upload_url(season), {"file": uploads})


def saved_by(client, season, data):
    client.post(upload(client, season, data).url, {"save": "1"})
    return Import.objects.first()


def page_of(record, name="import-saved"):
    return reverse(f"entry:{name}", args=[record.club.slug, record.pk])


def test_several_files_are_one_import(season, organizer_client):
    files = {
        "one": night("n1", "2026-01-13", "Ada", "Boris"),
        "two": night("n2", "2026-01-14", "Ada", "Cleo"),
    }
    preview = upload_all(organizer_client, season, **files).url
    page = organizer_client.get(preview).content.decode()
    assert "<h1>one.csv, two.csv</h1>" in page
    organizer_client.post(preview, {"save": "1"})
    assert (Import.objects.get().files, Import.objects.get().n_entries) == ("one.csv, two.csv", 4)
    assert Event.objects.count() == 2


def test_problems_of_several_files_name_the_file_and_an_event_in_two_of_them_is_one(season, organizer_client):
    files = {"one": night("n1", "2026-01-13", "Ada", "Boris"), "two": night("n1", "2026-01-13", "Ada", "")}
    files["three"] = night("n1", "2026-01-13", "Ada", "Boris")
    preview = upload_all(organizer_client, season, **files).url
    assert [str(problem) for problem in organizer_client.get(preview).context["problems"]] == [
        "three.csv, line 2, event: This event stands in one.csv, too. (n1)",
        "two.csv, line 3, player: A name is missing. (n1)",
    ]
    organizer_client.post(preview, {"save": "1"})
    assert not Event.objects.exists()


@pytest.mark.parametrize(("data", "kind"), [(b"%PDF-1.7", "a PDF"), (b"\x89PNG\r\n", "a picture")])
def test_what_is_no_table_is_named(season, organizer_client, data, kind):
    answer = upload(organizer_client, season, data, name="plan.x")
    assert f"plan.x: This is no table but {kind}." in answer.context["form"].errors["file"][0]
    assert not ImportDraft.objects.exists()


@pytest.mark.parametrize(
    ("name", "is_book", "said"),
    [("night.xlsx", False, "is no workbook"), ("night.ods", False, "is no workbook"), ("night.csv", True, "is a workbook"),
     ("night", True, "is a workbook"), ("night.exe", False, "none of the files"), ("NIGHT.CSV", False, ""),
     ("night.log", False, ""), ("night", False, ""), ("NIGHT.XLSX", True, "")],
)  # fmt: skip
def test_the_name_of_a_file_ends_as_what_it_holds(season, organizer_client, caplog, name, is_book, said):
    book = workbook(Sheet1=[["event", "date", "place", "player"], ["n1", "2026-01-13", 1, "Ada"]])
    data = book if is_book else night("n1", "2026-01-13", "Ada").encode()
    answer = organizer_client.post(upload_url(season), {"file": SimpleUploadedFile(name, data)})
    assert (answer.status_code == 302) is (said == "")
    assert ("file-refused" in caplog.text) is (said != "")
    if said:
        (error,) = answer.context["form"].errors["file"]
        assert error.startswith(name)
        assert said in error


def test_events_go_into_the_season_that_the_file_names_or_their_day_is_in(club, season, organizer_client):
    Season.objects.filter(pk=season.pk).update(ends_on=date(2026, 1, 31))
    spring = SeasonFactory(club=club, name="Frühling", starts_on=date(2025, 3, 1), ends_on=date(2025, 5, 31))
    text = night("a", "2026-01-13,", "Ada", "Boris", head="event,date,season,player,place")
    text += "b,2025-04-01,,Ada,1\nb,2025-04-01,,Boris,2\nc,2025-05-01,frühling,Ada,1\nc,2025-05-01,frühling,Boris,2\n"
    preview = upload(organizer_client, season, text).url
    page = organizer_client.get(preview).content.decode()
    assert page.count("Frühling") == 2
    organizer_client.post(preview, {"save": "1"})
    assert list(Event.objects.order_by("key").values_list("key", "season")) == [
        ("a", season.pk), ("b", spring.pk), ("c", spring.pk),
    ]  # fmt: skip
    before = stored()
    organizer_client.post(upload(organizer_client, season, text).url, {"save": "1"})
    assert stored() == before


def test_a_season_that_is_not_there_is_a_problem(season, organizer_client):
    text = night("a", "2026-01-13,Winter", "Ada", "Boris", head="event,date,season,player,place")
    page = organizer_client.get(upload(organizer_client, season, text).url)
    assert [str(problem) for problem in page.context["problems"]] == [
        "line 2, season: The club has no season “Winter”. (a)"
    ]


def test_a_day_of_several_seasons_is_asked_about(club, season, organizer_client):
    Season.objects.filter(pk=season.pk).update(starts_on=date(2026, 1, 14))
    for name in ("Spring", "Cup"):
        SeasonFactory(club=club, name=name, starts_on=date(2025, 3, 1))
    preview = upload(organizer_client, season, night("n1", "2026-01-13", "Ada", "Boris")).url
    cup = Season.objects.get(name="Cup")
    (question,) = organizer_client.get(preview).context["asks"]
    assert {choice.value for choice in question.choices} == {
        season.slug for season in club.seasons.exclude(pk=season.pk)
    }
    organizer_client.post(preview, {"save": "1"})
    assert not Event.objects.exists()
    organizer_client.post(preview, {"answer": f"season:n1={cup.slug}"})
    organizer_client.post(preview, {"save": "1"})
    assert Event.objects.get().season == cup


def test_an_import_is_undone_from_its_page_once(season, organizer_client):
    record = saved_by(organizer_client, season, GOOD)
    page = organizer_client.get(page_of(record)).content.decode()
    assert "Saved: 2 events entered, 0 corrected, 5 entries, 3 new players." in page
    assert "Undo this import" in page
    for _press in range(2):
        answer = organizer_client.post(page_of(record, "import-undo"), follow=True)
        assert answer.status_code == 200
    assert not Event.objects.exists()
    assert not Player.objects.exists()
    assert "This import was undone" in answer.content.decode()
    assert stored()["Change"] == 4


def test_undoing_says_what_it_leaves_and_refuses_what_it_was_not_told_to_leave(season, organizer_client):
    record = saved_by(organizer_client, season, GOOD)
    event = Event.objects.get(key="n2")
    correct(event, "Cleo\nBoris")
    page = organizer_client.get(page_of(record)).content.decode()
    assert "Undo the other event" in page
    assert f'name="leave" value="{event.pk}"' in page
    refused = organizer_client.post(page_of(record, "import-undo"), {"leave": ["x", "9" * 30]}, follow=True)
    assert "Changed since this import, and so not undone" in refused.content.decode()
    assert Event.objects.count() == 2
    done = organizer_client.post(page_of(record, "import-undo"), {"leave": event.pk}, follow=True)
    assert [str(message) for message in done.context["messages"]][-1] == (
        "This import is undone: 1 event deleted, 0 events as before, 1 guest removed."
    )
    assert list(Event.objects.all()) == [event]


def test_a_helper_sees_an_import_and_does_not_undo_it(season, organizer_client, client_of, refused_to):
    record = saved_by(organizer_client, season, GOOD)
    page = client_of("helper").get(page_of(record))
    assert page.status_code == 200
    assert "Undo this import" not in page.content.decode()
    refused_to(page_of(record, "import-undo"), is_page=False)
    assert Event.objects.count() == 2


def test_the_list_of_imports_takes_the_same_queries_for_any_number(season, organizer_client):
    address = reverse("entry:imports", args=[season.club.slug])
    assert "Nothing has been imported yet." in organizer_client.get(address).content.decode()
    counts = []
    for n in (1, 2, 3):
        saved_by(organizer_client, season, night(f"n{n}", f"2026-01-{n + 10}", "Ada", "Boris"))
        with CaptureQueriesContext(connection) as queries:
            page = organizer_client.get(address).content.decode()
        assert page.count("1 entered, 0 corrected") == n
        counts.append(len(queries))
    assert len(set(counts)) == 1


def test_a_preview_says_how_many_entries_a_file_corrects(season, organizer_client):
    saved_by(organizer_client, season, GOOD)
    page = organizer_client.get(
        upload(organizer_client, season, GOOD.replace("Boris,2,1,200", "Boris,2,1,190")).url
    )
    assert [event["n_changes"] for event, _season in page.context["events"]] == [1, 0]
    assert "corrects 1 entry" in page.content.decode()


def test_the_imports_of_another_club_are_not_found(season, organizer_client, client_of):
    record = saved_by(organizer_client, season, GOOD)
    other = SeasonFactory()
    enter(other, "Ada\nBoris")
    assert client_of("foreign").get(page_of(record)).status_code == 403
    address = reverse("entry:import-saved", args=[other.club.slug, record.pk])
    assert organizer_client.get(address).status_code in {403, 404}


LIST = "Rg.;Wer;Wann;Bem.\n1;Märta;2026-01-13;spät\n2;Hägar;2026-01-13;\n3;Bär;2026-01-13;\n"


def test_the_encoding_is_named_with_names_and_can_be_changed(season, organizer_client):
    preview = upload(organizer_client, season, LIST.encode("cp1252")).url
    (file,) = organizer_client.get(preview).context["read"].files
    assert file["encoding"] == "cp1252"
    assert "<b>Märta, Hägar, Bär" in organizer_client.get(preview).content.decode().replace("spät, ", "")
    organizer_client.post(preview, {"encoding": "cp932", "answer": ""})
    assert organizer_client.get(preview).context["read"].files[0]["encoding"] == "cp932"
    organizer_client.post(preview, {"encoding": "cp1252", "save": "1"})
    assert not Event.objects.exists()  # what was read anew is looked at first
    organizer_client.post(preview, {"save": "1"})
    assert {entry.player.name for entry in Event.objects.get().entries.all()} == {"Märta", "Hägar", "Bär"}


def test_a_meaning_can_be_chosen_and_is_not_remembered_before_the_file_is_saved(season, organizer_client):
    text = "zq,xx,day\nAda,7,2026-01-13\nBoris,3,2026-01-13\n"
    preview = upload(organizer_client, season, text).url
    organizer_client.post(preview, {"answer": ["meaning:1=score", "meaning:0=player", "meaning:9=x", "x"]})
    columns = organizer_client.get(preview).context["read"].files[0]["tables"][0]["columns"]
    assert [column["meaning"] for column in columns] == ["player", "score", "date"]
    assert not season.club.column_meanings.exists()


def test_what_has_changed_the_reading_meanwhile_is_shown_when_it_is_saved(season, organizer_client):
    """A meaning of a heading is remembered for the club without a new version of its results."""
    preview = upload(
        organizer_client, season, "Place,Player,Date\n1,Ada,2026-01-13\n2,Boris,2026-01-13\n"
    ).url
    assert organizer_client.get(preview).context["read"].is_ready
    season.club.column_meanings.create(heading="player", meaning="unused")
    answer = organizer_client.post(preview, {"save": "1"})
    assert answer.context["problems"]
    assert organizer_client.get(preview).context["problems"] == answer.context["problems"]
    assert not Event.objects.exists()


def test_a_heading_of_a_saved_file_keeps_its_meaning(season, organizer_client):
    text = (
        LIST.replace("Bem.", "Zz")
        .replace("spät", "20")
        .replace("2;Hägar;2026-01-13;", "2;Hägar;2026-01-13;30")
    )
    preview = upload(organizer_client, season, text).url
    organizer_client.post(preview, {"answer": "meaning:3=cost"})
    organizer_client.post(preview, {"save": "1"})
    assert list(season.club.column_meanings.values_list("heading", "meaning")) == [("zz", "cost")]
    again = upload(organizer_client, season, text.replace("2026-01-13", "2026-01-14")).url
    columns = organizer_client.get(again).context["read"].files[0]["tables"][0]["columns"]
    assert (columns[3]["meaning"], columns[3]["why"]) == ("cost", str(WHY[REMEMBERED]))


def test_a_cell_is_mended_and_a_row_left_out_in_place(season, organizer_client):
    text = LIST.replace("3;Bär;2026-01-13", "3;Bär;2026-02-31")
    preview = upload(organizer_client, season, text).url
    page = organizer_client.get(preview)
    assert [problem.line for problem in page.context["problems"]] == [4]
    assert 'name="cell:4:2"' in page.content.decode()
    for field in ({"cell:4:2": "2026-01-13"}, {"answer": "row:4=out"}):
        organizer_client.post(preview, field)
        page = organizer_client.get(preview)
        assert not page.context["problems"], field
        (answered,) = page.context["asks"]
        organizer_client.post(preview, {"undo": f"{answered.id}={answered.answer}"})
    assert [problem.line for problem in organizer_client.get(preview).context["problems"]] == [4]


def test_a_cell_of_an_event_file_is_mended_even_with_an_equals_sign(season, organizer_client):
    preview = upload(organizer_client, season, night("n1", "2026-01-13", "Ada", "")).url
    page = organizer_client.get(preview)
    assert [(problem.line, problem.column) for problem in page.context["problems"]] == [(3, "player")]
    assert 'name="cell:3:2"' in page.content.decode()
    organizer_client.post(preview, {"cell:3:2": "Cenith=Gp"})
    organizer_client.post(preview, {"save": "1"})
    assert [entry.player.name for entry in Event.objects.get().entries.order_by("place")] == [
        "Ada",
        "Cenith=Gp",
    ]
