"""Settings of the tests: the site's own, in a folder of their own, with what only slows tests taken out."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("VAR_DIR", str(Path(tempfile.gettempdir()) / f"tierboard-tests-{os.getpid()}"))

# The site's own folder of compiled kernels, so that neither `make run` nor the next run of tests compiles them again.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / "var" / "numba"))

from league.settings import *  # noqa: F403
from league.settings import CACHES, STORAGES, VAR_DIR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# The manifest of hashed files is made by collectstatic, which the browser tests run; requests in-process need none.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
# Tests log in more often than people do; those about the limits put them back.
ACCOUNT_RATE_LIMITS = False
SECURITY_CONTACT = "mailto:security@example.com"
# Tests run beside each other, so none counts what another asks.
CACHES = {
    name: cache
    if name == "default"
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
    for name, cache in CACHES.items()
}
