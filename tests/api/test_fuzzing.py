"""Requests made up from the description of the API: no error of the server, and every answer as it is described."""

import json
from datetime import timedelta

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from api.services import make_key
from api.throttles import KeylessThrottle, KeyThrottle, TableThrottle
from api.views.reference import described
from league.models import Claim, Invitation, PlannedEvent, PlayerAlias
from league.services.events import delete_event
from standings.recomputation.service import recompute
from tests.addresses import a_delivery, a_night, a_run
from tests.factories import correct, enter

pytestmark = [pytest.mark.rest, pytest.mark.django_db]
CASES = 30
API = schemathesis.openapi.from_dict(json.loads(described()))
OPERATIONS = [found.ok() for found in API.get_all_operations()]


@pytest.fixture(autouse=True)
def _one_connection():
    """Let no request close the connection of the test, as Django's own client does not."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def made_up(season, people, monkeypatch):
    """Return what puts ids of what is there into a request that was made up, and headers with the owner's key."""
    for throttle in (KeylessThrottle, KeyThrottle):
        monkeypatch.setattr(throttle, "rate", "1000000/min")
    monkeypatch.setattr(TableThrottle, "most", 1_000_000)
    event = enter(season, "Ada\nBoris\nCleo")
    deleted = delete_event(enter(season, "Ada\nBoris", day=1), version=1, actor=None)
    recompute(season.pool_id)
    key = make_key(people["owner"], label="made up")
    delivery, ada = a_delivery(event), event.entries.first().player
    ids = {
        "hook_id": delivery.hook_id,
        "delivery_id": delivery.pk,
        "night_id": a_night(season.club, actor=people["owner"]).pk,
        "run_id": a_run(season.club).pk,
        "alias_id": PlayerAlias.objects.create(club=season.club, player=ada, name="Adda", key="adda").pk,
        "correction_id": correct(event, "Boris\nAda\nCleo").changes.order_by("pk").last().pk,
        "club_slug": season.club.slug,
        "season_id": season.pk,
        "event_id": event.pk,
        "entry_id": event.entries.first().pk,
        "player_id": event.entries.first().player_id,
        "pool_id": season.pool_id,
        "item_id": deleted.pk,
        "planned_id": PlannedEvent.objects.create(
            season=season, starts_at=timezone.now() + timedelta(days=1)
        ).pk,
        "member_id": season.club.memberships.get(user=people["member"]).pk,
        "invitation_id": Invitation.objects.create(
            club=season.club, ends_at=timezone.now() + timedelta(days=1)
        ).pk,
        "claim_id": Claim.objects.create(player=event.entries.last().player, user=people["member"]).pk,
    }

    def complete(case):
        case.path_parameters = {name: ids.get(name, value) for name, value in case.path_parameters.items()}
        return case

    return complete, {"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_no_request_is_an_error_and_every_answer_is_as_described(operation, made_up, monkeypatch):
    complete, headers = made_up
    site = get_wsgi_application()
    monkeypatch.setattr(operation.schema, "app", site)

    @given(case=operation.as_strategy())
    @settings(max_examples=CASES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def run(case):
        complete(case).call_and_validate(
            app=site, headers=headers, excluded_checks=[positive_data_acceptance]
        )

    run()
