"""The document of OWASP ASVS 5.0 has each requirement of levels 1 and 2 once, counts right and names files that exist."""

import re
from collections import Counter
from itertools import groupby

from tests.production.conftest import ROOT

TEXT = (ROOT / "docs" / "security" / "asvs.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([\d.]+) \| (met|n/a|open) \| (.+) \|$", TEXT, re.MULTILINE)
# How many requirements of levels 1 and 2 each chapter has; counted in the standard.
OF_CHAPTER = {
    1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7, 10: 29, 11: 14, 12: 9, 13: 13, 14: 9, 15: 13, 16: 16, 17: 7,
}  # fmt: skip
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|md|yml|sh|html|js|css|lock))`")


def numbers_of(number):
    return tuple(map(int, number.split(".")))


def test_each_requirement_is_there_once_and_in_order():
    numbers = [numbers_of(number) for number, _verdict, _text in ROWS]
    assert numbers == sorted(set(numbers))
    found = {chapter: len(list(each)) for chapter, each in groupby(numbers, key=lambda number: number[0])}
    assert found == OF_CHAPTER


def test_the_counts_and_the_open_ones_at_the_top_are_those_of_the_table():
    counts = Counter(verdict for _number, verdict, _text in ROWS)
    said = re.search(r"\*\*(\d+) met, (\d+) not applicable, (\d+) open\.\*\*", TEXT)
    assert [int(n) for n in said.groups()] == [counts["met"], counts["n/a"], counts["open"]]
    listed = re.search(r"Open are: ([\d., ]+)\.\n", TEXT)[1].split(", ")
    assert listed == [number for number, verdict, _text in ROWS if verdict == "open"]


def test_what_is_met_names_what_holds_it_and_every_file_named_exists():
    for number, verdict, text in ROWS:
        assert len(text) > 12, number
        if verdict == "met":
            assert FILE.search(text) or "docs/" in text or "no test" in text, number
    named = set(FILE.findall(TEXT))
    assert len(named) > 60
    assert [name for name in named if not (ROOT / name).exists()] == []
