"""The runner of the tests: tiers, exit status, and what it says of tests that did not run."""

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import run
from tests.run import NO_TESTS, PASSES, Outcome, Pass, chosen, read_junit, report
from tests.servers import NEEDS
from tests.tiers import tier_of

ROOT = Path(__file__).resolve().parent.parent
ONE = Pass("test", "SQLite", "test")


def outcome(status=0, of=ONE, **fields):
    return Outcome(of, status, processor=1.0, clock=2.0, **fields)


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [([0, 0], 0), ([0, NO_TESTS], 0), ([NO_TESTS, NO_TESTS], 1), ([1, 0], 1), ([2, NO_TESTS], 1), ([-9, 0], 1), ([], 1)],
)  # fmt: skip
def test_one_failed_pass_fails_all_and_so_does_nothing_at_all(statuses, expected):
    assert report([outcome(status) for status in statuses], set(), set()) == expected


def test_what_is_missing_is_said_and_fails_unless_it_was_asked_for(capsys):
    assert report([outcome()], {"postgresql"}, set()) == 1
    said = capsys.readouterr().out
    assert "NOT TESTED, PostgreSQL is missing: PostgreSQL in small\n" in said
    assert "apt-get install postgresql, or set TEST_DATABASE_URL=" in said
    assert "To do without it: WITHOUT=postgresql" in said
    assert report([outcome()], {"postgresql"}, {"postgresql"}) == 0
    assert "NOT TESTED, as WITHOUT asks: PostgreSQL in small\n" in capsys.readouterr().out


def test_what_failed_and_why_something_was_skipped_come_last(capsys):
    failed = outcome(1, failures=["FAILED tests.test_a::test_b (SQLite)"], skips=Counter({"no fork": 2}))
    report([failed], set(), set())
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "skipped 2: no fork",
        "FAILED tests.test_a::test_b (SQLite)",
    ]


def test_the_share_of_make_test_is_said_where_all_tiers_ran(capsys):
    tiers = [outcome(of=Pass(tier, tier, tier)) for tier in ("check", "test", "rest", "night")]
    report(tiers, set(), set())
    assert "make test takes 50% of the processor time of the whole" in capsys.readouterr().out
    report(tiers[:2], set(), set())
    assert "make test takes" not in capsys.readouterr().out


def test_cases_failures_and_skips_are_read(tmp_path):
    junit = tmp_path / "junit.xml"
    junit.write_text(
        "<testsuites><testsuite>"
        '<testcase classname="tests.test_a" name="test_b"/>'
        '<testcase classname="tests.test_a" name="test_c"><failure message="x"/></testcase>'
        '<testcase classname="tests.test_a" name="test_d"><skipped message="no fork"/></testcase>'
        "</testsuite></testsuites>"
    )
    seen = outcome(1)
    read_junit(junit, seen)
    assert (seen.n_cases, seen.failures, seen.skips) == (
        3,
        ["FAILED tests.test_a::test_c (SQLite)"],
        {"no fork": 1},
    )


def test_paths_on_the_command_line_replace_those_of_a_pass_and_nothing_is_measured():
    one = Pass("rest", "All", "rest", ("-n", "4", *run.COVERAGE, "tests/storm"))
    assert chosen(one, []) == ["-n", "4", *run.COVERAGE, "tests/storm"]
    assert chosen(one, ["-k", "kill"]) == ["-n", "4", "tests/storm", "-k", "kill"]
    assert chosen(one, ["tests/test_run.py::test_a"]) == ["-n", "4", "tests/test_run.py::test_a"]


def case(nodeid, *marks, fixtures=()):
    return SimpleNamespace(
        nodeid=nodeid,
        fixturenames=fixtures,
        get_closest_marker=lambda name: SimpleNamespace(kwargs={}) if name in marks else None,
    )


@pytest.mark.parametrize(
    ("item", "tier"),
    [
        (case("tests/engine/ratings/test_tier.py::test_a"), "check"),
        (case("payouts/engine/structures/votes.py::payouts.engine.structures.votes"), "check"),
        (case("tests/engine/ratings/test_tier.py::test_a", "rest"), "rest"),
        (case("tests/reading/test_a.py::test_a", "django_db"), "test"),
        (case("tests/reading/test_a.py::test_a", fixtures=("club", "db")), "test"),
        (case("tests/league/test_a.py::test_a"), "test"),
        (case("tests/engine/ratings/test_tier.py::test_a", "night"), "night"),
        (case("tests/production/test_upgrade.py::test_a"), "rest"),
        (case("tests/browser/test_look.py::test_a", "browser"), "rest"),
        (case("tests/browser/test_newcomer.py::test_a", "browser", "smoke"), "test"),
        (case("tests/storm/test_sweep.py::test_a", "django_db", "postgresql"), "test"),
    ],
)
def test_each_case_is_in_one_tier(item, tier):
    assert tier_of(item) == tier


def test_every_pass_needs_what_is_known():
    assert {name for one in PASSES for name in one.needs} == set(NEEDS)


def locked(name):
    return set(re.findall(r"^[^ #]+==[^ ]+", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))


def test_each_lock_holds_the_one_below_it():
    """So that each can be installed alone."""
    site, development, comparison = map(
        locked, ("requirements.lock", "requirements-dev.lock", "requirements-compare.lock")
    )
    assert len(site) > 30
    assert site < development < comparison
