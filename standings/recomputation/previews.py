"""What a write would change: it is made in a transaction that is rolled back, and computed by the real engines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, QuerySet

from league.models import BEGINNING, Change, Event, Player, Pool, Season
from league.services.changes import lock_pools
from ratings.engine.tier.params import REVISION
from ratings.services.rows import END, RatedRows
from standings.awards.winners import (
    SeasonLine,
    knockouts_by_season,
    season_lines,
    with_knockouts,
    won_awards,
)
from standings.models import Award, Recomputation
from standings.recomputation.season import StandingRow
from standings.recomputation.work import Result, Work, compute, rated_since, read_work

# What is rated again in two seconds; of more later entries only the first few are.
MOST_LATER, FEW_LATER = 40_000, 5_000
SHOWN = 0.05  # a change of a rate that its first decimal shows


class Sides(NamedTuple):
    """A value before the write and after it."""

    before: Any
    after: Any

    @property
    def is_change(self) -> bool:
        return bool(self.before != self.after)


@dataclass(frozen=True)
class Mover:
    """A player whom the write moves: rate and badge, total and place of the season, each before and after."""

    player_id: int
    name: str
    rate: Sides
    badge: Sides
    total: Sides
    rank: Sides

    @property
    def change(self) -> float | None:
        """The change of the rate; None for a player who has none before or after."""
        return None if None in self.rate else self.rate.after - self.rate.before

    @property
    def is_shown(self) -> bool:
        """Tell whether more changes than a rate by less than a point."""
        whole = [None if rate is None else round(rate) for rate in self.rate]
        others = (self.badge, self.total, self.rank)
        return whole[0] != whole[1] or any(sides.is_change for sides in others)


class AwardMove(NamedTuple):
    """The winners of an award, by name, before the write and after it."""

    season: str
    title: str
    winners: Sides


@dataclass(frozen=True)
class Preview:
    """`rated_until` is the end of what was rated again, None if that is everything; `n_later` entries are later."""

    movers: list[Mover]
    awards: list[AwardMove]
    n_later: int = 0
    rated_until: datetime | None = None


class _Rating(NamedTuple):
    rate: float
    badge: str


@dataclass(frozen=True)
class _Stored:
    """The rows that the pages show now."""

    lines: dict[int, dict[int, SeasonLine]]  # by season
    ratings: dict[int, dict[int, _Rating]]  # by pool


def preview(season: Season, write: Callable[[], object]) -> Preview:
    """Preview the effects of a write on the players of a season and on the awards of all seasons.

    Raise what the write raises. Nothing is left of it; the locks it takes are held only until its rows are read.
    """
    club = season.club
    with transaction.atomic():
        versions = {pool.pk: pool.data_version for pool in lock_pools(club)}
        write()
        pools = [pool for pool in lock_pools(club) if pool.data_version != versions[pool.pk]]
        reads = [_read(pool) for pool in pools]
        present = set(club.players.values_list("pk", flat=True))  # guests come and go with results
        knockouts = knockouts_by_season(club.pk)
        transaction.set_rollback(True)
    results = [compute(read.work, lambda _n_done, _n: None) for read in reads]
    partial = next((read for read in reads if read.until != END), None)
    found = _compare(season, reads, results, present, knockouts)
    return replace(found, n_later=partial.n_later, rated_until=partial.until) if partial else found


class _Read(NamedTuple):
    work: Work
    n_later: int
    until: datetime


def _read(pool: Pool) -> _Read:
    state = Recomputation.objects.filter(pool=pool).first()
    is_old = state is None or state.engine_revision != REVISION
    version, forced = state.rated_version if state else 0, BEGINNING if is_old else None
    changes = Change.objects.filter(pool=pool, version__gt=version)
    since = rated_since(pool, version, forced)
    n_later, until = _end(pool, changes, since) if since else (0, END)
    return _Read(read_work(pool, version, forced, until=until), n_later, until)


def _end(pool: Pool, changes: QuerySet[Change], since: datetime) -> tuple[int, datetime]:
    """Count the entries to rate again and find where to stop: after the changed events and a few thousand entries."""
    events = Event.objects.filter(pool=pool, starts_at__gte=since).in_rating_order()
    rows = list(events.annotate(n=Count("entries")).values_list("starts_at", "n"))
    n_later = sum(n for _starts_at, n in rows)
    if n_later <= MOST_LATER:
        return n_later, END
    last_changed = changes.aggregate(last=Max("event__starts_at"))["last"] or since
    n_read = 0
    for starts_at, n in rows:
        if n_read >= FEW_LATER and starts_at > last_changed:
            return n_later, starts_at
        n_read += n
    return n_later, END


def _compare(
    season: Season,
    reads: list[_Read],
    results: list[Result],
    present: set[int],
    knockouts: dict[int, dict[int, int]],
) -> Preview:
    names = {pk: name for read in reads for each in read.work.seasons for pk, name in each.names.items()}
    names |= dict(Player.objects.filter(club=season.club_id).values_list("pk", "name"))
    after = _lines_after(results, names)
    seasons = list(Season.objects.filter(pk__in={*after, season.pk}).order_by("starts_on", "pk"))
    stored = {each.pk: season_lines(each) for each in seasons}
    rates = _rates(season, reads, results)
    rates = {pk: (one, other if pk in present else None) for pk, (one, other) in rates.items()}
    now, then = stored[season.pk], after.get(season.pk, stored[season.pk])
    movers = [
        mover
        for pk in {*now, *then, *rates}
        if _is_moved(mover := _mover(pk, names, rates.get(pk), now.get(pk), then.get(pk)))
    ]
    movers.sort(key=lambda mover: (-abs(mover.change or 0.0), mover.name))
    before = knockouts_by_season(season.club_id)
    stored = {pk: with_knockouts(lines, before.get(pk, {})) for pk, lines in stored.items()}
    after = {pk: with_knockouts(lines, knockouts.get(pk, {})) for pk, lines in after.items()}
    return Preview(movers, list(_awards(seasons, stored, after)))


def _lines_after(results: Iterable[Result], names: dict[int, str]) -> dict[int, dict[int, SeasonLine]]:
    lines: dict[int, dict[int, SeasonLine]] = {}
    for result in results:
        for row in result.standings:
            lines.setdefault(row.season_id, {})[row.player_id] = _line(row, names[row.player_id])
    return lines


def _line(row: StandingRow, name: str) -> SeasonLine:
    values = {
        field: getattr(row, field) for field in SeasonLine._fields if field not in {"name", "n_knockouts"}
    }
    return SeasonLine(name=name, **values)


def _rates(
    season: Season, reads: Iterable[_Read], results: Iterable[Result]
) -> dict[int, tuple[_Rating | None, _Rating | None]]:
    """Ratings before and after of the season's pool, or of the first that is rated again instead."""
    rerated = [
        (result.rerating, read.until) for read, result in zip(reads, results, strict=True) if result.rerating
    ]
    rerated.sort(key=lambda pair: pair[0].pool_id != season.pool_id)
    if not rerated:
        return {}
    rows, until = rerated[0]
    return _rates_then(rows, until) if until != END else _rates_now(rows)


def _rates_now(rows: RatedRows) -> dict[int, tuple[_Rating | None, _Rating | None]]:
    after: dict[int, _Rating | None] = dict.fromkeys(rows.unrated_player_ids)
    after |= _by_player(rows.ratings[name] for name in ("player_id", _rate_column(rows), "badge"))
    stored = rows.rating_model._default_manager.filter(pool=rows.pool_id)
    columns = zip(*stored.values_list("player_id", _rate_column(rows), "badge"), strict=True)
    before = _by_player(columns)
    return {pk: (before.get(pk), after.get(pk, before.get(pk))) for pk in {*before, *after}}


def _rates_then(rows: RatedRows, until: datetime) -> dict[int, tuple[_Rating | None, _Rating | None]]:
    """Map players to their last ratings before `until`, as stored and as rated again."""
    column = "posterior_rate" if "posterior_rate" in rows.rated else "r_after"
    stored = rows.rated_model._default_manager.filter(
        pool=rows.pool_id, starts_at__gte=rows.since, starts_at__lt=until
    ).order_by("starts_at", "event_id", "pk")
    before = _by_player(zip(*stored.values_list("player_id", column, "badge"), strict=True))
    after = _by_player(rows.rated[name] for name in ("player_id", column, "badge"))
    now = _by_player(rows.ratings[name] for name in ("player_id", _rate_column(rows), "badge"))
    return {pk: (before.get(pk), after.get(pk, now.get(pk))) for pk in {*before, *after}}


def _by_player(columns: Iterable[Iterable[Any]]) -> dict[int, _Rating]:
    """The last rating of each player."""
    return {pk: _Rating(rate, badge) for pk, rate, badge in zip(*columns, strict=True)}


def _rate_column(rows: RatedRows) -> str:
    return "rate" if "rate" in rows.ratings else "r"


def _mover(
    pk: int,
    names: dict[int, str],
    ratings: tuple[_Rating | None, _Rating | None] | None,
    now: SeasonLine | None,
    then: SeasonLine | None,
) -> Mover:
    before, after = ratings or (None, None)
    return Mover(
        pk,
        names[pk],
        Sides(before and before.rate, after and after.rate),
        Sides(before.badge if before else "", after.badge if after else ""),
        Sides(_total(now), _total(then)),
        Sides(now and now.points_rank, then and then.points_rank),
    )


def _total(line: SeasonLine | None) -> Decimal | None:
    return line and line.total


def _is_moved(mover: Mover) -> bool:
    if mover.change is not None and abs(mover.change) >= SHOWN:
        return True
    return (mover.change is None and mover.rate.is_change) or mover.is_shown


def _awards(
    seasons: Iterable[Season],
    stored: dict[int, dict[int, SeasonLine]],
    after: dict[int, dict[int, SeasonLine]],
) -> Iterable[AwardMove]:
    for season in seasons:
        awards = list(Award.objects.filter(season=season).select_related("player"))
        if not awards or season.pk not in after:
            continue
        now, then = (_winners(awards, lines[season.pk]) for lines in (stored, after))
        for award, one, other in zip(awards, now, then, strict=True):
            if one != other:
                yield AwardMove(season.name, str(award), Sides(one, other))


def _winners(awards: list[Award], lines: dict[int, SeasonLine]) -> list[list[tuple[int, list[str]]]]:
    ordered = dict(sorted(lines.items(), key=lambda item: (item[1].name.casefold(), item[0])))
    return [
        [(place.place, [winner.name for winner in place.winners]) for place in won.places]
        for won in won_awards(awards, ordered)
    ]
