"""The end of a night as an interval, on ten real nights: each is predicted from the nine others."""

import csv
import math
from datetime import UTC, datetime
from pathlib import Path

import pytest

from live.courses import course_of
from live.engine.ending import Blinds, Course, Mark, ending_of
from live.engine.project import project
from tests.live.logs import Writer

DEMO = Path(__file__).parents[2] / "demo"
MINUTE = 60_000
STACK = 6_500
LEFT = (12, 10, 8, 6, 5, 4, 3, 2)


def ms(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


class RealNight:
    """One of the ten: when its levels began, how long they were planned, and when players went out."""

    def __init__(self, name):
        with (DEMO / "nights" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        with (DEMO / "blinds.csv").open(encoding="utf-8", newline="") as file:
            levels = [row for row in csv.DictReader(file) if row["event"] == name]
        self.n = len(rows)
        self.began = [ms(row["at"]) for row in levels]
        self.start = self.began[0]
        self.exits = sorted(ms(row["busted_at"]) for row in rows if row["busted_at"])
        self.bigs = [int(row["big"] or 0) for row in levels]
        self.planned = [int(row["minutes"]) * MINUTE for row in levels]

    def blinds_known_at(self, now):
        """Build the levels as they were until now, and as they were planned from now on."""
        current = max(i for i, began in enumerate(self.began) if began <= now)
        lengths = list(self.planned)
        for i in range(current):
            lengths[i] = self.began[i + 1] - self.began[i]
        lengths[current] = max(lengths[current], now - self.began[current])
        levels = [{"bb": bb, "ms": max(1, n)} for bb, n in zip(self.bigs, lengths, strict=True)]
        return Blinds(levels, self.n * STACK)

    @property
    def course(self):
        blinds = self.blinds_known_at(self.exits[-1])
        marks = [Mark(self.n, blinds.in_play(0))]
        marks += [
            Mark(self.n - i, blinds.in_play(exit_ms - self.start)) for i, exit_ms in enumerate(self.exits, 1)
        ]
        return Course(tuple(marks))

    def predicted(self, courses, left):
        """Predict the end from the moment when so many were left; return the interval and the true end."""
        now = self.start if left == self.n else self.exits[self.n - left - 1]
        found = ending_of(
            courses,
            self.blinds_known_at(now),
            left=left,
            n_players=self.n,
            now_ms=now - self.start,
            usual=13.0,
        )
        return found, self.exits[-1] - now


NIGHTS = [RealNight(path.stem) for path in sorted((DEMO / "nights").glob("*.csv"))]


def leave_one_out(left_of):
    """Predict each night from the nine others; list whether its end lay inside, and the width in minutes."""
    found = []
    for night in NIGHTS:
        others = [other.course for other in NIGHTS if other is not night]
        for left in left_of(night):
            ending, real = night.predicted(others, left)
            found.append((ending.from_ms <= real <= ending.to_ms, (ending.to_ms - ending.from_ms) / MINUTE))
    return found


def test_nights_ended_with_six_to_thirty_six_big_blinds_in_play():
    ends = sorted(night.course.end for night in NIGHTS)
    assert len(ends) == 10
    assert 6 < ends[0] < 7
    assert 35 < ends[-1] < 46


def test_before_the_start_seven_of_ten_ends_lay_inside():
    """The range of nine exchangeable nights holds the tenth in 8 of 10; ours held 7."""
    found = leave_one_out(lambda night: [night.n])
    assert sum(is_inside for is_inside, _width in found) == 7
    assert sum(width for _is_inside, width in found) / 10 < 75


def test_during_the_night_63_of_80_ends_lay_inside():
    found = leave_one_out(lambda _night: LEFT)
    assert (sum(is_inside for is_inside, _width in found), len(found)) == (63, 80)


def test_it_grows_narrower_as_players_go_out():
    widths = {left: [width for _is, width in leave_one_out(lambda _n, left=left: [left])] for left in (12, 2)}
    assert sum(widths[2]) < 0.65 * sum(widths[12])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_nights_give_no_interval(n):
    ending, _real = NIGHTS[0].predicted([night.course for night in NIGHTS[1 : 1 + n]], 8)
    assert (ending.from_ms, ending.to_ms, ending.n_nights) == (None, None, n)
    assert ending.about_ms > 0


def test_big_blinds_in_play_fall_from_level_to_level():
    blinds = Blinds(
        [{"bb": 100, "ms": 10}, {"bb": 200, "ms": 10}, {"is_break": True, "ms": 5}, {"bb": 400, "ms": 10}],
        4_000,
    )
    assert [round(blinds.in_play(at)) for at in (0, 10, 25)] == [40, 20, 10]
    assert math.isclose(blinds.in_play(5), 40 / math.sqrt(2))
    assert [blinds.time_of(n) for n in (40, 20, 10)] == [0, 10, 25]
    assert blinds.time_of(5) == 40  # beyond the last level it goes on as before


def test_a_pause_is_no_part_of_how_a_night_went():
    """Two levels of 10 minutes with 100 and 200; a pause of an hour before the first one goes out at 10 minutes."""
    log = Writer()
    log.add("setup", stack=1_000)
    ids = log.enter("Ada", "Boris", "Cleo", "Dora")
    levels = [{"ms": 10 * MINUTE, "sb": 50, "bb": 100}, {"ms": 10 * MINUTE, "sb": 100, "bb": 200}]
    log.add("levels", levels=levels)
    log.add("clock", op="start")
    log.add("clock", op="pause", after=5 * MINUTE)
    log.add("clock", op="resume", after=60 * MINUTE)
    log.out(ids[0], after=5 * MINUTE)
    log.add("clock", op="pause", after=0)
    log.add("clock", op="resume", after=60 * MINUTE)
    log.out(ids[1], after=0)
    log.out(ids[2], after=10 * MINUTE)
    assert course_of(project(log.actions)) == [[4, 40.0], [3, 20.0], [2, 20.0], [1, 10.0]]
