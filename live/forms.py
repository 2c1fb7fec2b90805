"""Forms of a night: how it is played, and how it begins; each line has a default, those of the last night first."""

import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import DecimalValidator
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from league.forms.names import MAX_TITLE, checked_name
from league.models import Club, PlannedEvent, Season
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from live.engine.actions import LEAST_SEATS, MOST_ENTRIES_OF_A_HAND, MOST_SEATS
from live.engine.prizes import decimals_of, shares_of
from live.models import BlindStructure, Night
from live.queries import seasons_of_day
from live.services.blinds import last_levels
from payouts.models import ClubMoney

MOST_CHIPS = 10_000_000
MOST_PLAYERS = 200
MOST_LEVEL = 99
FEW_NIGHTS = 5  # among which a tournament is looked for
MOST_LISTED = MOST_ENTRIES_OF_A_HAND
MAX_WHOLE = 9  # digits of an amount before its decimals
FIVE_MINUTES = 300
A_YEAR = timedelta(days=366)
PRICES = ("cost", "fee", "rebuy", "addon", "guarantee", "bounty_amount")
COUNTS = ("stack", "addon_chips", "expected", "closing_level", "table_size", "final_size")
FIXED_SEAT = re.compile(r"\s*(.+?)\s*[:：]\s*(\d{1,3})\s*[,;/ 、]\s*(\d{1,3})\s*")  # Edda: 2, 1
OWN_STACK = re.compile(r"\s*(.+?)\s*[:：]\s*([0-9][0-9,]{0,11})\s*")  # Edda: 12,000
LAST, PROPOSED = "last", "proposed"  # levels


def _price(label: Any, help_text: Any = "") -> forms.DecimalField:
    return forms.DecimalField(label=label, help_text=help_text, required=False, min_value=0)


def _count(
    label: Any, help_text: Any = "", *, least: int = 1, most: int = MOST_PLAYERS
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=least, max_value=most
    )


class SetupForm(forms.Form):
    """How a night is played, as its log says it. `GROUPS` are the lines of the page."""

    format = forms.ChoiceField(
        label=gettext_lazy("What is played"),
        choices=(
            ("", gettext_lazy("a tournament")),
            ("cash", gettext_lazy("a cash table: everybody leaves with what they have")),
        ),
        required=False,
    )
    expected = _count(gettext_lazy("Players expected"), gettext_lazy("Only for proposals. Who comes, comes."))
    stack = _count(gettext_lazy("Starting stack"), most=MOST_CHIPS)
    own_stacks = forms.CharField(
        label=gettext_lazy("Begins with another stack"),
        help_text=gettext_lazy(
            "A line for each: name: chips. As in a final where the season’s points are chips."
        ),
        widget=forms.Textarea({"rows": 2}),
        max_length=3000,
        required=False,
    )
    closing_level = _count(
        gettext_lazy("Late entry until the end of level"), gettext_lazy("Empty: always."), most=MOST_LEVEL
    )
    self_in = forms.BooleanField(
        label=gettext_lazy("Members check in with their own phones"),
        help_text=gettext_lazy("Those whose account is joined to a player; everybody else is asked about."),
        required=False,
    )
    self_out = forms.BooleanField(
        label=gettext_lazy("Players may say on their phones that they are out"),
        help_text=gettext_lazy("The desk is asked; nobody goes out by it."),
        required=False,
    )
    cost = _price(gettext_lazy("Buy-in"), gettext_lazy("Empty if no money is on the table."))
    fee = _price(gettext_lazy("Of it, the fee"), gettext_lazy("It does not go into the prize pool."))
    rebuy = _price(gettext_lazy("Price of a rebuy"), gettext_lazy("Empty: there are none."))
    addon = _price(gettext_lazy("Price of an add-on"), gettext_lazy("Empty: there are none."))
    addon_chips = _count(
        gettext_lazy("Chips of an add-on"),
        gettext_lazy("Empty: as many as a starting stack."),
        most=MOST_CHIPS,
    )
    guarantee = _price(gettext_lazy("Guaranteed prize pool"))
    payouts = forms.CharField(
        label=gettext_lazy("Shares of the first places, in percent"),
        help_text=gettext_lazy("Like 50 30 20. Empty: the usual ones for so many entries."),
        max_length=200,
        required=False,
    )
    bounty_kind = forms.ChoiceField(
        label=gettext_lazy("Bounties"),
        choices=(
            ("", gettext_lazy("none")),
            ("fixed", gettext_lazy("the same for everybody")),
            ("progressive", gettext_lazy("half to the hunter, half on the own head")),
            ("mystery", gettext_lazy("an envelope, drawn, for whoever puts somebody out")),
            ("leader", gettext_lazy("on the players named here")),
        ),
        required=False,
    )
    bounty_amount = _price(gettext_lazy("Bounty of each"), gettext_lazy("Part of the buy-in."))
    bounty_envelopes = forms.CharField(
        label=gettext_lazy("What is in the envelopes"),
        help_text=gettext_lazy(
            "Amounts with spaces between: 100 50 20 20. What is missing from all bounties is in one more."
        ),
        max_length=500,
        required=False,
    )
    bounty_on = forms.CharField(
        label=gettext_lazy("On whom"),
        help_text=gettext_lazy("Names with commas between, like that of the last winner."),
        max_length=500,
        required=False,
    )
    seating = forms.ChoiceField(
        label=gettext_lazy("Seats"),
        choices=(
            ("free", gettext_lazy("free choice")),
            ("drawn", gettext_lazy("drawn as people come")),
        ),
        required=False,
    )
    table_size = _count(gettext_lazy("Seats at a table"), least=LEAST_SEATS, most=MOST_SEATS)
    final_size = _count(
        gettext_lazy("Final table"), gettext_lazy("Empty: as many."), least=LEAST_SEATS, most=MOST_SEATS
    )
    fixed = forms.CharField(
        label=gettext_lazy("Keeps a seat"),
        help_text=gettext_lazy("A line for each: name: table, seat. Nobody is told why."),
        widget=forms.Textarea({"rows": 2}),
        max_length=1000,
        required=False,
    )

    GROUPS: Sequence[tuple[str, Sequence[str]]] = (
        ("players", ("format", "expected", "closing_level", "self_in", "self_out")),
        ("chips", ("stack", "own_stacks", "cost", "fee", "rebuy", "addon", "addon_chips")),
        ("prizes", ("guarantee", "payouts", "bounty_kind", "bounty_amount", "bounty_envelopes", "bounty_on")),
        ("seats", ("seating", "table_size", "final_size", "fixed")),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        club: Club,
        initial: Mapping[str, Any] | None = None,
        said: Mapping[str, Any] | None = None,
    ) -> None:
        money = ClubMoney.objects.filter(club=club).first()
        # A night that runs keeps the decimals with which its amounts are in the log.
        said = said or {}
        self.decimals = decimals_of(said) if "decimals" in said else (money.decimals if money else 0)
        self.currency = money.currency if money else ""
        super().__init__(data, initial=dict(initial or {}))
        for name in PRICES:
            self.fields[name].validators.append(DecimalValidator(MAX_WHOLE + self.decimals, self.decimals))
            self.fields[name].widget.attrs["step"] = str(Decimal(1).scaleb(-self.decimals))

    def clean_payouts(self) -> list[int]:
        found = self._whole_numbers("payouts")
        if found and shares_of({"payouts": found}, 1) != found:
            raise forms.ValidationError(
                _("Whole percentages that sum to 100, none larger than the one before.")
            )
        return found

    def _whole_numbers(self, name: str) -> list[int]:
        words = re.split(r"[\s,;/%]+", self.cleaned_data[name].strip())
        words = [word for word in words if word]
        if not all(word.isascii() and word.isdigit() and len(word) <= MAX_WHOLE for word in words):
            raise forms.ValidationError(_("Whole numbers with spaces between."))
        return [int(word) for word in words]

    def clean_bounty_envelopes(self) -> list[int]:
        found = self._whole_numbers("bounty_envelopes")
        if len(found) > MOST_LISTED:
            raise forms.ValidationError(_("At most %(most)d envelopes.") % {"most": MOST_LISTED})
        return found

    def clean_own_stacks(self) -> list[list[Any]]:
        found: list[list[Any]] = []
        for line in filter(str.strip, self.cleaned_data["own_stacks"].splitlines()):
            match = OWN_STACK.fullmatch(line)
            if match is None or not 0 < int(match[2].replace(",", "")) <= MOST_CHIPS:
                raise forms.ValidationError(
                    _("“%(line)s”: write name: chips. Like Edda: 12000."), params={"line": line.strip()}
                )
            found.append([match[1], int(match[2].replace(",", ""))])
        if len(found) > MOST_LISTED:
            raise forms.ValidationError(_("At most %(most)d lines.") % {"most": MOST_LISTED})
        return found

    def clean_fixed(self) -> list[list[Any]]:
        found: list[list[Any]] = []
        for line in self.cleaned_data["fixed"].splitlines():
            if not line.strip():
                continue
            match = FIXED_SEAT.fullmatch(line)
            if match is None or not (int(match[2]) and 0 < int(match[3]) <= MOST_SEATS):
                raise forms.ValidationError(
                    _("“%(line)s”: write name: table, seat. Like Edda: 2, 1."), params={"line": line.strip()}
                )
            found.append([match[1], int(match[2]), int(match[3])])
        seats = [(table, seat) for _name, table, seat in found]
        if len(set(seats)) < len(seats):
            raise forms.ValidationError(_("One seat is kept for two people."))
        return found

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        fee, bounty, cost = (data.get(name) or Decimal(0) for name in ("fee", "bounty_amount", "cost"))
        own = bounty if data.get("bounty_kind") not in {"", "leader"} else Decimal(0)
        if fee + own > cost:
            self.add_error("fee" if fee else "bounty_amount", _("Fee and bounty are more than the buy-in."))
        if data.get("bounty_kind") == "mystery" and not data.get("bounty_envelopes"):
            self.add_error("bounty_envelopes", _("Say what is in the envelopes."))
        seats = [seat for _name, _table, seat in data.get("fixed") or []]
        if seats and max(seats) > (size := data.get("table_size") or MOST_SEATS):
            self.add_error("fixed", _("A table has %(n)d seats.") % {"n": size})
        if data.get("bounty_kind") and not bounty:
            self.add_error("bounty_amount", _("Say how much a bounty is."))
        return data

    @property
    def setup(self) -> dict[str, Any]:
        """Write what the log says: counts as they are, sums in the smallest unit of money."""
        data = self.cleaned_data
        said: dict[str, Any] = {name: data[name] for name in COUNTS if data[name]}
        prices = {name: int(data[name].scaleb(self.decimals)) for name in PRICES if data[name]}
        amount = prices.pop("bounty_amount", 0)
        said |= prices
        said |= {"decimals": self.decimals, "currency": self.currency}
        said |= {name: True for name in ("self_in", "self_out") if data[name]}
        said |= {name: data[name] for name in ("payouts", "fixed", "own_stacks") if data[name]}
        if data["seating"] == "drawn":
            said["seating"] = "drawn"
        if data["bounty_kind"]:
            names = [name.strip() for name in re.split(r"[,;、，]", data["bounty_on"]) if name.strip()]
            said["bounty"] = {"kind": data["bounty_kind"], "amount": amount}
            said["bounty"] |= {"on": names} if data["bounty_kind"] == "leader" else {}
            if data["bounty_kind"] == "mystery":
                said["bounty"]["envelopes"] = [each * 10**self.decimals for each in data["bounty_envelopes"]]
        if data["format"]:
            said["format"] = data["format"]
        return said


def typed_setup(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Write a setup as it is typed into the form."""
    decimals = decimals_of(setup)
    bounty = setup.get("bounty") or {}
    typed: dict[str, Any] = {
        name: setup.get(name) for name in (*COUNTS, "format", "self_in", "self_out", "seating")
    }
    sums = {**setup, "bounty_amount": bounty.get("amount")}
    typed |= {name: Decimal(sums[name]).scaleb(-decimals) for name in PRICES if sums.get(name)}
    typed["payouts"] = " ".join(map(str, setup.get("payouts") or []))
    typed["fixed"] = "\n".join(f"{name}: {table}, {seat}" for name, table, seat in setup.get("fixed") or [])
    typed["own_stacks"] = "\n".join(f"{name}: {stack}" for name, stack in setup.get("own_stacks") or [])
    typed["bounty_kind"] = bounty.get("kind", "")
    typed["bounty_envelopes"] = " ".join(str(each // 10**decimals) for each in bounty.get("envelopes") or [])
    typed["bounty_on"] = ", ".join(bounty.get("on") or [])
    return typed


class StartForm(SetupForm):
    """The form that begins a night."""

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
    blinds = forms.ChoiceField(
        label=pgettext_lazy("poker", "Blinds"),
        help_text=gettext_lazy("Every level can be changed later, also while it runs."),
        required=False,
    )
    hours = forms.DecimalField(
        label=gettext_lazy("Hours"),
        help_text=gettext_lazy("For proposed levels: until one is left."),
        required=False,
        min_value=Decimal("0.5"),
        max_value=24,
        max_digits=4,
        decimal_places=2,
        initial=3,
    )
    planned: "forms.ModelChoiceField[PlannedEvent]" = forms.ModelChoiceField(
        PlannedEvent.objects.none(), required=False, widget=forms.HiddenInput
    )
    beside: "forms.ModelChoiceField[Night]" = forms.ModelChoiceField(
        Night.objects.none(), required=False, widget=forms.HiddenInput
    )
    form_token = forms.UUIDField(widget=forms.HiddenInput)

    GROUPS = (("when", ("starts_at", "name", "season")), *SetupForm.GROUPS, ("blinds", ("blinds", "hours")))

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        club: Club,
        planned: PlannedEvent | None,
        beside: Night | None = None,
        n_expected: int = 0,
    ) -> None:
        has_levels = bool(last_levels(club))
        initial = _initial(club, planned, beside, n_expected) | {"blinds": LAST if has_levels else ""}
        super().__init__(data, club=club, initial=initial)
        seasons = club.seasons.filter(is_closed=False, is_sealed=False).order_by("-starts_on", "-pk")
        self.fields["season"].queryset = seasons  # type: ignore[attr-defined]  # a choice field
        plans = PlannedEvent.objects.filter(season__club=club)
        self.fields["planned"].queryset = plans  # type: ignore[attr-defined]  # a choice field
        nights = Night.objects.filter(club=club)
        self.fields["beside"].queryset = nights  # type: ignore[attr-defined]  # a choice field
        self.fields["blinds"].choices = _blinds_of(club, has_levels=has_levels)  # type: ignore[attr-defined]  # a choice field

    def clean_starts_at(self) -> datetime:
        starts_at: datetime = self.cleaned_data["starts_at"]
        if abs(starts_at - timezone.now()) > A_YEAR:
            raise forms.ValidationError(_("Choose a day within a year of today."))
        return starts_at

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE) if self.cleaned_data["name"] else ""


def _blinds_of(club: Club, *, has_levels: bool) -> list[tuple[str, Any]]:
    """List the levels that a night can begin with."""
    found: list[tuple[str, Any]] = [("", gettext_lazy("no blinds: the clock counts up"))]
    if has_levels:
        found.append((LAST, gettext_lazy("as on the last one")))
    found.append((PROPOSED, gettext_lazy("proposed for these players, stacks and hours")))
    found += [(str(each.pk), each.name) for each in BlindStructure.objects.filter(club=club)]
    return found


def _initial(
    club: Club, planned: PlannedEvent | None, beside: Night | None, n_expected: int
) -> dict[str, Any]:
    """Take over how the last night was played, and day and name of what is planned."""
    values: dict[str, Any] = {"starts_at": _next_five_minutes(), "form_token": uuid.uuid4()}
    values |= _of_last_night(club)
    values["season"] = next(iter(seasons_of_day(club, timezone.localdate())), None)
    if n_expected:
        values["expected"] = n_expected
    if planned:
        values |= {
            "starts_at": timezone.localtime(planned.starts_at),
            "name": planned.name,
            "season": planned.season,
            "planned": planned,
        }
    if beside:
        values |= {"beside": beside, "season": beside.season, "expected": None}
    return values


def _of_last_night(club: Club) -> dict[str, Any]:
    nights = Night.objects.filter(club=club).exclude(stage=Night.Stage.CALLED_OFF)[:FEW_NIGHTS]
    setups = (night.actions.filter(kind="setup").order_by("-seq").first() for night in nights)
    # A cash table beside the last one says nothing about tournaments.
    said = next((each for each in setups if each and each.body.get("format") != "cash"), None)
    if said is None:
        return {}
    return typed_setup(
        {name: value for name, value in said.body.items() if name not in {"fixed", "bounty", "own_stacks"}}
    )


def _next_five_minutes() -> datetime:
    now = timezone.localtime()
    past = (now.minute * 60 + now.second) % FIVE_MINUTES
    return (now + timedelta(seconds=(FIVE_MINUTES - past) % FIVE_MINUTES)).replace(second=0, microsecond=0)
