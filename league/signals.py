"""The only way the core speaks to the apps above it."""

from django.dispatch import Signal

# Sent inside the saving transaction, with `pool_id`, after the pool's data_version has been raised.
results_changed = Signal()
