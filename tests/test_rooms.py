"""Rooms stay small: levels of imports, lines of a module, files of a folder (docs/decisions/0010-rooms.md)."""

import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
APPS = LINTER["root_packages"]
# Contracts about what is inside an app or a room.
INSIDE = [contract for contract in LINTER["contracts"] if "containers" in contract]
# What puts an app together is in no level.
IN_NO_LEVEL = {"apps", "asgi", "celery", "migrations", "routes", "settings", "urls"}
MOST_LEVELS = 6
MOST_LINES = 400
MOST_FILES = 26  # with the __init__ of a package


def test_imports_of_every_app_are_in_six_levels_at_most():
    assert set(APPS) <= {container for contract in INSIDE for container in contract["containers"]}
    layers = {contract["name"]: contract["layers"] for contract in INSIDE}
    assert {name for name, levels in layers.items() if len(levels) > MOST_LEVELS} == set()
    # Modules of one level that may import each other would be further levels.
    assert not any(":" in level for levels in layers.values() for level in levels)


def test_no_module_of_an_app_is_left_out_of_the_levels():
    assert [contract["name"] for contract in INSIDE if not contract.get("exhaustive")] == []
    ignored = {name for contract in INSIDE for name in contract.get("exhaustive_ignores", [])}
    assert ignored <= IN_NO_LEVEL
    assert not any("ignore_imports" in contract for contract in LINTER["contracts"])


def test_no_module_has_more_than_400_lines():
    files = [
        file
        for folder in (*APPS, "tests", "bench", "demo")
        for file in (ROOT / folder).rglob("*.py")
        if file.parent.name != "migrations"
    ]
    lines = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8").count("\n") for file in files}
    assert lines
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_no_folder_has_more_than_25_files():
    files = [
        file
        for folder in (*APPS, "templates")
        for pattern in ("*.py", "*.html", "*.jinja")
        for file in (ROOT / folder).rglob(pattern)
        if file.parent.name != "migrations"
    ]
    n_files = Counter(str(file.parent.relative_to(ROOT)) for file in files)
    assert n_files["league/services"] > 1
    assert {folder: n for folder, n in n_files.items() if n > MOST_FILES} == {}
