"""Reads of rules, terms and totals brought forward."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Max

from league.models import Change, Event, Season
from payouts.engine.facts import EntryFacts
from payouts.engine.season import ONE, BroughtForward, SeasonEvent
from payouts.engine.structure import PointsStructure
from payouts.models import BroughtTotals, EventRules, EventTerms, SeasonRules


def rules_of(season: Season) -> SeasonRules:
    """Read the season's rules; a season made outside the site's form has the defaults."""
    rules: SeasonRules | None = getattr(season, "rules", None)
    return rules or SeasonRules(season=season)


class PlayedEvent(NamedTuple):
    """An event of a season with the way its results count."""

    pk: int
    starts_at: datetime
    name: str
    counts_as: SeasonEvent


def played_events(season: Season) -> list[PlayedEvent]:
    """Read all events of a season in rating order; months are in the club's time zone."""
    tz = season.club.tz
    rows = (
        Event.objects.filter(season=season)
        .in_rating_order()
        .values_list("pk", "starts_at", "name", "terms__multiplier", "terms__is_final")
    )
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
        )
        for pk, starts_at, name, multiplier, is_final in rows
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
        """Whether a result can be without points, which is impossible if each seat is worth one."""
        return not self.structure.is_dhondt or self.terms.total is not None

    def points(self, places: Sequence[int], facts: Sequence[EntryFacts]) -> list[Fraction]:
        """Compute the points of each entry; raise ValueError if a formula has none for one of them."""
        total = None
        if self.structure.shares_a_total and self.terms.total is not None:
            total = Fraction(self.terms.total)
        entries = None if self.structure.is_dhondt else facts
        return self.structure.event_points(places, entries=entries, total=total, facts=self.terms.facts)


def settling_of(event: Event) -> Settling:
    """Read structure and terms of an event; an event that was never settled has the season's structure."""
    rules: EventRules | None = getattr(event, "rules", None)
    return Settling((rules or rules_of(event.season)).points_structure, terms_of(event))


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
