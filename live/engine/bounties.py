"""Bounties of a night: who gets what for whom, from who put whom out. Sums are in the smallest unit of money."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from live.engine.state import Entry, Night, person_key

FIXED, PROGRESSIVE, MYSTERY, LEADER = KINDS = ("fixed", "progressive", "mystery", "leader")


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


def ledger_of(night: Night, bounty: Mapping[str, Any]) -> Ledger:
    """Compute the bounties of a night.

    Parameters
    ----------
    night : Night
    bounty : mapping
        `kind`, one of `KINDS`; `amount` of each entry that paid, or of each where no costs are kept; for mystery
        `envelopes`, which sum to the amounts of all these entries or are filled up to it; for leader `on`, the names
        with a bounty, which nobody pays for.

    Notes
    -----
    fixed: the hunter gets the amount. progressive: the hunter gets half, the larger one of an odd sum, and the other
    half is on the own head. mystery: the hunter gets what the site drew from the envelopes left when somebody said who
    put whom out; an opened envelope stays with who was put out. leader: who puts a named player out gets the amount.
    What nobody is said to have won is the winner's, and so is the winner's own head; last ones who go out together
    share.
    """
    ledger = Ledger()
    kind, amount = bounty.get("kind"), bounty.get("amount") or 0
    if kind == MYSTERY:
        return _closed(night, _mystery(night, amount))
    named = {person_key(str(name)) for name in bounty.get("on") or []}
    carries = (
        [each for each in night.entries.values() if each.key in named] if kind == LEADER else _who_paid(night)
    )
    ledger.heads = {entry.id: amount for entry in carries}
    for entry in gone(night):
        head = ledger.heads.pop(entry.id, 0)
        hunter = hunter_of(night, entry)
        if hunter is None:
            ledger.open += head
            continue
        kept = head // 2 if kind == PROGRESSIVE and hunter.id in ledger.heads else 0
        if kept:
            ledger.heads[hunter.id] += kept
        _win(ledger, hunter, entry, head - kept)
    return _closed(night, ledger)


def _who_paid(night: Night) -> list[Entry]:
    """List the entries with a bounty of their own money: those with a cost, or all where no costs are kept."""
    entries = list(night.entries.values())
    return [entry for entry in entries if entry.cost] or entries


def _mystery(night: Night, amount: int) -> Ledger:
    ledger = Ledger()
    for entry in gone(night):
        hunter = hunter_of(night, entry)
        if hunter and entry.id in night.envelopes:
            _win(ledger, hunter, entry, night.envelopes[entry.id])
    ledger.open = max(0, amount * len(_who_paid(night)) - sum(ledger.won.values()))
    return ledger


def envelopes_left(night: Night, bounty: Mapping[str, Any]) -> list[int]:
    """List what is in the envelopes that nobody has opened: together what the opened ones leave of all bounties."""
    left = sorted(bounty.get("envelopes") or [])
    for opened in night.envelopes.values():
        if opened in left:
            left.remove(opened)
    pool = (bounty.get("amount") or 0) * len(_who_paid(night))
    return _filled(left, max(0, pool - sum(night.envelopes.values())))


def _filled(envelopes: Sequence[int], pool: int) -> list[int]:
    """Fill envelopes up to the pool, the last one with what is missing; none holds more than is left."""
    filled: list[int] = []
    for each in envelopes:
        filled.append(min(each, pool - sum(filled)))
    return [each for each in [*filled, pool - sum(filled)] if each > 0]


def _win(ledger: Ledger, hunter: Entry, hunted: Entry, amount: int) -> None:
    ledger.won[hunter.id] = ledger.won.get(hunter.id, 0) + amount
    ledger.hunts.append((hunter.id, hunted.id, amount))


def gone(night: Night) -> list[Entry]:
    """List the entries that are out, the first one out first."""
    return [night.entries[entry_id] for each in night.exits for entry_id in each.entries]


def hunter_of(night: Night, entry: Entry) -> Entry | None:
    return night.find(entry.by) if entry.by else None


def _closed(night: Night, ledger: Ledger) -> Ledger:
    """Give what is left to the winner of a night that is over, or to the last ones who went out together."""
    last = [entry.id for entry in night.still_in] or (night.exits[-1].entries if night.exits else [])
    if night.n_in > 1 or not night.exits:
        return ledger
    share, over = divmod(ledger.open + sum(ledger.heads.values()), len(last))
    for i, entry_id in enumerate(last):
        if amount := share + (i < over):
            ledger.won[entry_id] = ledger.won.get(entry_id, 0) + amount
    ledger.open, ledger.heads = 0, {}
    return ledger
