"""Reads shared by pages, API and tasks."""

from django.contrib.auth.models import AnonymousUser, User
from django.db import DatabaseError, connection
from django.db.models import Max, QuerySet

from league.models import Change, Club, Player

MAX_SUGGESTED = 2_000


def clubs_for(user: User | AnonymousUser) -> QuerySet[Club]:
    return Club.objects.visible_to(user)


def players_by_key(club: Club) -> dict[str, tuple[int, str]]:
    """(id, name) of each player by the key of his name."""
    rows = Player.objects.filter(club=club).values_list("key", "pk", "name")
    return {key: (pk, name) for key, pk, name in rows}


def regulars(club: Club) -> list[str]:
    """Names to offer while typing, those seen last first."""
    rows = (
        Player.objects.filter(club=club)
        .annotate(seen_at=Max("entries__event__starts_at"))
        .order_by("-seen_at", "key")
        .values_list("name", flat=True)
    )
    return list(rows[:MAX_SUGGESTED])


def changes_of(club: Club) -> QuerySet[Change]:
    """What was entered and corrected, the newest first."""
    return Change.objects.filter(pool__club=club).select_related("event__season__club", "season", "actor")


def is_database_up() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True
