"""A process looks for garbage again once it has started, never among what it has imported, and computes in one thread."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from league.apps import GARBAGE_THRESHOLDS

COLLECTOR = """
import gc
import django
django.setup()
print(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count() > 100_000)
"""
THREADS = """
import os
import django
django.setup()
import numpy
import scipy.linalg
numpy.ones((400, 400)) @ numpy.ones((400, 400))
print(len(os.listdir("/proc/self/task")))
"""


def said_by(program: str) -> str:
    """Run a program in a process of its own, without what this one has set, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()


def test_a_process_that_has_started_looks_for_garbage():
    assert said_by(COLLECTOR) == f"True {GARBAGE_THRESHOLDS} True"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not list threads in /proc")
def test_the_libraries_start_no_thread_for_every_processor():
    assert said_by(THREADS) == "1"
