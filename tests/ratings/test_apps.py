"""Every version of the engine's sources has its own folder of compiled kernels."""

import shutil
from pathlib import Path

import ratings.apps
from ratings.apps import cache_folder

ENGINE = Path(ratings.apps.__file__).parent / "engine"


def test_a_change_in_any_file_of_the_engine_makes_a_new_folder(tmp_path):
    engine = tmp_path / "engine"
    shutil.copytree(ENGINE, engine, ignore=shutil.ignore_patterns("__pycache__"))
    (engine / "deep" / "deeper").mkdir(parents=True)
    names = {cache_folder(engine, base=tmp_path)}
    (engine / "deep" / "deeper" / "kernels.py").write_text("A = 1\n")
    names.add(cache_folder(engine, base=tmp_path))
    (engine / "deep" / "deeper" / "kernels.py").write_text("A = 2\n")
    names.add(cache_folder(engine, base=tmp_path))
    (engine / "deep" / "deeper" / "kernels.py").rename(engine / "deep" / "kernels.py")
    names.add(cache_folder(engine, base=tmp_path))
    assert len(names) == 4


def test_a_child_process_takes_the_folder_it_inherited(tmp_path):
    folder = cache_folder(ENGINE, base=tmp_path)
    assert cache_folder(ENGINE, base=tmp_path) == folder
    assert cache_folder(ENGINE, base=folder) == folder
