"""The clock of a night: never negative, stopped and gone on without a loss, and never set back by what is old."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live.engine.actions import Action
from live.engine.clock import Clock, clock_at, is_past, number_of, relevelled, touched
from live.engine.project import project
from tests.live.logs import Writer

MINUTE = 60_000
BREAK = {"is_break": True, "ms": 5 * MINUTE}
LEVELS = [
    {"sb": 25, "bb": 50, "ms": 15 * MINUTE},
    {"sb": 50, "bb": 100, "ms": 15 * MINUTE},
    BREAK,
    {"sb": 100, "bb": 200, "ms": 10 * MINUTE},
]
LEVEL = st.builds(lambda ms: {"sb": 1, "bb": 2, "ms": ms}, st.integers(1, 100))
CLOCKS = st.builds(
    Clock,
    st.booleans(),
    st.integers(0, 3),
    st.none() | st.integers(0, 100),
    st.integers(0, 99),
    st.integers(0, 99),
)
OPS = st.fixed_dictionaries(
    {"op": st.sampled_from(["start", "pause", "resume", "jump", "add"])},
    optional={"level": st.integers(0, 9), "left_ms": st.integers(-200, 200)},
)


def started(at_ms=0):
    return touched(LEVELS, None, {"op": "start"}, at_ms)


@pytest.mark.parametrize(
    ("minute", "level", "left"),
    [(0, 0, 15), (14.5, 0, 0.5), (15, 1, 15), (30, 2, 5), (35, 3, 10), (44, 3, 1), (45, 3, 0), (300, 3, 0)],
)
def test_levels_and_breaks_follow_one_another_and_the_last_goes_on(minute, level, left):
    now = clock_at(LEVELS, started(), int(minute * MINUTE))
    assert (now.level, now.left_ms, now.ran_ms) == (level, left * MINUTE, minute * MINUTE)


@pytest.mark.parametrize("op", ["start", "resume"])
def test_a_night_has_begun_when_its_clock_first_runs_also_after_a_jump(op):
    night = Writer()
    night.add("levels", levels=LEVELS)
    night.add("clock", op="jump", level=1)
    assert project(night.actions).started_at_ms is None
    night.add("clock", op=op)
    began = night.at
    night.add("clock", op="pause")
    night.add("clock", op="resume")
    assert project(night.actions).started_at_ms == began


def test_people_count_levels_without_breaks():
    assert [number_of(LEVELS, i) for i in range(4)] == [1, 2, 2, 3]


def test_late_entry_ends_with_the_end_of_its_level():
    at = lambda minute: clock_at(LEVELS, started(), int(minute * MINUTE))  # noqa: E731
    assert [is_past(LEVELS, at(minute), 2) for minute in (0, 29.9, 30, 36)] == [False, False, True, True]
    assert not is_past(LEVELS, at(300), 0)
    assert not is_past(LEVELS, at(300), 3)  # the last level goes on


@given(st.lists(LEVEL, max_size=4), CLOCKS, st.lists(st.tuples(OPS, st.integers(0, 300)), max_size=8))
def test_the_time_left_is_never_negative(levels, clock, ops):
    """Property 8."""
    at = clock.at_ms
    for op, after in ops:
        at += after
        clock = touched(levels, clock, op, at)
        shown = clock_at(levels, clock, at + 50)
        assert shown.left_ms is None or shown.left_ms >= 0


@given(st.lists(LEVEL, max_size=4), CLOCKS, st.integers(0, 500), st.integers(0, 500))
def test_pause_and_resume_at_one_instant_change_nothing(levels, clock, when, later):
    """Property 8."""
    running = Clock(True, min(clock.level, max(0, len(levels) - 1)), clock.left_ms, clock.ran_ms, clock.at_ms)
    at = running.at_ms + when
    paused = touched(levels, running, {"op": "pause"}, at)
    resumed = touched(levels, paused, {"op": "resume"}, at)
    assert clock_at(levels, resumed, at + later) == clock_at(levels, running, at + later)


def test_a_jump_and_an_addition_set_it():
    jumped = touched(LEVELS, started(), {"op": "jump", "level": 3}, MINUTE)
    assert (jumped.level, jumped.left_ms, jumped.is_running) == (3, 10 * MINUTE, True)
    more = touched(LEVELS, jumped, {"op": "add", "left_ms": MINUTE}, 2 * MINUTE)
    assert more.left_ms == 10 * MINUTE
    assert touched(LEVELS, None, {"op": "jump", "level": 99, "left_ms": 5}, 0).level == 3


def test_other_levels_keep_what_is_gone_of_the_level_that_runs():
    shorter = [*LEVELS[:1], {"sb": 50, "bb": 100, "ms": 12 * MINUTE}]
    now = relevelled(LEVELS, shorter, started(), 20 * MINUTE)
    assert (now.level, now.left_ms) == (1, 7 * MINUTE)
    assert relevelled(LEVELS, [], started(), 20 * MINUTE).left_ms is None


def night_with(*touches):
    """Project a night with levels and touches of the clock: op, minute of the tap, minute of arrival, and more."""
    actions = [Action("levels", "desk", 1, "levels", {"levels": LEVELS}, 0, 0)]
    for i, (op, at, came, *more) in enumerate(touches, start=2):
        body = {"op": op} | (more[0] if more else {})
        at_ms, came_ms = int(at * MINUTE), int(came * MINUTE)
        actions.append(Action(f"{op}{i}", f"phone{i}", 1, "clock", body, at_ms, came_ms))
    return project(actions)


def shown_at(night, minute):
    now = clock_at(night.levels, night.clock, int(minute * MINUTE))
    return now.level, now.left_ms / MINUTE, now.is_running


def test_a_stop_that_comes_late_sets_the_clock_back_to_when_it_was_tapped():
    night = night_with(("start", 1, 1), ("pause", 10, 18))
    assert shown_at(night, 20) == (0, 6, False)
    assert night.questions == []


def test_a_stop_of_more_than_a_level_ago_is_asked_about():
    night = night_with(("start", 1, 1), ("pause", 10, 26))
    assert shown_at(night, 26) == (1, 5, True)
    (question,) = night.questions
    assert (question.kind, question.choices) == ("late_clock", ("set_back", "ignore"))


def test_what_came_after_a_later_touch_was_known_sets_nothing_back():
    """A network cut once set a running clock back to not started."""
    night = night_with(("start", 1, 1), ("pause", 12, 12), ("resume", 14, 14), ("pause", 11, 15))
    assert shown_at(night, 16) == (0, 2, True)
    assert [each.kind for each in night.questions] == ["late_clock"]
    late_start = night_with(("start", 1, 1), ("start", 0.5, 20))
    assert shown_at(late_start, 20) == (1, 11, True)
    assert late_start.started_at_ms == MINUTE / 2
    assert late_start.questions == []


def test_the_organizer_may_set_it_back_all_the_same():
    log = [
        Action("levels", "desk", 1, "levels", {"levels": LEVELS}, 0, 0),
        Action("go", "desk", 2, "clock", {"op": "start"}, MINUTE, MINUTE),
        Action("stop", "door", 1, "clock", {"op": "pause"}, 10 * MINUTE, 26 * MINUTE),
        Action(
            "say", "desk", 3, "settle", {"question": "late_clock:stop", "choice": "set_back"}, 27 * MINUTE
        ),
    ]
    assert shown_at(project(log), 30) == (0, 6, False)


def arrivals(seed):
    """Make touches of a clock by three phones, in the order of their arrival, some of them late."""
    rng = random.Random(seed)
    actions, at = [], 0
    for i in range(12):
        at += rng.randrange(1, 4 * MINUTE)
        op = "start" if i == 0 else rng.choice(["pause", "resume", "resume", "add", "jump", "start"])
        body = {"op": op, "level": rng.randrange(4), "left_ms": rng.randrange(-MINUTE, 5 * MINUTE)}
        came = at + rng.choice([200, 200, 3 * MINUTE, 30 * MINUTE])
        actions.append(Action(f"a{i}", f"phone{i % 3}", i + 1, "clock", body, at, came))
    levels = Action("levels", "desk", 1, "levels", {"levels": LEVELS}, 0, 0)
    return [levels, *sorted(actions, key=lambda action: action.came_ms)]


def test_nothing_older_than_the_newest_touch_lowers_what_has_run():
    """Property 8: a device sees actions as they come; what has run is lowered by a jump, or by what is newest."""
    n_checked = 0
    for seed in range(1_000):
        known = []
        for action in arrivals(seed):
            touches = [each for each in known if each.kind == "clock"]
            is_old = any(each.at_ms > action.at_ms for each in touches)
            before = project(known)
            known.append(action)
            after = project(known)
            if not is_old or action.body["op"] == "jump" or before.clock is None:
                continue
            n_checked += 1
            now = action.came_ms
            assert clock_at(LEVELS, after.clock, now).ran_ms >= clock_at(LEVELS, before.clock, now).ran_ms
    assert n_checked > 500


def test_who_enters_after_late_entry_has_closed_is_asked_about():
    log = Writer()
    log.add("levels", levels=LEVELS)
    log.add("setup", closing_level=1)
    log.add("clock", op="start")
    log.enter("Ada", after=14 * MINUTE)
    late = log.add("enter", after=2 * MINUTE, name="Boris")
    assert [(each.kind, each.entries) for each in project(log.actions).questions] == [
        ("after_closing", (late,))
    ]


def test_a_clock_that_is_set_back_lets_in_whom_it_concerns():
    log = [
        Action("levels", "desk", 1, "levels", {"levels": LEVELS}, 0, 0),
        Action("setup", "desk", 2, "setup", {"closing_level": 1}, 1, 1),
        Action("go", "desk", 3, "clock", {"op": "start"}, MINUTE, MINUTE),
        Action("in", "door", 1, "enter", {"name": "Ada"}, 17 * MINUTE, 17 * MINUTE),
    ]
    assert [each.kind for each in project(log).questions] == ["after_closing"]
    stop = Action("stop", "bar", 1, "clock", {"op": "pause"}, 12 * MINUTE, 18 * MINUTE)
    assert project([*log, stop]).questions == []
