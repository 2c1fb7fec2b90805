"""Find where each event of a file belongs: its season, and the stored event that it corrects."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from entry.event_file_rows import identifier, stored_id
from league.models import Event, Game, Season
from league.queries import games_by_key, seasons_by_name, slugs_of_club
from league.services.events import pools_of_details
from league.services.plans import PlannedResult, with_entries
from reading.event_files.reader import FileEvent
from reading.names.keys import name_key


@dataclass(frozen=True)
class Place:
    """An event of a file, its season (the given one, if it names one that is not there), and its stored event.

    `plan` is how it is to be saved, once that was found to be possible.
    """

    item: FileEvent
    season: Season
    event: Event | None
    games: dict[str, Game]
    is_found: bool = True
    plan: PlannedResult | None = None


def find_places(season: Season, events: Sequence[FileEvent]) -> list[Place]:
    """Find the places of events; those that name no season belong to `season`."""
    seasons = _seasons_by_name(season) if any(item.season for item in events) else {}
    found = [seasons.get(name_key(item.season)) if item.season else season for item in events]
    stored = _stored_events([each or season for each in found], events)
    games = games_by_key(season.club)
    return [
        Place(item, where or season, stored.get(((where or season).pk, item.key)), games, where is not None)
        for item, where in zip(events, found, strict=True)
    ]


def _seasons_by_name(season: Season) -> dict[str, Season]:
    """Map names and addresses of the club's seasons to them; the given one stays the same object."""
    named = seasons_by_name(season.club)
    return {key: season if each == season else each for key, each in named.items()}


def _stored_events(seasons: Sequence[Season], events: Sequence[FileEvent]) -> dict[tuple[int, str], Event]:
    """Map season and identifier to the stored events that the files name."""
    if not events:
        return {}
    slugs = slugs_of_club(seasons[0].club)
    ids = [pk for item in events for slug in slugs if (pk := stored_id(item.key, slug))]
    named = Q(key__in=[item.key for item in events]) | Q(key="", pk__in=ids)
    found = Event.objects.filter(named, season__in={season.pk for season in seasons})
    rows = with_entries(found).select_related("game")
    return {(event.season_id, identifier(event, slug)): event for event in rows for slug in slugs}


def pools_of_places(places: Sequence[Place]) -> set[int]:
    """Find all pools that the events need, so that they are locked in one order."""
    pools: set[int] = set()
    for season in {place.season.pk: place.season for place in places}.values():
        items = [place.item for place in places if place.season.pk == season.pk]
        pools |= pools_of_details(season, [item.details for item in items])
    pools |= {place.event.pool_id for place in places if place.event}
    played = (place.games.get(name_key(place.item.game)) for place in places)
    return pools | {game.pool_id for game in played if game}
