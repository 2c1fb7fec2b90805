"""Settings, versions, static files and operators' accounts."""

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.core.checks import Tags, run_checks
from django.core.checks.messages import ERROR
from packaging.requirements import Requirement

from league.site.machine import PRODUCTION
from processes.doctor.findings import Findings, attention, listed, ok, wrong
from processes.static_files import not_collected

LOCK = settings.BASE_DIR / "requirements.lock"
OF_THIS_MACHINE = {"localhost", "127.0.0.1", "[::1]"}
EARLIEST_PYTHON = (3, 11)
INSTALL = "pip install --require-hashes -r requirements.lock"


def check_settings(*, is_production: bool = PRODUCTION) -> Findings:
    """Run Django's own checks for deployment: secret key, HTTPS, cookies, debug pages."""
    found = run_checks(tags=[Tags.security], include_deployment_checks=is_production)
    problems = [message for message in found if not message.is_silenced()]
    for message in problems:
        say = wrong if message.level >= ERROR or is_production else attention
        yield say(
            "settings", f"{message.msg} ({message.id})", message.hint or "docs/operations.md, variables"
        )
    if is_production and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        yield attention(
            "settings",
            "No proxy is trusted: behind one that terminates TLS, every page redirects to itself.",
            "TRUSTED_PROXY_COUNT=1 (docs/operations.md, The reverse proxy).",
        )
    if not problems:
        kind = "production" if is_production else "local: for this machine alone, without HTTPS"
        yield ok("settings", f"The environment is {kind}.")


def check_address(*, is_production: bool = PRODUCTION) -> Findings:
    hosts = settings.ALLOWED_HOSTS
    if "*" in hosts:
        yield wrong(
            "address",
            "Any host name is accepted: strangers choose what links in mails lead to.",
            "ALLOWED_HOSTS=league.example",
        )
    elif is_production and set(hosts) <= OF_THIS_MACHINE:
        yield wrong("address", "The site has no address of its own.", "ALLOWED_HOSTS=league.example")
    else:
        yield ok("address", f"The site answers as {listed(hosts)}.")


def check_versions() -> Findings:
    python = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < EARLIEST_PYTHON:
        yield wrong("versions", f"Python {python} is too old.", "Install Python 3.11 or later.")
    if other := list(_other_packages()):
        yield attention("versions", f"Not as in requirements.lock: {listed(other)}.", INSTALL)
    else:
        yield ok("versions", f"Python {python}, Django {version('django')}, every package as locked.")


def _other_packages() -> Iterator[str]:
    """List the packages whose version is not the locked one."""
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if line[:1].strip() in {"", "#"}:
            continue
        wanted = Requirement(line.removesuffix("\\"))
        if wanted.marker and not wanted.marker.evaluate():
            continue
        try:
            installed = version(wanted.name)
        except PackageNotFoundError:
            yield f"{wanted.name} missing"
            continue
        if not wanted.specifier.contains(installed, prereleases=True):
            yield f"{wanted.name} {installed} in place of {str(wanted.specifier).removeprefix('==')}"


def check_static_files() -> Findings:
    if names := not_collected():
        yield wrong(
            "static files",
            f"Of another version, or not collected: {listed(names)}.",
            "manage.py collectstatic --no-input, and start web again; with Docker: docker compose build",
        )
    else:
        yield ok("static files", "All are collected.")


def check_translations() -> Findings:
    """Compare what is compiled with its sources: without it, the site speaks English alone."""
    sources = settings.BASE_DIR.glob("league/locale/*/LC_MESSAGES/django.po")
    if old := [source for source in sorted(sources) if not _is_compiled(source)]:
        names = " ".join(str(source.relative_to(settings.BASE_DIR)) for source in old)
        yield wrong(
            "translations",
            f"Not compiled, or older than their source: {listed([source.parents[1].name for source in old])}.",
            f"python scripts/compile_translations.py {names}, and start web and worker again",
        )
    else:
        yield ok("translations", "All are compiled.")


def _is_compiled(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime


def check_operators() -> Findings:
    operators = User.objects.filter(is_superuser=True, is_active=True)
    if not operators:
        yield attention("operators", "Nobody can sign in to /admin/.", "manage.py createsuperuser")
        return
    factors = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    staff = User.objects.filter(is_staff=True, is_active=True)
    without = staff.exclude(pk__in=factors.values("user")).order_by("username")
    if names := list(without.values_list("username", flat=True)):
        yield attention(
            "operators",
            f"A password alone gives the rights of an operator: {listed(names)}.",
            "Set up two-factor sign-in for these accounts, on their page Account.",
        )
    else:
        yield ok("operators", "All have two-factor sign-in.")
