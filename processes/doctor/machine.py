"""Disk, clock and mail server."""

import logging
import os
import shutil
import tempfile
import zoneinfo
from datetime import timedelta
from pathlib import Path
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.db.models import Max
from django.utils import timezone

from league.models import Change, Club
from league.site.machine import PRODUCTION
from processes.doctor.findings import Finding, Findings, attention, first_line, listed, ok, wrong

GIGABYTE = 10**9
LITTLE = GIGABYTE
ALMOST_NOTHING = GIGABYTE / 10
FAST = timedelta(minutes=1)
CHECK_CLOCK = "Let the machine take its time from the network (timedatectl set-ntp true)."


def check_disk() -> Findings:
    for name, folder in _folders().items():
        yield from _check_folder(name, folder)
    if files := _log_files():
        for file in files:
            yield from _check_folder("log", file.parent)
    else:
        yield ok("log", "It goes to standard output: who starts the processes keeps it.")


def _folders() -> dict[str, Path]:
    """Map names to the folders that the processes write."""
    folders = {"files": Path(settings.VAR_DIR)}
    if connection.vendor == "sqlite" and not connection.is_in_memory_db():  # type: ignore[attr-defined]
        folders["database file"] = Path(connection.settings_dict["NAME"]).absolute().parent
    if kernels := os.environ.get("NUMBA_CACHE_DIR"):
        folders["kernels"] = Path(kernels)
    return folders


def _log_files() -> list[Path]:
    """List the files that are logged to; devices such as /dev/stdout are none."""
    handlers = [
        handler for handler in logging.getLogger().handlers if isinstance(handler, logging.FileHandler)
    ]
    files = [Path(handler.baseFilename) for handler in handlers]
    return [file for file in files if file.is_file() or not file.exists()]


def _check_folder(name: str, folder: Path) -> Findings:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        yield wrong(
            "disk",
            f"{name}: nothing can be written to {folder}: {error.strerror}.",
            "Create the folder, make room, or give it to the user that runs the site.",
        )
        return
    found = f"{name}: {free / GIGABYTE:.1f} GB are free in {folder}."
    remedy = "Delete old backups and logs, or enlarge the disk."
    if free < ALMOST_NOTHING:
        yield wrong("disk", found, remedy)
    elif free < LITTLE:
        yield attention("disk", found, remedy)
    else:
        yield ok("disk", found)


def check_clock() -> Findings:
    now = timezone.now()
    latest = Change.objects.aggregate(latest=Max("at"))["latest"]
    is_slow = latest is not None and latest - now > FAST
    if is_slow:
        yield wrong(
            "clock",
            f"It is {now:%Y-%m-%d %H:%M} UTC here, but something was saved at {latest:%Y-%m-%d %H:%M} UTC.",
            CHECK_CLOCK,
        )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            (theirs,) = cursor.fetchone()
        if abs(theirs - timezone.now()) > FAST:
            is_slow = True
            yield wrong(
                "clock",
                f"It is {now:%H:%M:%S} UTC here, and {theirs:%H:%M:%S} at the database.",
                CHECK_CLOCK,
            )
    known = zoneinfo.available_timezones()
    used = set(Club.objects.order_by().values_list("time_zone", flat=True).distinct())
    if unknown := sorted(used - known):
        yield wrong("clock", f"Time zones of clubs are unknown here: {listed(unknown)}.", "Install tzdata.")
    elif not is_slow:
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC; the time zones of all clubs are known.")


def check_mail(*, is_production: bool = PRODUCTION) -> Findings:
    """Connect to the mail server without sending anything."""
    if settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        found = f"Messages are written as files to {settings.EMAIL_FILE_PATH}"
        if is_production:
            yield attention(
                "mail", f"{found}: nobody receives them.", "Set EMAIL_HOST and the other EMAIL_ variables."
            )
        else:
            yield ok("mail", f"{found}.")
        return
    try:
        server = get_connection()
        server.open()
        server.close()
    except (OSError, SMTPException) as error:
        yield _no_mail(error)
        return
    yield ok("mail", f"{settings.EMAIL_HOST or settings.EMAIL_BACKEND} answers.")
    if settings.DEFAULT_FROM_EMAIL.rstrip("> ").endswith("@localhost"):
        yield attention(
            "mail",
            f"Messages come from {settings.DEFAULT_FROM_EMAIL}, which many servers refuse.",
            "DEFAULT_FROM_EMAIL=Tierboard <site@league.example>",
        )


def send_test(to: str) -> Findings:
    """Send one message, to see it arrive."""
    text = f"This message was sent by `manage.py doctor` of {', '.join(settings.ALLOWED_HOSTS)}."
    try:
        EmailMessage("Tierboard: a test", text, to=[to]).send()
    except (OSError, SMTPException, ValueError) as error:
        yield _no_mail(error)
    else:
        yield ok("mail", f"A message to {to} was handed to the mail server. Look whether it arrives.")


def _no_mail(error: Exception) -> Finding:
    return wrong(
        "mail",
        f"The mail server does not take it: {first_line(error)}",
        "Compare EMAIL_HOST, EMAIL_PORT, EMAIL_USE_TLS, EMAIL_HOST_USER and EMAIL_HOST_PASSWORD.",
    )
