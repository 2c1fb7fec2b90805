"""Tell Prometheus what the site is doing: read from database and broker when it is asked, so that no process counts."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Count, F, Min, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from kombu.exceptions import OperationalError
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from directory.models import Listing, Report, State
from league.models import Change, Club, Pool
from league.site.heartbeat import last_heartbeat
from league.site.queues import LATER, LONG, SOON
from noticeboard.models import ResultMail
from processes.queues import read_queue
from standings.models import Recomputation
from standings.queries import stale_pools

LATELY = timedelta(minutes=5)
BUCKETS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # seconds of processor time


class Work(Collector):
    """Collects what waits and what was done."""

    def describe(self) -> list[Metric]:
        return []  # otherwise the registry would read the database when the collector is registered

    def collect(self) -> Iterator[Metric]:
        yield from _queues()
        yield from _recomputations()
        yield from _heartbeats()
        mails = GaugeMetricFamily("tierboard_mails_waiting", "Mails of results that wait to be sent.")
        mails.add_metric([], ResultMail.objects.filter(sent_at=None).count())
        yield mails
        for name, text, n in (
            ("clubs", "Clubs that are not deleted.", Club.objects.filter(deleted_at=None).count()),
            (
                "reports_open",
                "Reports that the operator has not read.",
                Report.objects.filter(settled_at=None).count(),
            ),
            (
                "listings_asked",
                "Clubs that wait for the directory.",
                Listing.objects.filter(state=State.ASKED).count(),
            ),
        ):
            gauge = GaugeMetricFamily(f"tierboard_{name}", text)
            gauge.add_metric([], n)
            yield gauge


def _queues() -> Iterator[Metric]:
    messages = GaugeMetricFamily("tierboard_queue_messages", "Messages that wait.", labels=("queue",))
    ages = GaugeMetricFamily(
        "tierboard_queue_age_seconds", "How long the oldest message waits.", labels=("queue",)
    )
    up = GaugeMetricFamily("tierboard_broker_up", "1 if the broker answers.")
    try:
        for name in (SOON, LATER, LONG):
            queue = read_queue(name)
            messages.add_metric([name], queue.n_waiting)
            ages.add_metric([name], time.time() - queue.oldest_at if queue.n_waiting else 0.0)
        up.add_metric([], 1)
    except (OperationalError, OSError):
        up.add_metric([], 0)
    yield from (messages, ages, up)


def _recomputations() -> Iterator[Metric]:
    behind = GaugeMetricFamily("tierboard_pools_behind", "Rating pools whose results wait.", labels=("cost",))
    for cost, is_long in (
        ("small", ~Q(recomputation__is_long=True)),
        ("large", Q(recomputation__is_long=True)),
    ):
        behind.add_metric([cost], stale_pools().filter(is_long).count())
    age = GaugeMetricFamily("tierboard_results_age_seconds", "How long the results that wait longest wait.")
    age.add_metric([], _seconds_since(_oldest_waiting()))
    versions = CounterMetricFamily("tierboard_changes_saved", "Changes saved, of all pools together.")
    versions.add_metric([], Pool.objects.aggregate(n=Sum("data_version", default=0))["n"])
    rated = CounterMetricFamily("tierboard_changes_computed", "Changes whose results have been computed.")
    rated.add_metric([], Recomputation.objects.aggregate(n=Sum("rated_version", default=0))["n"])
    took = GaugeMetricFamily(
        "tierboard_recomputations_lately",
        f"Pools last computed in the last {LATELY.seconds // 60} minutes, by the most seconds that they took.",
        labels=("most_seconds",),
    )
    lately = Recomputation.objects.filter(rated_at__gte=timezone.now() - LATELY)
    counts = lately.aggregate(
        **{f"n{i}": Count("pk", filter=Q(took__lte=most)) for i, most in enumerate(BUCKETS)}, all=Count("pk")
    )
    for i, most in enumerate(BUCKETS):
        took.add_metric([f"{most:g}"], counts[f"n{i}"])
    took.add_metric(["inf"], counts["all"])
    failing = GaugeMetricFamily(
        "tierboard_recomputations_failing", "Pools whose last recomputation has failed."
    )
    failing.add_metric([], Recomputation.objects.filter(n_failures__gt=0).count())
    yield from (behind, age, versions, rated, took, failing)


def _oldest_waiting() -> datetime | None:
    """Find when the oldest change was saved that has not been computed."""
    changes = Change.objects.annotate(rated=Coalesce("pool__recomputation__rated_version", 0))
    waiting = changes.filter(pool__in=stale_pools().values("pk"), version__gt=F("rated"))
    oldest: datetime | None = waiting.aggregate(at=Min("at"))["at"]
    return oldest


def _heartbeats() -> Iterator[Metric]:
    last = last_heartbeat()
    for name, at in (("beat", last and last.sent_at), ("worker", last and last.ran_at)):
        gauge = GaugeMetricFamily(
            f"tierboard_{name}_silent_seconds", f"Since the last sign of life of {name}."
        )
        if at:
            gauge.add_metric([], time.time() - at)
        yield gauge


def _seconds_since(at: datetime | None) -> float:
    return (timezone.now() - at).total_seconds() if at else 0.0
