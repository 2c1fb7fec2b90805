"""Finishing orders as stored, and the share of skill in them as plain values that can be stored."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import QuerySet

from league.models import Entry, Event

if TYPE_CHECKING:
    from forecasts.engine.skill_share import Orders, SkillShare

BATCH = 5_000
# Raised with every change after which the same orders give other figures, or figures of another form.
REVISION = 1


def orders_of(events: QuerySet[Event]) -> "Orders":
    """Read the finishing orders of some events in the order of their ids: each player's last entry."""
    from forecasts.engine.skill_share import Orders

    entries = Entry.objects.filter(event__in=events, is_last=True).order_by("event_id", "place", "pk")
    rows = entries.values_list("event_id", "player_id", "place").iterator(BATCH)
    columns = np.array([*rows], dtype=np.int64).reshape(-1, 3)
    begins = np.flatnonzero(np.diff(columns[:, 0], prepend=-1))
    return Orders(np.append(begins, len(columns)), columns[:, 1], columns[:, 2])


def digest_of(orders: "Orders") -> str:
    """Digest what the figures follow from."""
    digest = hashlib.sha256(str(REVISION).encode())
    for column in (orders.offset, orders.player, orders.place):
        digest.update(column.tobytes())
    return digest.hexdigest()


def skill_figures(orders: "Orders") -> dict[str, Any]:
    """Compute the share of skill as values of JSON."""
    from forecasts.engine.skill_share import skill_share

    return {"revision": REVISION, **asdict(skill_share(orders))}


def share_of(figures: Mapping[str, Any]) -> "SkillShare | None":
    """Turn stored figures into the engine's; None if there are none of this revision yet."""
    from forecasts.engine.skill_share import Estimate, Growth, SkillShare

    values = dict(figures)
    if values.pop("revision", None) != REVISION:
        return None
    if stored := values["estimate"]:
        growths = {name: Growth(**stored[name]) for name in ("growth", "growth_low", "growth_high")}
        values["estimate"] = Estimate(**stored | growths)
    return SkillShare(**values)
