"""Writes and reads of what members decided at the practice table."""

from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Case, Count, Q, Value, When
from django.utils import timezone

from lab.models import PracticeDecision
from league.models import Club

KEPT = timedelta(days=365)
# Stacks up to so many big blinds are one column of the record.
STACKS = (6, 10, 15)


@transaction.atomic
def record_decision(user: User | AnonymousUser, decision: PracticeDecision) -> bool:
    """Store a decision of a signed-in user. Idempotent; return False if nothing was stored."""
    if not user.is_authenticated:
        return False
    decision.user = user
    same = PracticeDecision.objects.filter(user=user, round=decision.round, number=decision.number)
    if same.exists():
        return False
    # A request at the same moment may have stored it meanwhile.
    PracticeDecision.objects.bulk_create([decision], ignore_conflicts=True)
    return True


def purge_decisions() -> int:
    """Delete decisions that are kept no longer; return how many."""
    n_deleted, _by_model = PracticeDecision.objects.filter(made_at__lt=timezone.now() - KEPT).delete()
    return n_deleted


class Mistakes(NamedTuple):
    """Mistakes among the decisions in one seat with stacks of one column."""

    mistakes: int
    decisions: int


def mistakes_of(user: User | AnonymousUser, club: Club | None) -> dict[str, list[Mistakes | None]]:
    """Count somebody's mistakes by seat and column of `STACKS`, in one query; None without a decision."""
    if not user.is_authenticated:
        return {}
    column = Case(*[When(stack__lte=most, then=Value(most)) for most in STACKS], default=Value(STACKS[-1]))
    rows = (
        PracticeDecision.objects.filter(user=user, club=club)
        .values("position", up_to=column)
        .annotate(mistakes=Count("pk", filter=Q(is_right=False)), decisions=Count("pk"))
    )
    record: dict[str, list[Mistakes | None]] = {}
    for row in rows:
        cells = record.setdefault(row["position"], [None] * len(STACKS))
        cells[STACKS.index(row["up_to"])] = Mistakes(row["mistakes"], row["decisions"])
    return record
