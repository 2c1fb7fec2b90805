"""The ids that the database gives: which was the last, and taking many at once."""

from django.db import connection, models


def last_id(model: type[models.Model]) -> int:
    """Find the highest id that a table has ever given; rows that are gone had ids, too."""
    table = model._meta.db_table
    highest: int = model._base_manager.aggregate(highest=models.Max("pk", default=0))["highest"]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"SELECT last_value, is_called FROM {_sequence(model)}")  # noqa: S608  the database's own name
            last, is_given = cursor.fetchone()
            return max(highest, last if is_given else 0)
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        return max(highest, row[0]) if row else highest


def take_ids(model: type[models.Model], n: int) -> int:
    """Take the next `n` ids of a table in the caller's transaction; return the id before them."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            quoted = connection.ops.quote_name(table)
            cursor.execute(
                f"LOCK TABLE {quoted} IN SHARE ROW EXCLUSIVE MODE"
            )  # nobody else inserts meanwhile
    last = last_id(model)
    if n:
        set_last_id(model, last + n)
    return last


def set_last_id(model: type[models.Model], last: int) -> None:
    """Let the next row of a table get the id after this one."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT setval(%s, %s, %s)", [_sequence(model), max(last, 1), last > 0])
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])


def _sequence(model: type[models.Model]) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [model._meta.db_table])
        return str(cursor.fetchone()[0])
