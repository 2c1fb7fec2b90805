"""Why a player's rate changed at an event: rated entries with steps that add up as shown."""

from dataclasses import dataclass
from datetime import datetime, time
from math import floor

from league.models import Entry, Event, Player
from ratings.engine.tier.explanation import FIGURES, SKILL, Explanation, Figures, explain
from ratings.engine.tier.params import TierParams, rate
from ratings.models import BroughtRating, RatedEntry, RatingSettings
from ratings.queries import began_with, params_of, settings_at, with_brought

ROUNDING = 1e-9  # rating points; a smaller change is taken for none


@dataclass(frozen=True)
class Step:
    """A change of the rate shown, in tenths of a point."""

    name: str  # that of the step in ratings.engine.tier.explanation
    tenths: int


@dataclass(frozen=True)
class Before:
    """What happened to a rating between its last event and this one; rates in tenths of a point."""

    cause: str  # "full", "soft" or "drift"
    days: int
    sigma_from: float
    sigma_to: float
    rate_from: int
    rate_to: int


@dataclass(frozen=True)
class ExplainedEntry:
    """An entry with what explains its change. Rates are in tenths; `steps` lead from one to the other."""

    entry: Entry
    rated: RatedEntry
    why: Explanation
    rate_from: int
    rate_to: int
    steps: list[Step]
    before: Before | None

    @property
    def change(self) -> int:
        return self.rate_to - self.rate_from

    @property
    def shown(self) -> list[Step]:
        """The steps that changed the rate."""
        return [step for step in self.steps if step.tenths]

    @property
    def skill(self) -> int:
        """Say what all steps that change the mean bring together, in tenths."""
        return sum(step.tenths for step in self.steps if step.name in SKILL)

    def tenths_of(self, name: str) -> int:
        return next(step.tenths for step in self.steps if step.name == name)


@dataclass(frozen=True)
class ExplainedEvent:
    """All entries of one player at an event; `entries` is empty until they are computed."""

    event: Event
    player: Player
    params: TierParams
    settings: RatingSettings | None
    entries: list[ExplainedEntry]
    has_times: bool  # whether a time of any entry was recorded
    brought: BroughtRating | None  # with which the player began, if this was the first event

    @property
    def rate_from(self) -> int:
        return self.entries[0].rate_from

    @property
    def rate_to(self) -> int:
        return self.entries[-1].rate_to


def explained_event(event: Event, player: Player) -> ExplainedEvent | None:
    """The explained result of a player, or None without entries. `event` has its season, club and pool loaded."""
    entries = list(Entry.objects.filter(event=event, player=player).order_by("number"))
    if not entries:
        return None
    pool_id = event.pool_id
    settings = settings_at(pool_id, event.starts_at)
    params = params_of(settings)
    rows = with_brought(RatedEntry.objects.filter(pool=pool_id, event=event, player=player))
    rated = {row.number: row for row in rows}
    timed = Entry.objects.filter(event=event).exclude(registered_at=None, busted_at=None)
    return ExplainedEvent(
        event=event,
        player=player,
        params=params,
        settings=settings,
        entries=[
            _explained(event, entry, rated[entry.number], params)
            for entry in entries
            if entry.number in rated
        ],
        has_times=timed.exists(),
        brought=next(filter(None, map(began_with, rated.values())), None),
    )


def _explained(event: Event, entry: Entry, rated: RatedEntry, params: TierParams) -> ExplainedEntry:
    why = explain(Figures(*(getattr(rated, name) for name in FIGURES)), params)
    rate_from, rate_to = tenths(why.prior.rate), tenths(why.posterior.rate)
    rounded = apportioned([by for _name, by in why.steps], rate_to - rate_from)
    return ExplainedEntry(
        entry=entry,
        rated=rated,
        why=why,
        rate_from=rate_from,
        rate_to=rate_to,
        steps=[Step(name, n) for (name, _by), n in zip(why.steps, rounded, strict=True)],
        before=_before(event, rated, params),
    )


def tenths(value: float) -> int:
    """Convert a value to whole tenths, rounded as it is printed with one decimal."""
    return round(float(f"{value:.1f}") * 10)


def apportioned(changes: list[float], total: int) -> list[int]:
    """Changes in tenths that add up to `total`: rounded down, and the missing tenths to the largest remainders.

    A change of 0 stays 0 unless all are.
    """
    moving = [i for i, by in enumerate(changes) if abs(by) > ROUNDING] or list(range(len(changes)))
    rounded = [0] * len(changes)
    for i in moving:
        rounded[i] = floor(changes[i] * 10)
    missing = total - sum(rounded)
    order = sorted(moving, key=lambda i: rounded[i] - changes[i] * 10)  # the largest remainder first
    if missing < 0:
        order.reverse()
    for k in range(abs(missing)):
        rounded[order[k % len(order)]] += 1 if missing > 0 else -1
    return rounded


def _before(event: Event, rated: RatedEntry, params: TierParams) -> Before | None:
    """Say what drift or the start of a season changed since the last event; None if nothing."""
    if rated.last_at is None or (rated.carried_mu, rated.carried_sigma) == (
        rated.prior_mu,
        rated.prior_sigma,
    ):
        return None
    season_at = datetime.combine(event.season.starts_on, time(), tzinfo=event.season.club.tz)
    began = rated.last_at < season_at
    is_full = began and params.season_start == "full"
    is_soft = began and params.season_start == "soft" and rated.prior_sigma == params.season_sigma
    return Before(
        cause="full" if is_full else "soft" if is_soft else "drift",
        days=round((rated.starts_at - rated.last_at).total_seconds() / 86_400),
        sigma_from=rated.carried_sigma,
        sigma_to=rated.prior_sigma,
        rate_from=tenths(rate(rated.carried_mu, rated.carried_sigma, params)),
        rate_to=tenths(rated.prior_rate),
    )
