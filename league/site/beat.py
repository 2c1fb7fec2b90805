"""What beat publishes, and how often."""

from celery.schedules import crontab

SWEEP_SECONDS = 5
HEARTBEAT_SECONDS = 30
NOTICE_SECONDS = 60  # results wait an hour for corrections before they are mailed
SCHEDULE = {
    "sweep": {
        "task": "standings.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},  # a worker that comes back does not run many old sweeps
    },
    "sweep-laboratory": {
        "task": "lab.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "sweep-forecasts": {
        "task": "forecasts.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "sweep-noticeboard": {
        "task": "noticeboard.tasks.sweep",
        "schedule": NOTICE_SECONDS,
        "options": {"expires": NOTICE_SECONDS},
    },
    "heartbeat": {
        "task": "league.tasks.beat_heart",
        "schedule": HEARTBEAT_SECONDS,
        "options": {"expires": HEARTBEAT_SECONDS},
    },
    # At a time of the clock: beat forgets when it ran a task last, and counts an interval from its start.
    "purge": {
        "task": "league.tasks.purge_expired",
        "schedule": crontab(minute="17"),
        "options": {"expires": 3_600},
    },
    "purge-clubs": {
        "task": "standings.tasks.purge",
        "schedule": crontab(hour="4", minute="7"),
        "options": {"expires": 3_600},
    },
    "purge-laboratory": {
        "task": "lab.tasks.purge_runs",
        "schedule": crontab(hour="3", minute="41"),
        "options": {"expires": 3_600},
    },
    "purge-mails": {
        "task": "noticeboard.tasks.purge",
        "schedule": crontab(hour="3", minute="53"),
        "options": {"expires": 3_600},
    },
    "purge-games": {
        "task": "lab.tasks.purge_games",
        "schedule": crontab(hour="3", minute="47"),
        "options": {"expires": 3_600},
    },
}
