"""A workbook of several sheets: each problem names its sheet, and an answer is about one of them."""

import io

from xlsxwriter import Workbook

from entry.services.import_reading import ReadFile
from reading.tables.reading import read_file
from tests.reading.tables.previews import TZ, entry_lines

HEAD = ("Date", "Place", "Player", "Extra")
JANUARY = (HEAD, ("2026-01-13", "1", "Ada", "3"), ("2026-01-13", "2", "Bo", "4"))
FEBRUARY = (HEAD, ("2026-02-10", "1", "Bo", "5"), ("2026-02-10", "2a", "Ada", "6"))


def workbook(**sheets):
    made = io.BytesIO()
    with Workbook(made) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                sheet.write_row(at, 0, row)
    return made.getvalue()


def read(answers=None, **sheets):
    data = workbook(**(sheets or {"January": JANUARY, "February": FEBRUARY}))
    return read_file(data, "year.xlsx", tz=TZ, answers=answers or {})


def test_a_problem_names_its_sheet():
    (problem,) = read().problems
    assert str(problem).startswith("February, line 3, place: “2a” is no place")


def test_a_problem_of_a_whole_sheet_names_it():
    (problem,) = read(January=JANUARY, Final=(("Place", "Player"), ("1", "Ada"), ("2", "Bo"))).problems
    assert str(problem).startswith("Final, date: No column holds the dates.")


def test_a_cell_is_mended_in_its_sheet_alone():
    file = read()
    cell, row = ReadFile("year.xlsx", "2#", file).fields_of(file.problems[0])
    assert (cell, row) == ("2#2!cell:3:1", "2#2!row:3=out")
    mended = read({"2!cell:3:1": "2"})
    assert [entry_lines(event.entries) for event in mended.events] == [["1 Ada", "2 Bo"], ["1 Bo", "2 Ada"]]
    assert [(event.file, event.lines) for event in mended.events] == [
        ("January", (2, 3)),
        ("February", (2, 3)),
    ]


def test_a_row_is_left_out_of_its_sheet_alone():
    first = read({"row:3": "out", "2!cell:3:1": "2"})
    assert [len(event.entries) for event in first.events] == [2]
    assert [problem.file for problem in first.problems] == ["January"]


def test_a_column_of_one_sheet_is_chosen():
    file = read({"2!meaning:3": "knockouts", "2!cell:3:1": "2"})
    assert [[entry.knockouts for entry in event.entries] for event in file.events] == [[None, None], [5, 6]]
    assert [(part.sheet, part.text) for part in file.unused if part.kind == "column"] == [
        ("January", "Extra")
    ]
