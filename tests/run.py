"""Run the tests of a tier: `python -m tests.run check|test|rest|night|all [arguments of pytest]`.

Each pass is one call of pytest. Every pass runs, also after one that has failed. What was not tested, because something is
missing that is not named in WITHOUT (`WITHOUT=postgresql,browser`), makes the run fail at its end.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.servers import NEEDS, missing, postgresql_url, redis_url
from tests.tiers import CHECK_FOLDERS, DOCTEST_FOLDERS

NO_TESTS = 5
IN_PROCESS = ("-n", "auto", "--dist", "worksteal")
COVERAGE = ("--cov", "--cov-report=term-missing:skip-covered")
STORMS = ("-n", "4", "tests/storm", "tests/production")  # they mostly wait


@dataclass(frozen=True)
class Pass:
    """One call of pytest: which cases it selects by their marks, and what they need."""

    tier: str
    title: str
    marks: str
    arguments: tuple[str, ...] = IN_PROCESS
    needs: tuple[str, ...] = ()


PASSES = (
    Pass("check", "Engines, reading, scores", "check", (*IN_PROCESS, "--doctest-modules", *CHECK_FOLDERS, *DOCTEST_FOLDERS)),
    Pass("test", "SQLite", "test and not storm and not browser"),
    Pass("test", "PostgreSQL in small", "test and postgresql", needs=("postgresql",)),
    Pass("test", "A browser in small", "test and browser", ("tests/browser",), ("browser",)),
    Pass("test", "A storm in small", "test and storm", ("tests/storm",)),
    Pass("rest", "SQLite: what takes long", "rest and not storm and not browser", needs=("compare", "gettext")),
    Pass(
        "rest",
        "PostgreSQL: the first case of each test",
        "database and first_case and not rest and not night and not storm and not browser",
        needs=("postgresql", "redis"),
    ),
    Pass("rest", "A browser", "rest and browser", ("-n", "2", "--dist", "loadfile", "tests/browser"), ("browser",)),
    Pass(
        "rest",
        "PostgreSQL and Redis: a browser",
        "browser and smoke",
        ("tests/browser",),
        ("browser", "postgresql", "redis"),
    ),
    Pass("rest", "PostgreSQL and Redis: storms", "storm and not night", STORMS, ("postgresql", "redis")),
    Pass("night", "SQLite: what takes very long", "night and not storm and not browser", needs=("node",)),
    # Tracing takes twice the time, so one case of a test stands for the others.
    Pass(
        "night",
        "Coverage, by the first case of each test",
        "first_case and not rest and not night and not storm and not browser",
        (*IN_PROCESS, *COVERAGE),
    ),
    Pass(
        "night",
        "PostgreSQL: the other cases of each test",
        "database and not first_case and not rest and not night and not storm and not browser",
        needs=("postgresql", "redis"),
    ),
    Pass(
        "night",
        "PostgreSQL: what takes long",
        "(rest or night) and database and not storm and not browser",
        needs=("postgresql", "redis", "gettext"),
    ),
    Pass("night", "A browser: what takes very long", "night and browser", ("tests/browser",), ("browser",)),
    Pass("night", "Storms", "(rest or night) and storm", STORMS),
    Pass("night", "PostgreSQL and Redis: long storms", "night and storm", STORMS, ("postgresql", "redis")),
)  # fmt: skip
# What each command runs; the whole is `test`, `rest` and `night`.
TIERS = {
    "check": ("check",), "test": ("check", "test"), "rest": ("rest",), "night": ("night",), "all": ("check", "test", "rest", "night"),
}  # fmt: skip


@dataclass
class Outcome:
    """Hold what came of a pass. Times are in seconds; the processor's is that of all its processes, servers included."""

    of: Pass
    status: int
    processor: float
    clock: float
    n_cases: int = 0
    failures: list[str] = field(default_factory=list)
    skips: Counter[str] = field(default_factory=Counter)

    @property
    def result(self) -> str:
        return {0: "passed", NO_TESTS: "no tests"}.get(self.status, f"FAILED ({self.status})")


def run_pass(one: Pass, own_arguments: list[str]) -> Outcome:
    """Run one pass in a folder of its own, with the servers it needs."""
    print(f"\n--- {one.title}", flush=True)
    clock, processor = time.monotonic(), processor_seconds()
    with tempfile.TemporaryDirectory(prefix="tierboard-tests-") as folder:
        junit = Path(folder) / "junit.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-m", one.marks, f"--junit-xml={junit}"]
        with servers(one) as addresses:
            environment = os.environ | {"VAR_DIR": folder} | addresses
            done = subprocess.run([*command, *chosen(one, own_arguments)], env=environment, check=False)
        outcome = Outcome(one, done.returncode, processor_seconds() - processor, time.monotonic() - clock)
        if junit.exists():
            read_junit(junit, outcome)
    return outcome


def chosen(one: Pass, own: list[str]) -> list[str]:
    """Join the arguments of a pass and those of the command line, whose paths replace its own; then nothing is measured."""
    names_paths = any(Path(argument.partition("::")[0]).exists() for argument in own)
    kept = [
        argument
        for argument in one.arguments
        if not (own and argument in COVERAGE) and not (names_paths and Path(argument).exists())
    ]
    return [*kept, *own]


def processor_seconds() -> float:
    """Return the processor time of all processes that this one has started and waited for, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def servers(one: Pass) -> Iterator[dict[str, str]]:
    """Start what a pass needs; yield the addresses as the site's environment names them."""
    with ExitStack() as stack:
        addresses = {}
        if "postgresql" in one.needs:
            addresses["DATABASE_URL"] = stack.enter_context(postgresql_url())
        if "redis" in one.needs:
            addresses["BROKER_URL"] = stack.enter_context(redis_url())
        yield addresses


def read_junit(file: Path, outcome: Outcome) -> None:
    """Count the cases of a pass, and note what failed and why something was skipped."""
    for case in ET.parse(file).iter("testcase"):
        outcome.n_cases += 1
        name = f"{case.get('classname')}::{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.failures.append(f"FAILED {name} ({outcome.of.title})")
        if (skipped := case.find("skipped")) is not None:
            outcome.skips[skipped.get("message", "")] += 1


def report(outcomes: list[Outcome], absent: set[str], unwanted: set[str]) -> int:
    """Print times and shares, what failed and what was not tested; return 1 if the run has failed, else 0."""
    print_times(outcomes)
    for reason, n in sum((one.skips for one in outcomes), Counter()).items():
        print(f"skipped {n}: {reason}")
    for line in [line for one in outcomes for line in one.failures]:
        print(line)
    tiers = {one.of.tier for one in outcomes}
    for name in sorted(absent):
        passes = "; ".join(one.title for one in PASSES if name in one.needs and one.tier in tiers)
        if name in unwanted:
            print(f"NOT TESTED, as WITHOUT asks: {passes}")
        else:
            print(f"NOT TESTED, {NEEDS[name].title} is missing: {passes}")
            print(f"    To have it: {NEEDS[name].how_to_have_it()}. To do without it: WITHOUT={name}")
    statuses = {one.status for one in outcomes}
    return int(statuses <= {NO_TESTS} or not statuses <= {0, NO_TESTS} or bool(absent - unwanted))


def print_times(outcomes: list[Outcome]) -> None:
    """Print a line for each pass, and the share of `make test` where all tiers ran."""
    whole = sum(one.processor for one in outcomes) or 1.0
    print(f"\n{'tier':6}{'result':14}{'cases':>6}{'processor':>11}{'share':>7}{'clock':>8}  pass")
    for one in outcomes:
        times = f"{one.processor:9.0f} s{one.processor / whole:7.0%}{one.clock:6.0f} s"
        print(f"{one.of.tier:6}{one.result:14}{one.n_cases:6}{times}  {one.of.title}")
    print(f"{'':26}{whole:9.0f} s{'':7}{sum(one.clock for one in outcomes):6.0f} s  together")
    if {one.of.tier for one in outcomes} == set(TIERS["all"]):
        share = sum(one.processor for one in outcomes if one.of.tier in TIERS["test"]) / whole
        print(f"make test takes {share:.0%} of the processor time of the whole; a third is the most.")


def main() -> None:
    tier, own_arguments = sys.argv[1], sys.argv[2:]
    unwanted = set(filter(None, os.environ.get("WITHOUT", "").split(",")))
    if unknown := unwanted - set(NEEDS):
        sys.exit(f"WITHOUT takes {', '.join(NEEDS)}, not {', '.join(sorted(unknown))}.")
    passes = [one for one in PASSES if one.tier in TIERS[tier]]
    needed = {name for one in passes for name in one.needs}
    absent = missing(needed - unwanted) | (needed & unwanted)
    # In one process, since two that write the same cache of compiled kernels can damage it.
    subprocess.run([sys.executable, "-m", "tests.kernels"], check=True)
    outcomes = [run_pass(one, own_arguments) for one in passes if not absent & set(one.needs)]
    sys.exit(report(outcomes, absent, unwanted))


if __name__ == "__main__":
    main()
