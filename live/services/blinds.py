"""Levels of blinds that a club keeps, and the chips that it owns."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef

from league.models import Club
from live.engine.actions import are_levels
from live.engine.blinds import Level, Plan, levels_of
from live.models import Action, BlindStructure, ChipCase, Night
from live.services.nights import say_setup
from live.stored_log import state_of

USUAL_CHIPS = (25, 100, 500, 1000, 5000)


def last_levels(club: Club) -> list[Level]:
    """Read the levels of the club's last night that had any, as they were at its end."""
    nights = Night.objects.filter(club=club).exclude(stage=Night.Stage.CALLED_OFF)
    with_levels = nights.filter(Exists(Action.objects.filter(night=OuterRef("pk"), kind="levels")))
    last = with_levels.first()
    return [] if last is None else state_of(last).levels


def kept_levels(structure: BlindStructure) -> list[Level]:
    """Read the levels of a structure; an archive may hold anything, of which nothing is taken."""
    return list(structure.levels) if are_levels(structure.levels) else []


def chips_of_club(club: Club) -> dict[int, int]:
    """Read how many chips of each value a club owns; empty if it never said."""
    case = ChipCase.objects.filter(club=club).first()
    try:
        return (
            {} if case is None else {int(value): int(n) for value, n, _colour in case.chips if int(value) > 0}
        )
    except (TypeError, ValueError):  # an archive may hold anything
        return {}


def values_in_play(club: Club, stack: int) -> tuple[int, ...]:
    """List the chips that levels have to be payable with: the club's, else usual ones that fit the stack."""
    owned = sorted(value for value, n in chips_of_club(club).items() if n)
    if owned:
        return tuple(owned)
    scale = next((scale for scale in (1, 10, 100) if stack <= 20_000 * scale), 100)
    fitting = tuple(value * scale for value in USUAL_CHIPS)
    return fitting if stack >= 20 * fitting[0] else (1, 5, 25, 100)


def levels_for(club: Club, choice: str, *, n_players: int, stack: int, minutes: int) -> list[Level]:
    """Make the levels that a night begins with: none, those of the last one, proposed ones, or a structure's."""
    if choice == "last":
        return last_levels(club)
    if choice == "proposed":
        stack = stack or 5_000
        return levels_of(Plan(max(2, n_players), stack, values_in_play(club, stack), minutes=minutes))
    structure = BlindStructure.objects.filter(club=club, pk=int(choice)).first() if choice.isdigit() else None
    return [] if structure is None else kept_levels(structure)


@transaction.atomic
def keep_structure(club: Club, name: str, levels: Sequence[Mapping[str, Any]]) -> BlindStructure:
    """Keep levels under a name; those under that name before are replaced."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    kept, _is_new = BlindStructure.objects.update_or_create(
        club=club, name=name, defaults={"levels": [dict(level) for level in levels]}
    )
    return kept


@transaction.atomic
def keep_chips(club: Club, chips: Sequence[tuple[int, int, str]]) -> None:
    """Keep which chips a club owns: value, number and colour."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    ChipCase.objects.update_or_create(club=club, defaults={"chips": [list(each) for each in sorted(chips)]})


def use_levels(night: Night, levels: Sequence[Level], *, first: int, actor: User) -> None:
    """Play a night by levels from the position `first` on; those before stay as they were played."""
    say_setup(night, None, levels, actor=actor, first=first)
