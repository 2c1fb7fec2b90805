"""`make test`: the whole suite on SQLite with the embedded broker, and on PostgreSQL and Redis.

Arguments go to pytest: `python -m tests.run -k leaderboard`. Every pass runs, also after one that has failed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.servers import postgresql_server, redis_server, require_programs

RESULTS = Path(__file__).parents[1] / "test-results"
# The site's own folder of compiled kernels, so that neither `make run` nor the next run compiles them again.
KERNELS = Path(__file__).parents[1] / "var" / "numba"
N_KERNELS_KEPT = 3
NO_TESTS = 5
N_PROCESSORS = os.cpu_count() or 1
# A pass that computes has a worker for each processor, so that none is idle at the end, whichever pass ends last. A worker
# takes tests that follow one another, and then half of what another one has left. The two such passes yield (`nice`) to
# tests of processes, which often wait and have deadlines, and one of them to the other.
COMPUTING = ["-n", str(N_PROCESSORS), "--dist", "worksteal", "-m", "not browser and not storm"]
# Tests that start processes and often wait for them, and the folders they are in; collecting the others takes longer.
PROCESSES = ["--dist", "loadgroup", "-n", "4", "-m", "browser or storm"]
FOLDERS = ["tests/browser", "tests/storm", "tests/production"]


@dataclass
class Pass:
    title: str
    status: int
    seconds: float
    failures: list[str] = field(default_factory=list)

    @property
    def result(self) -> str:
        return {0: "passed", NO_TESTS: "no tests"}.get(self.status, f"FAILED ({self.status})")


def pytest(title: str, *arguments: str, niceness: int = 0, **environment: str) -> Pass:
    """Run a pass; print what pytest says once it is through, since others run at the same time."""
    print(f"--- {title}: begins\n", end="", flush=True)  # noqa: T201  one write, since others print too
    began_at = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tierboard-tests-") as folder:
        command = ["nice", "-n", str(niceness), sys.executable, "-m", "pytest", "-q", "--durations=15"]
        command += [*arguments, *sys.argv[1:]]
        own = os.environ | {"VAR_DIR": folder} | environment
        done = subprocess.run(
            command, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    print(f"--- {title}\n{done.stdout}", flush=True)  # noqa: T201  this is a command
    return Pass(title, done.returncode, time.monotonic() - began_at, failures_in(done.stdout))


def failures_in(output: str) -> list[str]:
    """Find the lines with which pytest sums up what failed."""
    return [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR ", "FAIL "))]


def passes(database: str, broker: str) -> Iterator[Callable[[], Pass]]:
    servers = {"DATABASE_URL": database, "BROKER_URL": broker}
    processes = [*PROCESSES, *folders(*FOLDERS)]
    yield partial(pytest, "SQLite", *COMPUTING, "--doctest-modules", *coverage(), niceness=10)
    chosen = ["--only-db", *whole("--no-repeats"), *folders("tests")]
    yield partial(pytest, "PostgreSQL", *COMPUTING, *chosen, niceness=19, **servers)
    yield partial(pytest, "SQLite and the embedded broker: processes and a browser", *processes)
    yield partial(pytest, "PostgreSQL and Redis: processes and a browser", *processes, "--only-db", **servers)


def run_all() -> list[Pass]:
    """Run three passes at a time: tests of processes often wait, and leave the processors to the others."""
    with (
        postgresql_server() as database,
        redis_server() as redis,
        tempfile.TemporaryDirectory(prefix="tierboard-coverage-") as seen,
    ):
        os.environ["COVERAGE_DIR"] = seen
        threads = ThreadPoolExecutor(3)
        try:
            running = [threads.submit(one) for one in passes(database, redis.url)]
            done = [one.result() for one in running]
        finally:
            threads.shutdown(cancel_futures=True)  # after Ctrl-C no other pass begins
        return [*done, coverage_gate(Path(seen))] if coverage() else done


def whole(*options: str) -> list[str]:
    """Give options that make sense only if every test is run."""
    return [] if sys.argv[1:] else [*options]


def coverage() -> list[str]:
    """Measure coverage in one pass."""
    return whole("-p", "tests.probes")


def coverage_gate(folder: Path) -> Pass:
    """Add up what the workers of the measured pass have seen; it fails below `fail-under` in pyproject.toml.

    test-results/coverage.txt lists the lines and branches that no test ran.
    """
    began_at = time.monotonic()
    RESULTS.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "slipcover", "--out", str(RESULTS / "coverage.json"), "--merge"]
    with (RESULTS / "coverage.txt").open("w+") as text:
        done = subprocess.run([*command, *map(str, folder.glob("*.json"))], stdout=text, check=False)
        text.seek(0)
        summary = text.read().strip().rpartition("\n")[2]
    print(f"--- Coverage\n{summary}", flush=True)  # noqa: T201  this is a command
    failures = [f"FAILED coverage: {summary}"] if done.returncode else []
    return Pass("Coverage", done.returncode, time.monotonic() - began_at, failures)


def folders(*names: str) -> tuple[str, ...]:
    """Name what to collect, unless it is named on the command line."""
    return () if any(Path(argument.partition("::")[0]).exists() for argument in sys.argv[1:]) else names


def report(done: list[Pass], seconds: float) -> int:
    """Print what failed and the time of each pass; return 1 if one has failed or if none has run a test, else 0."""
    for line in [line for each in done for line in each.failures]:
        print(line)  # noqa: T201  this is a command
    for each in done:
        print(f"{each.seconds:6.0f} s  {each.result:14}  {each.title}")  # noqa: T201
    print(f"{seconds:6.0f} s  together")  # noqa: T201
    statuses = {one.status for one in done}
    return int(statuses == {NO_TESTS} or not statuses <= {0, NO_TESTS})


def keep_bytecode() -> None:
    """Let processes keep what they compile, also where the environment, as that of many images, says otherwise.

    Else each of them, and each command that a test starts, compiles the site and the assertions of the tests again.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def compile_all() -> None:
    """Compile everything before the workers start.

    Kernels are compiled in one process, since two that write the same cache can damage it. As long as that takes,
    another one collects the tests, so that of all the workers to come none compiles the site and the assertions again.
    """
    os.environ.setdefault("NUMBA_CACHE_DIR", str(KERNELS))
    with tempfile.TemporaryDirectory(prefix="tierboard-tests-") as folder:
        environment = os.environ | {"VAR_DIR": folder}
        collecting = subprocess.Popen(
            [sys.executable, "-m", "pytest", "--collect-only", "--quiet"],
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        subprocess.run([sys.executable, "-m", "tests.kernels"], env=environment, check=False)
        # What it cannot collect, the passes report, and what it has not compiled yet, if the kernels were kept.
        collecting.terminate()
        collecting.wait()
    drop_old_kernels()


def drop_old_kernels() -> None:
    """Delete kernels of earlier sources, except the newest few, for work that changes between branches."""
    folders = sorted(KERNELS.glob("*/"), key=lambda folder: folder.stat().st_mtime)
    for folder in folders[:-N_KERNELS_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    require_programs()
    keep_bytecode()
    compile_all()
    began_at = time.monotonic()
    done = run_all()
    sys.exit(report(done, time.monotonic() - began_at))


if __name__ == "__main__":
    main()
