"""Celery's scheduler, which goes on when the clock was set back."""

from celery.beat import ScheduleEntry, Scheduler


class SteadyScheduler(Scheduler):
    def is_due(self, entry: ScheduleEntry) -> tuple[bool, float]:
        """Tell whether a message is due, and in how many seconds next; one sent in the future was sent now."""
        now = entry.default_now()
        if entry.last_run_at is None or entry.last_run_at > now:
            entry.last_run_at = now
        return super().is_due(entry)
