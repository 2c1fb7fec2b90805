"""Sum up what a player of games looks for first: how often in front, how often last, streaks, best score, seats."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean

from standings.games.queries import PlayedGame

LEAST_PLAYERS = 3  # from which on the best two are not everybody
SIGNIFICANT = 0.05  # largest chance at which a difference is called more than luck
ROUND_R = 50  # goals by R are its multiples


@dataclass(frozen=True)
class Rate:
    """Tell in how many games something was reached, and in what share of them chance alone would reach it."""

    n: int
    of: int
    even: float

    @property
    def share(self) -> float:
        return self.n / self.of


@dataclass(frozen=True)
class Seat:
    """The games from one seat: `counts` are those of each place, `balance` is None where none is recorded."""

    number: int
    n_games: int
    counts: tuple[int, ...]
    mean_place: float
    balance: float | None


@dataclass(frozen=True)
class Record:
    """A player's record; `if_first` and `if_last` are the mean places after the next game."""

    first: Rate
    best_two: Rate | None  # None where two players met
    not_last: Rate
    best_score: tuple[float, datetime] | None
    not_last_now: int
    not_last_longest: int
    if_first: float
    if_last: float
    last_place: int
    seats: tuple[Seat, ...]
    seats_differ: bool


def record_of(games: Sequence[PlayedGame]) -> Record:
    """Sum up at least one game, the oldest first."""
    n, places = len(games), sum(game.place for game in games)
    scored = [(game.score, game.starts_at) for game in games if game.score is not None]
    runs = runs_of(games, lambda game: game.place < game.n_players)
    last_place = games[-1].n_players
    by_seat = games_by_seat(games)
    return Record(
        first=_rate(games, lambda game: game.place == 1, lambda n_players: 1 / n_players),
        best_two=_rate(games, lambda game: game.place <= 2, lambda n_players: 2 / n_players)  # noqa: PLR2004
        if min(game.n_players for game in games) >= LEAST_PLAYERS
        else None,
        not_last=_rate(games, lambda game: game.place < game.n_players, lambda n_players: 1 - 1 / n_players),
        best_score=max(scored, key=lambda row: row[0]) if scored else None,
        not_last_now=runs[-1],
        not_last_longest=max(runs),
        if_first=(places + 1) / (n + 1),
        if_last=(places + last_place) / (n + 1),
        last_place=last_place,
        seats=tuple(_seat(number, of_seat) for number, of_seat in sorted(by_seat.items())),
        seats_differ=differ([[game.place for game in of_seat] for of_seat in by_seat.values()]),
    )


def _rate(
    games: Sequence[PlayedGame], is_reached: Callable[[PlayedGame], bool], even: Callable[[int], float]
) -> Rate:
    reached = sum(map(is_reached, games))
    return Rate(reached, len(games), fmean(even(game.n_players) for game in games))


def runs_of(games: Sequence[PlayedGame], counts: Callable[[PlayedGame], bool]) -> list[int]:
    """List the lengths of all runs of games that count, that up to now last; each game that does not count ends one."""
    runs = [0]
    for game in games:
        if counts(game):
            runs[-1] += 1
        else:
            runs.append(0)
    return runs


def games_by_seat(games: Sequence[PlayedGame]) -> dict[int, list[PlayedGame]]:
    """Group the games whose seat is recorded by it, the first East first."""
    by_seat = defaultdict(list)
    for game in games:
        if game.seat is not None:
            by_seat[game.seat].append(game)
    return by_seat


def _seat(number: int, games: Sequence[PlayedGame]) -> Seat:
    balances = [game.balance for game in games if game.balance is not None]
    places = [game.place for game in games]
    return Seat(
        number=number,
        n_games=len(games),
        counts=tuple(places.count(place) for place in range(1, max(game.n_players for game in games) + 1)),
        mean_place=fmean(places),
        balance=sum(balances) if balances else None,
    )


def differ(groups: Sequence[Sequence[float]]) -> bool:
    """Tell whether the means of groups differ by more than luck: the F test of a one-way analysis of variance."""
    from scipy.special import fdtrc

    n, k = sum(map(len, groups)), len(groups)
    if k < 2 or n <= k:  # noqa: PLR2004  one group does not differ
        return False
    mean = fmean(value for group in groups for value in group)
    between = sum(len(group) * (fmean(group) - mean) ** 2 for group in groups) / (k - 1)
    within = sum((value - fmean(group)) ** 2 for group in groups for value in group) / (n - k)
    return bool(between > 0 and (within == 0 or fdtrc(k - 1, n - k, between / within) < SIGNIFICANT))


@dataclass(frozen=True)
class RoundGoal:
    """The next round R above a player's, and how many games won it takes at the usual gain of one."""

    r: int
    missing: float
    n_wins: int | None  # None if no win has gained anything yet


def round_goal(games: Sequence[PlayedGame]) -> RoundGoal:
    now = games[-1].r_after
    target = (int(now // ROUND_R) + 1) * ROUND_R
    gains = [game.change for game in games if game.place == 1]
    gain = fmean(gains) if gains else 0.0
    return RoundGoal(target, target - now, -int(-(target - now) // gain) if gain > 0 else None)
