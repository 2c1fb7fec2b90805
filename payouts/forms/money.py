"""Forms of the money of an event, with the rebuys, prizes and payments of its entries, and of a club."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.core.validators import DecimalValidator

from league.formats import listed
from league.forms.names import checked_text
from league.models import Entry
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from payouts.engine.exact import exact_decimal, exact_numbers, exact_text
from payouts.engine.money import Prices, Purse, counts_of_cost
from payouts.error_messages import field_and_message
from payouts.models import PRICES, ClubMoney, EntryMoney, EventMoney, PayoutKind
from payouts.services.money import (
    CLUB_FIELDS,
    ENTRY_FIELDS,
    MONEY_FIELDS,
    Settlement,
    settle_money,
    stored_row,
)

MAX_COUNT = 999
NOTED = ("given", "paid")
MAX_NOTED = 200_000  # of a form of most entries
MAX_WHOLE = 9  # digits before the point
MAX_TYPED = 6_000
# What the engine calls the list of payouts.
FIELDS_OF_ENGINE = {"votes": "payouts", "round_to": "round_to"}
AMOUNTS = (*PRICES, "stated_pool", "guarantee", "round_to")


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
    given = _amount_field(gettext_lazy("Has given"))
    paid = _amount_field(gettext_lazy("Paid out"))

    def __init__(
        self, data: Mapping[str, Any] | None, *, entry: Entry, decimals: int, initial: Mapping[str, Any]
    ) -> None:
        super().__init__(data, prefix=f"e{entry.pk}", initial=dict(initial))
        self.entry = entry
        self.counts_of_result: tuple[int, int] | None = (
            None  # rebuys and add-ons that make the cost of the result
        )
        _limit_decimals((self.fields[name] for name in ("prize", "given", "paid")), decimals)

    @property
    def is_open(self) -> bool:
        """Tell whether the counts are shown at once: something is wrong with them, or a button just changed one."""
        return bool(self.errors) or str(self.data.get("step", "")).startswith(f"{self.prefix}-")

    @property
    def counts(self) -> list[str]:
        """Write rebuys and add-ons as the table shows them: nothing for none."""
        typed = (str(self[name].value() or "") for name in ("rebuys", "add_ons"))
        return ["" if text == "0" else text for text in typed]

    @property
    def values(self) -> dict[str, Any]:
        typed = self.cleaned_data
        return {
            "rebuys": typed["rebuys"] or 0,
            "add_ons": typed["add_ons"] or 0,
            "prize": typed["prize"] or Decimal(0),
            "given": typed["given"],
            "paid": typed["paid"],
        }


class EventMoneyForm(forms.Form):
    """Prices, prize pool and payouts; `rows` has a form for each entry, in the order of the result."""

    buy_in = _amount_field(gettext_lazy("Buy-in"), gettext_lazy("It goes into the prize pool."))
    fee = _amount_field(gettext_lazy("Fee"), gettext_lazy("Paid with each entry, and kept by the club."))
    rebuy = _amount_field(gettext_lazy("Rebuy"))
    add_on = _amount_field(gettext_lazy("Add-on"))
    bounty = _amount_field(
        gettext_lazy("Bounty"),
        gettext_lazy("Paid with each entry. Who knocks a player out gets it, and the winner’s own stays."),
    )
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
    # What was noted of each entry when the form was opened, as JSON.
    noted = forms.CharField(widget=forms.HiddenInput, required=False, max_length=MAX_NOTED)

    # The prizes that follow from what was typed; None while it is invalid.
    settlement: Settlement | None = None
    prices = Prices()

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        club: ClubMoney,
        entries: Sequence[Entry],
        initial: Mapping[str, Any],
        initial_rows: Mapping[int, Mapping[str, Any]],
    ) -> None:
        super().__init__(data, initial={**initial, "noted": json.dumps(_noted(initial_rows))})
        self.club = club
        _limit_decimals((self.fields[name] for name in AMOUNTS), club.decimals)
        self.rows = [
            EntryMoneyForm(data, entry=entry, decimals=club.decimals, initial=initial_rows[entry.pk])
            for entry in entries
        ]

    def noted_meanwhile(self) -> dict[str, str]:
        """Find what somebody else has noted since the form was opened, by the name of the field.

        What was typed here since then stays typed.
        """
        try:
            opened = json.loads(self.data.get("noted", ""))
        except ValueError:
            opened = {}
        now: dict[str, dict[str, str]] = json.loads(self.initial["noted"])
        told = opened if isinstance(opened, dict) else {}
        return {
            name: stored
            for row in self.rows
            for field, stored in now[str(row.entry.pk)].items()
            for name in [f"{row.prefix}-{field}"]
            if told.get(str(row.entry.pk), {}).get(field, "") == self.data.get(name, "")
        }

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
        """Show what follows from stored or suggested money, unless it no longer fits a corrected result."""
        rows = [EntryMoney(entry=row.entry, **_of_entry(row.initial)) for row in self.rows]
        self.prices = money.prices
        with suppress(ValueError):
            self.settlement = settle_money(money, [row.entry for row in self.rows], rows, self.club.smallest)

    def _settle(self) -> None:
        rows = [EntryMoney(entry=row.entry, **row.values) for row in self.rows]
        entries, money = [row.entry for row in self.rows], EventMoney(**self.money)
        self.prices = money.prices
        try:
            self.settlement = settle_money(money, entries, rows, self.club.smallest)
        except ValueError as error:
            field, text = field_and_message(error)
            self.add_error(FIELDS_OF_ENGINE.get(field), text)

    @property
    def has_more_prices(self) -> bool:
        """Tell whether rebuys or add-ons have a price, or somebody bought one."""
        has_price = any(self[name].value() or self[name].errors for name in ("rebuy", "add_on", "bounty"))
        return has_price or any(row[name].value() for row in self.rows for name in ("rebuys", "add_ons"))

    @property
    def has_other_pool(self) -> bool:
        return any(self[name].value() or self[name].errors for name in ("stated_pool", "guarantee"))

    @property
    def money(self) -> dict[str, Any]:
        """The money of the event as the service takes it: prices that were left empty are 0."""
        prices = {name: self.cleaned_data[name] or Decimal(0) for name in PRICES}
        return {name: self.cleaned_data[name] for name in MONEY_FIELDS} | prices

    @property
    def payments(self) -> dict[int, dict[str, Any]]:
        return {row.entry.pk: row.values for row in self.rows}

    @property
    def lines(self) -> list[tuple[EntryMoneyForm, Purse | None]]:
        """Pair the form of each entry with the purse that follows from what was typed."""
        purses = self.settlement.purses if self.settlement else [None] * len(self.rows)
        return list(zip(self.rows, purses, strict=True))

    @property
    def differing(self) -> list[tuple[EntryMoneyForm, Purse]]:
        """Find the entries whose cost in the result is not what the prices make, each with its purse."""
        found = [
            (row, purse)
            for row, purse in self.lines
            if purse and purse.cost and row.entry.cost not in {None, purse.cost, self._stake(row)}
        ]
        for row, _purse in found:
            cost = Fraction(row.entry.cost or 0)
            counts = counts_of_cost(self.prices, cost)
            row.counts_of_result = counts if self.prices.cost(*counts) == cost else None
        return found

    def _stake(self, row: EntryMoneyForm) -> Fraction:
        """Compute an entry's stake in the prize pool, without fee and bounty, as many lists state it."""
        typed = row.values if row.is_bound else _of_entry(row.initial)
        return self.prices.stake(typed["rebuys"], typed["add_ons"])

    @property
    def prices_in_words(self) -> str:
        """Say what an entry costs, and what of it, in a line."""
        if not self.prices.cost(0, 0):
            return ""
        named = {"buy_in": _("buy-in"), "bounty": _("bounty"), "fee": _("fee")}
        parts = [
            f"{name} {exact_text(amount)}"
            for field, name in named.items()
            if (amount := getattr(self.prices, field))
        ]
        return _("%(cost)s an entry: %(parts)s.") % {
            "cost": exact_text(self.prices.cost(0, 0)), "parts": listed(parts),
        }  # fmt: skip

    @property
    def has_bounties(self) -> bool:
        return bool(self.settlement and self.settlement.till.bounties)

    @property
    def n_lost_bounties(self) -> int:
        """Count the bounties that nobody has, as the result counts knock-outs; negative if it counts too many."""
        if not self.has_bounties:
            return 0
        entries = [row.entry for row in self.rows]
        n_got = sum((entry.knockouts or 0) + (entry.place == 1) for entry in entries)
        return len(entries) - n_got


def _noted(initial_rows: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[str, str]]:
    """Write what is noted of each entry as the form sends it."""
    return {
        pk: {name: "" if row.get(name) is None else f"{row[name]:f}" for name in NOTED}
        for pk, row in initial_rows.items()
    }


def money_initial(money: EventMoney) -> dict[str, Any]:
    """Convert stored money to initial values: prices of 0 and what is not used are empty."""
    initial = {name: getattr(money, name) for name in MONEY_FIELDS}
    initial |= {name: _short(initial[name]) for name in AMOUNTS}
    initial |= {name: initial[name] or None for name in PRICES}
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
    return initial | {
        "prize": _short(row.prize) or None, "given": _short(row.given), "paid": _short(row.paid),
    }  # fmt: skip


def _of_entry(initial: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an entry's initial values to field values, with 0 for an empty count or prize."""
    given = {name: initial.get(name) for name in ENTRY_FIELDS}
    return given | {
        "rebuys": given["rebuys"] or 0,
        "add_ons": given["add_ons"] or 0,
        "prize": given["prize"] or 0,
    }


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
            "helpers_take": gettext_lazy("Helpers take money at the door"),
        }
        help_texts = {
            "currency": gettext_lazy("As it is written behind an amount: €, $ or yen. It may stay empty."),
            "decimals": gettext_lazy("2 for cents, 0 for yen."),
            "shows_net": gettext_lazy(
                "What a player paid and won in each season, on the player's page and in the API, for everybody who"
                " may see them. Off, only organizers and the player see money."
            ),
            "helpers_take": gettext_lazy(
                "Helpers see who has paid in how much, and note what they take. They see no prizes and no balances."
            ),
        }

    def clean_currency(self) -> str:
        checked_text(self.cleaned_data["currency"])
        return " ".join(self.cleaned_data["currency"].split())
