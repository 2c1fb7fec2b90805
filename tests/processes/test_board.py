"""The board of Grafana asks for figures that the site tells, in queries that Prometheus understands."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOARD = json.loads((ROOT / "docs" / "grafana" / "tierboard.json").read_text(encoding="utf-8"))
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
NAME = re.compile(r"tierboard_[a-z_]+")
SOURCES = ("processes/metrics.py", "league/site/measuring.py")
ENDINGS = re.compile(r"_(total|bucket|count|sum)$")


def told():
    """Read the names of the figures from the sources, the variable ones too."""
    text = "".join((ROOT / source).read_text(encoding="utf-8") for source in SOURCES)
    names = set(NAME.findall(text)) | {f"tierboard_{name}_silent_seconds" for name in ("beat", "worker")}
    return names | {f"tierboard_{name}" for name in re.findall(r'\(\s*"(\w+)",\s+"', text)}


def test_every_figure_on_the_board_is_told_by_the_site():
    asked = {ENDINGS.sub("", name) for query in QUERIES for name in NAME.findall(query)}
    assert len(asked) > 12
    assert asked <= told()


def test_every_figure_that_operators_are_told_to_watch_is_on_the_board():
    watched = set(NAME.findall((ROOT / "docs" / "operations.md").read_text(encoding="utf-8")))
    shown = {name for query in QUERIES for name in NAME.findall(query)}
    assert {ENDINGS.sub("", name) for name in watched} <= {ENDINGS.sub("", name) for name in shown}


def test_panels_do_not_overlap():
    places = [panel["gridPos"] for panel in BOARD["panels"]]
    cells = [
        (x, y)
        for at in places
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _y in cells) < 24


@pytest.mark.skipif(not shutil.which("promtool"), reason="needs promtool, of Debian's package prometheus")
def test_prometheus_understands_every_query(tmp_path):
    rules = [{"record": f"tierboard:board:{n}", "expr": query} for n, query in enumerate(QUERIES)]
    file = tmp_path / "rules.json"  # JSON is YAML
    file.write_text(json.dumps({"groups": [{"name": "board", "rules": rules}]}), encoding="utf-8")
    done = subprocess.run(
        ["promtool", "check", "rules", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
