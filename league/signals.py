"""Signals of the core: its only calls to the apps above it."""

from django.dispatch import Signal

# Sent inside the saving transaction, with `pool_id`, after the pool's data_version has been raised.
results_changed = Signal()
# Sent with `plans` (league.services.plans.PlannedResult) before anything is written. A receiver returns why it cannot
# use a result, in a dict by the position of the plan.
results_planned = Signal()
