"""List the tests of which others send every statement, in tests/repeats.txt: `python -m tests.statements`, some six minutes.

The pass of `make test` on PostgreSQL leaves them out (docs/decisions/0027). Those stay in which a database could give
another answer to the same statement: which commit, run each of their cases there, see a statement fail, or are in KEPT.
"""

import re
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("repeats.txt")
# What other processes send is not recorded; rows computed to the last bit and one snapshot for a page are the database's.
KEPT = (
    "tests/processes/",
    "tests/production/",
    "tests/standings/recomputation/",
    "tests/storm/",
    "tests/test_one_moment.py",
)
HEAD = """\
# Tests that send nothing to PostgreSQL that others do not send: `make test` runs them on SQLite only.
# Written by `python -m tests.statements`. A line may be deleted at any time; its test then runs on both.
"""


def repeats() -> set[str]:
    """Read the names of the tests, without their cases."""
    return {line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}


def name_of(item) -> str:
    return item.nodeid.partition("[")[0]


def shape(sql: str) -> str:
    """Return a statement without its numbers, texts, savepoint names and lengths of lists."""
    sql = re.sub(r"'(?:[^']|'')*'|\b\d+\b", "?", sql)
    sql = re.sub(r'"s\d+_x\d+"', "savepoint", sql)
    sql = re.sub(r"_django_curs_\S+", "cursor", sql)
    return re.sub(r"\(%s\)(?:, \(%s\))+", "(%s)", re.sub(r"%s(?:, %s)+", "%s", sql))


def repeating(sent: dict[str, Counter[str]], stay: set[str]) -> list[str]:
    """Choose tests of which the others send every statement, but none of `stay`; those that send most are tried first."""
    n_tests = Counter(statement for own in sent.values() for statement in own)
    chosen = []
    for test in sorted(sent.keys() - stay, key=lambda test: (-sent[test].total(), test)):
        if sent[test] and all(n_tests[statement] > 1 for statement in sent[test]):
            n_tests.subtract(dict.fromkeys(sent[test], 1))
            chosen.append(test)
    return sorted(chosen)


class Recorder:
    """A plugin of pytest that counts the statements of each test."""

    def __init__(self) -> None:
        self.sent: dict[str, Counter[str]] = {}
        self.stay: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        from tests.conftest import commits

        test = name_of(item)
        own = self.sent.setdefault(test, Counter())
        is_about_it = (
            commits(item) or "server_url" in item.fixturenames or item.get_closest_marker("each_case")
        )
        if is_about_it or test.startswith(KEPT):
            self.stay.add(test)
        with self._counted(test, own):
            return (yield)

    @contextmanager
    def _counted(self, test: str, own: Counter[str]):
        from django.db import connection

        def count(execute, sql, params, many, context):
            own[shape(str(sql))] += 1
            try:
                return execute(sql, params, many, context)
            except Exception:
                self.stay.add(test)
                raise

        with connection.execute_wrapper(count):
            yield


def main() -> None:
    from tests.servers import postgresql_server, redis_server

    recorder = Recorder()
    with postgresql_server() as database, redis_server() as redis, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", database)
        patch.setenv("BROKER_URL", redis.url)
        options = ["-q", "-m", "not browser and not storm", "--only-db", "tests"]
        status = pytest.main(options, plugins=[recorder])
    if status:
        sys.exit(int(status))
    FILE.write_text(
        HEAD + "".join(f"{test}\n" for test in repeating(recorder.sent, recorder.stay)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
