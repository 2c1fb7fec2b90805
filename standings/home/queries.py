"""What the home page of a club reads: its last event or night, its seasons with their champions."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from league.models import Club, Entry, Event, Meet, PoolKind, Season
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from ratings.models import RatedEntry, RatedGame
from standings.models import SeasonSummary, Standing
from standings.points.meets import MeetLine, MeetStandings, meet_standings, standings_of_meets
from standings.queries import has_ended, with_counts

PODIUM = 3  # places
MOST_NAMED = 6  # players who share them
MOST_GAMES = 40  # of a night


class Finisher(NamedTuple):
    """A player on the podium; `expected` is the place that the ratings expected, `standing` the line of the season."""

    place: int
    player_id: int
    name: str
    standing: Standing | None
    expected: float | None
    points: Decimal | None = None


class LastNight(NamedTuple):
    """The last event of a season, or the last night: the address of its page, and who was on the podium."""

    event: Event
    n_events: int
    n_players: int
    address: str
    podium: Sequence[Finisher]


def last_night(season: Season) -> LastNight | None:
    event = season.events.select_related("pool__recomputation", "meet").order_by("starts_at", "pk").last()
    if event is None:
        return None
    event.season = season
    return night_of(event)


def night_of(event: Event) -> LastNight:
    """Read who was on the podium of an event that was read with season, pool and meet, or of the meet it is in."""
    return _of_meet(event, event.season) if event.meet else _of_event(event, event.season)


def places_of(night: LastNight, player_ids: Sequence[int]) -> dict[int, int]:
    """Find the places of players in a night; of one with several games for those on its podium alone."""
    if night.n_events > 1:
        return {each.player_id: each.place for each in night.podium if each.player_id in player_ids}
    rows = Entry.objects.filter(event=night.event, is_last=True, player__in=player_ids)
    return dict(rows.values_list("player_id", "place")) if player_ids else {}


def _of_event(event: Event, season: Season) -> LastNight:
    last = event.entries.filter(is_last=True)
    entries = list(
        last.filter(place__lte=PODIUM).select_related("player").order_by("place", "pk")[:MOST_NAMED]
    )
    lines, expected = _lines(season, entries), _expected(event, entries)
    podium = [
        Finisher(
            entry.place,
            entry.player_id,
            entry.player.name,
            lines.get(entry.player_id),
            expected.get(entry.player_id),
        )
        for entry in entries
    ]
    return LastNight(event, 1, last.count(), event.get_absolute_url(), podium)


def _of_meet(event: Event, season: Season) -> LastNight:
    assert event.meet is not None
    event.meet.season = season
    shown = meet_standings(event.meet)
    best = [line for line in shown.lines if line.place <= PODIUM][:MOST_NAMED]
    lines = _lines(season, best)
    podium = [
        Finisher(line.place, line.player_id, line.name, lines.get(line.player_id), None, line.total)
        for line in best
    ]
    return LastNight(event, len(shown.events), len(shown.lines), event.meet.get_absolute_url(), podium)


def _lines(season: Season, players: Sequence[Entry | MeetLine]) -> dict[int, Standing]:
    """Read the lines of the season of some players, by their ids."""
    rows = Standing.objects.filter(season=season, player__in=[each.player_id for each in players])
    return {row.player_id: row for row in rows}


def _expected(event: Event, entries: Sequence[Entry]) -> dict[int, float]:
    """Read the places that the ratings expected, by the ids of the players."""
    model = RatedGame if event.pool.kind == PoolKind.PROFIT else RatedEntry
    numbers = {(entry.player_id, entry.number) for entry in entries}
    rows = model._default_manager.filter(pool=event.pool, event=event, player__in=[pk for pk, _n in numbers])
    return {
        row.player_id: row.expected_place
        for row in rows
        if (row.player_id, getattr(row, "number", 1)) in numbers
    }


class NightLine(NamedTuple):
    """One of the last events of a club, or a meet with all its games; `events` are their ids."""

    title: str
    season: str
    address: str
    starts_at: datetime
    winners: list[str]
    n_players: int
    events: list[int]


def last_nights(club: Club, n: int) -> list[NightLine]:
    """List the last n events of a club, the newest first; the games of a meet are one of them."""
    nights: dict[tuple[int | None, int], list[int]] = {}
    for pk, meet_id in _newest(club, n * MOST_GAMES):
        nights.setdefault((meet_id, 0 if meet_id else pk), []).append(pk)
    chosen = dict(list(nights.items())[:n])
    single = with_counts(Event.objects.filter(pk__in=[pk for meet_id, pk in chosen if not meet_id]))
    events: dict[int, Any] = {event.pk: event for event in single.select_related("season__club")}
    meets = Meet.objects.select_related("season__club").in_bulk([pk for pk, _event in chosen if pk])
    shown = standings_of_meets(meets.values())
    return [
        _meet_line(meets[meet_id], shown[meet_id]) if meet_id else _event_line(events[pk])
        for meet_id, pk in chosen
    ]


def _newest(club: Club, n: int) -> list[tuple[int, int | None]]:
    newest = Event.objects.filter(season__club=club).order_by("-starts_at", "-pk")
    return list(newest.values_list("pk", "meet_id")[:n])


def _event_line(event: Any) -> NightLine:
    winners = [entry.player.name for entry in event.winners]
    address = event.get_absolute_url()
    return NightLine(
        event.name, event.season.name, address, event.starts_at, winners, event.n_players, [event.pk]
    )


def _meet_line(meet: Meet, shown: MeetStandings) -> NightLine:
    winners = [line.name for line in shown.winners]
    starts_at, ids = shown.events[-1].starts_at, [event.pk for event in shown.events]
    return NightLine(
        meet.name, meet.season.name, meet.get_absolute_url(), starts_at, winners, len(shown.lines), ids
    )


class SeasonLine(NamedTuple):
    """A season and who is first in it: the champions, once it is over."""

    season: Season
    is_over: bool
    first: Sequence[Standing]

    @property
    def facts(self) -> list[str]:
        """Count how many played how many events, and whether the season is closed or sealed."""
        summary: SeasonSummary | None = getattr(self.season, "summary", None)
        n_players, n_events = (summary.n_players, summary.n_events) if summary else (0, 0)
        state = _("sealed") if self.season.is_sealed else _("closed") if self.season.is_closed else ""
        events = ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", n_events) % {"n": n_events}
        return [
            ngettext("%(n)d player", "%(n)d players", n_players) % {"n": n_players},
            _("only totals") if n_players and not n_events else events,
            *filter(None, [state]),
        ]


def season_lines(seasons: Sequence[Season], today: date) -> list[SeasonLine]:
    """Read who is first in each of the seasons, which were read with their summaries."""
    first: dict[int, list[Standing]] = {}
    rows = Standing.objects.filter(season__in=seasons, points_rank=1).select_related("player")
    for row in rows.order_by("points_position"):
        first.setdefault(row.season_id, []).append(row)
    return [SeasonLine(season, has_ended(season, today), first.get(season.pk, [])) for season in seasons]
