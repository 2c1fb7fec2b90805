"""Erase for good what was deleted long ago."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.models import Club
from standings.archive.parts import PARTS
from standings.models import ArchiveDraft

DRAFTS_KEPT_FOR = timedelta(days=1)


@transaction.atomic
def erase_club(club: Club) -> None:
    """Delete every row of a club, from the rows that nothing refers to up to the club itself."""
    for part in reversed(PARTS):
        part.rows(club).delete()


def erase_expired() -> None:
    """Erase the clubs that can no longer be restored, and expired archive uploads."""
    for club in Club.objects.expired():
        erase_club(club)
    ArchiveDraft.objects.filter(uploaded_at__lte=timezone.now() - DRAFTS_KEPT_FOR).delete()
