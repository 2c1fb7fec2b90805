"""Snapshots of the database: a page or a recomputation reads one moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]
READS = ("GET", "HEAD")


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the database inside the block as it was at one moment. PostgreSQL refuses writes there.

    Inside a transaction this does nothing: the isolation was set when the transaction began.
    """
    if connection.in_atomic_block:
        yield
        return
    with _reading_transaction(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


@contextmanager
def _reading_transaction() -> Iterator[None]:
    """Begin SQLite transactions of the block without the write lock that they take by default (league.site.env)."""
    wrapper: Any = connection
    if wrapper.vendor != "sqlite":
        yield
        return
    wrapper.ensure_connection()  # connecting sets the mode of the settings
    mode, wrapper.transaction_mode = wrapper.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        wrapper.transaction_mode = mode


@contextmanager
def snapshot_of_request(request: HttpRequest) -> Iterator[None]:
    """Enter a snapshot for GET and HEAD, so that no line of an answer is newer than another."""
    if request.method not in READS:
        yield
        return
    # Looking up the account may end its session, which is a write.
    bool(getattr(request, "user", None))
    with snapshot():
        yield


def reading_one_moment(view: View) -> View:
    """Wrap a view so that it reads from one snapshot."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with snapshot_of_request(request):
            return view(request, *args, **kwargs)

    return wrapped
