"""Links between pages: which files may name addresses of the apps above their own (docs/map.md)."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# From the lowest level; ratings and payouts share one and link to each other's pages.
LEVELS = {
    "league": 0,
    "people": 1,
    "entry": 1,
    "ratings": 2,
    "payouts": 2,
    "live": 3,
    "standings": 4,
    "lab": 5,
    "noticeboard": 5,
    "forecasts": 5,
    "sharing": 5,
    "directory": 5,
    "webhooks": 5,
    "processes": 6,
    "api": 6,
    "privacy": 7,
}
ADDRESS = re.compile(
    r"""["'](league|people|entry|ratings|payouts|live|standings|lab|noticeboard|forecasts|sharing|directory|webhooks|processes|api):[a-z]"""
)
MAY_LINK_UPWARDS = re.compile(r"models/\w+\.py|views/\w+\.py|views\.py")


LOAD_ALL_PAGES = """
import os, sys
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()
from league import urls
sys.exit("numba" in sys.modules)
"""


def test_pages_load_without_numba():
    """Web server and worker load all pages; numba would take 100 MB in each of them."""
    assert subprocess.run([sys.executable, "-c", LOAD_ALL_PAGES], cwd=ROOT, check=False).returncode == 0


def links_upwards(app):
    """Find Python files of an app that name an address of an app above it."""
    for file in (ROOT / app).rglob("*.py"):
        above = {name for name in ADDRESS.findall(file.read_text()) if LEVELS[name] > LEVELS[app]}
        if above:
            yield str(file.relative_to(ROOT / app))


def test_only_models_and_views_name_addresses_of_apps_above():
    files_by_app = {app: sorted(links_upwards(app)) for app in LEVELS}
    assert files_by_app["league"], "the core links to the pages of its clubs"
    assert [
        (app, file)
        for app, files in files_by_app.items()
        for file in files
        if not MAY_LINK_UPWARDS.fullmatch(file)
    ] == []


def libraries_of(app):
    """Find the libraries of tags and filters that the templates of an app load from other apps."""
    return {
        name
        for file in (ROOT / "templates" / app).glob("*.html")
        for names in re.findall(r"{% load ([\w ]+) %}", file.read_text())
        for name in names.split()
    } & set(LEVELS) - {app}


def test_only_the_form_of_a_result_loads_tags_from_above():
    assert {app: libraries_of(app) for app in ("league", "people", "entry")} == {
        "league": set(),
        "people": set(),
        "entry": {"payouts"},
    }


READ_RESULTS = """
import pkgutil, sys, importlib
from django.conf import settings
import reading, scores
settings.configure(USE_I18N=False)
for package in (reading, scores):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
sys.exit(any(name.startswith(("django.db", "league")) for name in sys.modules))
"""


def test_results_are_read_without_models():
    """Reading and scores are libraries on the ground floor: they need neither a database nor settings."""
    assert subprocess.run([sys.executable, "-c", READ_RESULTS], cwd=ROOT, check=False).returncode == 0
