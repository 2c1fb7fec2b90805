"""The form that begins a night: each line has a default, those of the last night first."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import DecimalValidator
from django.utils import timezone

from league.forms.names import MAX_TITLE, checked_name
from league.models import Club, PlannedEvent, Season
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from live.models import Night
from live.queries import seasons_of_day
from live.results import decimals_of
from payouts.models import ClubMoney

MOST_CHIPS = 10_000_000
MAX_WHOLE = 9  # digits of an amount before its decimals
FIVE_MINUTES = 300
A_YEAR = timedelta(days=366)
PRICES = ("cost", "rebuy", "addon")


def _price(label: Any, help_text: Any = "") -> forms.DecimalField:
    return forms.DecimalField(label=label, help_text=help_text, required=False, min_value=0)


class StartForm(forms.Form):
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Starts"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE, required=False)
    season: "forms.ModelChoiceField[Season]" = forms.ModelChoiceField(
        Season.objects.none(),
        label=gettext_lazy("Season"),
        required=False,
        empty_label=gettext_lazy("No season yet"),
    )
    stack = forms.IntegerField(
        label=gettext_lazy("Starting stack"), required=False, min_value=1, max_value=MOST_CHIPS
    )
    cost = _price(gettext_lazy("Buy-in"), gettext_lazy("Empty if no money is on the table."))
    rebuy = _price(gettext_lazy("Price of a rebuy"), gettext_lazy("Empty: there are none."))
    addon = _price(gettext_lazy("Price of an add-on"), gettext_lazy("Empty: there are none."))
    planned: "forms.ModelChoiceField[PlannedEvent]" = forms.ModelChoiceField(
        PlannedEvent.objects.none(), required=False, widget=forms.HiddenInput
    )
    form_token = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any] | None, *, club: Club, planned: PlannedEvent | None) -> None:
        money = ClubMoney.objects.filter(club=club).first()
        self.decimals = money.decimals if money else 0
        self.currency = money.currency if money else ""
        super().__init__(data, initial=_initial(club, planned))
        seasons = club.seasons.filter(is_closed=False, is_sealed=False).order_by("-starts_on", "-pk")
        self.fields["season"].queryset = seasons  # type: ignore[attr-defined]  # a choice field
        plans = PlannedEvent.objects.filter(season__club=club)
        self.fields["planned"].queryset = plans  # type: ignore[attr-defined]  # a choice field
        for name in PRICES:
            self.fields[name].validators.append(DecimalValidator(MAX_WHOLE + self.decimals, self.decimals))
            self.fields[name].widget.attrs["step"] = str(Decimal(1).scaleb(-self.decimals))

    def clean_starts_at(self) -> datetime:
        starts_at: datetime = self.cleaned_data["starts_at"]
        if abs(starts_at - timezone.now()) > A_YEAR:
            raise forms.ValidationError(_("Choose a day within a year of today."))
        return starts_at

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE) if self.cleaned_data["name"] else ""

    @property
    def setup(self) -> dict[str, Any]:
        """Write what the log says first: stack and prices, in the smallest unit of money."""
        prices = {name: self.cleaned_data[name] for name in PRICES if self.cleaned_data[name]}
        said: dict[str, Any] = {name: int(price.scaleb(self.decimals)) for name, price in prices.items()}
        if self.cleaned_data["stack"]:
            said["stack"] = self.cleaned_data["stack"]
        if prices:
            said |= {"decimals": self.decimals, "currency": self.currency}
        return said


def _initial(club: Club, planned: PlannedEvent | None) -> dict[str, Any]:
    """Take over stack and prices of the last night, and day and name of what is planned."""
    values: dict[str, Any] = {"starts_at": _next_five_minutes(), "form_token": uuid.uuid4()}
    values |= _of_last_night(club)
    values["season"] = next(iter(seasons_of_day(club, timezone.localdate())), None)
    if planned:
        values |= {
            "starts_at": timezone.localtime(planned.starts_at),
            "name": planned.name,
            "season": planned.season,
            "planned": planned,
        }
    return values


def _of_last_night(club: Club) -> dict[str, Any]:
    last = Night.objects.filter(club=club).exclude(stage=Night.Stage.CALLED_OFF).first()
    first = last.actions.filter(kind="setup").order_by("-seq").first() if last else None
    if first is None:
        return {}
    setup = first.body
    prices = {name: Decimal(setup[name]).scaleb(-decimals_of(setup)) for name in PRICES if setup.get(name)}
    return {"stack": setup.get("stack"), **prices}


def _next_five_minutes() -> datetime:
    now = timezone.localtime()
    past = (now.minute * 60 + now.second) % FIVE_MINUTES
    return (now + timedelta(seconds=(FIVE_MINUTES - past) % FIVE_MINUTES)).replace(second=0, microsecond=0)
