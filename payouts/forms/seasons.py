"""The forms of a season with its rules."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from league.forms.names import MAX_TITLE, checked_name
from league.forms.slugs import PROPOSES_SLUG, ProposedSlugField
from league.models import Club, Season
from league.services.slugs import MOST_OF_SEASON, propose_season_slug
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from payouts.forms.rules import RulesForm

FIRST, LAST = date(1900, 1, 1), date(2200, 1, 1)
IN_RANGE = [MinValueValidator(FIRST), MaxValueValidator(LAST)]
# Choosing another season fills the whole form in, as its button does.
FILLS_IN = {
    "hx-post": "",
    "hx-vals": '{"fill": "1"}',
    "hx-target": "#main",
    "hx-select": "#main",
    "hx-swap": "outerHTML",
}
OF_SEASON = ("name", "slug", "starts_on", "ends_on")


class SeasonForm(RulesForm):
    """A season and its rules on one page."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE)
    slug = ProposedSlugField(max_length=MOST_OF_SEASON)
    starts_on = forms.DateField(
        label=gettext_lazy("First day"),
        validators=IN_RANGE,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Last day"),
        validators=IN_RANGE,
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Empty while the end is open."),
    )
    settle_again = forms.BooleanField(
        label=gettext_lazy("Apply to finished %(events_word)s too"),
        required=False,
        help_text=gettext_lazy("Otherwise they keep the points they were settled with."),
    )

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        first, last = data.get("starts_on"), data.get("ends_on")
        if isinstance(first, date) and isinstance(last, date) and last < first:
            self.add_error("ends_on", _("The last day is before the first."))
        return data

    # Version of the rules when the form was opened; empty for a new season.
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    @property
    def season_fields(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in OF_SEASON}


class NewSeasonForm(SeasonForm):
    """A season that takes over from another one. `filled_from` is the one whose rules the form shows."""

    taken_from = forms.ModelChoiceField(
        Season.objects.none(),
        label=gettext_lazy("Take over from"),
        required=False,
        empty_label=gettext_lazy("none: rules of its own"),
        widget=forms.Select(FILLS_IN),
    )
    filled_from = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        del self.fields["settle_again"], self.fields["version"]
        choice, address = self.fields["taken_from"], self.fields["slug"]
        assert isinstance(choice, forms.ModelChoiceField)
        assert isinstance(address, ProposedSlugField)
        choice.queryset = club.seasons.select_related("pool", "rules")
        name = str(self["name"].value() or "")
        address.propose(propose_season_slug(club, name, self._first_day) if name else "")
        self.fields["name"].widget.attrs |= PROPOSES_SLUG | {"hx-include": "[name=starts_on]"}

    @property
    def _first_day(self) -> date | None:
        try:
            return date.fromisoformat(str(self["starts_on"].value()))
        except ValueError:
            return None

    @property
    def is_to_be_filled(self) -> bool:
        """Tell whether the rules on the form are not those of the season that was chosen."""
        chosen, filled = (self.data.get(name) or "" for name in ("taken_from", "filled_from"))
        return "fill" in self.data or chosen != filled

    @property
    def typed(self) -> dict[str, Any]:
        """Return what was typed of the season itself, whose rules are filled in."""
        return {name: self.data.get(name, "") for name in OF_SEASON}
