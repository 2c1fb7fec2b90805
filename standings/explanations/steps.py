"""Why a player's rate changed at an event: his rated entries, read and explained, with steps that add up as shown."""

from dataclasses import dataclass
from datetime import datetime, time
from math import floor

from league.models import Entry, Event, Player
from ratings.engine.explanation import FIGURES, Explanation, Figures, explain
from ratings.engine.tier import TierParams, rate
from ratings.models import RatedEntry, RatingSettings
from ratings.queries import params_of, settings_in_force

# Steps that are only told if they happened.
FLOORS = {"sigma_floor": "sigma", "rate_floor": "rate"}
ROUNDING = 1e-9  # a smaller step is none, rating points


@dataclass(frozen=True)
class Step:
    """A change of the rate shown, in tenths of a point."""

    name: str  # of ratings.engine.explanation
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
    """An entry with everything that is told of it. Rates are in tenths; `steps` lead from one to the other."""

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


@dataclass(frozen=True)
class ExplainedEvent:
    """All entries of one player at an event; `entries` is empty until they are computed."""

    event: Event
    player: Player
    params: TierParams
    settings: RatingSettings | None
    entries: list[ExplainedEntry]
    has_times: bool  # whether a time of any entry was recorded

    @property
    def rate_from(self) -> int:
        return self.entries[0].rate_from

    @property
    def rate_to(self) -> int:
        return self.entries[-1].rate_to


def explained_event(event: Event, player: Player) -> ExplainedEvent | None:
    """None if the player has no entry at the event. Of an event read with its season, club and pool."""
    entries = list(Entry.objects.filter(event=event, player=player).order_by("number"))
    if not entries:
        return None
    pool_id = event.season.pool_id
    settings = settings_in_force(pool_id)
    params = params_of(settings)
    rated = {row.number: row for row in RatedEntry.objects.filter(pool=pool_id, event=event, player=player)}
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
    )


def _explained(event: Event, entry: Entry, rated: RatedEntry, params: TierParams) -> ExplainedEntry:
    why = explain(Figures(*(getattr(rated, name) for name in FIGURES)), params)
    told = [(name, by) for name, by in why.steps if _is_told(name, by, why.floors)]
    rate_from, rate_to = tenths(why.prior.rate), tenths(why.posterior.rate)
    shown = apportioned([by for _name, by in told], rate_to - rate_from)
    return ExplainedEntry(
        entry=entry,
        rated=rated,
        why=why,
        rate_from=rate_from,
        rate_to=rate_to,
        steps=[Step(name, n) for (name, _by), n in zip(told, shown, strict=True)],
        before=_before(event, rated, params),
    )


def _is_told(name: str, by: float, floors: tuple[str, ...]) -> bool:
    return name not in FLOORS or FLOORS[name] in floors or abs(by) > ROUNDING


def tenths(value: float) -> int:
    """Rounded as it is written with one decimal."""
    return round(float(f"{value:.1f}") * 10)


def apportioned(changes: list[float], total: int) -> list[int]:
    """Changes in tenths that add up to `total`: rounded down, what is missing to the largest remainders.

    A change of nothing stays nothing, as long as there is another.
    """
    moving = [i for i, by in enumerate(changes) if abs(by) > ROUNDING] or list(range(len(changes)))
    shown = [0] * len(changes)
    for i in moving:
        shown[i] = floor(changes[i] * 10)
    missing = total - sum(shown)
    order = sorted(moving, key=lambda i: shown[i] - changes[i] * 10)  # the largest remainder first
    if missing < 0:
        order.reverse()
    for k in range(abs(missing)):
        shown[order[k % len(order)]] += 1 if missing > 0 else -1
    return shown


def _before(event: Event, rated: RatedEntry, params: TierParams) -> Before | None:
    """Drift since the last event, and what the season's beginning did."""
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
