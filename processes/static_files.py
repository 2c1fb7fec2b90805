"""Static files are collected again only if they have changed: hashing and compressing them takes seconds."""

import hashlib
import subprocess
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders

from league import stylesheets
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


def _digest() -> str:
    """Hash all static files, and what changes them when they are collected."""
    digest = hashlib.sha256(Path(stylesheets.__file__).read_bytes())
    for package in ("django", "whitenoise"):
        digest.update(version(package).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            with storage.open(name) as file:
                digest.update(f"{name} {file.size} ".encode())
                digest.update(file.read())
    return digest.hexdigest()
