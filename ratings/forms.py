"""The form of a pool's settings. What makes no sense is TierParams' own judgement, told at the field it names."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from ratings.engine.errors import EngineError
from ratings.engine.tier import TierParams
from ratings.error_messages import MESSAGES, message_of
from ratings.parameters import GROUPS, START_LABELS, Parameter, digits, shown

EVERYDAY = (
    "season_start",
    "season_sigma",
    "rate_floor",
    "sigma_floor",
    "tau_per_day",
    "provisional_entries",
    "badge_top",
    "badge_step",
)
NOT_EDITED = {"tolerance", "max_rounds"}
MOST = 1_000_000  # of any number: far beyond what makes sense, far below what overflows
WITHIN = [MinValueValidator(-MOST), MaxValueValidator(MOST)]


class SettingsForm(forms.Form):
    """Every parameter but the numerical limits; `params` once it is valid."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)

    params: TierParams

    def __init__(self, data: Mapping[str, Any] | None, *, base: TierParams, revision: int) -> None:
        initial = {name: _typed(value) for name, value in asdict(base).items()} | {"revision": revision}
        super().__init__(data, initial=initial)
        self.base = base
        edited = [it for group in GROUPS for it in group.parameters if it.name not in NOT_EDITED]
        for it in sorted(
            edited, key=lambda it: EVERYDAY.index(it.name) if it.name in EVERYDAY else len(EVERYDAY)
        ):
            self.fields[it.name] = _field(it)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            values = {name: value for name, value in data.items() if name != "revision"}
            try:
                self.params = replace(self.base, **values)
            except ValueError as error:
                self._refuse(error)
        return data

    def _refuse(self, error: ValueError) -> None:
        """At the field that the engine names, if the page has it and there are words for its code."""
        if isinstance(error, EngineError) and error.field in self.fields and error.code in MESSAGES:
            self.add_error(error.field, message_of(error))
        else:
            self.add_error(None, str(error))

    @property
    def everyday(self) -> list[forms.BoundField]:
        return [self[name] for name in EVERYDAY]

    @property
    def more(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The rest in its groups."""
        rest = [(it.label, [p.name for p in it.parameters if p.name not in EVERYDAY]) for it in GROUPS]
        shown_ones = [(label, [self[name] for name in names if name in self.fields]) for label, names in rest]
        return [(label, bound) for label, bound in shown_ones if bound]

    @property
    def has_error_in_more(self) -> bool:
        return any(bound.errors for _label, fields in self.more for bound in fields)


def _typed(value: Any) -> Any:
    return digits(value) if isinstance(value, float) else value


def _field(it: Parameter) -> forms.Field:
    default = getattr(TierParams(), it.name)
    options: dict[str, Any] = {"label": _label(it), "help_text": _help(it, default)}
    if it.name == "season_start":
        return forms.ChoiceField(choices=list(START_LABELS.items()), widget=forms.RadioSelect, **options)
    if isinstance(default, bool):
        return forms.BooleanField(required=False, **options)
    kind = forms.IntegerField if isinstance(default, int) else forms.FloatField
    return kind(validators=WITHIN, **options)


def _label(it: Parameter) -> Any:
    return format_lazy("{} ({})", it.label, it.unit) if it.unit else it.label


def _help(it: Parameter, default: Any) -> Any:
    if it.name == "season_start":
        return it.help
    return format_lazy(
        gettext_lazy("{help} Published: {value}."), help=it.help, value=shown(it.name, default)
    )
