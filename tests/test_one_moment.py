"""Every page that is read comes from one moment: a correction between any two of its queries does not show."""

import io
import re
import sqlite3
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from itertools import count

import pytest
from django.db import connection, connections

from league.models import Event
from standings.exports.xlsx import CONTENT_TYPE
from standings.recomputation.service import recompute
from tests.factories import correct
from tests.test_access import API_OF_CLUBS, CLUB_PAGES, POST_ONLY, a_club, address, api_address

NAMES = ("Ada", "Boris", "Cleo", "Dora", "Emil")
# Different in every answer by their nature.
TOKENS = re.compile(r'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"')


@pytest.fixture
def two_connections(transactional_db, tmp_path):
    """Call (reader or writer, function, arguments): two threads with connections of their own to one database.

    The tests' own SQLite database is in memory, where a reader and a writer would wait for one another; both get
    a copy of it in a file, in the mode of the site's.
    """
    file = None

    def connect():
        if file:
            connection.settings_dict = connection.settings_dict | {"NAME": file}

    def begin():
        nonlocal file
        if connection.vendor == "sqlite":
            file = str(tmp_path / "moments.sqlite3")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [file])
            with closing(sqlite3.connect(file)) as copy:
                copy.execute("PRAGMA journal_mode=WAL")
        return [ThreadPoolExecutor(1, initializer=connect) for _ in range(2)]

    pools = []

    def started():
        pools.extend(begin())
        return [lambda function, *args, pool=pool: pool.submit(function, *args).result() for pool in pools]

    yield started
    for pool in pools:
        pool.submit(connections.close_all).result()
        pool.shutdown()


@pytest.fixture
def league():
    return a_club(is_public=True)


@pytest.fixture
def pages(league):
    """Every address that answers a GET, for an owner, who may see all of them."""
    owner = league["clients"]["owner"]
    of_club = [
        address(name, league, owner)
        for name in CLUB_PAGES
        if name not in POST_ONLY and name != "league:import-preview"
    ]
    return owner, [*of_club, *(api_address(name, league) for name in sorted(API_OF_CLUBS)), "/"]


def what_it_says(response):
    """An answer without what differs each time: tokens, and the moment at which a workbook was made."""
    if response["Content-Type"] == CONTENT_TYPE:
        with zipfile.ZipFile(io.BytesIO(response.content)) as book:
            return {name: book.read(name) for name in book.namelist() if name != "docProps/core.xml"}
    return TOKENS.sub("", response.content.decode())


def mixed_pages(two_connections, league, pages):
    """Addresses whose answer is another if a corrected result is written after each of their queries."""
    owner, addresses = pages
    event_id, turns = league["event_id"], count()
    in_reader, in_writer = two_connections()

    def write():
        event = Event.objects.select_related("season__club", "season__pool").get(pk=event_id)
        first = next(turns) % len(NAMES)
        correct(event, "\n".join(NAMES[first:] + NAMES[:first]))
        assert recompute(event.season.pool_id)

    def answer(url):
        response = owner.get(url)
        assert response.status_code == 200, url
        return what_it_says(response)

    def interrupted(url):
        n_writes = 0

        def after_each(execute, sql, *args):
            nonlocal n_writes
            done = execute(sql, *args)
            if sql.startswith("SELECT"):
                in_writer(write)
                n_writes += 1
            return done

        with connection.execute_wrapper(after_each):
            shown = answer(url)
        assert n_writes, url
        return shown

    in_writer(write)
    mixed = []
    for url in addresses:
        before = in_reader(answer, url)
        if in_reader(interrupted, url) != before:
            mixed.append(url)
    return mixed


def test_no_page_mixes_two_moments(two_connections, league, pages):
    assert mixed_pages(two_connections, league, pages) == []


def test_without_a_snapshot_pages_would_mix_two_moments(two_connections, league, pages, monkeypatch):
    monkeypatch.setattr("league.snapshots.snapshot", nullcontext)
    owner, addresses = pages
    leaderboard = league["season"].get_absolute_url()
    assert leaderboard in addresses
    assert mixed_pages(two_connections, league, (owner, [leaderboard])) == [leaderboard]
