"""Begin a night, call it off and open it again."""

import time
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Club, PlannedEvent, Season
from league.services.changes import require_not_sealed
from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.engine.bounties import MYSTERY
from live.models import Night, Role
from live.services.log import decide
from live.services.passes import MOST_PLAYERS, make_pass, page_device
from live.services.seating import DRAWN, commit_seed
from live.services.storing import Decision
from live.stored_log import state_of


@transaction.atomic
def begin_night(
    club: Club,
    *,
    starts_at: datetime,
    season: Season | None,
    planned_event: PlannedEvent | None,
    name: str,
    setup: dict[str, Any],
    form_token: uuid.UUID,
    actor: User,
    levels: Sequence[dict[str, Any]] = (),
    beside: Night | None = None,
) -> Night:
    """Begin a night; its first actions are its setup, its levels, and the fingerprint of the draw if seats are drawn.

    If the form_token is stored already, return its night.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if saved := Night.objects.filter(form_token=form_token, club=club).first():
        return saved
    if season is not None:
        require_not_sealed(season)
        if season.is_closed:
            raise Refused(
                _("The season %(season)s is closed. Reopen it to change its results.") % {"season": season}
            )
    night = Night.objects.create(
        club=club,
        season=season,
        planned_event=planned_event,
        beside=beside,
        name=name,
        starts_at=starts_at,
        form_token=form_token,
        created_by=actor,
    )
    say_setup(night, setup, levels, actor=actor)
    make_pass(night, role=Role.HELPER, actor=actor)
    make_pass(night, role=Role.PLAYER, max_devices=MOST_PLAYERS, actor=actor)
    return night


@transaction.atomic
def say_setup(
    night: Night,
    setup: dict[str, Any] | None,
    levels: Sequence[dict[str, Any]] | None,
    *,
    actor: User,
    first: int = 0,
) -> None:
    """Put setup and levels into the log, as far as they are given and different; levels from the position `first`."""
    current = Night.objects.select_for_update().get(pk=night.pk)
    state = state_of(current)
    if setup and (setup.get("seating") == DRAWN or (setup.get("bounty") or {}).get("kind") == MYSTERY):
        commit_seed(current, now_ms=now_ms())
    said: list[tuple[str, dict[str, Any]]] = []
    if setup is not None and (setup != state.setup or not state.setup):
        said.append(("setup", setup))
    if levels is not None and list(levels) != state.levels[first:]:
        said.append(("levels", {"levels": list(levels), "first": first}))
    for kind, body in said:
        decide(page_device(current, actor), Decision(str(uuid.uuid4()), kind, body), now_ms=now_ms())


@transaction.atomic
def call_off(night: Night) -> None:
    """Take a night back that was begun by mistake. Idempotent; `reopen` undoes it."""
    current = Night.objects.select_for_update().get(pk=night.pk)
    if current.stage == Night.Stage.PUBLISHED:
        raise Refused(_("The night is published. Correct or delete its %(event_word)s instead."))
    Night.objects.filter(pk=night.pk).update(stage=Night.Stage.CALLED_OFF)


@transaction.atomic
def reopen(night: Night) -> None:
    """Open a night again that was called off. Idempotent."""
    Night.objects.filter(pk=night.pk, stage=Night.Stage.CALLED_OFF).update(stage=Night.Stage.OPEN)


def now_ms() -> int:
    return time.time_ns() // 1_000_000
