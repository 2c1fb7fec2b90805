"""What the next page says after a deletion, with the button that takes it back."""

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubRequest
from league.models import BinItem


def say_with_undo(request: ClubRequest, text: str, address: str) -> None:
    """Show a message on the next page, with a button that posts to `address` (templates/base.html)."""
    messages.success(request, text, extra_tags=address)


def say_deleted(request: ClubRequest, item: BinItem) -> None:
    say_with_undo(
        request,
        _("Deleted: %(item)s. It waits in the bin for 30 days.") % {"item": item},
        reverse("standings:bin-restore", args=[request.club.slug, item.pk]),
    )
