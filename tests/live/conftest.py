"""Fixtures of the tests of live nights."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "live.md"


@pytest.fixture
def docs_script(tmp_path):
    """Run the script that the docs print for checking a draw; return what it says of a file."""
    (script,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    path, told_path = tmp_path / "check.py", tmp_path / "draw.json"
    path.write_text(script, encoding="utf-8")

    def run(told):
        told_path.write_text(json.dumps(told), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", path, told_path], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return run
