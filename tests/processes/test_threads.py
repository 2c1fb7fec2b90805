"""A process of the site computes in one thread, and its settings change nothing else about the interpreter."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

THREADS = """
import os
import django
django.setup()
import numpy
import scipy.linalg
numpy.ones((400, 400)) @ numpy.ones((400, 400))
print(len(os.listdir("/proc/self/task")))
"""
COLLECTOR = """
import gc
before = gc.isenabled(), gc.get_threshold()
import league.settings
print((gc.isenabled(), gc.get_threshold()) == before)
"""


def said_by(program: str) -> str:
    """Run a program in a process of its own, without what this one has set, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not list threads in /proc")
def test_the_libraries_start_no_thread_for_every_processor():
    assert said_by(THREADS) == "1"


def test_the_settings_leave_garbage_collection_alone():
    assert said_by(COLLECTOR) == "True"
