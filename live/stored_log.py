"""Read the log of a night from the database."""

from django.db.models import QuerySet

from live.engine.actions import Action
from live.engine.project import log_of, project, undone_by
from live.engine.state import Night as State
from live.models import Action as StoredAction
from live.models import Night


def stored_actions(night: Night) -> QuerySet[StoredAction]:
    return night.actions.select_related("device").order_by("seq")


def action_of(row: StoredAction) -> Action:
    return Action(
        row.name, str(row.device.token), row.counter, row.kind, row.body, row.at_ms, row.received_ms
    )


def state_of(night: Night) -> State:
    """Project the log of a night as it is stored now."""
    return project(action_of(row) for row in stored_actions(night))


def standing_actions(night: Night) -> list[Action]:
    """List the actions of a night that are not undone, in their order."""
    actions = log_of(action_of(row) for row in stored_actions(night)).actions
    undone = undone_by(actions)
    return [action for action in actions if action.id not in undone]
