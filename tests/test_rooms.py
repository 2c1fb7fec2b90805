"""Rooms stay small: levels of imports, lines of a module, modules at the top of standings (docs/decisions/0010-rooms.md)."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
MOST_LEVELS = 6
MOST_LINES = 400


def test_imports_of_every_app_are_in_six_levels_at_most():
    levels = {
        contract["containers"][0]: contract["layers"]
        for contract in LINTER["contracts"]
        if contract.get("exhaustive")
    }
    assert set(LINTER["root_packages"]) <= set(levels)
    assert {name for name, layers in levels.items() if len(layers) > MOST_LEVELS} == set()
    # Modules of one level that import each other would be further levels.
    assert not any(":" in layer for layers in levels.values() for layer in layers)


def test_no_module_has_more_than_400_lines():
    files = [
        file
        for folder in (*LINTER["root_packages"], "tests", "bench", "demo")
        for file in (ROOT / folder).rglob("*.py")
        if file.parent.name != "migrations"
    ]
    lines = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8").count("\n") for file in files}
    assert len(lines) > 1_000
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_standings_is_rooms_and_a_few_modules():
    assert {file.stem for file in (ROOT / "standings").glob("*.py")} == {
        "__init__", "admin", "apps", "decimals", "filters", "models", "queries", "receivers", "tasks", "urls",
    }  # fmt: skip
