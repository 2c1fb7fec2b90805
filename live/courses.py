"""Read how the nights of a club went, and predict by them when this one ends."""

from typing import Any

from live.engine.blinds import END_BIG_BLINDS
from live.engine.clock import gone_of
from live.engine.ending import Blinds, Course, Ending, Mark, ending_of
from live.engine.state import Night as State
from live.models import Night

MOST_NIGHTS = 40  # of the club, the last ones


def chips_of(state: State) -> int:
    """Add up the chips in play, rebuys and add-ons included; those are a starting stack where nobody said."""
    usual = state.setup.get("stack") or 0
    stacks = (
        (entry.stack or usual) + usual * entry.n_stacks + entry.more_chips for entry in state.entries.values()
    )
    return sum(stacks)


def course_of(state: State) -> list[list[float]] | None:
    """Write how a night went that is over: who were left, and big blinds in play; None without blinds or stacks."""
    chips = chips_of(state)
    if not (chips and state.clock and state.exits and _has_blinds(state)):
        return None
    blinds = Blinds(state.levels, chips)
    left = len(state.entries)
    marks = [[left, blinds.in_play(0)]]
    for each in state.exits:
        left -= len(each.entries)
        marks.append([max(left, 1), blinds.in_play(each.gone_ms)])
    return [[n, round(big_blinds, 2)] for n, big_blinds in marks]


def _has_blinds(state: State) -> bool:
    return sum(bool(level.get("bb")) for level in state.levels) > 1


def ending_at(night: Night, state: State, now_ms: int) -> Ending | None:
    """Say when a night will end; None without blinds, stacks or players."""
    n_players = len(state.entries) or state.setup.get("expected") or 0
    chips = chips_of(state) or n_players * (state.setup.get("stack") or 0)
    left = state.n_in if state.entries else n_players
    if not (chips and n_players > 1 and left > 1 and _has_blinds(state)):
        return None
    return ending_of(
        courses_of(night),
        Blinds(state.levels, chips),
        left=left,
        n_players=n_players,
        now_ms=gone_of(state.levels, state.clock, now_ms),
        usual=END_BIG_BLINDS,
    )


def courses_of(night: Night) -> list[Course]:
    """List how the club's last nights went."""
    nights = Night.objects.filter(club=night.club_id, course__isnull=False).exclude(pk=night.pk)
    stored = nights.order_by("-starts_at").values_list("course", flat=True)[:MOST_NIGHTS]
    return [course for course in map(_read, stored) if course]


def _read(stored: Any) -> Course | None:
    """Read a stored course; an archive may hold anything."""
    try:
        marks = tuple(Mark(int(left), float(big_blinds)) for left, big_blinds in stored)
    except (TypeError, ValueError):
        return None
    return Course(marks) if marks and all(mark.big_blinds > 0 for mark in marks) else None
