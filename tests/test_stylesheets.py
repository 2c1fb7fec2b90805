"""A page loads one style sheet, which contains every component's; the desk of a live night has a small one."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from league.settings import STORAGES

SHEETS = Path(settings.BASE_DIR) / "static" / "css"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
IMPORTED = re.findall(r'@import "([^"]+)";', (SHEETS / "site.css").read_text(encoding="utf-8"))


def test_each_sheet_is_imported_once_and_the_one_for_print_last():
    loaded, of_screens = {"site.css", "desk.css", "screen.css"}, {"face.css", "follow.css"}
    assert sorted(IMPORTED) == sorted({path.name for path in SHEETS.glob("*.css")} - loaded - of_screens)
    assert of_screens <= set(re.findall(r'@import "([^"]+)";', (SHEETS / "screen.css").read_text()))
    assert (IMPORTED[0], IMPORTED[-1]) == ("tokens.css", "print.css")


def test_templates_load_one_sheet():
    loaded = [
        found
        for path in TEMPLATES.rglob("*.html")
        for found in re.findall(
            r'rel="stylesheet" href="{% static "([^"]+)"', path.read_text(encoding="utf-8")
        )
    ]
    # The frames of the pages of devices: a desk, and a screen or a player's phone; and the reference of the API.
    swagger = "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"
    assert set(loaded) == {"css/site.css", "css/desk.css", "css/screen.css", swagger}
    assert loaded.count("css/desk.css") == loaded.count("css/screen.css") == 1
    assert not [
        path for path in TEMPLATES.rglob("*.html") if "{% block styles %}" in path.read_text(encoding="utf-8")
    ]


@pytest.fixture
def collect(tmp_path, settings):
    """Collect the style sheets of a folder; the file that pages load."""
    source, root = tmp_path / "source" / "css", tmp_path / "root"
    shutil.copytree(SHEETS, source)
    settings.STATICFILES_DIRS = [source.parent]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = STORAGES
    settings.STATIC_ROOT = root

    def collect():
        call_command("collectstatic", interactive=False, verbosity=0)
        return root / json.loads((root / "staticfiles.json").read_text())["paths"]["css/site.css"]

    collect.source = source
    return collect


def test_collected_they_are_one_file_which_is_compressed(collect):
    whole = collect().read_bytes()
    assert b"@import" not in whole
    parts = [(SHEETS / name).read_bytes() for name in IMPORTED]
    places = [whole.index(part) for part in parts]
    assert places == sorted(places)
    assert gzip.decompress(collect().with_suffix(".css.gz").read_bytes()) == whole


def test_collecting_again_takes_in_what_has_changed_and_nothing_else(collect):
    first = collect()
    assert collect() == first
    (collect.source / "print.css").write_text("/* changed */")
    changed = collect()
    assert changed != first
    assert changed.read_text().endswith("/* changed */")
