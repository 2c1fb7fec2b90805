"""What beat publishes, and how often."""

from typing import Any

from celery.schedules import crontab

SWEEP_SECONDS = 5
HEARTBEAT_SECONDS = 30
COUNT_SECONDS = 60
NOTICE_SECONDS = 60  # results wait an hour for corrections before they are mailed
HOUR_SECONDS = 3_600


def _every(seconds: int, task: str) -> dict[str, Any]:
    """Publish a task regularly. A worker that comes back does not run many old ones."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


def _at(task: str, *, minute: str, hour: str = "*") -> dict[str, Any]:
    """Schedule a task by the clock, since beat restarts its intervals whenever it starts."""
    return {
        "task": task,
        "schedule": crontab(minute=minute, hour=hour),
        "options": {"expires": HOUR_SECONDS},
    }


SCHEDULE = {
    "sweep": _every(SWEEP_SECONDS, "standings.tasks.sweep"),
    "sweep-uploads": _every(COUNT_SECONDS, "entry.tasks.sweep"),
    "sweep-laboratory": _every(SWEEP_SECONDS, "lab.tasks.sweep"),
    "sweep-forecasts": _every(SWEEP_SECONDS, "forecasts.tasks.sweep"),
    "sweep-noticeboard": _every(NOTICE_SECONDS, "noticeboard.tasks.sweep"),
    "sweep-webhooks": _every(SWEEP_SECONDS, "webhooks.tasks.sweep"),
    "sweep-directory": _every(COUNT_SECONDS, "directory.tasks.sweep"),
    "heartbeat": _every(HEARTBEAT_SECONDS, "league.tasks.beat_heart"),
    "purge": _at("league.tasks.purge_expired", minute="17"),
    "purge-clubs": _at("standings.tasks.purge", hour="4", minute="7"),
    "purge-laboratory": _at("lab.tasks.purge_runs", hour="3", minute="41"),
    "purge-mails": _at("noticeboard.tasks.purge", hour="3", minute="53"),
    "purge-games": _at("lab.tasks.purge_games", hour="3", minute="47"),
}
