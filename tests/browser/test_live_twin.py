"""The projection in JavaScript is the twin of the one in Python: equal on thousands of random logs, in Chromium."""

import json
import random
from pathlib import Path

import pytest

from live.engine.project import project_raw
from live.engine.summary import summary
from tests.live.random_logs import random_log

TWIN = Path(__file__).parents[2] / "static" / "js" / "live" / "project.js"
N_LOGS, AT_ONCE = 10_000, 500
IMPORT = """async (source) => {
  window.twin = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
}"""
PROJECT = "(logs) => JSON.stringify(logs.map(window.twin.projectRaw))"


@pytest.fixture
def project_in(browser):
    """Load a version of the twin into a page; return what projects logs there."""
    pages = []

    def load(source):
        pages.append(browser.new_page())
        pages[-1].evaluate(IMPORT, source)
        return lambda logs: json.loads(pages[-1].evaluate(PROJECT, logs))

    yield load
    for page in pages:
        page.close()


def logs_from(first, n):
    return [random_log(random.Random(seed)) for seed in range(first, first + n)]


def test_both_say_the_same_of_ten_thousand_logs(project_in):
    """Property 7."""
    project = project_in(TWIN.read_text(encoding="utf-8"))
    for first in range(0, N_LOGS, AT_ONCE):
        logs = logs_from(first, AT_ONCE)
        expected = json.loads(json.dumps([summary(project_raw(log)) for log in logs]))
        for log, there, here in zip(logs, project(logs), expected, strict=True):
            assert there == here, log


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("const SEEN_BY_TWO = 120000", "const SEEN_BY_TWO = 12000"),
        ("places[name([...stillIn][0])] = 1", "places[name([...stillIn][0])] = 2"),
        ("entries.length < 2", "entries.length < 1"),
    ],
)
def test_a_difference_would_be_seen(project_in, right, wrong):
    source = TWIN.read_text(encoding="utf-8")
    assert right in source
    project, logs = project_in(source.replace(right, wrong)), logs_from(0, AT_ONCE)
    assert project(logs) != json.loads(json.dumps([summary(project_raw(log)) for log in logs]))
