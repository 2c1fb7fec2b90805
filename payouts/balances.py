"""Sum what each player paid in and won in a year, of the events whose money is recorded."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from django.db.models import QuerySet

from league.models import Club, Player
from payouts.engine.money import Till
from payouts.models import EntryMoney
from payouts.services.money import purse_of


@dataclass(frozen=True)
class EveningMoney:
    """The money of a player's entries in one event, and what is open if payments are noted there."""

    event_id: int
    name: str
    starts_at: datetime
    place: int
    till: Till
    balance_so_far: Fraction
    is_noted: bool  # whether it is noted who has given how much, of whomever


@dataclass
class Balance:
    """The money of a player in a year."""

    player: Player
    evenings: list[EveningMoney] = field(default_factory=list)

    @property
    def till(self) -> Till:
        return Till([purse for evening in self.evenings for purse in evening.till.purses])

    @property
    def to_come(self) -> Fraction:
        """Compute what the player still has to give, of the evenings on which it is noted who gave."""
        return sum((evening.till.to_come for evening in self.evenings if evening.is_noted), Fraction(0))

    @property
    def to_pay(self) -> Fraction:
        """Compute what the player still has to get, likewise."""
        return sum((evening.till.to_pay for evening in self.evenings if evening.is_noted), Fraction(0))


def years_of_money(club: Club) -> list[int]:
    """List the years in which money of the club is recorded, the newest first."""
    moments = EntryMoney.objects.filter(entry__event__season__club=club)
    years = moments.datetimes("entry__event__starts_at", "year", tzinfo=club.tz)
    return sorted((moment.year for moment in years), reverse=True)


def balances(club: Club, year: int) -> list[Balance]:
    """Read the balances of all players of a club in a year, the highest first, in two queries."""
    found = _balances(EntryMoney.objects.filter(entry__event__season__club=club), club, year)
    return sorted(found, key=lambda balance: (-balance.till.balance, balance.player.name))


def balance_of(player: Player, year: int) -> Balance:
    """Read the balance of one player, event by event."""
    rows = EntryMoney.objects.filter(entry__player=player)
    return next(iter(_balances(rows, player.club, year)), Balance(player))


def _balances(rows: QuerySet[EntryMoney], club: Club, year: int) -> list[Balance]:
    of_year = rows.filter(
        entry__event__starts_at__gte=datetime(year, 1, 1, tzinfo=club.tz),
        entry__event__starts_at__lt=datetime(year + 1, 1, 1, tzinfo=club.tz),
    ).select_related("entry__player", "entry__event__money")
    noted = EntryMoney.objects.filter(entry__event__season__club=club, given__isnull=False)
    noted_events = set(noted.values_list("entry__event_id", flat=True).distinct())
    of_player: dict[int, Balance] = {}
    of_evening: dict[tuple[int, int], list[EntryMoney]] = defaultdict(list)
    for row in of_year.order_by("entry__event__starts_at", "entry__event_id", "entry__place", "entry_id"):
        of_player.setdefault(row.entry.player_id, Balance(row.entry.player))
        of_evening[row.entry.player_id, row.entry.event_id].append(row)
    for (player_id, event_id), entries in of_evening.items():
        balance = of_player[player_id]
        before = balance.evenings[-1].balance_so_far if balance.evenings else Fraction(0)
        balance.evenings.append(_evening(entries, before, is_noted=event_id in noted_events))
    return list(of_player.values())


def _evening(rows: Sequence[EntryMoney], before: Fraction, *, is_noted: bool) -> EveningMoney:
    first, event = rows[0].entry, rows[0].entry.event
    till = Till([purse_of(event.money.prices, row.entry, row, Fraction(row.prize)) for row in rows])
    return EveningMoney(
        event.pk, event.name, event.starts_at, first.place, till, before + till.balance, is_noted
    )
