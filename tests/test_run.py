"""Exit status, report and environment of `make test`."""

import gc
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests import run
from tests.conftest import on_each_database
from tests.run import NO_TESTS, Pass, coverage_gate, failures_in, keep_bytecode, report
from tests.statements import repeating, repeats, shape

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([0, 0], 0),
        ([0, NO_TESTS], 0),
        ([NO_TESTS, NO_TESTS], 1),
        ([1, 0], 1),
        ([2, NO_TESTS], 1),
        ([-9, 0], 1),
    ],
)
def test_one_failed_pass_fails_all_and_so_does_nothing_at_all(statuses, expected):
    assert report([Pass("SQLite", status, 1.0) for status in statuses], 2.0) == expected


def test_what_failed_and_the_time_of_each_pass_come_last(capsys):
    output = "F.\n=== short test summary info ===\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 1 passed\n"
    report([Pass("SQLite", 0, 61.4), Pass("PostgreSQL", 1, 30.0, failures_in(output))], 70.2)
    assert capsys.readouterr().out.splitlines() == [
        "FAILED tests/test_a.py::test_b - assert 1 == 2",
        "    61 s  passed          SQLite",
        "    30 s  FAILED (1)      PostgreSQL",
        "    70 s  together",
    ]


@pytest.fixture
def seen_by(tmp_path, monkeypatch):
    """Write what workers have seen of a file with ten lines and two branches; return the folder."""
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results")

    def seen_by(*workers):
        for n, (lines, branches) in enumerate(workers):
            file = {
                "executed_lines": sorted(lines),
                "missing_lines": sorted(set(range(1, 11)) - lines),
                "executed_branches": sorted(branches),
                "missing_branches": sorted({(3, 4), (3, 6)} - branches),
            }
            meta = {"software": "slipcover", "branch_coverage": True, "show_contexts": False}
            (tmp_path / f"gw{n}.json").write_text(json.dumps({"meta": meta, "files": {"site.py": file}}))
        return tmp_path

    return seen_by


ALL_LINES = set(range(1, 11))


def test_what_no_worker_has_run_fails_the_gate(seen_by):
    done = coverage_gate(seen_by((ALL_LINES, {(3, 4)}), ({1, 2, 3}, set())))
    assert done.status != 0
    assert done.failures[0].startswith("FAILED coverage: ")
    assert "3->6" in (run.RESULTS / "coverage.txt").read_text(encoding="utf-8")


def test_what_the_workers_have_run_together_passes_the_gate(seen_by):
    done = coverage_gate(seen_by(({1, 2, 3, 6, 7, 8, 9, 10}, {(3, 6)}), ({1, 2, 3, 4, 5}, {(3, 4)})))
    assert (done.status, done.failures) == (0, [])


def test_without_anything_measured_the_gate_fails(seen_by):
    assert coverage_gate(seen_by()).status != 0


def test_processes_keep_what_they_compile(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    keep_bytecode()
    command = [sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "False\n"


@pytest.mark.usefixtures("db")
def test_of_cases_the_first_runs_on_each_database(request):
    tests = [request.node] * 2
    assert on_each_database(tests) == tests[:1]


@pytest.mark.each_case
@pytest.mark.usefixtures("db")
def test_of_cases_that_a_database_can_tell_apart_each_runs(request):
    tests = [request.node] * 2
    assert on_each_database(tests) == tests


@pytest.mark.django_db(transaction=True)
def test_of_cases_that_commit_each_runs(request):
    tests = [request.node] * 2
    assert on_each_database(tests) == tests


def test_what_was_imported_is_out_of_garbage_collection():
    assert gc.get_freeze_count() > 100_000


def test_the_packages_of_the_site_are_among_those_for_development():
    """Which are installed alone."""
    site, development = (
        set(re.findall(r"^[^ #]+==[^ ]+", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert len(site) > 30
    assert site <= development


def test_tests_are_left_out_of_which_others_send_every_statement():
    sent = {
        "all": Counter({"a": 5, "b": 1, "c": 1}),
        "some": Counter({"a": 1, "b": 1}),
        "one": Counter({"c": 2}),
        "more": Counter({"a": 1, "d": 1}),
        "kept": Counter({"a": 1}),
        "nothing": Counter(),
    }
    assert repeating(sent, {"kept"}) == ["all"]
    assert repeating(sent, {"all"}) == ["kept", "one", "some"]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1 WHERE name = 'it''s 2' LIMIT 21", "SELECT ? WHERE name = ? LIMIT ?"),
        ("SELECT x WHERE id IN (%s, %s, %s)", "SELECT x WHERE id IN (%s)"),
        ("INSERT INTO t VALUES (%s, %s), (%s, %s)", "INSERT INTO t VALUES (%s)"),
        ('SAVEPOINT "s139_x7"', "SAVEPOINT savepoint"),
    ],
)
def test_statements_that_differ_in_numbers_alone_have_one_shape(sql, expected):
    assert shape(sql) == expected


def test_each_test_that_is_left_out_on_postgresql_is_there():
    for name in repeats():
        file, *_classes, function = name.split("::")
        path = ROOT / file
        text = path.read_text() if path.exists() else ""
        assert f"def {function}(" in text, f"delete the line of {name} in tests/repeats.txt"
