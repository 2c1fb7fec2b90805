"""Search for the players, events and seasons of a club, by the names that its pages show."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q

from league.models import Club, Event, Player, Season
from reading.names.keys import name_key
from standings.queries import has_results

MOST = 20  # of each kind
MOST_LETTERS = 60


@dataclass(frozen=True)
class Found:
    players: list[Player]
    events: list[Event]
    seasons: list[Season]

    def __bool__(self) -> bool:
        return bool(self.players or self.events or self.seasons)


def typed(query: str) -> str:
    """Clean a search query: limit its length, remove null characters and outer spaces."""
    return query[:MOST_LETTERS].replace("\0", "").strip()  # PostgreSQL refuses a null character


def found_in(club: Club, query: str) -> Found:
    """Find names that contain the query, and events of a day such as 2026-03-17."""
    players = club.players.filter(has_results(), key__contains=name_key(query))
    events = Event.objects.filter(_names_event(club, query), season__club=club)
    seasons = Season.objects.filter(club=club, name__icontains=query)
    return Found(
        [*players.select_related("club").order_by("key")[:MOST]],
        [*events.select_related("season__club").order_by("-starts_at", "-pk")[:MOST]],
        [*seasons.select_related("club")[:MOST]],
    )


def _names_event(club: Club, query: str) -> Q:
    try:
        day = datetime.combine(date.fromisoformat(query), time(), tzinfo=club.tz)
        return Q(starts_at__gte=day, starts_at__lt=day + timedelta(days=1))
    except (ValueError, OverflowError):
        return Q(name__icontains=query)
