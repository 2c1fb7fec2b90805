"""What `make run` sets up before the first page, and what it leaves alone at the next start."""

import subprocess
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import get_finder
from django.core.management import call_command

from processes import static_files
from processes.management.commands import prepare


@pytest.fixture
def collections(settings, tmp_path, monkeypatch):
    """Collect from a folder of one file; list what was run."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a {}")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    monkeypatch.setattr(static_files, "COLLECTED", tmp_path / "collected")
    get_finder.cache_clear()
    runs = []

    def collect(command, *, check):
        runs.append(command)
        (settings.STATIC_ROOT / "staticfiles.json").touch()

    monkeypatch.setattr(subprocess, "run", collect)
    yield runs, source
    get_finder.cache_clear()


def test_static_files_are_collected_again_only_if_one_has_changed(collections):
    runs, source = collections
    static_files.collect()
    static_files.collect()
    assert len(runs) == 1
    (source / "a.css").write_text("b {}")
    static_files.collect()
    assert len(runs) == 2
    (source / "b.css").touch()
    static_files.collect()
    assert len(runs) == 3


def test_static_files_that_are_gone_are_collected_again(collections, settings):
    runs, _source = collections
    static_files.collect()
    Path(settings.STATIC_ROOT, "staticfiles.json").unlink()
    static_files.collect()
    assert len(runs) == 2


def test_a_collection_that_was_killed_is_repeated(collections, monkeypatch):
    runs, source = collections
    static_files.collect()
    before = (source / "a.css").read_text()
    (source / "a.css").write_text("b {}")
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            static_files.collect()
    (source / "a.css").write_text(before)
    static_files.collect()
    assert len(runs) == 2


def interrupted(*_args, **_options):
    raise KeyboardInterrupt


@pytest.mark.django_db
def test_a_preparation_fails_if_static_files_could_not_be_collected(monkeypatch):
    def fails():
        raise subprocess.CalledProcessError(1, "collectstatic")

    monkeypatch.setattr(prepare, "collect", fails)
    monkeypatch.setattr(prepare.Command, "_set_up_database", lambda _self: None)
    with pytest.raises(subprocess.CalledProcessError):
        call_command("prepare")
