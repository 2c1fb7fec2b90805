"""The rows of an upload as a table to work in: cells typed anew, rows struck, all of it taken back."""

import pytest

from league.models import Entry, Event
from reading.tables.grids import read_grid
from reading.tables.sheets import mended
from tests.entry.test_imports import GOOD, SAVE, upload
from tests.reading.tables.test_sheets import workbook

pytestmark = pytest.mark.django_db
LIST = "Rang;Wer;Geld\n1;Ada Lind;30\n2;Bo Berg;\n3;Bar tab\n"


def opened(client, preview, which="1.1", **typed):
    """Open the rows of a table with its button, as the page does."""
    return client.post(preview, {"open": which, **typed}, follow=True)


def fields(answer):
    """The fields of the rows as a browser sends them when nothing was typed."""
    return dict(answer.context["rows"].values)


def texts(answer):
    return [[cell.value for cell in row.cells] for row in answer.context["rows"].rows]


def entries():
    return list(Entry.objects.order_by("event__starts_at", "place").values_list("player__name", "place"))


@pytest.fixture
def preview(season, organizer_client):
    return upload(organizer_client, season, LIST, "2026-01-13.csv").url


def test_rows_are_fields_with_what_the_file_says(organizer_client, preview):
    answer = opened(organizer_client, preview)
    assert texts(answer) == [
        ["Rang", "Wer", "Geld"], ["1", "Ada Lind", "30"], ["2", "Bo Berg", ""], ["3", "Bar tab", ""],
    ]  # fmt: skip
    html = answer.content.decode()
    assert 'name="cell:3:1"' in html
    assert 'aria-label="Wer, line 3"' in html
    assert organizer_client.get(preview).context["rows"] is None


def test_a_cell_is_typed_anew_and_taken_back(organizer_client, preview):
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    assert organizer_client.post(address, fields(answer) | {"cell:3:1": "Boris"}).url == address
    answer = organizer_client.get(address)
    assert texts(answer)[2] == ["2", "Boris", ""]
    (mended_cell,) = [question for question in answer.context["asks"] if question.id == "cell:3:1"]
    organizer_client.post(address, fields(answer) | {"undo": f"cell:3:1={mended_cell.answer}"})
    assert texts(organizer_client.get(address))[2] == ["2", "Bo Berg", ""]


def test_what_was_typed_is_saved_and_what_was_struck_is_not(organizer_client, preview):
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:3:1": "Boris", "answer": "row:4=out"})
    answer = organizer_client.get(address)
    assert texts(answer)[1:] == [["1", "Ada Lind", "30"], ["2", "Boris", ""]]
    organizer_client.post(address, fields(answer) | SAVE)
    assert entries() == [("Ada Lind", 1), ("Boris", 2)]


def test_nothing_is_saved_with_the_press_that_types(organizer_client, preview):
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:2:1": "Cleo"} | SAVE)
    assert not Event.objects.exists()


def test_a_cell_is_emptied(organizer_client, preview):
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:2:2": ""})
    assert texts(organizer_client.get(address))[1] == ["1", "Ada Lind", ""]


def test_a_problem_and_its_row_may_both_hold_a_field_of_the_cell(season, organizer_client):
    preview = upload(organizer_client, season, LIST.replace("2;", "zwei;"), "2026-01-13.csv").url
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:3:0": ["2", "zwei"]})
    assert texts(organizer_client.get(address))[2][0] == "2"


@pytest.mark.parametrize("which", ["", "2.1", "1.2", "0.1", "1", "1.1.1", "x", "1.999"])
def test_tables_that_there_are_not_open_nothing(organizer_client, preview, which):
    answer = organizer_client.get(preview, {"rows": which, "page": "x"})
    assert (answer.status_code, answer.context["rows"]) == (200, None)


def test_files_in_the_form_of_exports_have_rows_too(season, organizer_client):
    preview = upload(organizer_client, season, GOOD).url
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:6:2": "Dora"})
    organizer_client.post(address, fields(organizer_client.get(address)) | SAVE)
    assert ("Dora", 1) in entries()


def test_sheets_of_a_workbook_are_opened_one_at_a_time(season, organizer_client):
    head = ("Place", "Player")
    data = workbook(**{
        "2026-01-13": (head, ("1", "Ada"), ("2", "Bo")), "2026-01-14": (head, ("1", "Bo"), ("2", "Cleo")),
    })  # fmt: skip
    preview = upload(organizer_client, season, data, "year.xlsx").url
    answer = opened(organizer_client, preview, "1.2")
    assert answer.context["read"].tables == [("1.1", "2026-01-13"), ("1.2", "2026-01-14")]
    assert texts(answer)[1:] == [["1", "Bo"], ["2", "Cleo"]]
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"2!cell:3:1": "Dora"})
    organizer_client.post(address, fields(organizer_client.get(address)) | SAVE)
    assert entries() == [("Ada", 1), ("Bo", 2), ("Bo", 1), ("Dora", 2)]


def test_many_rows_come_in_pages_of_few_fields(season, organizer_client):
    rows = "".join(f"{place};Player number {place};0\n" for place in range(1, 601))
    preview = upload(organizer_client, season, f"Rang;Wer;Geld\n{rows}", "2026-01-13.csv").url
    answer = opened(organizer_client, preview)
    first = answer.context["rows"]
    assert (first.number, first.n_pages, len(first.values)) == (1, 5, 399)
    answer = opened(organizer_client, preview, "1.1:5")
    assert texts(answer)[-1] == ["600", "Player number 600", "0"]
    assert opened(organizer_client, preview, "1.1:99").context["rows"].number == 5


def test_a_cell_beyond_the_end_of_a_short_row_can_be_typed():
    grid = read_grid("a;b;c\n1\n", delimiter=";")
    assert mended(grid, {"cell:2:2": "x"}).rows[1].cells == ("1", "", "x")
    assert mended(grid, {"cell:2:3": "x", "cell:2:99999999999": "y"}).rows[1].cells == ("1",)


def test_an_emptied_cell_is_said_saved_and_taken_back(season, organizer_client):
    text = "Datum,Rang,Wer,Cost\n2026-01-13,1,Ada,30\n2026-01-13,2,Bo,abc\n"
    preview = upload(organizer_client, season, text, "list.csv").url
    answer = opened(organizer_client, preview)
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:3:3": ""})
    answer = organizer_client.get(address)
    assert not answer.context["problems"]
    assert answer.context["read"].n_open == 0
    organizer_client.post(address, fields(answer) | {"undo": "cell:3:3="})
    assert organizer_client.get(address).context["problems"]
    organizer_client.post(address, fields(answer) | {"cell:3:3": ""})
    organizer_client.post(address, fields(organizer_client.get(address)) | SAVE)
    assert entries() == [("Ada", 1), ("Bo", 2)]


def test_a_cell_with_a_line_break_is_one_line_and_not_changed(season, organizer_client):
    text = 'Datum,Rang,Wer\n2026-01-13,1,"Ada\nLovel"\n2026-01-13,2,Bo\n'
    preview = upload(organizer_client, season, text, "list.csv").url
    answer = opened(organizer_client, preview)
    assert texts(answer)[1] == ["2026-01-13", "1", "Ada Lovel"]
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"read": "1"})
    assert not any(
        question.id.startswith("cell:") for question in organizer_client.get(address).context["asks"]
    )


def test_rows_of_an_export_are_divided_as_they_are_read(season, organizer_client):
    text = "event,date,player,place,cost\nE,2026-01-13,Ada,1,1,200\nE,2026-01-13,Bo,2,60,\n"
    preview = upload(organizer_client, season, text).url
    answer = opened(organizer_client, preview)
    assert texts(answer)[1] == ["E", "2026-01-13", "Ada", "1", "1", "200"]
    address = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    organizer_client.post(address, fields(answer) | {"cell:2:4": "1200", "cell:2:5": ""})
    assert not organizer_client.get(address).context["problems"]


def test_a_file_without_rows_offers_none(season, organizer_client):
    preview = upload(organizer_client, season, '{"events": []}', "r.json").url
    answer = organizer_client.get(preview)
    assert answer.context["problems"]
    assert answer.context["read"].tables == []
