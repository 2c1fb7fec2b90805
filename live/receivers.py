"""Answers of live nights to signals of the core."""

from collections.abc import Collection
from typing import Any

from django.dispatch import receiver

from league.hooks.signals import name_forgotten
from league.models import Club
from live.models import Action, HeldAction
from people.services.hidden_names import without_names


@receiver(name_forgotten)
def replace_name(club: Club, keys: Collection[str], name: str, **_kwargs: Any) -> None:
    """Replace a name in the logs of a club's nights; it is the one change that actions ever see."""
    for rows, field in (
        (
            Action.objects.filter(night__club=club, kind__in=("setup", "enter", "ask_in", "admit", "note")),
            "body",
        ),
        (HeldAction.objects.filter(night__club=club), "raw"),
    ):
        for row in rows.iterator():
            old = getattr(row, field)
            new = without_names(old, keys, name)
            if new != old:
                type(row)._base_manager.filter(pk=row.pk).update(**{field: new})
