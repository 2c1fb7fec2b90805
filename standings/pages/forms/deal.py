"""Form of the deal calculator: the prizes left, and the chips of each player left."""

import re
import unicodedata
from fractions import Fraction
from typing import Any

from django import forms

from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from payouts.engine.deals import check_deal
from payouts.engine.exact import exact_number, exact_numbers
from payouts.error_messages import field_and_message
from reading.names.rules import clean_name

MOST_PLAYERS = 20
MOST_TYPED = 2_000
# A name and the chips: after a colon or tab, or else after the last blank.
NAMED = re.compile(r"(.*)[:\t](.*)|(?:(.*) )?(.*)")
CHIPS = re.compile(r"\d{1,17}|\d{1,3}([ ,_’'])\d{3}(?:\1\d{3}){0,4}", re.ASCII)
# After a blank this may be a name that ends in a number, or chips in groups of three.
UNCLEAR = re.compile(r"[^:\t]*(?<!\S)\d{1,3}(?: \d{3})+", re.ASCII)
SIGNS = ("+", "-", "−", "–", "—")
NO_DIGIT = re.compile(r"\D")
FIELDS_OF_ENGINE = {"votes": "prizes", "prizes": "prizes", "chips": "chips"}


class DealForm(forms.Form):
    prizes = forms.CharField(
        label=gettext_lazy("Prizes left"),
        max_length=MOST_TYPED,
        widget=forms.TextInput({"autocomplete": "off", "inputmode": "decimal"}),
        help_text=gettext_lazy("Of the places still to be played for, with commas: 500, 300, 200."),
    )
    chips = forms.CharField(
        label=gettext_lazy("Players and chips"),
        max_length=MOST_TYPED,
        widget=forms.Textarea({"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("One player a line: the name, then the chips."),
    )
    round_to = forms.CharField(
        label=gettext_lazy("Rounded to"),
        required=False,
        max_length=12,
        widget=forms.TextInput({"autocomplete": "off", "inputmode": "decimal"}),
        help_text=gettext_lazy("Empty: the smallest amount."),
    )

    def __init__(self, *args: Any, smallest: Fraction, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.smallest = smallest

    def clean_prizes(self) -> tuple[Fraction, ...]:
        prizes: tuple[Fraction, ...] = self._read(exact_numbers, "prizes")
        return prizes

    def clean_round_to(self) -> Fraction:
        if not self.cleaned_data["round_to"]:
            return self.smallest
        unit: Fraction = self._read(exact_number, "round_to")
        if unit < self.smallest or unit % self.smallest:
            raise forms.ValidationError(
                _("It must be a multiple of the smallest amount, %(smallest)s."),
                params={"smallest": self.smallest},
            )
        return unit

    def clean_chips(self) -> list[tuple[str, Fraction]]:
        typed = unicodedata.normalize("NFKC", self.cleaned_data["chips"])  # full-width digits
        lines = [line.strip() for line in typed.splitlines() if line.strip()]
        if len(lines) > MOST_PLAYERS:
            raise forms.ValidationError(_("At most %(most)d players."), params={"most": MOST_PLAYERS})
        return [_stack(number, line) for number, line in enumerate(lines, start=1)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if {"prizes", "chips"} <= set(data):
            try:
                check_deal(data["prizes"], [chips for _name, chips in data["chips"]])
            except ValueError as error:
                field, text = field_and_message(error)
                self.add_error(FIELDS_OF_ENGINE[field], text)
        return data

    def _read(self, read: Any, field: str) -> Any:
        try:
            return read(field, self.cleaned_data[field])
        except ValueError as error:
            raise forms.ValidationError(field_and_message(error)[1]) from error


def _stack(number: int, line: str) -> tuple[str, Fraction]:
    """Read a line such as "Ada 12,500"; a player without a name gets a number."""
    found = NAMED.fullmatch(line)
    name, chips = (found[1] or found[3] or "", found[2] or found[4]) if found else ("", "")
    name, chips = clean_name(name.rstrip(" ,;:")), chips.strip()
    if UNCLEAR.fullmatch(line) or name.endswith(SIGNS) or not CHIPS.fullmatch(chips):
        raise forms.ValidationError(
            _(
                "Line %(number)d, “%(line)s”, does not end in a clear number of chips. Write it as in “Ada 12,500” or"
                " “Ada: 12500”, without signs and dots."
            ),
            params={"number": number, "line": line[:40]},
        )
    return name or _("Player %(number)d") % {"number": number}, Fraction(NO_DIGIT.sub("", chips))
