"""The doctor and what is computed, sealed or expired; and the command as a whole."""

import json
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from league.models import BinItem, Change, Club, Entry
from league.services.health import PROBE
from league.services.seasons import close_season
from processes.doctor import results
from processes.doctor.checks import CHECKS, FIRST, examine
from processes.doctor.findings import Check, State, ok
from standings.models import ArchiveDraft, Recomputation
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.factories import ClubFactory, UserFactory, enter

pytestmark = pytest.mark.django_db
# The watchdog reads by a connection of its own.
SEEN_FROM_OUTSIDE = pytest.mark.django_db(transaction=True)


def only(findings):
    (found,) = findings
    return found


@SEEN_FROM_OUTSIDE
def test_pools_that_are_computed(states, enter_event):
    enter_event("Ada\nBoris")
    assert states(results.check_pools()) == [(State.OK, "All 1 are computed.")]


@SEEN_FROM_OUTSIDE
def test_a_pool_that_waits(states, season):
    enter(season, "Ada\nBoris")
    state, text = only(states(results.check_pools()))
    assert (state, text) == (State.OK, f"Being computed: {season.pool}.")
    Change.objects.update(at=timezone.now() - timedelta(seconds=30))
    state, text = only(states(results.check_pools()))
    assert state == State.WRONG, "the watchdog says that nobody works on it"
    assert "recompute --stale" in text


@SEEN_FROM_OUTSIDE
def test_a_pool_that_somebody_computes_for_long(states, season):
    enter(season, "Ada\nBoris")
    Change.objects.update(at=timezone.now() - timedelta(minutes=20))
    Recomputation.objects.create(pool=season.pool, progressed_at=timezone.now())
    state, text = only(states(results.check_pools()))
    assert state == State.ATTENTION
    assert "have waited since" in text


@SEEN_FROM_OUTSIDE
def test_a_pool_whose_recomputation_fails(states, season):
    enter(season, "Ada\nBoris")
    Entry.objects.filter(place=1).update(place=7)
    with pytest.raises(ValueError, match="place 7"):
        recompute(season.pool_id)
    state, text = only(states(results.check_pools()))
    assert state == State.WRONG
    assert "has failed 1 times. The last error: ValueError" in text
    assert f"--club {season.club.slug}" in text


@SEEN_FROM_OUTSIDE
def test_rows_of_another_version_of_the_ratings(states, season, enter_event):
    enter_event("Ada\nBoris")
    Recomputation.objects.update(engine_revision=1_000)
    state, text = only(states(results.check_pools()))
    assert state == State.ATTENTION
    assert "another version of the ratings" in text


def test_a_sealed_season_that_somebody_tampered_with(states, season, enter_event, people):
    assert states(results.check_seals()) == [(State.OK, "No season is sealed.")]
    enter_event("Ada\nBoris")
    close_season(season, actor=people["owner"])
    recompute(season.pool_id)
    seal_season(season, actor=people["owner"])
    assert states(results.check_seals()) == [(State.OK, "1 sealed seasons are as they were sealed.")]
    Entry.objects.filter(place=2).update(knockouts=3)
    state, text = only(states(results.check_seals()))
    assert state == State.WRONG
    assert f"{season.club.slug}/{season.slug} is not as it was sealed: " in text


def test_what_beat_should_have_deleted(states, club):
    now = timezone.now()
    cache.clear()
    assert states(results.check_expired()) == [(State.OK, "What has expired is deleted.")]
    for key in ("old", PROBE):
        Session.objects.create(session_key=key, session_data="", expire_date=now - timedelta(hours=3))
    BinItem.objects.create(club=club, kind="event", label="x", data={}, deleted_at=now - timedelta(days=31))
    Club.objects.filter(pk=ClubFactory().pk).update(deleted_at=now - timedelta(days=32))
    ArchiveDraft.objects.create(user=UserFactory(), data=b"")
    ArchiveDraft.objects.update(uploaded_at=now - timedelta(days=3))
    cache.set("count", 1, 60)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE cache SET expires = %s", [now - timedelta(hours=3)])
    state, text = only(states(results.check_expired()))
    assert state == State.ATTENTION
    assert "1 sessions, 1 counts of sign-ins, 1 items of bins, 1 deleted clubs, 1 uploaded archives." in text
    cache.clear()


def test_one_error_hides_nothing_else():
    checks = [Check("broken", lambda: 1 / 0), Check("whole", lambda: iter([ok("whole", "It is.")]))]
    broken, whole = examine(first=(), checks=checks)
    assert (broken.state, whole.state) == (State.WRONG, State.OK)
    assert "ZeroDivisionError: division by zero" in broken.found


def test_the_command_tells_programs_and_people_the_same(capsys):
    cache.delete("heartbeat")
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", is_json=True)
    assert ended.value.code == 1, "nobody runs beat"
    rows = json.loads(capsys.readouterr().out)
    assert {check.subject for check in [*FIRST, *CHECKS]} <= {row["subject"] for row in rows}
    with pytest.raises(SystemExit):
        call_command("doctor", send_mail="ada@example.com")
    lines = capsys.readouterr().out.splitlines()
    said = [line for line in lines if not line.startswith(" ")]
    assert len(said) == len(rows) + 1
    assert "ada@example.com" in said[-1]
    assert sum("Do: " in line for line in lines) == sum(bool(row["remedy"]) for row in rows)
