"""Forms of a pool's rating settings. The engine checks the values; its errors are shown at the fields they name."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.text import format_lazy

from entry.forms.results import MAX_TEXT
from league.models import PoolKind, Season
from league.vocabulary import gettext, gettext_lazy
from ratings.engine.errors import EngineError
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams
from ratings.error_messages import MESSAGES, message_of
from ratings.parameters import CHOICES, digits, for_readers, groups_of
from ratings.queries import BadgeBounds, published_values, spaced_badges
from ratings.tier_parameters import Parameter

NOT_EDITED = {"tolerance", "max_rounds"}
APART = {"revision", "season"}  # fields that are no parameters
MOST_DIGITS = 5  # of a bound in an address
BADGES = ("badge_top", "badge_step")  # fields that are no parameters of R
Params: TypeAlias = TierParams | ProfitParams
MOST = 1_000_000  # of every number: far above sensible values, far below an overflow
WITHIN = [MinValueValidator(-MOST), MaxValueValidator(MOST)]


class SeasonChoice(forms.ModelChoiceField["Season"]):
    def label_from_instance(self, season: Season) -> str:
        return gettext("From the season %(season)s on, %(day)s") % {
            "season": season,
            "day": date_format(season.starts_on, "DATE_FORMAT"),
        }


class SettingsForm(forms.Form):
    """All parameters of TIER except the numerical limits; `params` is set once the form is valid."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)
    season = SeasonChoice(
        Season.objects.none(),
        required=False,
        label=gettext_lazy("Which %(events_word)s are rated by these settings"),
        empty_label=gettext_lazy("All %(events_word)s, from the first on"),
        help_text=gettext_lazy(
            "%(Events_word)s before the season keep the settings, rates and badges that they have. Those of the"
            " season and all"
            " later ones are rated by the new settings."
        ),
    )

    kind = PoolKind.TIER
    everyday_names: tuple[str, ...] = (
        "season_start",
        "season_sigma",
        "rate_floor",
        "sigma_floor",
        "tau_per_day",
        "provisional_entries",
        "late_charge",
        "badge_top",
        "badge_step",
    )
    params: Params
    badge_bounds: BadgeBounds | None = None

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        values: Mapping[str, Any],
        revision: int,
        season_id: int | None = None,
        seasons: QuerySet[Season] | None = None,
    ) -> None:
        """Show `values`, those of a revision by name (`ratings.queries.values_of`)."""
        initial = {name: _initial(value) for name, value in values.items()} | {
            "revision": revision,
            "season": season_id or "",
        }
        super().__init__(data, initial=initial)
        self.values = dict(values)
        choice = self.fields["season"]
        assert isinstance(choice, SeasonChoice)
        choice.queryset = Season.objects.none() if seasons is None else seasons
        published = published_values(self.kind, values)
        edited = [
            parameter
            for group in groups_of(self.kind)
            for parameter in group.parameters
            if parameter.name not in NOT_EDITED
        ]
        for parameter in sorted(edited, key=self._position):
            self.fields[parameter.name] = _field(parameter, published[parameter.name])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            values = {name: value for name, value in data.items() if name not in APART}
            try:
                self.take(self.values | values)
            except ValueError as error:
                self._refuse(error)
        return data

    def take(self, values: Mapping[str, Any]) -> None:
        """Set `params`. Raise ValueError for values that make no sense."""
        self.params = TierParams(**values)

    def _refuse(self, error: ValueError) -> None:
        """Add the error to the field it names, or to the form if there is no such field or no message for it."""
        if isinstance(error, EngineError) and error.field in self.fields and error.code in MESSAGES:
            self.add_error(error.field, message_of(error))
        else:
            self.add_error(None, str(error))

    @property
    def everyday(self) -> list[forms.BoundField]:
        return [self[name] for name in self.everyday_names]

    @property
    def more(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The other fields in their groups."""
        excluded = {*self.everyday_names, *NOT_EDITED}
        groups = [
            (
                group.label,
                [self[parameter.name] for parameter in group.parameters if parameter.name not in excluded],
            )
            for group in groups_of(self.kind)
        ]
        return [(label, bound) for label, bound in groups if bound]

    @property
    def has_error_in_more(self) -> bool:
        return any(bound.errors for _label, fields in self.more for bound in fields)

    def _position(self, parameter: Parameter) -> int:
        names = self.everyday_names
        return names.index(parameter.name) if parameter.name in names else len(names)


class ProfitSettingsForm(SettingsForm):
    """All parameters of R, and the bounds of its badges, which a pool need not have."""

    kind = PoolKind.PROFIT
    everyday_names = ("system", "f", "g", "provisional_games", "badge_top", "badge_step")

    def take(self, values: Mapping[str, Any]) -> None:
        self.params = ProfitParams(**{name: value for name, value in values.items() if name not in BADGES})
        top, step = (values[name] for name in BADGES)
        if (top is None) != (step is None):
            missing = BADGES[0] if top is None else BADGES[1]
            self.add_error(missing, gettext("Badges need both numbers; without badges leave both empty."))
        elif top is not None:
            self.badge_bounds = spaced_badges(top, step)


def form_of(kind: str) -> type[SettingsForm]:
    return ProfitSettingsForm if kind == PoolKind.PROFIT else SettingsForm


def badges_typed(query: Mapping[str, str]) -> dict[str, float]:
    """Read bounds of badges from an address that fills them in; nothing unless both are whole numbers."""
    typed = {name: query.get(name, "") for name in BADGES}
    if not all(text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS for text in typed.values()):
        return {}
    return {name: float(text) for name, text in typed.items()}


def _initial(value: Any) -> Any:
    return digits(value) if isinstance(value, float) else value


def _field(parameter: Parameter, published: Any) -> forms.Field:
    """Make the form field of a parameter; it may stay empty if the published value is None."""
    options: dict[str, Any] = {"label": _label(parameter), "help_text": _help(parameter, published)}
    if parameter.name in CHOICES:
        choices = list(CHOICES[parameter.name].items())
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **options)
    if isinstance(published, bool):
        return forms.BooleanField(required=False, **options)
    kind = forms.IntegerField if isinstance(published, int) else forms.FloatField
    return kind(validators=WITHIN, required=published is not None, **options)


def _label(parameter: Parameter) -> Any:
    return format_lazy("{} ({})", parameter.label, parameter.unit) if parameter.unit else parameter.label


def _help(parameter: Parameter, published: Any) -> Any:
    if parameter.name in CHOICES:
        return parameter.help
    return format_lazy(
        gettext_lazy("{help} Default: {value}."),
        help=parameter.help,
        value=for_readers(parameter.name, published),
    )


class BroughtRatingsForm(forms.Form):
    """A list of ratings of an older system, all of one day."""

    text = forms.CharField(
        label=gettext_lazy("Ratings, one player a line"),
        required=False,
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea({"spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}),
    )
    day = forms.DateField(
        label=gettext_lazy("Ratings of the day"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("%(Events_word)s from this day on move them further."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)
