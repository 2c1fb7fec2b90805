"""What a new season takes over from an old one, as its apps say it."""

from dataclasses import dataclass
from typing import cast

from league.hooks.signals import season_taken_over
from league.models import Season


@dataclass(frozen=True)
class TakenOver:
    """Sentences about what is taken over, and about what is not."""

    taken: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def taken_over(season: Season) -> TakenOver:
    """Ask the apps above for what a new season takes over from this one."""
    answers = [
        cast("TakenOver", answer) for _receiver, answer in season_taken_over.send(Season, season=season)
    ]
    return TakenOver(
        tuple(text for answer in answers for text in answer.taken),
        tuple(text for answer in answers for text in answer.left),
    )
