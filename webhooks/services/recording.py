"""The lines of a club's history about its hooks."""

from django.contrib.auth.models import User

from league.models import AccessChange
from people.services.access_changes import record_access_change
from webhooks.models import Hook


def record_hook(hook: Hook, kind: AccessChange.Kind, actor: User | None) -> None:
    """Record what became of a hook; its address is a secret, and stays out of the history."""
    side = {"name": hook.name, "target": hook.target, "is_on": hook.is_on}
    is_gone = kind == AccessChange.Kind.HOOK_REMOVED
    record_access_change(
        hook.club, kind=kind, actor=actor, before=side if is_gone else None, after=None if is_gone else side
    )
