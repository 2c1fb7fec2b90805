"""Find out whether results can be saved."""

import sqlite3

from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import DatabaseError, InternalError, OperationalError, connection, transaction
from django.utils import timezone

# A full disk, a database that only reads, or none at all. Other errors of a database are faults of the program.
CANNOT_SAVE = (OperationalError, InternalError)
REMEMBERED_SECONDS = 10  # so that those who ask all the time do not make the database write all the time
WAIT_MILLISECONDS = 200
PROBE = "health"  # the key of a session that nobody has


def storage_problem() -> str:
    """Name what is wrong with the database; empty if it can be read and written."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "no database"
    if caches["pages"].get(PROBE):
        return ""
    try:
        _write()
    except DatabaseError as error:
        # While somebody else writes, the disk is not full.
        if getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
            return "the database cannot be written"
    caches["pages"].set(PROBE, 1, REMEMBERED_SECONDS)
    return ""


def can_write() -> bool:
    """Tell whether the database can be written at this moment: the disk has room, and nobody else holds the lock."""
    try:
        _write()
    except DatabaseError:
        return False
    return True


def _write() -> None:
    if connection.vendor != "sqlite":
        _touch()
        return
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {WAIT_MILLISECONDS}")
        try:
            _touch()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")


@transaction.atomic
def _touch() -> None:
    now = timezone.now()
    Session.objects.update_or_create(session_key=PROBE, defaults={"session_data": "", "expire_date": now})
