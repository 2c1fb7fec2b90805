"""Record changes of rights: members, keys, passwords, second factors, rules of access. Secrets are never recorded."""

from typing import Any

from django.contrib.auth.models import User

from league.models import AccessChange, Club
from league.rights import RIGHTS, Act


def record_access_change(
    club: Club,
    *,
    kind: AccessChange.Kind,
    actor: User | None,
    person: User | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AccessChange:
    return AccessChange.objects.create(
        club=club,
        kind=kind,
        actor=actor,
        person=person.username if person else "",
        before=before or {},
        after=after or {},
    )


def record_in_clubs_of(
    person: User, *, kind: AccessChange.Kind, actor: User | None, **details: dict[str, Any]
) -> None:
    """Record a change of an account in each club that its owner can write in."""
    for club in Club.objects.filter(
        memberships__user=person, memberships__role__gte=RIGHTS[Act.ENTER_RESULTS]
    ):
        record_access_change(club, kind=kind, actor=actor, person=person, **details)
