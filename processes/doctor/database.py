"""The database: whether it answers, has the tables of this version, can be written, and keeps what it is given."""

from typing import Any

from django.db import DatabaseError, NotSupportedError, connection
from django.db.migrations.executor import MigrationExecutor

from league.services.health import storage_problem
from league.site import cache_table
from processes.doctor.findings import Findings, attention, first_line, listed, ok, wrong

# What PostgreSQL needs so that a saved result survives a power cut.
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")
SYNCHRONOUS_FULL = 2
MOST_CONNECTIONS_USED = 0.8


def check_answer() -> Findings:
    try:
        connection.ensure_connection()
        connection.check_database_version_supported()
    except NotSupportedError as error:
        yield wrong("database", first_line(error), "Upgrade the database (docs/operations.md, Upgrade).")
    except DatabaseError as error:
        yield wrong(
            "database",
            f"It does not answer: {first_line(error)}",
            "Start it, and compare DATABASE_URL with its host, port, name, user and password.",
        )
    else:
        version = ".".join(map(str, connection.get_database_version()))
        yield ok("database", f"{connection.display_name} {version} answers.")


def check_tables() -> Findings:
    executor = MigrationExecutor(connection)
    loader = executor.loader
    missing = [str(migration) for migration, _back in executor.migration_plan(loader.graph.leaf_nodes())]
    unknown = [
        f"{app}.{name}"
        for app, name in sorted(set(loader.applied_migrations) - set(loader.disk_migrations))
        if app in loader.migrated_apps
    ]
    if missing:
        yield wrong(
            "tables", f"They are of an older version: {listed(missing)} missing.", "manage.py migrate"
        )
    if unknown:
        yield wrong(
            "tables",
            f"They are of a later version of Tierboard: {listed(unknown)}.",
            "Start that version again, or restore the backup made before the upgrade.",
        )
    cache = cache_table.name()
    if cache not in connection.introspection.table_names():
        yield wrong(
            "tables", f"The table “{cache}” is missing: nobody can sign in.", "manage.py createcachetable"
        )
    elif not missing and not unknown:
        yield ok("tables", "They are those of this version.")


def check_writing() -> Findings:
    if problem := storage_problem():
        yield wrong(
            "writing",
            f"Nothing can be saved: {problem}.",
            "Make room on the disk of the database, and let its user write. Nothing was half saved.",
        )
    else:
        yield ok("writing", "A row was written.")


def check_integrity() -> Findings:
    yield from _sqlite() if connection.vendor == "sqlite" else _postgresql()


def _sqlite() -> Findings:
    damage = [row[0] for row in _rows("PRAGMA integrity_check(3)") if row[0] != "ok"]
    if damage:
        yield wrong("integrity", f"The file is damaged: {listed(damage)}.", "Restore the last backup.")
    if orphans := sorted({str(row[0]) for row in _rows("PRAGMA foreign_key_check")}):
        yield wrong(
            "integrity", f"Rows refer to rows that are gone: {listed(orphans)}.", "Restore the last backup."
        )
    ((mode,), (level,)) = _rows("PRAGMA journal_mode") + _rows("PRAGMA synchronous")
    if not connection.is_in_memory_db() and mode != "wal":  # type: ignore[attr-defined]  # of SQLite's connections
        yield attention(
            "integrity",
            f"The journal is “{mode}”: readers and writers wait for each other.",
            "Keep the file on a local disk; network disks refuse “wal”.",
        )
    if level < SYNCHRONOUS_FULL:
        yield wrong("integrity", "A power cut can lose saved results.", "Leave PRAGMA synchronous at FULL.")
    if not damage and not orphans:
        yield ok("integrity", "The file is whole, and every row finds the rows it refers to.")


def _postgresql() -> Findings:
    settings_of_server: dict[str, str] = dict(_rows("SELECT name, setting FROM pg_settings"))
    if off := [name for name in DURABLE if settings_of_server[name] == "off"]:
        yield wrong(
            "integrity",
            f"A power cut can lose or damage results: {listed(off)} is off.",
            "Switch it on in postgresql.conf.",
        )
    ((failures, encoding),) = _rows(
        "SELECT coalesce(checksum_failures, 0), pg_encoding_to_char(encoding) "
        "FROM pg_stat_database JOIN pg_database USING (datname) WHERE datname = current_database()"
    )
    if failures:
        yield wrong(
            "integrity", f"{failures} pages were damaged on the disk.", "Restore the last backup elsewhere."
        )
    if encoding != "UTF8":
        yield wrong(
            "integrity", f"The encoding is {encoding}.", "Restore a backup into a database made with UTF8."
        )
    ((n_used,),) = _rows("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    most = int(settings_of_server["max_connections"])
    if n_used > most * MOST_CONNECTIONS_USED:
        yield attention("integrity", f"{n_used} of {most} connections are used.", "Raise max_connections.")
    if not off and not failures:
        yield ok("integrity", f"Saved results survive a power cut; {n_used} of {most} connections are used.")


def _rows(sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())
