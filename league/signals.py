"""The only way the core speaks to the apps above it."""

from django.dispatch import Signal

# Sent inside the saving transaction, with `pool_id`, after the pool's data_version has been raised.
results_changed = Signal()
# Sent inside the saving transaction, with `event`, once its entries are written: an app above that cannot use the
# result raises league.services.errors.BadResult, and nothing is saved.
result_saved = Signal()
