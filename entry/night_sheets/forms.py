"""The form of the rules that turn the scores of a night into balances."""

from dataclasses import fields
from decimal import Decimal
from typing import Any

from django import forms

from entry.score_messages import message_of
from league.vocabulary import gettext_lazy as _
from scores.errors import ScoreError
from scores.rules import PRESETS, ScoreRules, preset_of

OWN = ""
PRESET_NAMES = {
    "mleague": _("M.League"),
    "ema": "EMA",
    "wrc": "WRC",
    "jpml": _("JPML (A rules)"),
    OWN: _("Our own"),
}
TIE_NAMES = {"wind": _("By wind"), "split": _("Split")}
STICK_NAMES = {"first": _("go to the first"), "stay": _("nobody gets them")}
NUMERIC = {"inputmode": "numeric", "autocomplete": "off"}
# What a preset decides.
PRESET_FIELDS = ("start", "back", "uma", "floating", "ties", "sticks")


def _thousands(label: Any, **options: Any) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=12, required=False, widget=forms.TextInput(NUMERIC), **options
    )


class RulesForm(forms.Form):
    """The rules of a game with scores; those of an organization replace the fields that they decide."""

    prefix = "rules"
    preset = forms.ChoiceField(label=_("Rules"), choices=list(PRESET_NAMES.items()), required=False)
    start = _thousands(_("Start"))
    back = _thousands(_("Return"), help_text=_("What is missing to it goes to the first: the oka."))
    uma = forms.CharField(label=_("Uma"), max_length=60, required=False)
    ties = forms.ChoiceField(label=_("Equal scores"), choices=list(TIE_NAMES.items()), required=False)
    sticks = forms.ChoiceField(
        label=_("Riichi sticks left"), choices=list(STICK_NAMES.items()), required=False
    )
    chip_value = _thousands(_("Value of a chip"), help_text=_("In thousands of points; 0: no chips."))
    chombo = _thousands(_("Chombo"), help_text=_("Suggested as a penalty."))
    house_per_table = _thousands(_("The house, per table"), help_text=_("From the first."))
    house_per_player = _thousands(_("The house, per player"))

    def __init__(self, *args: Any, n_players: int, is_scored: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.n_players, self.is_scored = n_players, is_scored
        if not is_scored:
            for name in set(self.fields) - {"house_per_table", "house_per_player"}:
                del self.fields[name]
            self.fields["house_per_table"].help_text = ""
        elif n_players != PRESETS["mleague"].n_players:
            del self.fields["preset"]  # the organizations' rules are for four players

    @property
    def rules(self) -> ScoreRules:
        """The rules of a form without errors."""
        rules: ScoreRules = self.cleaned_data["rules"]
        return rules

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            data["rules"] = self._read(data)
        except ScoreError as error:
            self.add_error(error.field if error.field in self.fields else None, message_of(error))
        return data

    def _read(self, data: dict[str, Any]) -> ScoreRules:
        values: dict[str, Any] = {
            name: data[name].replace(",", "") if name in {"start", "back"} else data[name]
            for name in self.fields
            if name not in {"preset", "uma"} and data.get(name)
        }
        if self.is_scored:
            values["uma"] = data["uma"].replace("−", "-").replace("、", ",").split(",")
            values["n_players"] = self.n_players
        if (preset := data.get("preset")) and self._takes_preset(preset):
            values = {name: value for name, value in values.items() if name not in PRESET_FIELDS}
            return ScoreRules.from_dict(PRESETS[preset].to_dict() | values)
        return ScoreRules.from_dict(values)

    def _takes_preset(self, preset: str) -> bool:
        """Tell whether the preset applies: it was just chosen, or none of its fields was changed."""
        if preset != self.initial["preset"]:
            return True
        typed = {
            name: str(self.data.get(self.add_prefix(name), "")).replace(",", "") for name in ("start", "back")
        }
        typed |= {name: str(self.data.get(self.add_prefix(name), "")) for name in ("uma", "ties", "sticks")}
        shown = {name: str(self.initial[name]) for name in typed}
        return all(not value or value == shown[name] for name, value in typed.items())


def rules_initial(rules: ScoreRules) -> dict[str, Any]:
    """Values of the form for stored rules."""
    values = {field.name: getattr(rules, field.name) for field in fields(rules)}
    texts = {name: f"{value:f}" if isinstance(value, Decimal) else value for name, value in values.items()}
    return texts | {"uma": ", ".join(f"{value:f}" for value in rules.uma), "preset": preset_of(rules)}


def preset_values() -> dict[str, dict[str, Any]]:
    """List what a preset puts into the form, for static/js/night.js."""
    names = ("start", "back", "uma", "ties", "sticks")
    return {
        name: {field: str(rules_initial(rules)[field]) for field in names}
        | {"floating": rules.to_dict()["floating"]}
        for name, rules in PRESETS.items()
    }
