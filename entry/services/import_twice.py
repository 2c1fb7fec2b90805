"""Ask about events of a file that are like stored ones under another identifier: they may be the same."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.formats import date_format

from entry.event_file_rows import identifier
from entry.services.import_places import find_places
from league.models import Season
from league.services.similar_events import NewEvent, SimilarEvent, similar_events
from league.vocabulary import gettext as _
from reading.event_files.reader import FileEvent
from reading.names.keys import name_key
from reading.questions import Choice, Question

PREFIX = "twice:"
SAME, CORRECT, ANOTHER = "same", "correct", "another"


def ask_about_duplicates(
    season: Season, events: Sequence[FileEvent], answers: Mapping[str, str]
) -> tuple[list[FileEvent], list[Question]]:
    """Ask about new events that resemble stored ones; drop duplicates, and redirect corrections."""
    places = find_places(season, events)
    new = [place.item for place in places if place.event is None]
    wanted = [
        NewEvent(item.details.starts_at, {name_key(entry.name) for entry in item.entries}, item.details.round)
        for item in new
    ]
    found = dict(zip((item.key for item in new), similar_events(season.club, wanted), strict=True))
    kept, questions = [], []
    for item in events:
        similar = found.get(item.key)
        if similar is None:
            kept.append(item)
            continue
        questions.append(_question(item, similar, answers.get(f"{PREFIX}{item.key}", "")))
        answer = questions[-1].answer or questions[-1].choices[0].value
        if answer == CORRECT:
            key = identifier(similar.event, season.club.slug)
            kept.append(replace(item, key=key, season=similar.event.season.slug))
        elif answer == ANOTHER:
            kept.append(item)
    return kept, questions


def _question(item: FileEvent, similar: SimilarEvent, answer: str) -> Question:
    stored = similar.event
    label = stored.name or str(date_format(stored.starts_at, "DATE_FORMAT"))
    choices = (
        Choice(SAME, _("The same"), _("what is stored stays")),
        Choice(CORRECT, _("The same, and the file is right"), _("what is stored is corrected")),
        Choice(ANOTHER, _("Another %(event_word)s"), _("both count")),
    )
    return Question(
        id=f"{PREFIX}{item.key}",
        text=_("Is %(event)s the %(event_word)s %(stored)s, which is there already?")
        % {"event": item.details.name or item.key, "stored": label},
        reason=_("The same day, and %(same)d of %(all)d names are the same.")
        % {"same": similar.n_same, "all": len({name_key(entry.name) for entry in item.entries})},
        choices=choices,
        answer=answer if answer in {choice.value for choice in choices} else "",
    )
