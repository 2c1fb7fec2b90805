"""Celery tasks of the laboratory."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from lab.services import sit_and_go

DAYS_A_GAME_IS_KEPT = 30


@shared_task
def delete_old_games() -> None:
    """Delete sit-and-gos that nobody has played for a month."""
    sit_and_go.delete_games(before=timezone.now() - timedelta(days=DAYS_A_GAME_IS_KEPT))
