"""Forms of the money of an event, with the rebuys, prizes and payments of its entries, and of a club."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.core.validators import DecimalValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Entry
from payouts.engine.exact import exact_numbers, exact_text
from payouts.engine.money import Prices, counts_of_cost
from payouts.error_messages import field_and_message
from payouts.models import ClubMoney, EntryMoney, EventMoney, PayoutKind
from payouts.services.money import (
    CLUB_FIELDS,
    ENTRY_FIELDS,
    MONEY_FIELDS,
    Settlement,
    exact_decimal,
    settle_money,
    stored_row,
)

MAX_COUNT = 999
MAX_WHOLE = 9  # digits before the point
MAX_TYPED = 6_000
# What the engine calls the list of payouts.
FIELDS_OF_ENGINE = {"votes": "payouts", "round_to": "round_to"}
AMOUNTS = ("buy_in", "fee", "rebuy", "add_on", "stated_pool", "guarantee", "round_to")


def _amount_field(label: Any, help_text: Any = "", *, required: bool = False) -> forms.DecimalField:
    return forms.DecimalField(label=label, help_text=help_text, required=required, min_value=0)


def _limit_decimals(fields: Iterable[forms.Field], decimals: int) -> None:
    """Let amounts have as many decimals as the club writes."""
    for field in fields:
        field.validators.append(DecimalValidator(MAX_WHOLE + decimals, decimals))
        field.widget.attrs["step"] = exact_text(Fraction(1, 10**decimals))


class EntryMoneyForm(forms.Form):
    rebuys = forms.IntegerField(
        label=gettext_lazy("Rebuys"), min_value=0, max_value=MAX_COUNT, required=False
    )
    add_ons = forms.IntegerField(
        label=gettext_lazy("Add-ons"), min_value=0, max_value=MAX_COUNT, required=False
    )
    prize = _amount_field(gettext_lazy("Prize"))
    paid = _amount_field(gettext_lazy("Paid out"))

    def __init__(
        self, data: Mapping[str, Any] | None, *, entry: Entry, decimals: int, initial: Mapping[str, Any]
    ) -> None:
        super().__init__(data, prefix=f"e{entry.pk}", initial=dict(initial))
        self.entry = entry
        _limit_decimals((self.fields["prize"], self.fields["paid"]), decimals)

    @property
    def values(self) -> dict[str, Any]:
        typed = self.cleaned_data
        return {
            "rebuys": typed["rebuys"] or 0,
            "add_ons": typed["add_ons"] or 0,
            "prize": typed["prize"] or Decimal(0),
            "paid": typed["paid"],
        }


class EventMoneyForm(forms.Form):
    """Prices, prize pool and payouts; `rows` has a form for each entry, in the order of the result."""

    buy_in = _amount_field(gettext_lazy("Buy-in"), gettext_lazy("It goes into the prize pool."))
    fee = _amount_field(gettext_lazy("Fee"), gettext_lazy("Paid with each entry, and kept by the club."))
    rebuy = _amount_field(gettext_lazy("Rebuy"))
    add_on = _amount_field(gettext_lazy("Add-on"))
    stated_pool = _amount_field(
        gettext_lazy("Prize pool"), gettext_lazy("Empty: all buy-ins, rebuys and add-ons.")
    )
    guarantee = _amount_field(gettext_lazy("Guarantee"), gettext_lazy("The club adds what is missing."))
    payout_kind = forms.ChoiceField(label=gettext_lazy("Payouts"), choices=PayoutKind.choices)
    payouts = forms.CharField(
        label=gettext_lazy("By place"),
        required=False,
        max_length=MAX_TYPED,
        widget=forms.TextInput({"spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}),
        help_text=gettext_lazy("From the winner down, with commas: 50, 30, 20. Empty while nothing is paid."),
    )
    round_to = _amount_field(
        gettext_lazy("Rounded to"),
        gettext_lazy("Payouts are rounded down to this; what is left goes to the first places."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    result_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    # The prizes that follow from what was typed; None while it is invalid.
    settlement: Settlement | None = None

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        club: ClubMoney,
        entries: Sequence[Entry],
        initial: Mapping[str, Any],
        initial_rows: Mapping[int, Mapping[str, Any]],
    ) -> None:
        super().__init__(data, initial=dict(initial))
        self.club = club
        _limit_decimals((self.fields[name] for name in AMOUNTS), club.decimals)
        self.rows = [
            EntryMoneyForm(data, entry=entry, decimals=club.decimals, initial=initial_rows[entry.pk])
            for entry in entries
        ]

    def clean_payouts(self) -> list[str]:
        try:
            return [exact_text(value) for value in exact_numbers("payouts", self.cleaned_data["payouts"])]
        except ValueError as error:
            raise forms.ValidationError(field_and_message(error)[1]) from error

    def clean_round_to(self) -> Decimal:
        unit: Decimal | None = self.cleaned_data["round_to"]
        return exact_decimal(self.club.smallest) if unit is None else unit

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("stated_pool") is not None and data.get("guarantee") is not None:
            self.add_error(
                "guarantee", _("A prize pool that is stated has no guarantee: give one of the two.")
            )
        rows_are_valid = [row.is_valid() for row in self.rows]  # of all of them, to show every error
        if all(rows_are_valid) and not self.errors:
            self._settle()
        elif not self.errors:
            self.add_error(None, _("Something is wrong with the money of a player: see below."))
        return data

    def show(self, money: EventMoney) -> None:
        """Show the prize pool and the prizes of stored money, unless they no longer fit a corrected result."""
        rows = [stored_row(row.entry) for row in self.rows]
        with suppress(ValueError):
            self.settlement = settle_money(money, [row.entry for row in self.rows], rows, self.club.smallest)

    def _settle(self) -> None:
        rows = [EntryMoney(entry=row.entry, **row.values) for row in self.rows]
        entries = [row.entry for row in self.rows]
        try:
            self.settlement = settle_money(EventMoney(**self.money), entries, rows, self.club.smallest)
        except ValueError as error:
            field, text = field_and_message(error)
            self.add_error(FIELDS_OF_ENGINE.get(field), text)

    @property
    def has_more_prices(self) -> bool:
        """Whether rebuys or add-ons have a price, or somebody bought one."""
        has_price = any(self[name].value() or self[name].errors for name in ("rebuy", "add_on"))
        return has_price or any(row[name].value() for row in self.rows for name in ("rebuys", "add_ons"))

    @property
    def has_other_pool(self) -> bool:
        return any(self[name].value() or self[name].errors for name in ("stated_pool", "guarantee"))

    @property
    def money(self) -> dict[str, Any]:
        """The money of the event as the service takes it: prices that were left empty are 0."""
        prices = {
            name: self.cleaned_data[name] or Decimal(0) for name in ("buy_in", "fee", "rebuy", "add_on")
        }
        return {name: self.cleaned_data[name] for name in MONEY_FIELDS} | prices

    @property
    def payments(self) -> dict[int, dict[str, Any]]:
        return {row.entry.pk: row.values for row in self.rows}

    @property
    def lines(self) -> list[tuple[EntryMoneyForm, Fraction | None]]:
        """The form of each entry with the prize that follows from what was typed."""
        prizes = self.settlement.prizes if self.settlement else [None] * len(self.rows)
        return list(zip(self.rows, prizes, strict=True))


def money_initial(money: EventMoney) -> dict[str, Any]:
    """Convert stored money to initial values: prices of 0 and what is not used are empty."""
    initial = {name: getattr(money, name) for name in MONEY_FIELDS}
    initial |= {name: _short(initial[name]) for name in AMOUNTS}
    initial |= {name: initial[name] or None for name in ("buy_in", "fee", "rebuy", "add_on")}
    return initial | {"payouts": ", ".join(money.payouts)}


def rows_initial(entries: Iterable[Entry], prices: Prices | None) -> dict[int, dict[str, Any]]:
    """Convert what is stored of each entry, by id; with prices, suggest what a recorded cost stands for."""
    return {entry.pk: _row_initial(entry, prices) for entry in entries}


def _row_initial(entry: Entry, prices: Prices | None) -> dict[str, Any]:
    if prices is not None and entry.cost is not None:
        rebuys, add_ons = counts_of_cost(prices, Fraction(entry.cost))
        return {"rebuys": rebuys, "add_ons": add_ons}
    row = stored_row(entry)
    initial = {name: getattr(row, name) for name in ENTRY_FIELDS}
    return initial | {"prize": _short(row.prize) or None, "paid": _short(row.paid)}


def _short(amount: Decimal | None) -> Decimal | None:
    """Remove trailing zeros, without writing 1E+2 for 100."""
    return None if amount is None else Decimal(f"{amount.normalize():f}")


class ClubMoneyForm(forms.ModelForm[ClubMoney]):
    class Meta:
        model = ClubMoney
        fields = CLUB_FIELDS
        labels = {
            "currency": gettext_lazy("Currency"),
            "decimals": gettext_lazy("Decimals of an amount"),
            "shows_net": gettext_lazy("Show net money"),
        }
        help_texts = {
            "currency": gettext_lazy("As it is written behind an amount: €, $ or yen. It may stay empty."),
            "decimals": gettext_lazy("2 for cents, 0 for yen."),
            "shows_net": gettext_lazy(
                "What a player paid and won in each season, on the player's page and in the API, for everybody who"
                " may see them. Off, only organizers see money."
            ),
        }

    def clean_currency(self) -> str:
        return " ".join(self.cleaned_data["currency"].split())
