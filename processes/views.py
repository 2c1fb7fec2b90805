"""Tell programs that watch the site whether it is ready, and what it is doing."""

import hmac

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.services.health import storage_problem

READY = "ready"  # in the cache of the process, once all migrations were applied


@require_safe
def ready(_request: HttpRequest) -> HttpResponse:
    """Answer 200 once the database can be written and has the tables of this version; a load balancer asks."""
    problem = storage_problem() or _migration_problem()
    return HttpResponse(
        problem or "ready", content_type="text/plain; charset=utf-8", status=503 if problem else 200
    )


def _migration_problem() -> str:
    """Name what is wrong with the tables. They never fall behind a running process, so a good answer is kept."""
    if caches["pages"].get(READY):
        return ""
    try:
        executor = MigrationExecutor(connection)
        is_behind = bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return "no database"
    if is_behind:
        return "migrations have to be applied"
    caches["pages"].set(READY, 1)
    return ""


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell Prometheus what the site is doing, if it sends METRICS_TOKEN."""
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(sent, settings.METRICS_TOKEN.encode()):
        raise Http404
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    from processes.metrics import Work

    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(settings.METRICS_DIR))  # type: ignore[no-untyped-call]
    registry.register(Work())
    return HttpResponse(generate_latest(registry), content_type="text/plain; version=0.0.4; charset=utf-8")
