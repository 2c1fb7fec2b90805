"""Static files are collected again only if they have changed: hashing and compressing them takes seconds."""

import filecmp
import hashlib
import json
import subprocess
from importlib.metadata import version
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders

from league.site import stylesheets
from processes.serve import manage

COLLECTED = Path(settings.VAR_DIR) / "static-collected"  # the digest of what was collected last


def collect() -> None:
    """Collect static files, unless those that were collected last are the same."""
    if (digest := _digest()) == _collected():
        return
    COLLECTED.unlink(missing_ok=True)  # this process may be killed half-way
    subprocess.run(manage("collectstatic", "--no-input", "--verbosity", "0"), check=True)  # noqa: S603  our own command
    COLLECTED.write_text(digest, encoding="ascii")


def _collected() -> str:
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    return COLLECTED.read_text(encoding="ascii") if COLLECTED.exists() and manifest.exists() else ""


def not_collected() -> list[str]:
    """List the static files that are missing or outdated among the collected ones."""
    root = Path(settings.STATIC_ROOT)
    manifest = root / "staticfiles.json"
    hashed = json.loads(manifest.read_text(encoding="utf-8"))["paths"] if manifest.exists() else {}
    return [
        name
        for finder in get_finders()
        for name, storage in finder.list(_left_out())
        if not _is_collected(root, name, hashed.get(name), storage.path(name))
    ]


def _left_out() -> list[str]:
    """List the patterns of files that collectstatic leaves out."""
    patterns: list[str] = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    return patterns


def _is_collected(root: Path, name: str, hashed: str | None, source: str) -> bool:
    if hashed is None or not (root / hashed).exists() or not (root / name).exists():
        return False
    # The one sheet is made of the others, which are compared themselves.
    return name in stylesheets.SHEETS or filecmp.cmp(source, root / name, shallow=False)


def _digest() -> str:
    """Hash all static files, and what changes them when they are collected."""
    digest = hashlib.sha256(Path(stylesheets.__file__).read_bytes())
    for package in ("django", "whitenoise"):
        digest.update(version(package).encode())
    for finder in get_finders():
        for name, storage in finder.list(_left_out()):
            with storage.open(name) as file:
                digest.update(f"{name} {file.size} ".encode())
                digest.update(file.read())
    return digest.hexdigest()
