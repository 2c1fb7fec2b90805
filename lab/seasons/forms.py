"""The form of a season to simulate."""

import uuid
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from secrets import randbelow
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lab.engine.errors import EngineError
from lab.engine.seasons.estimate import check_seasons
from lab.engine.seasons.points import tables_of
from lab.engine.seasons.scenario import (
    KINDS,
    MOST_LATE,
    MOST_NIGHTS,
    MOST_PLAYERS,
    MOST_VARIANTS,
    Scenario,
    Variant,
)
from lab.error_messages import message_of
from lab.models import LabRun
from lab.queries import SeasonField
from lab.seasons.terms import GROUPS
from payouts.engine.errors import EngineError as PointsError
from payouts.engine.seasons.season import SeasonRules
from payouts.engine.structures.structure import PointsStructure
from payouts.error_messages import field_and_message as points_message_of
from payouts.models import MAX_ATTENDANCE_POINTS
from payouts.sentences import structure_in_words
from ratings.engine.simulation.player_types import TYPES

# Structures without settings of their own; that of a season may have some.
STRUCTURES = ("vp_kid", "inverse", "soft_top", "linear", "sqrt", "log_field", "winner_takes_all")
USUAL = ("vp_kid", "linear", "inverse", "winner_takes_all")
COUNTS = (1, 6, 10, 6, 1)
OWN = "own"
EACH = 3  # hold'em players of each kind
SEASONS, MOST_SEED = 2_000, 2**53
# Fields of the form by those of a scenario that have another name here.
FIELDS = {"counts": "players", "variants": "structures", "structure": "structures"}


def _number(label: Any, least: int, most: int, help_text: Any = "", *, required: bool = True) -> Any:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, help_text=help_text, required=required
    )


class RunForm(forms.Form):
    """A season to simulate. `field` are the rated players of a season, `own` is its structure."""

    form_token = forms.UUIDField(widget=forms.HiddenInput)
    players = forms.ChoiceField(label=gettext_lazy("Who plays"), widget=forms.RadioSelect)
    each = _number(gettext_lazy("Hold’em players of each kind"), 1, MOST_PLAYERS // len(KINDS))
    nights = _number(gettext_lazy("Nights"), 1, MOST_NIGHTS)
    size = _number(
        gettext_lazy("Players of a night"),
        2,
        MOST_PLAYERS,
        gettext_lazy("Drawn equally. Empty: each player comes by chance."),
        required=False,
    )
    chance = _number(
        gettext_lazy("Chance to come, %"),
        1,
        100,
        gettext_lazy("Without a number of players. Empty: as often as each came in the season."),
        required=False,
    )
    late = _number(
        gettext_lazy("Come late, %"),
        0,
        round(100 * MOST_LATE),
        gettext_lazy("Of the players of a night. Changes ratings, not places."),
    )
    re_entry = _number(
        gettext_lazy("Buy in again, %"),
        0,
        100,
        gettext_lazy("Of those out before registration closes, once."),
    )
    structures = forms.MultipleChoiceField(
        label=gettext_lazy("Points structures"), widget=forms.CheckboxSelectMultiple
    )
    rules = forms.MultipleChoiceField(
        label=gettext_lazy("Which nights count"),
        widget=forms.CheckboxSelectMultiple,
        choices=[
            ("all", gettext_lazy("all")),
            ("best", gettext_lazy("the best of each player")),
            ("drop", gettext_lazy("all but the worst of each player")),
        ],
        help_text=gettext_lazy("With several, each structure is tried with each."),
    )
    best_n = _number(gettext_lazy("So many best nights"), 1, MOST_NIGHTS, required=False)
    drop_worst = _number(gettext_lazy("So many worst nights"), 1, MOST_NIGHTS, required=False)
    attendance_points = _number(gettext_lazy("Points for attendance"), 0, MAX_ATTENDANCE_POINTS)
    # The engine refuses what takes too long, and says how many are enough.
    seasons = _number(
        gettext_lazy("Seasons to simulate"),
        1,
        10**9,
        gettext_lazy("2,000 are right to a percent and a half."),
    )
    seed = _number(
        gettext_lazy("Seed"),
        0,
        MOST_SEED,
        gettext_lazy("The same seed gives the same seasons."),
        required=False,
    )

    def __init__(
        self, *args: Any, field: SeasonField | None, own: PointsStructure | None, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.field_of_season, self.own = field, own
        for name, label in ((name, GROUPS[name]) for name in TYPES):
            self.fields[name] = _number(label, 0, MOST_PLAYERS, required=False)
        choices = [
            ("types", _("made-up players of five types")),
            ("styles", _("hold’em players of seven kinds, who play hand by hand")),
        ]
        if field:
            choices.append(
                (
                    "season",
                    _("the %(n)d players of %(season)s by their ratings")
                    % {"n": len(field.mu), "season": field.season},
                )
            )
        structures = [(name, structure_in_words(PointsStructure(name))) for name in STRUCTURES]
        if own and not own.uses_balance and own not in map(PointsStructure, STRUCTURES):
            structures.insert(0, (OWN, structure_in_words(own)))
        for name, options_of in (("players", choices), ("structures", structures)):
            self.fields[name].choices = options_of  # type: ignore[attr-defined]  # a choice field

    @property
    def types(self) -> list[forms.BoundField]:
        return [self[name] for name in TYPES]

    def clean_seed(self) -> int:
        seed = self.cleaned_data["seed"]
        return randbelow(10_000) if seed is None else seed

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for rule, name in (("best", "best_n"), ("drop", "drop_worst")):
            if rule in data.get("rules", ()) and not data.get(name) and name not in self.errors:
                self.add_error(name, _("Say how many."))
        if len(data.get("structures", ())) * len(data.get("rules", ())) > MOST_VARIANTS:
            self.add_error(
                "structures", _("At most %(n)d combinations can be compared.") % {"n": MOST_VARIANTS}
            )
        if not self.errors:
            self._read_scenario(data)
        return data

    def _read_scenario(self, data: dict[str, Any]) -> None:
        try:
            self.scenario = Scenario(**self._players(data), **self._season(data))
            tables_of(self.scenario)
            check_seasons(self.scenario, data["seasons"])
        except PointsError as error:
            self.add_error("structures", points_message_of(error)[1])
        except EngineError as error:
            field = FIELDS.get(error.field, error.field)
            if field == "attendance":
                field = "size"
            self.add_error(field if field in self.fields else None, message_of(error))
            if error.code == "too_many_seasons":
                self.enough = error.values["enough"]

    # A number of seasons that is refused is answered with one that is not.
    enough: Any = None

    def _players(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["players"] == "season" and self.field_of_season:
            found = self.field_of_season
            own = found.attendance if data["size"] is None and data["chance"] is None else ()
            return {"mu": found.mu, "sigma": found.sigma, "attendance": own}
        if data["players"] == "styles":
            return {"styles": (data["each"],) * len(KINDS)}
        return {"counts": tuple(data[name] or 0 for name in TYPES)}

    def _season(self, data: dict[str, Any]) -> dict[str, Any]:
        season: dict[str, Any] = {
            "nights": data["nights"],
            "size": data["size"],
            "late": data["late"] / 100,
            "re_entry": data["re_entry"] / 100,
            "variants": tuple(
                Variant(self._structure(name), _rules(rule, data))
                for name, rule in product(data["structures"], data["rules"])
            ),
        }
        if data["size"] is None and data["chance"] is not None:
            season["attendance"] = (data["chance"] / 100,)
        return season

    def _structure(self, name: str) -> PointsStructure:
        return self.own if name == OWN and self.own else PointsStructure(name)


def _rules(rule: str, data: dict[str, Any]) -> SeasonRules:
    return SeasonRules(
        attendance_points=Fraction(data["attendance_points"]),
        best_n=data["best_n"] if rule == "best" else None,
        drop_worst=data["drop_worst"] if rule == "drop" else 0,
    )


def suggested(field: SeasonField | None, own: PointsStructure | None) -> dict[str, Any]:
    """Suggest a run: the players of the last season and the four usual structures."""
    return {
        "form_token": uuid.uuid4(),
        "players": "season" if field else "types",
        **dict(zip(TYPES, COUNTS, strict=True)),
        "each": EACH,
        "nights": 12,
        "size": None if field else 15,
        "late": 0,
        "re_entry": 0,
        "structures": [*([OWN] if own else []), *USUAL],
        "rules": ["all"],
        "attendance_points": 1,
        "seasons": SEASONS,
    }


def of_run(run: LabRun) -> dict[str, Any]:
    """Fill in the form with a run, to change something and run it again."""
    scenario = run.scenario
    rules = [variant.rules for variant in scenario.variants]
    return {
        "form_token": uuid.uuid4(),
        "players": "season" if scenario.mu else "styles" if scenario.styles else "types",
        "each": next(iter(scenario.styles), EACH),
        **dict(zip(TYPES, scenario.counts or COUNTS, strict=True)),
        "nights": scenario.nights,
        "size": scenario.size,
        "chance": round(100 * scenario.attendance[0]) if len(scenario.attendance) == 1 else None,
        "late": round(100 * scenario.late),
        "re_entry": round(100 * scenario.re_entry),
        "structures": _names(scenario.variants),
        "rules": _chosen_rules(rules),
        "best_n": next((each.best_n for each in rules if each.best_n), None),
        "drop_worst": next((each.drop_worst for each in rules if each.drop_worst), None),
        "attendance_points": int(rules[0].attendance_points),
        "seasons": run.n_seasons,
        "seed": run.seed,
    }


def _names(variants: Sequence[Variant]) -> list[str]:
    simple = {PointsStructure(name): name for name in STRUCTURES}
    return list(dict.fromkeys(simple.get(variant.structure, OWN) for variant in variants))


def _chosen_rules(rules: Sequence[SeasonRules]) -> list[str]:
    return list(
        dict.fromkeys("best" if each.best_n else "drop" if each.drop_worst else "all" for each in rules)
    )
