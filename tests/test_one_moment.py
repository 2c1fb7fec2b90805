"""Each page shows one moment: a correction after the first of its queries is not visible."""

import io
import re
import sqlite3
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from itertools import count
from threading import Event as Signal
from threading import Semaphore

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, connections

from league.models import Event
from standings.archive.writing import MANIFEST
from standings.exports.xlsx import CONTENT_TYPE
from standings.recomputation.service import recompute
from tests import access
from tests.addresses import API_REFUSED, API_WITHOUT_GET, SHOWN_PAGES, a_club, address, api_address
from tests.factories import correct

pytestmark = pytest.mark.postgresql
# Who asks is looked up before the snapshot.
ACCOUNT = re.compile('FROM "(django_session|auth_user)"')
# Pages interrupted by the same correction, which takes longer than each of them.
N_READERS = 8
PATIENCE_SECONDS = 120
NAMES = ("Ada", "Boris", "Cleo", "Dora", "Emil")
# These values differ in every response.
TOKENS = re.compile(r'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"')


@pytest.fixture
def own_connections(transactional_db, tmp_path):
    """Start readers and a writer: functions that begin a call in a thread with its own database connection.

    The tests' SQLite database is in memory, where readers and writer would block each other; they use a copy of it in
    a file, in the journal mode of the site.
    """
    file = None

    def connect():
        if file:
            # Nobody needs the copy after a crash.
            quick = {
                "OPTIONS": connection.settings_dict["OPTIONS"] | {"init_command": "PRAGMA synchronous=OFF"}
            }
            connection.settings_dict = connection.settings_dict | {"NAME": file} | quick

    def begin():
        nonlocal file
        if connection.vendor == "sqlite":
            file = str(tmp_path / "moments.sqlite3")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [file])
            with closing(sqlite3.connect(file)) as copy:
                copy.execute("PRAGMA journal_mode=WAL")
        return [ThreadPoolExecutor(1, initializer=connect) for _ in range(N_READERS + 1)]

    pools = []

    def started():
        pools.extend(begin())
        return [pool.submit for pool in pools]

    yield started
    for pool in pools:
        pool.submit(connections.close_all).result()
        pool.shutdown()


@pytest.fixture
def league():
    return a_club(is_public=True)


@pytest.fixture
def pages(league):
    """The owner's client, and every address that answers a GET."""
    owner = league["clients"]["owner"]
    of_club = [address(name, league, owner) for name in SHOWN_PAGES if name != "entry:import-preview"]
    return owner, [
        *of_club,
        *(api_address(name, league) for name in sorted(set(access.API) - API_REFUSED - API_WITHOUT_GET)),
        "/",
    ]


def stable_content(response):
    """Read a response without tokens and the time at which a workbook or an archive was made, which differ each time."""
    if response["Content-Type"] in {CONTENT_TYPE, "application/zip"}:
        with zipfile.ZipFile(io.BytesIO(response.content)) as book:
            names = set(book.namelist()) - {"docProps/core.xml", MANIFEST}
            return {name: book.read(name) for name in names}
    if response["Content-Type"].startswith("image/png"):
        return response.content
    return TOKENS.sub("", response.content.decode())


def mixed_pages(own_connections, league, pages):
    """Find addresses whose response changes if a corrected result is written after its first query.

    The snapshot begins with that query. Whatever is read outside of it, or in another one, shows the correction.
    """
    owner, addresses = pages
    event_id, turns = league["event_id"], count()
    *in_readers, in_writer = own_connections()

    def write():
        event = Event.objects.select_related("season__club", "season__pool").get(pk=event_id)
        first = next(turns) % len(NAMES)
        correct(event, "\n".join(NAMES[first:] + NAMES[:first]))
        assert recompute(event.season.pool_id)

    def answer(url):
        response = owner.get(url)
        assert response.status_code == 200, url
        return stable_content(response)

    def interrupted(url, waiting, is_written):
        is_interrupted = False

        def after_first(execute, sql, *args):
            nonlocal is_interrupted
            result = execute(sql, *args)
            if not is_interrupted and sql.startswith("SELECT") and not ACCOUNT.search(sql):
                is_interrupted = True
                waiting.release()
                assert is_written.wait(PATIENCE_SECONDS)
            return result

        with connection.execute_wrapper(after_first):
            content = answer(url)
        assert is_interrupted, url
        return content

    def contents(function, urls, *args):
        return [in_reader(function, url, *args) for in_reader, url in zip(in_readers, urls, strict=False)]

    in_writer(write).result()
    mixed = []
    for at in range(0, len(addresses), N_READERS):
        urls = addresses[at : at + N_READERS]
        before = [content.result() for content in contents(answer, urls)]
        waiting, is_written = Semaphore(0), Signal()
        after = contents(interrupted, urls, waiting, is_written)
        for one in after:
            one.add_done_callback(lambda _failed, waiting=waiting: waiting.release())
        for _ in urls:
            waiting.acquire()
        in_writer(write).result()
        is_written.set()
        mixed += [url for url, old, new in zip(urls, before, after, strict=True) if new.result() != old]
    return mixed


@pytest.mark.rest
def test_no_page_mixes_two_moments(own_connections, league, pages):
    assert mixed_pages(own_connections, league, pages) == []


def test_the_leaderboard_shows_one_moment(own_connections, league, pages):
    owner, _addresses = pages
    assert mixed_pages(own_connections, league, (owner, [league["season"].get_absolute_url()])) == []


def test_without_a_snapshot_pages_would_mix_two_moments(own_connections, league, pages, monkeypatch):
    monkeypatch.setattr("league.database.snapshots.snapshot", nullcontext)
    owner, addresses = pages
    leaderboard = league["season"].get_absolute_url()
    assert leaderboard in addresses
    assert mixed_pages(own_connections, league, (owner, [leaderboard])) == [leaderboard]


def test_a_session_that_a_new_password_has_ended_reads_on_without_an_account(
    transactional_db, league, client
):
    """Its end is a write, which no snapshot takes."""
    user = league["clients"]["member"].user
    client.force_login(user)
    session = Session.objects.filter(session_key=client.session.session_key)
    user.set_password("another-good-passphrase")
    user.save()
    leaderboard = league["season"].get_absolute_url()
    assert session.exists()
    assert client.get(leaderboard).status_code == 200
    assert not session.exists()
