"""The only way the core speaks to the apps above it."""

from django.dispatch import Signal

# Sent inside the saving transaction, with `pool_id`, after the pool's data_version has been raised.
results_changed = Signal()
# Sent with `plans`, some league.services.plans.PlannedResult, while nothing of them is written: an app above that
# cannot use a result answers with why, in a dict by the position of the plan.
results_planned = Signal()
