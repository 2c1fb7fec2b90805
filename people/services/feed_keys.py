"""The secret addresses by which programs of a member read calendar and feeds of a club."""

import uuid

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Club, Membership


@transaction.atomic
def renew_feed_key(club: Club, *, user: User, present: str) -> None:
    """Replace a member's feed key if it still equals `present`, so that a resubmitted form renews it once."""
    member = Membership.objects.select_for_update().filter(club=club, user=user).first()
    if member and str(member.feed_key or "") == present:
        member.feed_key = uuid.uuid4()
        member.save(update_fields=["feed_key"])
