"""What programs see that watch the site: metrics for who has the token, readiness, lines of JSON, errors to Sentry."""

import json
import logging
import os
import subprocess
import sys
import time

import pytest
from django.core.cache import caches
from django.db.migrations.executor import MigrationExecutor
from kombu.exceptions import OperationalError
from prometheus_client.parser import text_string_to_metric_families

from directory.models import Reason
from directory.services.reports import report_club
from league.site.heartbeat import note_heartbeat
from league.site.log_lines import JsonLine
from league.site.scrubbing import scrubbed
from league.site.security_log import log_refusal
from processes import metrics
from processes.queues import Queue
from standings.models import Recomputation
from standings.recomputation.service import recompute
from tests.factories import enter

pytestmark = pytest.mark.django_db
TOKEN = "a-long-token-of-the-operator"


@pytest.fixture
def read(client, settings, tmp_path, monkeypatch):
    """Read the samples as Prometheus does, by name and labels."""
    settings.METRICS_TOKEN, settings.METRICS_DIR = TOKEN, tmp_path
    monkeypatch.setattr(metrics, "read_queue", lambda name: Queue(len(name), time.time() - 30, time.time()))

    def samples():
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        families = text_string_to_metric_families(answer.content.decode())
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in families
            for sample in family.samples
        }

    return samples


def test_metrics_are_for_who_has_the_token(client, settings, tmp_path):
    bearer = {"Authorization": "Bearer "}
    assert client.get("/metrics", headers=bearer).status_code == 404  # an empty token is none
    settings.METRICS_TOKEN, settings.METRICS_DIR = TOKEN, tmp_path
    for sent in ("", "Bearer ", "Bearer other", f"Bearer {TOKEN}x", "Bearer é"):
        assert client.get("/metrics", headers={"Authorization": sent}).status_code == 404, sent


def test_metrics_say_what_waits_and_what_was_done(read, season, people):
    assert read()["tierboard_pools_behind", "small"] == 0
    enter(season, "Ada\nBoris")
    seen = read()  # of a pool that was never computed
    assert (seen["tierboard_pools_behind", "small"], seen["tierboard_pools_behind", "large"]) == (1, 0)
    assert seen["tierboard_results_age_seconds",] > 0
    recompute(season.pool_id)
    enter(season, "Ada\nBoris", day=1)
    report_club(season.club, reason=Reason.SPAM, user=people["member"])
    note_heartbeat(time.time() - 50)
    seen = read()
    assert seen["tierboard_pools_behind", "small"] == 1
    assert 0 <= seen["tierboard_results_age_seconds",] < 60
    saved, computed = seen["tierboard_changes_saved_total",], seen["tierboard_changes_computed_total",]
    assert (saved - computed, saved) == (1, season.pool.data_version or saved)
    assert seen["tierboard_recomputations_lately", "inf"] == 1
    assert (seen["tierboard_reports_open",], seen["tierboard_clubs",]) == (1, 1)
    assert 50 <= seen["tierboard_beat_silent_seconds",] < 80
    assert seen["tierboard_queue_messages", "later"] == len("later")
    assert seen["tierboard_queue_age_seconds", "celery"] >= 30
    Recomputation.objects.update(is_long=True, n_failures=1)
    seen = read()
    assert (seen["tierboard_pools_behind", "large"], seen["tierboard_recomputations_failing",]) == (1, 1)


def test_without_a_broker_metrics_say_so(read, monkeypatch):
    def refuse(_name):
        raise OperationalError("no connection")

    monkeypatch.setattr(metrics, "read_queue", refuse)
    assert read()["tierboard_broker_up",] == 0


COUNT = """
import os, sys
os.environ["PROMETHEUS_MULTIPROC_DIR"] = sys.argv[1]
from types import SimpleNamespace
from django.conf import settings
settings.configure(METRICS_TOKEN="x")
from league.site.measuring import count_refused, measured
known, unknown = SimpleNamespace(resolver_match=SimpleNamespace(view_name="a:b")), SimpleNamespace(resolver_match=None)
for status, request in ((200, known), (302, known), (404, unknown)):
    measured(lambda request: SimpleNamespace(status_code=status))(request)
count_refused()
"""


def test_the_requests_of_all_processes_are_counted_together(read, tmp_path):
    for _process in range(2):
        subprocess.run([sys.executable, "-c", COUNT, str(tmp_path)], check=True, timeout=60)
    seen = read()
    name = "tierboard_request_seconds_count"
    assert (seen[name, "2xx", "a:b"], seen[name, "3xx", "a:b"], seen[name, "4xx", "none"]) == (2, 2, 2)
    assert seen["tierboard_requests_refused_total",] == 2


def test_the_site_is_ready_once_its_tables_are_there(client, monkeypatch):
    def answer():
        caches["pages"].clear()
        got = client.get("/readyz")
        return got.status_code, got.content

    plan = [("league", "0001")]  # tables of tests are made without migrations
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda _self, _targets: plan)
    assert answer() == (503, b"migrations have to be applied")
    plan.clear()
    assert answer() == (200, b"ready")
    plan.append(("league", "0002"))
    assert client.get("/readyz").status_code == 200  # a good answer is kept
    assert client.get("/healthz").status_code == 200
    caches["pages"].clear()


def test_a_line_of_json_has_the_fields_of_the_security_log(rf, caplog):
    with caplog.at_level(logging.INFO, logger="tierboard.security"):
        log_refusal("sign-in-failed", rf.get("/"), typed="ad…\n")
    line = json.loads(JsonLine().format(caplog.records[-1]))
    assert (line["level"], line["logger"]) == ("WARNING", "tierboard.security")
    assert line["security"]["event"] == "sign-in-failed"
    assert line["security"]["typed"] == "ad…\n"
    assert line["at"]


@pytest.mark.parametrize(("dsn", "is_on"), [("", False), ("https://key@sentry.example/1", True)])
def test_errors_go_to_sentry_without_what_was_typed(tmp_path, dsn, is_on):
    script = (
        "import django, sys; django.setup(); import sys\n"
        "sdk = sys.modules.get('sentry_sdk')\n"
        "options = sdk.get_client().options if sdk else {}\n"
        "print(bool(sdk), options.get('include_local_variables'), options.get('max_request_body_size'))"
    )
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings", "SENTRY_DSN": dsn, "VAR_DIR": str(tmp_path), "DATABASE_URL": "",
    }  # fmt: skip
    environment.pop("DATABASE_URL")
    said = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    assert said.split() == ([str(is_on), "False", "never"] if is_on else ["False", "None", "None"])


def test_sentry_learns_where_an_error_was_and_not_what_was_typed():
    marker = "somebody@example.com"
    event = {
        "event_id": "1", "transaction": "/c/{club_slug}/report/", "message": marker, "breadcrumbs": {"values": [marker]},
        "request": {"method": "POST", "url": f"https://x/join/{marker}/", "query_string": marker, "data": marker},
        "exception": {"values": [{"type": "ValueError", "value": marker, "stacktrace": {"frames": []}}]},
        "user": {"ip_address": marker}, "extra": {"x": marker}, "logentry": {"message": marker},
    }  # fmt: skip
    kept = scrubbed(event, None)
    assert marker not in json.dumps(kept)
    assert kept["exception"]["values"][0]["type"] == "ValueError"
    assert kept["transaction"] == "/c/{club_slug}/report/"
