"""Choose the season of each event of a file by its day, if the file does not name one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from league.models import Season
from league.queries import seasons_by_name
from league.vocabulary import gettext as _
from reading.event_files.reader import FileEvent
from reading.names.keys import name_key
from reading.questions import Choice, Question

PREFIX = "season:"


def choose_seasons(
    season: Season, events: Sequence[FileEvent], answers: Mapping[str, str]
) -> tuple[list[FileEvent], list[Question]]:
    """Give events the address of their season: the one they name, or the open season of their day.

    An event stays in `season` if its day does, or no season has it; if several others have it, it is asked about.
    """
    seasons = list(season.club.seasons.order_by("-starts_on", "-pk"))
    is_named = any(event.season for event in events)
    named = {key: each.slug for key, each in seasons_by_name(season.club).items()} if is_named else {}
    placed, questions = [], []
    for event in events:
        day = event.details.starts_at.astimezone(season.club.tz).date()
        fitting = [each for each in seasons if not each.is_closed and _has(each, day)]
        if event.season:
            slug = named.get(name_key(event.season), event.season)
        elif season in fitting or not fitting:
            slug = ""
        elif len(fitting) == 1:
            slug = fitting[0].slug
        else:
            questions.append(_question(event, day, fitting, answers.get(f"{PREFIX}{event.key}", "")))
            slug = questions[-1].answer
        placed.append(replace(event, season=slug))
    return placed, questions


def _has(season: Season, day: date) -> bool:
    return season.starts_on <= day and (season.ends_on is None or day <= season.ends_on)


def _question(event: FileEvent, day: date, fitting: Sequence[Season], slug: str) -> Question:
    choices = tuple(Choice(season.slug, season.name) for season in fitting)
    return Question(
        id=f"{PREFIX}{event.key}",
        text=_("Which season is %(event)s of?") % {"event": event.details.name or event.key},
        reason=_("%(day)s is a day of several seasons.") % {"day": day.isoformat()},
        choices=choices,
        answer=slug if slug in {choice.value for choice in choices} else "",
    )
