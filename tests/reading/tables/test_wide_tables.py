"""A table is at most so many columns wide: reading takes time for each, and a small file can have very many."""

import json
from zoneinfo import ZoneInfo

import pytest

from reading.tables.grids import MOST_COLUMNS
from reading.tables.reading import read_file

UTC = ZoneInfo("UTC")


def read(text, name="results.csv"):
    return read_file(text.encode(), name, tz=UTC)


def wide(n):
    return ",".join(["place", "player", *(f"c{i}" for i in range(n - 2))]) + "\n1,Ada" + ",x" * (n - 2) + "\n"


@pytest.mark.parametrize("n", [MOST_COLUMNS + 1, 200_000])
def test_a_row_of_too_many_cells_is_named(n):
    (problem,) = read(wide(n)).problems
    assert problem.line == 1
    assert f"{n} cells" in problem.message


def test_a_record_of_too_many_keys_is_named():
    records = [{f"k{i}": 1} for i in range(MOST_COLUMNS + 1)]  # a million cells, if it were a table
    (problem,) = read(json.dumps(records), "results.json").problems
    assert "cells" in problem.message


def test_empty_cells_at_the_end_are_no_columns():
    table = "place,player\n1,Ada\n2,Boris\n"
    padded = "".join(line + "," * 5_000 + "\n" for line in table.splitlines())
    plain, found = read(table), read(padded)
    assert [event.entries for event in found.events] == [event.entries for event in plain.events]
    assert found.problems == plain.problems
