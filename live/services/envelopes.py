"""Envelopes of mystery bounties: the site draws one for each who is put out by somebody, once and for all."""

from collections.abc import Iterable

from live.engine.bounties import MYSTERY, envelopes_left, gone, hunter_of
from live.engine.seats import drawn
from live.models import Night
from live.seeds import seed_of
from live.services.seating import commit_seed, record_by_site
from live.services.storing import MOST_OF_A_NIGHT
from live.stored_log import state_of

FIRST_DRAW = 1_000_000  # of envelopes, apart from those of seats
AFTER = frozenset({"out", "by", "tie", "chop", "void", "order", "admit", "settle", "setup"})


def open_envelopes(night: Night, kinds: Iterable[str], *, now_ms: int) -> None:
    """Open an envelope for everybody who is out by somebody and has none yet. What is opened stays so.

    It costs a query where there are no envelopes.
    """
    is_mystery = night.actions.filter(kind="setup", body__bounty__kind=MYSTERY)
    if not (AFTER & {*kinds}) or not is_mystery.exists():
        return
    state = state_of(night)
    bounty = state.setup.get("bounty") or {}
    if bounty.get("kind") != MYSTERY:
        return
    commit_seed(night, now_ms=now_ms)
    i = FIRST_DRAW + night.actions.filter(kind="envelope").count()
    for entry in gone(state):
        left = envelopes_left(state, bounty)
        if not left or night.head >= MOST_OF_A_NIGHT:
            return
        if entry.id not in state.envelopes and hunter_of(state, entry):
            amount = left[drawn(seed_of(night), i, len(left))]
            body = {"entry": entry.id, "i": i, "of": left, "amount": amount}
            record_by_site(night, "envelope", body, now_ms=now_ms)
            state.envelopes[entry.id] = amount
            i += 1


def envelopes_to_check(night: Night) -> list[dict[str, int | list[int]]]:
    """List the envelopes of a night as they were drawn: the number, what was left, and what was in it."""
    bodies = night.actions.filter(kind="envelope").order_by("seq").values_list("body", flat=True)
    return [{name: body[name] for name in ("i", "of", "amount")} for body in bodies if "of" in body]
