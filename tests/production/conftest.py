import json
import os
import shutil
import sqlite3
import subprocess
import sys
import uuid
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.releases import RELEASES

ROOT = Path(__file__).parents[2]
IS_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
OURS = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS", "ENVIRONMENT")

# Run a command of the site; a warning is an error.
MANAGE = (sys.executable, "-W", "error", "manage.py")
DONE = "done\n"
COMMANDS = f"""
import json, sys
from django.core.management import call_command
for line in sys.stdin:
    call_command(*json.loads(line))
    print({DONE.strip()!r}, flush=True)
"""


def clean_environment(**own):
    """The machine's environment without what the tests themselves were started with."""
    return {name: value for name, value in os.environ.items() if name not in OURS} | own


def run(*command, environment, check=True):
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


def manage(*arguments, environment, check=True):
    return run(*MANAGE, *arguments, environment=environment, check=check)


@contextmanager
def one_process(environment):
    """Yield a function that runs commands of manage.py one after the other in one process.

    Starting a process takes longer than the work of most commands.
    """
    process = subprocess.Popen(
        [*MANAGE, "shell", "--no-imports", "--command", COMMANDS],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )

    def manage(*arguments):
        print(json.dumps(arguments), file=process.stdin, flush=True)
        output = []
        for line in process.stdout:
            if line == DONE:
                return
            output.append(line)
        pytest.fail("".join(output))  # it has ended

    with process:
        yield manage


def shell(script, *arguments, url, check=True):
    environment = clean_environment(DATABASE_URL=url, PYTHON=sys.executable)
    return run(ROOT / "scripts" / script, *arguments, environment=environment, check=check)


def connect(url):
    if url.startswith("sqlite:///"):
        return closing(sqlite3.connect(url.removeprefix("sqlite:///")))
    return psycopg.connect(url)


def tables_of(connection):
    query = (
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        if IS_POSTGRESQL
        else "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return sorted(name for (name,) in connection.execute(query).fetchall())


def kept_database(release=""):
    """The database of a release, or of the newest one, as a file that restore.sh reads."""
    folder = RELEASES / release if release else max(RELEASES.iterdir())
    return folder / f"tierboard.{'dump' if IS_POSTGRESQL else 'sqlite3'}"


@contextmanager
def databases(folder, server_url):
    """Yields what makes empty databases of the kind this pass is about, or copies of one, and gives their URLs."""
    made = []

    def new(like=None):
        name = f"tierboard_{uuid.uuid4().hex[:12]}"
        if not server_url:
            if like:
                shutil.copy(like.removeprefix("sqlite:///"), folder / f"{name}.sqlite3")
            return f"sqlite:///{folder / name}.sqlite3"
        template = urlsplit(like).path.strip("/") if like else "template1"
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        made.append(name)
        return urlsplit(server_url)._replace(path=f"/{name}").geturl()

    yield new
    for name in made:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def new_database(tmp_path, server_url):
    with databases(tmp_path, server_url) as new:
        yield new
