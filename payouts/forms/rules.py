"""Forms of the rules of a season."""

from collections.abc import Sequence
from typing import Any

from django import forms

from league.models import Club, EntryForm
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from payouts.engine.exact import exact_text
from payouts.engine.structures.settings import MAX_ENTRIES, STRUCTURE_SETTINGS, settings_of
from payouts.engine.structures.structure import PointsStructure
from payouts.error_messages import field_and_message
from payouts.models import MAX_ATTENDANCE_POINTS, MAX_EVENTS, SeasonRules
from payouts.sentences import TIE_BREAKS, standings_in_words, structure_choices
from payouts.services.rules import RULE_FIELDS

MOVE = "move_tie_break"  # the parameter that the buttons of the list of tie-breaks send
MAX_TYPED = 6_000  # a list of 1,000 places
SCORING_FIELDS = tuple(name for name in RULE_FIELDS if name != "structure")


def arranged(order: Sequence[str], move: str) -> list[str]:
    """Apply a move to the tie-breaks: “up wins” raises, “off wins” removes, “on wins” appends a criterion."""
    verb, _space, name = move.partition(" ")
    others = [other for other in order if other != name]
    if verb == "off":
        return others
    position = max(0, order.index(name) - 1) if verb == "up" and name in order else len(others)
    return [*others[:position], name, *others[position:]]


class TieBreaksWidget(forms.HiddenInput):
    """The names of the criteria in order, with commas; the buttons of the list send a move beside it."""

    def format_value(self, value: Any) -> str:
        return ",".join(_names(value))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        order = _names(super().value_from_datadict(data, files, name))
        move = data.get(MOVE, "")
        return arranged(order, move) if move else order


class TieBreaksField(forms.MultipleChoiceField):
    """Tie-breaks of equal totals, in order."""

    widget = TieBreaksWidget

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[*TIE_BREAKS.items()], required=False, **options)

    def clean(self, value: Any) -> list[str]:
        chosen: list[str] = super().clean(_names(value))
        for i, name in enumerate(chosen):
            if name in chosen[:i]:
                raise forms.ValidationError(_("“%(name)s” is there twice.") % {"name": TIE_BREAKS[name]})
        return chosen


def _names(value: str | Sequence[str] | None) -> list[str]:
    return [name for name in value.split(",") if name] if isinstance(value, str) else list(value or [])


def _number_field(
    label: Any, most: int, *, least: int = 0, required: bool = True, help_text: Any = ""
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, required=required, help_text=help_text
    )


def _text_field(
    label: Any, help_text: Any, *, most: int = 40, widget: Any = forms.TextInput
) -> forms.CharField:
    options = {"spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}
    return forms.CharField(
        label=label, help_text=help_text, required=False, max_length=most, widget=widget(options)
    )


class RulesForm(forms.Form):
    """Points structure and rules of the standings, shared by the editor and the what-if page."""

    structure = forms.ChoiceField(label=gettext_lazy("Points structure"), choices=structure_choices)
    ties = forms.ChoiceField(
        label=gettext_lazy("Equal claims to a point go to"),
        choices=[("better", gettext_lazy("the better place")), ("worse", gettext_lazy("the worse place"))],
        help_text=gettext_lazy("Who gets a seat when two places have the same claim to it."),
    )
    cap = _number_field(
        gettext_lazy("Seat cap"),
        MAX_ENTRIES,
        least=1,
        required=False,
        help_text=gettext_lazy("Above so many entries these seats are given out, each worth entries/seats."),
    )
    alpha = _text_field(gettext_lazy("Power"), gettext_lazy("1 to 10; 1.05 if empty."))
    votes = _text_field(
        gettext_lazy("By place"),
        gettext_lazy("Votes, percentages or points from the winner down, with commas: 50, 30, 20."),
        most=MAX_TYPED,
    )
    tail = _text_field(gettext_lazy("After the list"), gettext_lazy("none, 100/n or power 1.05."))
    per_entry = _text_field(gettext_lazy("Points at stake for each entry"), gettext_lazy("1 if empty."))
    per_balance = _text_field(
        gettext_lazy("Points for each 1 of balance"),
        gettext_lazy(
            "Added to the points of the places, in games with balances. Empty: none, or 1 for balances alone."
        ),
    )
    expression = _text_field(
        gettext_lazy("Formula"),
        gettext_lazy(
            "In n (entries), k (place), entries (of the player), knockouts, buy_in, paid, balance."
            " As in 10*sqrt(n/k)."
        ),
        most=400,
    )

    attendance_points = _number_field(
        gettext_lazy("Points for attendance"),
        MAX_ATTENDANCE_POINTS,
        help_text=gettext_lazy("Added for each %(event_word)s played."),
    )
    best_n = _number_field(
        gettext_lazy("Best results of the season"),
        MAX_EVENTS,
        least=1,
        required=False,
        help_text=gettext_lazy("Only so many count. Empty: all."),
    )
    best_n_per_month = _number_field(
        gettext_lazy("Best results of a month"),
        MAX_EVENTS,
        least=1,
        required=False,
        help_text=gettext_lazy("Only so many count. Empty: all."),
    )
    drop_worst = _number_field(
        gettext_lazy("Worst results dropped"),
        MAX_EVENTS,
        required=False,
        help_text=gettext_lazy("So many of a player's worst results do not count."),
    )
    missed_count_as_zero = forms.BooleanField(
        label=gettext_lazy("Missed %(events_word)s are dropped first"),
        required=False,
        help_text=gettext_lazy("%(An_event_word)s missed is a zero among the worst results."),
    )
    min_events = _number_field(
        gettext_lazy("Minimum %(events_word)s for profit per tourney"),
        MAX_EVENTS,
        help_text=gettext_lazy("With fewer, a player is listed but not ranked by profit."),
    )
    inactive_after = _number_field(
        gettext_lazy("Inactive after days of play missed"),
        MAX_EVENTS,
        least=1,
        required=False,
        help_text=gettext_lazy("Inactive players have no position by rating. Empty: nobody is inactive."),
    )
    tie_breaks = TieBreaksField(label=gettext_lazy("Equal totals are decided by"))

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not club.games.exclude(entry_form=EntryForm.ORDER).exists():
            self._hide_balances()

    def _hide_balances(self) -> None:
        """Hide what only games with balances use; what is set, or typed, stays visible."""
        if not self["per_balance"].value():
            self.fields["per_balance"].widget = forms.HiddenInput()
        structure = self.fields["structure"]
        assert isinstance(structure, forms.ChoiceField)
        if self["structure"].value() != "balance":
            structure.choices = [choice for choice in structure_choices() if choice[0] != "balance"]

    def clean_drop_worst(self) -> int:
        return self.cleaned_data["drop_worst"] or 0

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.chosen = self._read_structure(data)
        return data

    @property
    def known(self) -> PointsStructure:
        """The structure that the form was opened with, which may stay even if it could not be chosen any more."""
        values = {name: self.initial[name] or None for name in STRUCTURE_SETTINGS}
        return PointsStructure.from_dict(values | {"name": self.initial["structure"]})

    @property
    def others_in_words(self) -> str:
        """Say what holds for the fields that are folded away; empty if the form was opened without rules."""
        if not set(SCORING_FIELDS) <= set(self.initial):
            return ""
        rules = SeasonRules(**{name: self.initial[name] for name in SCORING_FIELDS})
        return " ".join(standings_in_words(rules))

    @property
    def tie_breaks_in_order(self) -> list[tuple[str, Any]]:
        """List the names and labels of the chosen tie-breaks."""
        chosen = _names(self["tie_breaks"].value())
        return [(name, TIE_BREAKS[name]) for name in chosen if name in TIE_BREAKS]

    @property
    def tie_breaks_left_out(self) -> list[tuple[str, Any]]:
        chosen = _names(self["tie_breaks"].value())
        return [(name, label) for name, label in TIE_BREAKS.items() if name not in chosen]

    @property
    def moved_tie_break(self) -> str:
        """Find the name of the tie-break whose button was used."""
        return str(self.data.get(MOVE, "")).partition(" ")[2]

    @property
    def is_unfolded(self) -> bool:
        """Tell whether what is folded away has an error, or was just being arranged."""
        return bool(self.moved_tie_break) or any(
            name in self.errors for name in SCORING_FIELDS if name != "best_n"
        )

    @property
    def has_folded_points(self) -> bool:
        return any(name in self.errors for name in ("per_balance", "ties", "cap"))

    # The structure that the fields describe; None while it is invalid.
    chosen: PointsStructure | None = None

    def _read_structure(self, data: dict[str, Any]) -> PointsStructure | None:
        if any(name in self.errors for name in ("structure", *STRUCTURE_SETTINGS)):
            return None
        name = data["structure"]
        typed = {setting: data[setting] for setting in settings_of(name) if data[setting] not in {None, ""}}
        try:
            structure = PointsStructure.from_dict({"name": name, **typed})
            if structure != self.known:
                structure.check()
        except ValueError as error:
            field, text = field_and_message(error)
            self.add_error(field if field in self.fields else "structure", text)
            return None
        return structure

    @property
    def rules(self) -> dict[str, Any]:
        """The rules as the services take them."""
        assert self.chosen is not None
        return {"structure": self.chosen.to_dict()} | {
            name: self.cleaned_data[name] for name in SCORING_FIELDS
        }


class RulesAsTyped(RulesForm):
    """The form with what was typed, whose structure is not checked, since that takes time."""

    def _read_structure(self, _data: dict[str, Any]) -> None:
        return None


def rules_initial(rules: SeasonRules) -> dict[str, Any]:
    """Convert stored rules to initial values of the fields."""
    structure = rules.points_structure
    initial: dict[str, Any] = {"structure": structure.name, "ties": structure.ties, "cap": structure.cap}
    for name in ("alpha", "per_entry", "per_balance"):
        value = getattr(structure, name)
        initial[name] = "" if value is None else exact_text(value)
    initial |= {
        "votes": ", ".join(map(exact_text, structure.votes)),
        "tail": structure.tail,
        "expression": structure.expression,
    }
    return initial | {name: getattr(rules, name) for name in SCORING_FIELDS}
