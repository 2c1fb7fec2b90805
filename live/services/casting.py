"""Screens that show a code: an organizer types it, and the screen becomes one of the night."""

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.models import Cast, Device, Night, Role
from live.services.passes import add_device, hash_of, require_room

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
N_LETTERS = 6
LASTS = timedelta(minutes=15)
MOST_WAITING = 500  # screens of the site that wait at once


def new_cast() -> tuple[str, str]:
    """Let a screen wait; return the code that it shows and the token by which it asks. Raise Refused if too many do."""
    Cast.objects.filter(created_at__lt=timezone.now() - LASTS).delete()
    if Cast.objects.count() >= MOST_WAITING:
        raise Refused(_("Too many screens are waiting just now. Try again in some minutes."))
    token = secrets.token_urlsafe(16)
    while True:
        code = "".join(secrets.choice(LETTERS) for _i in range(N_LETTERS))
        try:
            with transaction.atomic():
                Cast.objects.create(code=code, token_sha256=hash_of(token))
        except IntegrityError:  # another screen has this code
            continue
        return code, token


def show_on(night: Night, code: str, *, beside: Night | None = None) -> None:
    """Show a night on the screen that shows a code, and another one beside it. Idempotent.

    Raise Refused for a code that no screen shows.
    """
    typed = "".join(code.upper().split())
    waiting = Cast.objects.filter(code=typed, created_at__gte=timezone.now() - LASTS)
    if (
        not waiting.filter(night__isnull=True).update(night=night, beside=beside)
        and not waiting.filter(night=night).exists()
    ):
        raise Refused(
            _("No screen shows this code. A code lasts 15 minutes; load the page on the screen again.")
        )


@transaction.atomic
def take_cast(token: str, *, name: str) -> list[tuple[Device, str]]:
    """Make a screen that was let in a device of its nights; of none while it waits.

    Raise Refused once its code is over.
    """
    waiting = Cast.objects.select_for_update().filter(
        token_sha256=hash_of(token), created_at__gte=timezone.now() - LASTS
    )
    found = waiting.first()
    if found is None:
        raise Refused(_("This code is over. Load the page again."))
    if found.night_id is None:
        return []
    nights = Night.objects.select_for_update().filter(pk__in=[found.night_id, found.beside_id]).order_by("pk")
    of_screen = sorted(nights, key=lambda night: night.pk != found.night_id)
    for night in of_screen:
        require_room(night)
    found.delete()
    return [add_device(night, name=name, role=Role.SCREEN) for night in of_screen]
