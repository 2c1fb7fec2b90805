"""The image is built from what is locked, and nothing but the site goes into it."""

import gettext
import re
import shutil
import sys
import tomllib

from tests.production.compose import DOCKERFILE, REQUIRED
from tests.production.conftest import ROOT, clean_environment, manage, run


def test_the_image_is_built_from_the_lock_file_without_compilers():
    final = DOCKERFILE.split("\nFROM ")[-1]
    assert DOCKERFILE.count("\nFROM ") == 2
    assert "--require-hashes" in DOCKERFILE
    assert "--only-binary :all:" in DOCKERFILE
    assert not re.search(r"apt-get|gcc|build-essential|pip install", final)
    assert "SECRET_KEY" not in "".join(re.findall(r"^(?:ENV|ARG)(?:.*\\\n)*.*", DOCKERFILE, re.MULTILINE))


def test_everything_the_site_depends_on_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[\[~=<>]", dependency)[0] for dependency in project["dependencies"]}
    locked = set(
        re.findall(
            r"^([a-z0-9-]+)(?:\[.+\])?==",
            (ROOT / "requirements.lock").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    assert wanted - locked == set(), "run make lock"


def test_nothing_but_the_site_goes_into_the_image():
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    included = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert all((ROOT / path).exists() for path in included)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench", "scripts"}
    assert packages | {"manage.py", "templates", "static", "requirements.lock"} <= included


def test_translations_are_compiled_in_the_image(tmp_path):
    line = re.search(r"RUN python (scripts/compile_translations\.py) (league/locale/\S+\.po) ", DOCKERFILE)
    for file in ROOT.glob(line[2]):
        copy = tmp_path / file.parents[1].name / file.name
        copy.parent.mkdir()
        shutil.copy(file, copy)
        run(sys.executable, line[1], copy, environment=clean_environment())
        with copy.with_suffix(".mo").open("rb") as compiled:
            assert gettext.GNUTranslations(compiled).gettext("Publish") != "Publish"
    assert "!scripts/compile_translations.py" in (ROOT / ".dockerignore").read_text(encoding="utf-8")


def test_static_files_are_collected_with_values_that_mean_nothing(tmp_path):
    line = re.search(
        r"((?:[A-Z_]+=\S+ )+)\\\n\s+(VAR_DIR=\S+) python manage.py (collectstatic .*?) \\\n", DOCKERFILE
    )
    values = dict(pair.split("=", 1) for pair in line[1].split())
    assert set(values) == set(REQUIRED)
    environment = clean_environment(ENVIRONMENT="production", **values)
    environment |= {"VAR_DIR": str(tmp_path / "var"), "STATIC_ROOT": str(tmp_path / "static")}
    manage(*line[3].split(), environment=environment)
    assert (tmp_path / "static" / "staticfiles.json").exists()
