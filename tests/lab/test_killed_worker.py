"""A worker killed in the middle of a chunk: another one takes it over, and the result is the same."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from lab.engine.seasons.chunks import simulate
from tests.lab.conftest import SMALL

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.rest,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="workers share a copy of SQLite's file"),
]
ROOT = Path(__file__).parents[2]
START = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
"""
# Computes one chunk, and the next one up to the moment before it is stored.
KILLED = (
    START
    + """
import time
from lab.services import runs
first, second = runs.claim_chunks()
runs.compute_chunk(first)
runs._store = lambda chunk, totals: (print("computed", flush=True), time.sleep(600))
runs.compute_chunk(second)
"""
)
# Takes over as the sweep does, half a minute later.
TAKES_OVER = (
    START
    + """
from django.utils import timezone
from lab.models import LabRun
from lab.services import runs
later = timezone.now() + 2 * runs.LOST_AFTER
while chunk_ids := runs.claim_chunks(later):
    for chunk_id in chunk_ids:
        runs.compute_chunk(chunk_id)
import json
from lab.models import LabChunk
run = LabRun.objects.get()
print(json.dumps([run.state, run.n_done, run.totals, LabChunk.objects.count()]))
"""
)


def process(program, file):
    return subprocess.Popen(
        [sys.executable, "-c", program, str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    )


def test_a_killed_worker_changes_no_number(start, tmp_path):
    start(40)
    file = tmp_path / "killed.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    with process(KILLED, file) as victim:
        assert victim.stdout.readline() == "computed\n"
        victim.send_signal(signal.SIGKILL)
    assert victim.returncode == -signal.SIGKILL
    with process(TAKES_OVER, file) as other:
        state, n_done, totals, n_chunks = json.loads(other.stdout.read())
    assert (state, n_done, n_chunks) == ("done", 40, 0)
    assert totals == simulate(SMALL, 7, 0, 40).to_dict()
