"""Bounties of a night: who gets what for whom, from who put whom out. Sums are in the smallest unit of money."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from live.engine.seats import drawn
from live.engine.state import Entry, Night

FIXED, PROGRESSIVE, MYSTERY, LEADER = KINDS = ("fixed", "progressive", "mystery", "leader")
FIRST_DRAW = 1_000_000  # of envelopes, apart from those of seats


@dataclass
class Ledger:
    """Hold what the bounties of a night came to.

    `won` is by entry; `heads` is what stands on those who are in; `open` is not given yet. All together is the pool.
    """

    won: dict[str, int] = field(default_factory=dict)
    heads: dict[str, int] = field(default_factory=dict)
    open: int = 0
    hunts: list[tuple[str, str, int]] = field(default_factory=list)  # hunter, hunted, amount

    @property
    def pool(self) -> int:
        return sum(self.won.values()) + sum(self.heads.values()) + self.open


def ledger_of(night: Night, bounty: Mapping[str, Any], seed: str = "") -> Ledger:
    """Compute the bounties of a night.

    Parameters
    ----------
    night : Night
    bounty : mapping
        `kind`, one of `KINDS`; `amount` of each entry; for mystery `envelopes`, which sum to the amounts of all entries
        or are filled up to it; for leader `on`, the names with a bounty, which nobody pays for.
    seed : str
        Of the draw, for envelopes; without it they stay shut.

    Notes
    -----
    fixed: the hunter gets the amount. progressive: the hunter gets half, the larger one of an odd sum, and the other
    half is on the own head. mystery: who goes out first opens the first of the envelopes, which the seed has shuffled,
    for the hunter, so that a hunter who is named later changes no other envelope. leader: who puts a named player out
    gets the amount. What nobody is said to have won is the winner's, and so is the winner's own head.
    """
    ledger = Ledger()
    kind, amount = bounty.get("kind"), bounty.get("amount") or 0
    if kind == MYSTERY:
        return _mystery(night, bounty, seed, ledger)
    named = {str(name) for name in bounty.get("on") or []}
    carries = [each for each in night.entries.values() if kind != LEADER or each.name in named]
    ledger.heads = {entry.id: amount for entry in carries}
    for entry in _gone(night):
        head = ledger.heads.pop(entry.id, 0)
        hunter = _hunter(night, entry)
        if hunter is None:
            ledger.open += head
            continue
        kept = head // 2 if kind == PROGRESSIVE and hunter.id in ledger.heads else 0
        if kept:
            ledger.heads[hunter.id] += kept
        _win(ledger, hunter, entry, head - kept)
    return _closed(night, ledger)


def envelopes_of(night: Night, bounty: Mapping[str, Any], seed: str) -> list[int]:
    """List what is in the envelopes of a mystery bounty in the order in which they are opened; empty for others."""
    if bounty.get("kind") != MYSTERY:
        return []
    return _shuffled(_in_envelopes(night, bounty), seed)


def _in_envelopes(night: Night, bounty: Mapping[str, Any]) -> list[int]:
    pool = (bounty.get("amount") or 0) * len(night.entries)
    return _filled(bounty.get("envelopes") or [], pool)


def _mystery(night: Night, bounty: Mapping[str, Any], seed: str, ledger: Ledger) -> Ledger:
    ledger.open = sum(_in_envelopes(night, bounty))
    for entry, won in zip(_gone(night), envelopes_of(night, bounty, seed) if seed else [], strict=False):
        hunter = _hunter(night, entry)
        if hunter is not None:
            ledger.open -= won
            _win(ledger, hunter, entry, won)
    return _closed(night, ledger)


def _shuffled(envelopes: Sequence[int], seed: str) -> list[int]:
    """Shuffle envelopes by the seed (Fisher and Yates, from the last one down)."""
    order = sorted(envelopes)
    for i in range(len(order) - 1, 0, -1):
        j = drawn(seed, FIRST_DRAW + i, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def _filled(envelopes: Sequence[int], pool: int) -> list[int]:
    """Fill envelopes up to the pool, the last one with what is missing; none holds more than is left."""
    filled: list[int] = []
    for each in envelopes:
        filled.append(min(each, pool - sum(filled)))
    return [each for each in [*filled, pool - sum(filled)] if each > 0]


def _win(ledger: Ledger, hunter: Entry, hunted: Entry, amount: int) -> None:
    ledger.won[hunter.id] = ledger.won.get(hunter.id, 0) + amount
    ledger.hunts.append((hunter.id, hunted.id, amount))


def _gone(night: Night) -> list[Entry]:
    return [night.entries[entry_id] for each in night.exits for entry_id in each.entries]


def _hunter(night: Night, entry: Entry) -> Entry | None:
    return night.find(entry.by) if entry.by else None


def _closed(night: Night, ledger: Ledger) -> Ledger:
    """Give the winner of a night that is over what is left."""
    still_in = night.still_in
    if len(still_in) == 1 and night.exits:
        winner = still_in[0].id
        rest = ledger.open + sum(ledger.heads.values())
        if rest:
            ledger.won[winner] = ledger.won.get(winner, 0) + rest
        ledger.open, ledger.heads = 0, {}
    return ledger
