"""Reads of rules, terms and totals brought forward."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Count, Max, QuerySet

from league.models import Change, Club, Entry, Event, Player, Season
from payouts.engine.money import Prices
from payouts.engine.seasons.season import ONE, BroughtForward, SeasonEvent
from payouts.engine.structures.facts import EntryFacts
from payouts.engine.structures.structure import PointsStructure
from payouts.models import (
    PRICES,
    BroughtTotals,
    ClubMoney,
    EntryMoney,
    EventMoney,
    EventRules,
    EventTerms,
    SeasonRules,
)


def rules_of(season: Season) -> SeasonRules:
    """Read the season's rules; a season made outside the site's form has the defaults."""
    rules: SeasonRules | None = getattr(season, "rules", None)
    return rules or SeasonRules(season=season)


def structures_of_events(season: Season) -> list[tuple[PointsStructure, int]]:
    """List the structures by which events of a season were settled, with how many, the most frequent first."""
    rows = EventRules.objects.filter(event__season=season).order_by().values_list("structure")
    counted = rows.annotate(n=Count("pk")).order_by("-n")
    return [(PointsStructure.from_dict(structure), n) for structure, n in counted]


class PlayedEvent(NamedTuple):
    """An event of a season with the way its results count."""

    pk: int
    starts_at: datetime
    name: str
    counts_as: SeasonEvent
    day: date  # in the club's time zone
    is_of_season_pool: bool = True  # rated in the pool of the season
    meet_id: int | None = None
    meet_order: str = ""
    pays_balances: bool = False  # whether its points are balances, of which none is staked


def played_events(season: Season) -> list[PlayedEvent]:
    """Read all events of a season in rating order; months are in the club's time zone."""
    tz, usual = season.club.tz, rules_of(season).points_structure.name
    own, of_terms = ("pk", "starts_at", "name"), ("terms__multiplier", "terms__is_final")
    of_meet = ("pool_id", "meet_id", "meet__ordered_by")
    events = Event.objects.filter(season=season).in_rating_order()
    return [
        PlayedEvent(
            pk,
            starts_at,
            name,
            SeasonEvent(
                month=f"{starts_at.astimezone(tz):%Y-%m}",
                multiplier=ONE if multiplier is None else Fraction(multiplier),
                is_final=bool(is_final),
            ),
            starts_at.astimezone(tz).date(),
            is_of_season_pool=pool_id == season.pool_id,
            meet_id=meet_id,
            meet_order=meet_order or "",
            pays_balances=(structure or usual) == "balance",
        )
        for pk, starts_at, name, multiplier, is_final, pool_id, meet_id, meet_order, structure in (
            events.values_list(*own, *of_terms, *of_meet, "rules__structure__name")
        )
    ]


def totals_brought_forward(season: Season, player_ids: Iterable[int] | None = None) -> list[BroughtForward]:
    """Read players' totals from events that are not in the records, in the order they were entered."""
    rows = BroughtTotals.objects.filter(season=season)
    if player_ids is not None:
        rows = rows.filter(player__in=player_ids)
    columns = ("player_id", "numerator", "denominator", "n_events", "n_entries", "n_wins")
    return [
        BroughtForward(player_id, Fraction(numerator, denominator), n_events, n_entries, n_wins)
        for player_id, numerator, denominator, n_events, n_entries, n_wins in rows.values_list(*columns)
    ]


def terms_of(event: Event) -> EventTerms:
    """Read the terms of an event; an event without a row has the defaults."""
    terms: EventTerms | None = getattr(event, "terms", None)
    return terms or EventTerms(event=event)


@dataclass(frozen=True)
class Settling:
    """Structure and terms that determine an event's points."""

    structure: PointsStructure
    terms: EventTerms

    @property
    def can_fail(self) -> bool:
        """Tell whether a result can be without points: not if each seat is worth one and balances do not count."""
        return not self.structure.is_dhondt or self.terms.total is not None or self.structure.uses_balance

    @property
    def needs_facts(self) -> bool:
        """Tell whether points depend on more than places."""
        return not self.structure.is_dhondt or self.structure.uses_balance

    def points(self, places: Sequence[int], facts: Sequence[EntryFacts] | None) -> list[Fraction]:
        """Compute the points of each entry; raise ValueError if a formula has none for one of them.

        `facts` may be left out if they are not needed.
        """
        total = None
        if self.structure.shares_a_total and self.terms.total is not None:
            total = Fraction(self.terms.total)
        return self.structure.event_points(places, entries=facts, total=total, facts=self.terms.facts)


def known_structure(stored: Mapping[str, Any]) -> PointsStructure:
    """Build a structure from stored settings, once for all events that have the same."""
    return _structure_of(json.dumps(stored))


@lru_cache(maxsize=256)
def _structure_of(text: str) -> PointsStructure:
    return PointsStructure.from_dict(json.loads(text))


def settling_of(event: Event) -> Settling:
    """Read structure and terms of an event; an event that was never settled has the season's structure."""
    rules: EventRules | None = getattr(event, "rules", None)
    return Settling((rules or rules_of(event.season)).points_structure, terms_of(event))


def club_money(club: Club) -> ClubMoney:
    """Read how a club writes money; a club without a row has the defaults."""
    money: ClubMoney | None = getattr(club, "money", None)
    return money or ClubMoney(club=club)


def helpers_take_money(club: Club) -> bool:
    """Tell whether helpers of a club note who has paid in."""
    return ClubMoney.objects.filter(club=club, helpers_take=True).exists()


def event_money(event: Event) -> EventMoney:
    """Read the money of an event; version 0 where none is recorded."""
    money: EventMoney | None = getattr(event, "money", None)
    return money or EventMoney(event=event, version=0, result_version=event.version)


def money_entries(event: Event) -> list[Entry]:
    """Read the entries of an event with what is recorded of their money, in the order of the result."""
    return list(Entry.objects.filter(event=event).select_related("player", "money").order_by("place", "pk"))


def latest_money(event: Event) -> EventMoney | None:
    """Find the money of the club's last event before this one, whose prices are a good suggestion."""
    earlier = EventMoney.objects.filter(
        event__season__club=event.season.club_id, event__starts_at__lt=event.starts_at
    )
    return earlier.order_by("-event__starts_at", "-event_id").first()


@dataclass
class NetMoney:
    """What a player paid for the entries whose money is recorded, and won with them."""

    n_events: int = 0
    cost: Fraction = Fraction(0)
    won: Fraction = Fraction(0)

    @property
    def net(self) -> Fraction:
        return self.won - self.cost


class SeasonOfMoney(NamedTuple):
    """The season that a player's money is added up for."""

    pk: int
    name: str
    slug: str


def net_by_season(player: Player) -> list[tuple[SeasonOfMoney, NetMoney]]:
    """Add up a player's money in each season, the newest first, in one query."""
    season = "entry__event__season"
    rows = EntryMoney.objects.filter(entry__player=player).order_by(f"-{season}__starts_on", f"-{season}_id")
    sums = _net_money(rows, f"{season}_id", f"{season}__name", f"{season}__slug")
    return [(SeasonOfMoney(*key), money) for key, money in sums.items()]


def net_by_player(season: Season, player_ids: Iterable[int]) -> dict[int, NetMoney]:
    """Add up the money of some players in a season, by id, in one query."""
    rows = EntryMoney.objects.filter(entry__event__season=season, entry__player__in=player_ids)
    return {player_id: money for (player_id,), money in _net_money(rows, "entry__player_id").items()}


PRICE_COLUMNS = tuple(f"entry__event__money__{name}" for name in PRICES)


def _net_money(rows: QuerySet[EntryMoney], *by: str) -> dict[tuple[Any, ...], NetMoney]:
    """Add up exactly, by some columns: SQLite would sum decimals as floats."""
    sums: dict[tuple[Any, ...], NetMoney] = defaultdict(NetMoney)
    events = set()
    own = ("rebuys", "add_ons", "prize", "entry__knockouts", "entry__place")
    columns = ("entry__event_id", "entry__player_id", *own, *PRICE_COLUMNS)
    for row in rows.values_list(*by, *columns):
        event_id, player_id, rebuys, add_ons, prize, knockouts, place, *numbers = row[len(by) :]
        money, prices = sums[row[: len(by)]], Prices(*map(Fraction, numbers))
        money.cost += prices.cost(rebuys, add_ons)
        money.won += Fraction(prize) + prices.bounties(knockouts or 0, is_winner=place == 1)
        money.n_events += (event_id, player_id) not in events
        events.add((event_id, player_id))
    return dict(sums)


def rules_version(season: Season) -> int:
    """Data version of the last change of a season or its rules; 0 before the first."""
    kinds = (Change.Kind.RULES_CHANGED, Change.Kind.SEASON_CHANGED)
    return _last_version(season=season, kind__in=kinds)


def terms_version(event: Event) -> int:
    """Data version of the last change of an event's terms; 0 before the first."""
    return _last_version(event=event, kind=Change.Kind.TERMS_CHANGED)


def brought_forward_version(season: Season) -> int:
    """Data version of the last change of a season's totals brought forward; 0 before the first."""
    return _last_version(season=season, kind=Change.Kind.TOTALS_BROUGHT)


def _last_version(**conditions: object) -> int:
    version: int | None = Change.objects.filter(**conditions).aggregate(Max("version"))["version__max"]
    return version or 0
