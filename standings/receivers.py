from typing import Any

from django.contrib.auth.models import User
from django.dispatch import receiver

from league.celery import enqueue_on_commit
from league.hooks.signals import results_changed, season_opened, season_taken_over
from league.hooks.taking_over import TakenOver
from league.models import Season
from standings.awards.services import copy_awards
from standings.awards.text import awards_taken_over
from standings.tasks import recompute_pool


@receiver(results_changed)
def recompute_after_commit(pool_id: int, **_kwargs: Any) -> None:
    enqueue_on_commit(recompute_pool, pool_id)


@receiver(season_opened)
def take_awards_over(season: Season, taken_from: Season | None, actor: User | None, **_kwargs: Any) -> None:
    if taken_from:
        copy_awards(season, taken_from, actor=actor)


@receiver(season_taken_over)
def describe_awards(season: Season, **_kwargs: Any) -> TakenOver:
    return awards_taken_over(season)
