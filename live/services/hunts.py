"""Keep who put whom out at the nights of a club."""

from collections.abc import Mapping

from league.models import Entry as StoredEntry
from live.engine.state import Night as State
from live.models import Hunt, Night


def set_hunts(night: Night, state: State, entry_of: Mapping[str, StoredEntry]) -> None:
    """Make the stored knock-outs of a night equal those of its log, where both are in its result. Idempotent."""
    found = {
        entry_of[entry.id].pk: entry_of[entry.by].pk
        for entry in state.entries.values()
        if entry.by and entry.id in entry_of and entry.by in entry_of
    }
    stored = dict(Hunt.objects.filter(night=night).values_list("hunted", "hunter"))
    if stored == found:
        return
    Hunt.objects.filter(night=night).delete()
    Hunt.objects.bulk_create(
        Hunt(night=night, hunter_id=hunter, hunted_id=hunted) for hunted, hunter in sorted(found.items())
    )
