"""`make test`: the whole suite on SQLite with the embedded broker, then on PostgreSQL and Redis.

Arguments go to pytest: `python -m tests.run -k leaderboard`.
"""

import os
import subprocess
import sys
import tempfile

from tests.servers import postgresql_server, redis_server, require_programs

# Those that start processes of their own run alone: two at a time would measure each other.
PARALLEL = ["-n", "2", "-m", "not browser and not storm"]
ALONE = ["-m", "browser or storm"]


def pytest(title: str, environment: dict[str, str], *arguments: str) -> None:
    print(f"--- {title}", flush=True)  # noqa: T201  this is a command
    with tempfile.TemporaryDirectory(prefix="tierboard-tests-") as folder:
        command = [sys.executable, "-m", "pytest", "-q", *arguments, *sys.argv[1:]]
        done = subprocess.run(command, env=os.environ | {"VAR_DIR": folder} | environment, check=False)
    if done.returncode not in {0, 5}:  # 5: nothing was chosen, as with -k
        sys.exit(done.returncode)


def main() -> None:
    require_programs()
    with tempfile.TemporaryDirectory(prefix="tierboard-numba-") as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder  # kernels are compiled once for all passes
        passes()


def passes() -> None:
    pytest("SQLite", {}, *PARALLEL, "--doctest-modules")
    pytest("SQLite and the embedded broker: processes and a browser", {}, *ALONE)
    with postgresql_server() as database, redis_server() as redis:
        servers = {"DATABASE_URL": database, "BROKER_URL": redis.url}
        pytest(
            "PostgreSQL", servers, *PARALLEL, "--ignore", "tests/engine", "--ignore", "tests/demo", "tests"
        )
        pytest("PostgreSQL and Redis: processes and a browser", servers, *ALONE, "tests")


if __name__ == "__main__":
    main()
