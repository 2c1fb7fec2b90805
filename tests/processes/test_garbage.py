"""A process looks for garbage again once it has started, and never among what it has imported."""

import subprocess
import sys

from django.conf import settings

START = """
import gc
import django
django.setup()
print(gc.isenabled(), gc.get_freeze_count() > 100_000)
"""


def test_a_process_that_has_started_looks_for_garbage():
    command = [sys.executable, "-c", START]
    started = subprocess.run(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True, check=True)
    assert started.stdout.split() == ["True", "True"]
