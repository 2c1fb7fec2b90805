"""Typed readers of environment variables; the error of a missing or malformed one names the variable."""

import os
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Any, overload
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


@overload
def text(name: str) -> str: ...
@overload
def text(name: str, default: str | None) -> str: ...
def text(name: str, default: str | None = None) -> str:
    value = _given(name, default)
    if value is None or (default is None and not value.strip()):
        raise ImproperlyConfigured(f"the environment variable {name} is required")
    return value


def _given(name: str, default: str | None) -> str | None:
    """Read a variable, or the file that NAME_FILE names, as stores of secrets hand them to a container."""
    if not (path := os.environ.get(f"{name}_FILE", "")):
        return os.environ.get(name, default)
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE names a file that cannot be read: {error.strerror}"
        ) from None


def boolean(name: str, *, default: bool) -> bool:
    value = str(_given(name, str(default))).strip().lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: write 1 or 0")


def integer(name: str, *, default: int, least: int = 0) -> int:
    value = str(_given(name, str(default))).strip()
    if not value.isdecimal() or int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}: write a whole number, {least} or more")
    return int(value)


def words(name: str, default: str | None = None) -> list[str]:
    """Split a variable at its commas; without a default it must have at least one value."""
    values = [word.strip() for word in text(name, default).split(",") if word.strip()]
    if default is None and not values:
        raise ImproperlyConfigured(f"the environment variable {name} is required")
    return values


def choice(name: str, choices: tuple[str, ...], *, default: str) -> str:
    value = str(_given(name, default))
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}: write one of {', '.join(choices)}")
    return value


def file(name: str) -> str:
    """Read the path of a file that is there; "" if none is named."""
    value = text(name, "").strip()
    if value and not Path(value).is_file():
        raise ImproperlyConfigured(f"{name} is {value!r}: there is no such file here")
    return value


def contact(name: str) -> str:
    """Read an address for reports as a URI; "" if there is none. An e-mail address may be written without mailto:."""
    value = text(name, "").strip()
    if re.fullmatch(r"[^\s:/@]+@[^\s:/@]+", value):
        return f"mailto:{value}"
    if value and not re.fullmatch(r"(mailto:|https://|tel:)\S+", value):
        raise ImproperlyConfigured(f"{name} is {value!r}: write an e-mail address or https://...")
    return value


def site_address(name: str, default: str) -> str:
    """Read where the site is: scheme and host, with a port if there is one, and nothing after them."""
    value = text(name, "").strip().rstrip("/") or default
    if value and not re.fullmatch(r"https?://[^\s/?#@]+", value):
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write https:// and the host, such as https://club.example"
        )
    return value


def server(name: str) -> str:
    """Read the address of a server that speaks to this site, with the path under which it does."""
    value = text(name).strip().rstrip("/")
    if not re.fullmatch(r"https://[^\s?#@]+|http://(localhost|127\.0\.0\.1)(:\d+)?(/[^\s?#@]*)?", value):
        raise ImproperlyConfigured(f"{name} is {value!r}: write https:// and where it is")
    return value


def database(name: str, default: str | None = None) -> dict[str, Any]:
    """Build Django's database settings from a URL: sqlite:///FILE or postgres://USER:PASSWORD@HOST:PORT/NAME?sslmode=...

    The host may be the folder of PostgreSQL's socket, with %2F for each slash.
    """
    url = _url(name, default)
    if url.scheme == "sqlite":
        return _sqlite(url.path.removeprefix("/"), name)
    if url.scheme in {"postgres", "postgresql"}:
        if not url.path.strip("/"):
            raise ImproperlyConfigured(f"{name} names no database: postgres://USER:PASSWORD@HOST:PORT/NAME")
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(url.path.removeprefix("/")),
            "USER": unquote(url.username or ""),
            "PASSWORD": unquote(url.password or ""),
            "HOST": unquote(url.hostname or ""),
            "PORT": str(url.port or ""),
            "OPTIONS": _tls(unquote(url.hostname or ""), url.query, name),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ImproperlyConfigured(f"{name} begins with {url.scheme!r}: write sqlite:/// or postgres://")


def _tls(host: str, query: str, name: str) -> dict[str, str]:
    """Read how the connection to PostgreSQL is encrypted: sslmode, and the file of sslrootcert.

    A server on another machine must show a certificate that this system trusts, unless the URL says otherwise.
    """
    given = dict(parse_qsl(query, keep_blank_values=True))
    if unknown := sorted(given.keys() - {"sslmode", "sslrootcert"}):
        raise ImproperlyConfigured(
            f"{name} has {unknown[0]!r} after the name: write sslmode and sslrootcert alone"
        )
    if "sslmode" not in given and _is_elsewhere(host):
        return {"sslmode": "verify-full", "sslrootcert": "system"} | given
    return given


def _is_elsewhere(host: str) -> bool:
    """Tell hosts on other machines from sockets, from this machine and from names of one word, as in Compose."""
    if host.startswith("/"):
        return False
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return "." in host


def broker(name: str, default: str | None = None) -> str:
    """Read the URL of Celery's broker: redis://HOST:PORT/NUMBER, rediss:// (TLS), or embedded:// on one machine."""
    schemes = ("redis", "rediss", "embedded")
    if (scheme := _url(name, default).scheme) not in schemes:
        raise ImproperlyConfigured(f"{name} begins with {scheme!r}: write one of {', '.join(schemes)}")
    return text(name, default)


def _url(name: str, default: str | None) -> SplitResult:
    try:
        url = urlsplit(text(name, default))
        _ = url.port  # reading the port checks it
    except ValueError:
        # The message does not contain the value, which may hold a password.
        raise ImproperlyConfigured(f"{name} is no URL: write SCHEME://USER:PASSWORD@HOST:PORT/NAME") from None
    return url


def _sqlite(file: str, name: str) -> dict[str, Any]:
    if not file:
        raise ImproperlyConfigured(f"{name} names no file: sqlite:///var/tierboard.sqlite3")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(Path(file)),
        # An open connection keeps the files of the write-ahead log: on a full disk nobody could make them, nor read.
        "CONN_MAX_AGE": None,
        # IMMEDIATE: a transaction waits for the writer's lock when it begins; in Django's default mode, one that
        # reads before it writes can fail with "database is locked". FULL: a saved result survives a power cut.
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
