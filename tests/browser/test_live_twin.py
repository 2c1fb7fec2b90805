"""The projection in JavaScript is the twin of the one in Python: equal on thousands of random logs, in Chromium."""

import json
import random
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pytest

from live.engine.clock import Clock, clock_at
from live.engine.project import project_raw
from live.engine.summary import summary
from tests.live.random_logs import random_levels, random_log

MODULES = Path(__file__).parents[2] / "static" / "js" / "live"
TWIN = MODULES / "project.js"
N_LOGS, N_FIRST, AT_ONCE = 10_000, 2_000, 500
SITE = "http://twin.test/"
IMPORT = """async () => {
  window.twin = { ...(await import("/project.js")), ...(await import("/clock.js")) };
}"""
CLOCKS = """(cases) => JSON.stringify(
  cases.map(([levels, clock, now]) => window.twin.clockAt(levels, clock, now)))"""
PROJECT = "(logs) => JSON.stringify(logs.map(window.twin.projectRaw))"


@pytest.fixture
def project_in(browser):
    """Load a version of the twin into a page; return what projects logs there."""
    pages = []

    def load(source):
        def fulfil(route):
            name = route.request.url.removeprefix(SITE)
            if not name:
                route.fulfill(body="<!doctype html>", content_type="text/html")
                return
            text = source if name == TWIN.name else (MODULES / name).read_text(encoding="utf-8")
            route.fulfill(body=text, content_type="text/javascript")

        pages.append(browser.new_page())
        pages[-1].route("**/*", fulfil)
        pages[-1].goto(SITE)
        pages[-1].evaluate(IMPORT)
        return lambda logs: json.loads(pages[-1].evaluate(PROJECT, logs))

    load.pages = pages
    yield load
    for page in pages:
        page.close()


def projected(first):
    """Make some random logs from a seed on, and what Python says of each."""
    logs = [random_log(random.Random(seed)) for seed in range(first, first + AT_ONCE)]
    return logs, json.loads(json.dumps([summary(project_raw(log)) for log in logs]))


@cache
def first_ones():
    """Make the first logs once for all tests."""
    return [projected(first) for first in range(0, N_FIRST, AT_ONCE)]


def assert_both_say_the_same(project, logs, expected):
    for log, there, here in zip(logs, project(logs), expected, strict=True):
        assert there == here, log


def test_both_say_the_same_of_two_thousand_logs(project_in):
    """Property 7; the next test has the other eight thousand."""
    project = project_in(TWIN.read_text(encoding="utf-8"))
    for logs, expected in first_ones():
        assert_both_say_the_same(project, logs, expected)


@pytest.mark.night
def test_both_say_the_same_of_eight_thousand_more(project_in):
    project = project_in(TWIN.read_text(encoding="utf-8"))
    for first in range(N_FIRST, N_LOGS, AT_ONCE):
        assert_both_say_the_same(project, *projected(first))


def test_both_clocks_say_the_same_at_every_moment(project_in):
    """Property 8 holds on phones as it does here: the clock that shows the time is the twin, not only the fold."""
    project_in(TWIN.read_text(encoding="utf-8"))
    rng = random.Random(8)
    cases = [(random_levels(rng), random_clock(rng), rng.randrange(-10_000, 3_000_000)) for _ in range(2_000)]
    there = json.loads(project_in.pages[-1].evaluate(CLOCKS, cases))
    assert there == [asdict(clock_at(levels, Clock(**clock), now)) for levels, clock, now in cases]


def random_clock(rng):
    return {
        "is_running": rng.random() < 0.7,
        "level": rng.randrange(4),
        "left_ms": rng.choice([None, 0, 1, 30_000]),
        "ran_ms": rng.randrange(1000),
        "at_ms": rng.randrange(100_000),
    }


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("const SEEN_BY_TWO = 120000", "const SEEN_BY_TWO = 12000"),
        ("places[name([...stillIn][0])] = 1", "places[name([...stillIn][0])] = 2"),
        ("entries.length < 2", "entries.length < 1"),
        ('action.body.op !== "jump"', 'action.body.op !== "add"'),
        ("entry.has_seen && isSame(entry, seat)", "true"),
    ],
)
def test_a_difference_would_be_seen(project_in, right, wrong):
    source = TWIN.read_text(encoding="utf-8")
    assert right in source
    project = project_in(source.replace(right, wrong))
    assert any(project(logs) != expected for logs, expected in first_ones())
