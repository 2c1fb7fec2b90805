"""A round of twenty hands at the practice table, kept in the session: what was dealt, decided and to come."""

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
from django.contrib.sessions.backends.base import SessionBase

from lab.engine.push_fold.dealing import Deal, deal
from lab.engine.push_fold.spots import Judgement, judge

HANDS = 20


@dataclass
class Round:
    """Hands of one round. `answers`: whether each decision was right; `missed`: the deals of the others."""

    token: str
    seats: int
    against: str
    deal: dict[str, Any]
    played: bool | None = None
    answers: list[bool] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)
    again: list[dict[str, Any]] = field(default_factory=list)
    total: int = HANDS
    lost: float = 0.0

    @property
    def hand(self) -> Deal:
        return Deal(**self.deal)

    @property
    def number(self) -> int:
        """Number of the hand on the table, from 1."""
        return len(self.answers) + (self.played is None)

    @property
    def is_over(self) -> bool:
        return len(self.answers) >= self.total

    @property
    def streak(self) -> int:
        wrong = [number for number, is_right in enumerate(self.answers, 1) if not is_right]
        return len(self.answers) - (wrong[-1] if wrong else 0)


class Verdict(NamedTuple):
    """What a decision was worth beside the other one."""

    is_right: bool
    lost_chips: float
    lost_points: float


def load_round(session: SessionBase, key: str) -> Round | None:
    stored = session.get(key)
    return Round(**stored) if stored else None


def save_round(session: SessionBase, key: str, table: Round) -> None:
    session[key] = asdict(table)


def new_round(seats: int, against: str) -> Round:
    return Round(secrets.token_hex(8), seats, against, _dealt(seats, against))


def round_again(table: Round) -> Round:
    """Begin a round of the hands that were not right."""
    first, *others = table.missed
    token = secrets.token_hex(8)
    return Round(token, table.seats, table.against, first, again=others, total=len(table.missed))


def next_hand(table: Round, number: int) -> None:
    """Deal the hand of a number, if it is the next one: sent twice, it deals once."""
    if table.played is None or table.is_over or number != len(table.answers) + 1:
        return
    table.deal = table.again.pop(0) if table.again else _dealt(table.seats, table.against)
    table.played = None


def decide(table: Round, *, number: int, is_played: bool, payouts: list[float]) -> Verdict | None:
    """Judge the decision on the hand of a number; None if it is decided already or not on the table."""
    if table.played is not None or number != table.number:
        return None
    verdict = verdict_of(judge(table.hand.spot, payouts), table.hand.kind, is_played=is_played)
    table.played = is_played
    table.answers.append(verdict.is_right)
    table.lost += verdict.lost_points
    if not verdict.is_right:
        table.missed.append(table.deal)
    return verdict


def verdict_of(judgement: Judgement, kind: int, *, is_played: bool) -> Verdict:
    """Compare a decision with the other one; it is right if no points are lost."""
    lost = [
        max(values.fold, float(values.play[kind])) - (float(values.play[kind]) if is_played else values.fold)
        for values in judgement
    ]
    return Verdict(lost[1] <= 0.0, *lost)


def _dealt(seats: int, against: str) -> dict[str, Any]:
    return deal(np.random.default_rng(secrets.randbits(64)), seats, against).as_dict()
