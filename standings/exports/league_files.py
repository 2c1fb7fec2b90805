"""Write a club with its seasons and results as one file that other programs read (docs/league-format)."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch

from entry.event_file_rows import identifier
from league.models import Club, Entry, Event, Game, Player, Pool, PoolKind, Season
from payouts.engine.exact import exact_text
from payouts.queries import rules_of
from payouts.services.rules import RULE_FIELDS
from payouts.services.terms import TERM_FIELDS
from ratings.models import PlayerRating, ProfitRating, RatedEntry, RatedGame
from reading.league_files.unknown import put_back
from standings.models import KeptKeys

FORMAT = "tierboard-league/1"
ENTRIES = Prefetch(
    "entries", Entry.objects.select_related("player", "points", "bonus").order_by("place", "pk")
)
EXACT = ("cost", "score", "balance", "penalty")
Rates = dict[tuple[int, int, int], dict[str, Any]]  # by event, player and number


def league_document(club: Club) -> dict[str, Any]:
    """Write everything about a club that the format has, and the unknown keys that came with it from a file."""
    players = club.players.prefetch_related("aliases").order_by("pk")
    seasons = club.seasons.select_related("club", "pool", "rules").order_by("starts_on", "pk")
    league = {
        "format": FORMAT,
        "club": _known(name=club.name, time_zone=club.time_zone, language=club.language),
        "pools": [_pool(pool) for pool in club.pools.order_by("pk")],
        "games": [_game(game) for game in club.games.select_related("pool").order_by("pk")],
        "players": [_player(player) for player in players],
        "seasons": [_season(season) for season in seasons],
    }
    kept = KeptKeys.objects.filter(club=club).values_list("keys", flat=True).first()
    return put_back(league, kept) if kept else league


def _known(**values: Any) -> dict[str, Any]:
    """Leave out what is not known."""
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _pool(pool: Pool) -> dict[str, Any]:
    ratings: Any = ProfitRating.objects if pool.kind == PoolKind.PROFIT else PlayerRating.objects
    column = "r" if pool.kind == PoolKind.PROFIT else "rate"
    rows = (
        ratings.filter(pool=pool)
        .order_by("player")
        .values_list("player__name", column, "badge", "is_provisional")
    )
    shown = [
        _known(player=player, rate=rate, badge=badge, is_provisional=is_provisional)
        for player, rate, badge, is_provisional in rows
    ]
    return {"name": pool.name, "kind": str(pool.kind)} | _known(ratings=shown)


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "kind": str(game.kind),
        "entry_form": str(game.entry_form),
        "pool": game.pool.name,
        "table_size": game.table_size,
    } | _known(scoring=game.scoring)


def _player(player: Player) -> dict[str, Any]:
    others = sorted(alias.name for alias in player.aliases.all())
    return {"name": player.name, "is_guest": player.is_guest} | _known(other_names=others)


def _season(season: Season) -> dict[str, Any]:
    rules = rules_of(season)
    return {
        "name": season.name,
        "starts_on": season.starts_on.isoformat(),
        "ends_on": season.ends_on and season.ends_on.isoformat(),
        "pool": season.pool.name,
        "rules": {name: getattr(rules, name) for name in RULE_FIELDS},
        "is_closed": season.is_closed,
        "events": list(_events(season)),
    }


def _events(season: Season) -> Iterator[dict[str, Any]]:
    rates, structure = _rates(season), rules_of(season).structure
    events = season.events.in_rating_order().select_related("game", "pool", "rules", "terms")
    for event in events.prefetch_related(ENTRIES):
        entries = [_entry(entry, season.club.tz, rates) for entry in event.entries.all()]
        if entries:
            yield _event(event, season) | _points_of(event, structure) | {"entries": entries}


def _points_of(event: Event, structure: dict[str, Any]) -> dict[str, Any]:
    """Write what is special about the points of an event: another structure than the season's, and its terms."""
    own, terms = getattr(event, "rules", None), getattr(event, "terms", None)
    exact = {} if terms is None else {name: getattr(terms, name) for name in TERM_FIELDS}
    shown = {name: _exact(each) if isinstance(each, Decimal) else each for name, each in exact.items()}
    return _known(
        structure=own.structure if own and own.structure != structure else None,
        terms=_known(**shown) or None,
    )


def _event(event: Event, season: Season) -> dict[str, Any]:
    tz = season.club.tz
    return _known(
        event=identifier(event, season.club.slug),
        name=event.name,
        starts_at=_time(event.starts_at, tz),
        ends_at=_time(event.ends_at, tz),
        closes_at=_time(event.closes_at, tz),
        pool=event.pool.name if event.pool_id != season.pool_id else None,
        game=event.game and event.game.name,
        round=event.round,
        table=event.table,
        table_size=event.table_size,
        final_table_size=event.final_table_size,
        scoring=event.scoring,
    )


def _entry(entry: Entry, tz: tzinfo, rates: Rates) -> dict[str, Any]:
    points, bonus = getattr(entry, "points", None), getattr(entry, "bonus", None)
    return {"player": entry.player.name, "place": entry.place, "number": entry.number} | _known(
        registered_at=_time(entry.registered_at, tz),
        busted_at=_time(entry.busted_at, tz),
        knockouts=entry.knockouts,
        chips=entry.chips,
        seat=entry.seat,
        **{name: _exact(getattr(entry, name)) for name in EXACT},
        points=_exact(points.points) if points else None,
        bonus=bonus and {"points": bonus.points} | _known(reason=bonus.reason),
        rating=rates.get((entry.event_id, entry.player_id, entry.number)),
    )


def _rates(season: Season) -> Rates:
    """Read the ratings before and after each entry of a season, in two queries."""
    entries = RatedEntry.objects.filter(event__season=season)
    games = RatedGame.objects.filter(event__season=season)
    rows: list[Any] = [
        *entries.values_list("event_id", "player_id", "number", "prior_rate", "posterior_rate", "badge"),
        *((event, player, 1, *rest) for event, player, *rest in
          games.values_list("event_id", "player_id", "r_before", "r_after", "badge")),
    ]  # fmt: skip
    return {
        (event, player, number): {"before": before, "after": after} | _known(badge=badge)
        for event, player, number, before, after, badge in rows
    }


def _exact(value: Decimal | Fraction | int | None) -> str | None:
    return None if value is None else exact_text(Fraction(value))


def _time(moment: datetime | None, tz: tzinfo) -> str | None:
    return moment.astimezone(tz).isoformat() if moment else None
