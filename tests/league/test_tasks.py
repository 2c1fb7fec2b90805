"""The purge deletes what has expired, and nothing else; twice does no harm."""

from datetime import timedelta

import pytest
from celery import current_app
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from league.tasks import purge_expired

pytestmark = pytest.mark.django_db


def n_cached():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cache")
        return cursor.fetchone()[0]


def session(*, days):
    store = SessionStore()
    store["key"] = "value"
    store.set_expiry(timezone.now() + timedelta(days=days))
    store.save()
    return store.session_key


@pytest.fixture
def cached():
    """Leave one count that holds and one that has expired, as the cache does until somebody asks for it."""
    cache.clear()
    cache.set("holds", 1, 60)
    cache.set("expired", 1, 60)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE cache SET expires = %s WHERE cache_key LIKE %s",
            [timezone.now() - timedelta(seconds=61), "%expired"],
        )
    yield
    cache.clear()


def test_only_what_has_expired_goes(cached):
    kept = session(days=1)
    session(days=-1)
    assert (Session.objects.count(), n_cached()) == (2, 2)
    for _twice in range(2):
        purge_expired()
        assert list(Session.objects.values_list("session_key", flat=True)) == [kept]
        assert (cache.get("holds"), n_cached()) == (1, 1)


def test_beat_knows_its_tasks():
    current_app.loader.import_default_modules()
    for entry in current_app.conf.beat_schedule.values():
        assert entry["task"] in current_app.tasks
