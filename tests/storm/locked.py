"""A program that keeps SQLite's lock: `python -m tests.storm.locked`, with VAR_DIR and DATABASE_URL as for a storm.

Another process holds BEGIN EXCLUSIVE until it is told to end, so that nothing depends on how long something takes. Whoever wants to
write waits for half a second here, and not for thirty. The last line printed is the account in JSON.
"""

import json
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

import django

WAIT_SECONDS = 0.5
HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
"""


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ["BROKER_URL"] = "embedded://localhost"
    from django.conf import settings

    from league import settings as site

    settings.ALLOWED_HOSTS = ["testserver"]
    # Attempts to sign in are counted, in the database.
    settings.ACCOUNT_RATE_LIMITS, settings.CACHES = site.ACCOUNT_RATE_LIMITS, site.CACHES
    settings.DATABASES["default"]["OPTIONS"]["timeout"] = WAIT_SECONDS
    django.setup()
    sys.stdout.write(json.dumps(account()) + "\n")


@contextmanager
def locked():
    """Keep the lock in another process inside the block."""
    from django.conf import settings

    command = [sys.executable, "-c", HOLD, str(settings.DATABASES["default"]["NAME"])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder
        finally:
            holder.communicate("\n")


def account() -> dict[str, object]:
    from standings.recomputation.service import recompute
    from tests.factories import enter, names
    from tests.storm.rows import wrong_leagues

    season = made_season()
    enter(season, "\n".join(names(8)))
    told = recomputed_under_lock(season) | told_under_lock(season) | saved_after_waiting(season)
    recompute(season.pool_id)
    told["wrong"] = wrong_leagues()
    with closing(sqlite3.connect(django.conf.settings.DATABASES["default"]["NAME"])) as connection:
        (told["integrity"],) = connection.execute("PRAGMA integrity_check").fetchone()
    return told


def made_season():
    """Make a season in an empty database, from which no message is sent."""
    from django.core.management import call_command

    from processes.tables import create_tables
    from tests.factories import ClubFactory, SeasonFactory, UserFactory
    from tests.storm.wire import wire

    create_tables()
    call_command("createcachetable", verbosity=0)
    wire.put_in()
    wire.is_cut = True
    return SeasonFactory(club=ClubFactory(owner=UserFactory()))


def owner_of(season):
    """Sign in the owner of the season's club."""
    from django.test import Client

    client = Client(raise_request_exception=False)
    client.force_login(season.club.memberships.get().user)
    return client


def recomputed_under_lock(season):
    from standings.recomputation.service import recompute
    from tests.factories import enter, names
    from tests.storm.rows import computed_rows

    told: dict[str, object] = {}
    recompute(season.pool_id)
    rows = computed_rows()
    enter(season, "\n".join(names(6)), day=7)
    with locked():
        try:
            recompute(season.pool_id)
        except django.db.OperationalError as error:
            told["recompute"] = str(error)
        told["old_rows_stay"] = computed_rows() == rows
    return told | {"recomputed": recompute(season.pool_id)}


def told_under_lock(season):
    """Read, save, upload and sign in under a lock, and save again after it."""
    from django.test import Client
    from django.urls import reverse

    from tests.entry.event_forms import create_url, filled, stored
    from tests.factories import names

    client, told, before = owner_of(season), {}, stored()
    typed = filled("\n".join(names(9)), name="Late")
    upload = reverse("entry:import-upload", args=[season.club.slug, season.slug])
    sign_in = {"login": season.club.memberships.get().user.username, "password": "a-good-passphrase"}
    with locked():
        told["read"] = client.get(season.get_absolute_url()).status_code
        told["health"] = client.get("/healthz").status_code
        answer = client.post(create_url(season), typed)
        told["save"] = answer.status_code
        told["says"] = "This could not be saved" in answer.content.decode()
        told["is_typed"] = names(9)[8] in answer.content.decode()
        told["upload"] = client.post(upload, {"file": _file()}).status_code
        stranger = Client(raise_request_exception=False)
        told["sign_in"] = stranger.post(reverse("account_login"), sign_in).status_code
        told["stored_meanwhile"] = stored() != before
    told["save_again"] = client.post(create_url(season), typed).status_code
    told["n_new"] = stored()["Event"] - before["Event"]
    return told


def saved_after_waiting(season):
    """Save under a lock that ends before the limit."""
    from django.db import connections

    from tests.entry.event_forms import create_url, filled
    from tests.factories import names

    client, done = owner_of(season), []
    connections.close_all()
    connections.settings["default"]["OPTIONS"]["timeout"] = 600

    def save() -> None:
        typed = filled("\n".join(names(7)), day="2026-01-21")
        done.append(client.post(create_url(season), typed).status_code)
        connections.close_all()

    with locked() as holder:
        saver = threading.Thread(target=save)
        saver.start()
        saver.join(0.3)
        waits = saver.is_alive()
        holder.stdin.write("\n")
        holder.stdin.flush()
        saver.join(600)
    return {"waits": waits, "save_after_waiting": done[0]}


def _file():
    import io

    file = io.BytesIO(b"event,date,player,place\nn,2026-01-13,Ada,1\nn,2026-01-13,Boris,2\n")
    file.name = "n.csv"
    return file


if __name__ == "__main__":
    main()
