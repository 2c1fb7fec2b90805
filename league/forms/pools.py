"""The choice of a rating pool."""

from django import forms
from django.utils.translation import gettext as _

from league.models import Pool, PoolKind


class PoolChoice(forms.ModelChoiceField["Pool"]):
    def label_from_instance(self, pool: Pool) -> str:
        return _("%(pool)s (%(kind)s)") % {"pool": pool.name, "kind": PoolKind(pool.kind).label}
