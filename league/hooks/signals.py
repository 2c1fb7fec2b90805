"""Signals of the core: its only calls to the apps above it."""

from django.dispatch import Signal

# Sent inside the saving transaction, with `pool_id`, after the pool's data_version has been raised.
results_changed = Signal()
# Sent inside the saving transaction, with `event`, `entries` (EntryInput) and `actor`, after a result was saved whose
# list says something about money.
amounts_read = Signal()
# Sent with `plans` (league.services.plans.PlannedResult) before anything is written. A receiver returns why it cannot
# use a result, in a dict by the position of the plan.
results_planned = Signal()
# Sent with `season`, `event` (None for a new one) and `data` (None for a form that is opened) when the form of a result
# is made. A receiver returns a league.hooks.event_parts.EventPart.
event_form_made = Signal()
# Sent inside the saving transaction, with `event`, after an event was put into another season.
event_moved = Signal()
# Sent inside the saving transaction, with `season`, `taken_from` (None if the season begins with nothing) and `actor`,
# after a season was begun. A receiver copies what its app keeps of the other season.
season_opened = Signal()
# Sent with `season` before another one takes over from it. A receiver returns what of it would be taken over and what
# not: a league.hooks.taking_over.TakenOver.
season_taken_over = Signal()
# Sent with `request` of a page of a club whose reader may enter results. A receiver returns how many things wait.
waiting_counted = Signal()
# Sent inside the saving transaction, with `club`, `keys` (of the names of a player) and `name` (the pseudonym), after a
# name was replaced for good. A receiver replaces it in what its app stores of the past.
name_forgotten = Signal()
# Sent inside the saving transaction, with `rsvp`, after a member has said whether to come to a planned event.
answer_given = Signal()
# Sent every hour. A receiver deletes what has expired of its app.
purging = Signal()
