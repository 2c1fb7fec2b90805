"""What reading an upload takes is bounded by its size: calls of functions, and memory, of five thousand random files.

Calls and bytes are counted, since times say little on a shared machine: the same file gives the same counts anywhere.
"""

import random
import sys
import tracemalloc

import pytest

from reading.tables.reading import read_file
from tests.reading.tables.previews import TZ

N_UPLOADS = 5_000
SEEDS_AT_ONCE = 500
# A short file takes some thousand calls, whatever is in it; one of 2 MB may take half a minute's worth and 300 MB.
CALLS, CALLS_PER_BYTE = 12_000, 150
MEMORY, MEMORY_PER_BYTE = 1_000_000, 150
NAMES = ("a.csv", "2026-01-13.txt", "a.xlsx", "a.ods", "a.json", "a.tdt")
WORDS = (
    "Place", "Name", "KOs", "順位", "氏名", "Date", "Score", "Points", "Event", "1", "2", "T2", "DNF", "-", "45,200", "▲12.3",
    "2026-01-13", "03/04/2026", "Iris", "Tom W", "佐々木", "x10", "Ada #1", '"', '""', ",,", "=1+1", "", "  ", "N/A", "9:40pm",
    "{", "}", "[", "]", ":", "null", "1e400", "NaN", "\x00", "#", "Table 1", "1. Ada 3 ko",
)  # fmt: skip


def upload(rng):
    """Make a file of up to some kilobytes: a table, a list, one word again and again, brackets, or any bytes."""
    n, sep = int(10 ** rng.uniform(0, 3.2)), rng.choice([",", ";", "\t", " ", "|", "\n"])
    width = rng.randrange(1, 9)
    kind = rng.randrange(6)
    if kind == 0:
        return sep.join(rng.choice(WORDS) for _word in range(n)).encode()
    if kind == 1:
        rows = (sep.join(rng.choice(WORDS) for _cell in range(width)) for _row in range(n // width + 1))
        return "\n".join(rows).encode()
    if kind == 2:
        return (rng.choice(WORDS) * n).encode()
    if kind == 3:
        return ("place,player\n" + "\n".join(f"{i},P{rng.randrange(10**6)}" for i in range(n // 4))).encode()
    if kind == 4:
        return ("[" * min(n, 500) + rng.choice(WORDS) + "]" * min(n, 500)).encode()
    return rng.randbytes(n)


def calls_of(data, name):
    """Count the calls of functions while a file is read."""
    n_calls = 0

    def count(*_event):
        nonlocal n_calls
        n_calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read_file(data, name, tz=TZ)
    finally:
        sys.setprofile(before)
    return n_calls


def peak_of(data, name):
    """Measure the most memory that reading a file takes, in bytes."""
    tracemalloc.start()
    try:
        read_file(data, name, tz=TZ)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.rest
@pytest.mark.parametrize("first", range(0, N_UPLOADS, SEEDS_AT_ONCE))
def test_no_upload_takes_more_than_its_size_allows(first):
    peak_of(b"place,player\n1,Ada\n", "a.csv")  # what is loaded once counts for no file
    for seed in range(first, first + SEEDS_AT_ONCE):
        rng = random.Random(seed)
        data, name = upload(rng), rng.choice(NAMES)
        assert calls_of(data, name) <= CALLS + CALLS_PER_BYTE * len(data), (seed, len(data))
        assert peak_of(data, name) <= MEMORY + MEMORY_PER_BYTE * len(data), (seed, len(data))


@pytest.mark.rest
@pytest.mark.parametrize(
    "make",
    [
        lambda n: "\n".join(["place,player", *(f"{i},Player {i * 7919 % 99991}" for i in range(1, n))]),
        lambda n: "place,player\n1," + "A" * 10 * n,
        lambda n: "place,player\n" + "1,Ada\n" * n,
        lambda n: "\n" * 10 * n,
        lambda n: "[" + ",".join('{"place": 1, "player": "Ada"}' for _record in range(n)) + "]",
    ],
    ids=["names", "one long name", "one name again and again", "empty lines", "records"],
)
def test_a_file_ten_times_as_long_takes_ten_times_as_much(make):
    short, long = make(300).encode(), make(3_000).encode()
    growth = len(long) / len(short)
    assert calls_of(long, "a.csv") <= 1.5 * growth * (calls_of(short, "a.csv") + 1_000)
    assert peak_of(long, "a.csv") <= 1.5 * growth * (peak_of(short, "a.csv") + 100_000)
