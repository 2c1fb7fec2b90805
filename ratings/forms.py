"""Form of a pool's rating settings. TierParams checks the values; its errors are shown at the fields they name."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from league.models import Season
from ratings.engine.errors import EngineError
from ratings.engine.tier import TierParams
from ratings.error_messages import MESSAGES, message_of
from ratings.parameters import GROUPS, START_LABELS, Parameter, digits, for_readers

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
APART = {"revision", "season"}  # fields that are no parameters
MOST = 1_000_000  # of every number: far above sensible values, far below an overflow
WITHIN = [MinValueValidator(-MOST), MaxValueValidator(MOST)]


class SeasonChoice(forms.ModelChoiceField["Season"]):
    def label_from_instance(self, season: Season) -> str:
        return gettext("From the season %(season)s on, %(day)s") % {
            "season": season,
            "day": season.starts_on.isoformat(),
        }


class SettingsForm(forms.Form):
    """All parameters except the numerical limits; `params` is set once the form is valid."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)
    season = SeasonChoice(
        Season.objects.none(),
        required=False,
        label=gettext_lazy("Which events are rated by these settings"),
        empty_label=gettext_lazy("All events, from the first on"),
        help_text=gettext_lazy(
            "Events before the season keep the settings, rates and badges that they have. Those of the season and all"
            " later ones are rated by the new settings."
        ),
    )

    params: TierParams

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        base: TierParams,
        revision: int,
        season_id: int | None = None,
        seasons: QuerySet[Season] | None = None,
    ) -> None:
        initial = {name: _initial(value) for name, value in asdict(base).items()} | {
            "revision": revision,
            "season": season_id or "",
        }
        super().__init__(data, initial=initial)
        self.base = base
        choice = self.fields["season"]
        assert isinstance(choice, SeasonChoice)
        choice.queryset = Season.objects.none() if seasons is None else seasons
        edited = [
            parameter
            for group in GROUPS
            for parameter in group.parameters
            if parameter.name not in NOT_EDITED
        ]
        for parameter in sorted(edited, key=_position):
            self.fields[parameter.name] = _field(parameter)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            values = {name: value for name, value in data.items() if name not in APART}
            try:
                self.params = replace(self.base, **values)
            except ValueError as error:
                self._refuse(error)
        return data

    def _refuse(self, error: ValueError) -> None:
        """Add the error to the field it names, or to the form if there is no such field or no message for it."""
        if isinstance(error, EngineError) and error.field in self.fields and error.code in MESSAGES:
            self.add_error(error.field, message_of(error))
        else:
            self.add_error(None, str(error))

    @property
    def everyday(self) -> list[forms.BoundField]:
        return [self[name] for name in EVERYDAY]

    @property
    def more(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The other fields in their groups."""
        excluded = {*EVERYDAY, *NOT_EDITED}
        groups = [
            (
                group.label,
                [self[parameter.name] for parameter in group.parameters if parameter.name not in excluded],
            )
            for group in GROUPS
        ]
        return [(label, bound) for label, bound in groups if bound]

    @property
    def has_error_in_more(self) -> bool:
        return any(bound.errors for _label, fields in self.more for bound in fields)


def _position(parameter: Parameter) -> int:
    return EVERYDAY.index(parameter.name) if parameter.name in EVERYDAY else len(EVERYDAY)


def _initial(value: Any) -> Any:
    return digits(value) if isinstance(value, float) else value


def _field(parameter: Parameter) -> forms.Field:
    default = getattr(TierParams(), parameter.name)
    options: dict[str, Any] = {"label": _label(parameter), "help_text": _help(parameter, default)}
    if parameter.name == "season_start":
        return forms.ChoiceField(choices=list(START_LABELS.items()), widget=forms.RadioSelect, **options)
    if isinstance(default, bool):
        return forms.BooleanField(required=False, **options)
    kind = forms.IntegerField if isinstance(default, int) else forms.FloatField
    return kind(validators=WITHIN, **options)


def _label(parameter: Parameter) -> Any:
    return format_lazy("{} ({})", parameter.label, parameter.unit) if parameter.unit else parameter.label


def _help(parameter: Parameter, default: Any) -> Any:
    if parameter.name == "season_start":
        return parameter.help
    return format_lazy(
        gettext_lazy("{help} Published: {value}."),
        help=parameter.help,
        value=for_readers(parameter.name, default),
    )
