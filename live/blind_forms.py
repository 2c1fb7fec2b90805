"""Levels and chips as they are typed on pages, and read from there."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms

from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from live.engine.actions import MOST_LEVELS
from live.engine.blinds import MINUTE_MS, Level, Plan

MOST_DIGITS = 9
MOST_MINUTES = 24 * 60
MOST_KINDS = 20  # of chips
MOST_COLOUR = 20  # letters


class BadLevelsError(ValueError):
    """Levels or chips that cannot be read; the text names the row."""


class TypedLevel(NamedTuple):
    """A row of levels as it was typed."""

    sb: str
    bb: str
    ante: str
    minutes: str
    is_break: str


class PlanForm(forms.Form):
    """Ask what levels are wanted for."""

    players = forms.IntegerField(label=gettext_lazy("Players"), min_value=2, max_value=200)
    stack = forms.IntegerField(label=gettext_lazy("Starting stack"), min_value=10, max_value=10_000_000)
    hours = forms.DecimalField(
        label=gettext_lazy("Hours"), min_value=0.5, max_value=24, max_digits=4, decimal_places=2, initial=3
    )
    level_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes a level"), min_value=1, max_value=120, initial=15
    )
    break_every = forms.IntegerField(
        label=gettext_lazy("A break after every … levels"),
        min_value=0,
        max_value=50,
        initial=4,
        required=False,
    )
    break_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes of a break"), min_value=0, max_value=120, initial=5, required=False
    )
    ante_from = forms.IntegerField(
        label=gettext_lazy("Ante of the big blind from level"),
        help_text=gettext_lazy("Empty: none."),
        min_value=0,
        max_value=99,
        required=False,
    )

    def plan(self, chips: tuple[int, ...]) -> Plan:
        data = self.cleaned_data
        return Plan(
            data["players"],
            data["stack"],
            chips,
            minutes=int(data["hours"] * 60),
            level_minutes=data["level_minutes"],
            break_every=data["break_every"] or 0,
            break_minutes=data["break_minutes"] or 0,
            ante_from=data["ante_from"] or 0,
        )


def typed_levels(levels: Sequence[Level]) -> list[TypedLevel]:
    """Write levels as they are typed."""
    return [
        TypedLevel(
            _text(level.get("sb")),
            _text(level.get("bb")),
            _text(level.get("ante")),
            _text(max(1, round(level["ms"] / MINUTE_MS))),
            "1" if level.get("is_break") else "",
        )
        for level in levels
    ]


def read_levels(typed: Sequence[TypedLevel]) -> list[Level]:
    """Read typed levels; a row without minutes is left out. Raise BadLevelsError, which names the row."""
    levels: list[Level] = []
    for i, row in enumerate(typed, start=1):
        if not any(text.strip() for text in row[:4]):
            continue
        minutes = _number(row.minutes, i, _("Minutes"))
        if not 0 < minutes <= MOST_MINUTES:
            raise BadLevelsError(
                _("Row %(row)d: minutes from 1 to %(most)d.") % {"row": i, "most": MOST_MINUTES}
            )
        if row.is_break:
            levels.append({"is_break": True, "ms": minutes * MINUTE_MS})
            continue
        small, big = _number(row.sb, i, _("Small blind")), _number(row.bb, i, _("Big blind"))
        if not 0 < small <= big:
            raise BadLevelsError(
                _("Row %(row)d: the small blind is more than 0 and at most the big one.") % {"row": i}
            )
        level: Level = {"sb": small, "bb": big, "ms": minutes * MINUTE_MS}
        if row.ante.strip() and (ante := _number(row.ante, i, _("Ante"))):
            level["ante"] = ante
        levels.append(level)
    if len(levels) > MOST_LEVELS:
        raise BadLevelsError(
            _("%(n)d levels are more than %(most)d.") % {"n": len(levels), "most": MOST_LEVELS}
        )
    return levels


def read_chips(
    values: Sequence[str], numbers: Sequence[str], colours: Sequence[str]
) -> list[tuple[int, int, str]]:
    """Read which chips a club owns; rows without a value are left out. Raise BadLevelsError, which names the row."""
    chips: dict[int, tuple[int, int, str]] = {}
    for i, (value, number, colour) in enumerate(zip(values, numbers, colours, strict=False), start=1):
        if not value.strip():
            continue
        worth = _number(value, i, _("Chip"))
        if not worth or worth in chips:
            raise BadLevelsError(
                _("Row %(row)d: each chip has a value of its own, more than 0.") % {"row": i}
            )
        n = _number(number, i, _("In the case")) if number.strip() else 0
        chips[worth] = (worth, n, colour.strip()[:MOST_COLOUR])
    if len(chips) > MOST_KINDS:
        raise BadLevelsError(
            _("%(n)d kinds of chips are more than %(most)d.") % {"n": len(chips), "most": MOST_KINDS}
        )
    return list(chips.values())


def _number(text: str, row: int, name: str) -> int:
    plain = text.strip().replace(",", "").replace("’", "").replace(" ", "")
    if not (plain.isascii() and plain.isdigit() and len(plain) <= MOST_DIGITS):
        said = {"row": row, "name": name, "text": text.strip()}
        raise BadLevelsError(_("Row %(row)d: %(name)s “%(text)s” is not a whole number.") % said)
    return int(plain)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
