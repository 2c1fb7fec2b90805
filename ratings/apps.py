import hashlib
import os
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        from ratings import receivers  # noqa: F401  the import connects the receivers

        base = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(settings.VAR_DIR) / "numba")
        apps = Path(__file__).parents[1].glob("*/apps.py")
        engines = [app.with_name("engine") for app in sorted(apps) if app.with_name("engine").is_dir()]
        os.environ["NUMBA_CACHE_DIR"] = str(cache_folder(*engines, base=base))


def cache_folder(*engines: Path, base: Path) -> Path:
    """Name the folder below `base` for the kernels compiled from exactly these sources.

    numba checks only a kernel's own file: after an upgrade it would still run kernels compiled with the old code
    of the functions they call.
    """
    digest = hashlib.sha256()
    for engine in engines:
        for file in sorted(engine.rglob("*.py")):
            digest.update(f"{file.relative_to(engine)}\0".encode())
            digest.update(file.read_bytes())
    name = digest.hexdigest()[:16]
    return base if base.name == name else base / name  # A child process inherits the whole path.
