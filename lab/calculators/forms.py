"""Forms of the pages that compute from what the address says; the engines check the values."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lab.calculators.answers import (
    DECIDE_DEFAULTS,
    LIMP_DEFAULT,
    SPOT_OPTIONS,
    STRATEGY_OPTIONS,
    VPIP_DEFAULTS,
    padding_of,
    params_of,
    seats_of,
    spot_of,
    strategy_of,
    street_of,
    style_of,
    table_of,
)
from lab.engine.utility import Spot, Style
from lab.error_messages import message_of
from ratings.engine.errors import EngineError
from ratings.engine.vpip import LEAST_SEATS, MOST_SEATS, TableVpip, VpipParams

PERCENT = 100.0


def number_field(
    label: Any, help_text: Any, template_name: str | None = None, **attributes: str
) -> forms.FloatField:
    """Make a field for a number; the engine knows its bounds."""
    widget = forms.NumberInput({"inputmode": "decimal", "step": "any", **attributes})
    # The stubs do not know the name of the template.
    return forms.FloatField(  # type: ignore[call-arg]
        label=label, help_text=help_text, widget=widget, template_name=template_name
    )


def slider(label: Any, help_text: Any, least: float, most: float, step: float) -> forms.FloatField:
    """Make a field that scripts turn into a slider; without them, or beyond its ends, a number is typed."""
    ends = {"min": f"{least:g}", "max": f"{most:g}", "step": f"{step:g}"}
    return number_field(label, help_text, "lab/calculators/_slide.html", **ends)


class OptionsForm(forms.Form):
    """Numbers named as the options of a command; the address may leave out any of them."""

    defaults: ClassVar[Mapping[str, str]] = {}

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__({name: options.get(name, default) for name, default in self.defaults.items()})

    @property
    def query(self) -> str:
        """Write the query of the same figures as a file or by the API, without fields left empty."""
        return urlencode({name: value for name, value in self.data.items() if value != ""})

    def clean(self) -> dict[str, Any]:
        if not self.errors:
            try:
                self.read(self.data)
            except EngineError as error:
                self.add_error(error.field, message_of(error))
        return self.cleaned_data

    def read(self, options: Mapping[str, Any]) -> None:
        """Parse the options with the engine and store the result."""
        raise NotImplementedError


class VpipForm(OptionsForm):
    defaults = {**VPIP_DEFAULTS, "seats": "9", "limp": LIMP_DEFAULT, **dict.fromkeys(STRATEGY_OPTIONS, "")}
    phi = slider(gettext_lazy("φ, at six players"), gettext_lazy("20 percent is a solid player."), 5, 60, 1)
    tau = slider(
        gettext_lazy("τ, loosens when short-handed"), gettext_lazy("0: the same at every size."), 0, 2, 0.05
    )
    pi = slider(
        gettext_lazy("π, cares for position"),
        gettext_lazy("0: not at all; below 0: the wrong way."),
        -1,
        2,
        0.05,
    )
    seats = slider(gettext_lazy("Seats"), gettext_lazy("Shown in the chart."), LEAST_SEATS, MOST_SEATS, 1)
    limp = forms.ChoiceField(
        label=gettext_lazy("Small blind, when all before it fold"),
        choices=[("0", gettext_lazy("plays as always")), ("1", gettext_lazy("also limps in, as heads up"))],
    )
    ranges = forms.CharField(
        label=gettext_lazy("Ranges, percent"),
        help_text=gettext_lazy("The strongest first, as 3-bet, 2-bet, call: 5, 10, 20."),
        required=False,
    )
    to = number_field(gettext_lazy("New total, percent"), gettext_lazy("The last range after the move."))
    strategy = number_field(
        gettext_lazy("Strategy factor, s"),
        gettext_lazy("0 keeps the strong ranges as they are, 1 moves all in proportion."),
    )
    params: VpipParams
    chosen_seats: int
    moved: Mapping[str, Any]
    table: Callable[[VpipParams, int], TableVpip]

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        for name in ("to", "strategy"):
            self.fields[name].required = False

    @property
    def of_the_model(self) -> list[BoundField]:
        return [self[name] for name in (*VPIP_DEFAULTS, "seats")]

    @property
    def of_the_strategy(self) -> list[BoundField]:
        """List the fields that are folded away, in the order in which one thinks of them."""
        return [self[name] for name in ("ranges", "to", "strategy")]

    @property
    def is_unfolded(self) -> bool:
        return any(field.errors or field.value() for field in self.of_the_strategy)

    def read(self, options: Mapping[str, Any]) -> None:
        self.params = params_of(options)
        self.chosen_seats = seats_of(options["seats"]).start
        self.moved = strategy_of(options)
        self.table = table_of(options)


SPOT_FIELDS: Mapping[str, tuple[Any, Any]] = {
    "p": (gettext_lazy("Chance to win, p"), gettext_lazy("0 to 1, of the whole pot.")),
    "n": (gettext_lazy("Players left, n"), gettext_lazy("Who have not folded, with you.")),
    "own": (gettext_lazy("Stack, W"), gettext_lazy("At the start of the hand.")),
    "in": (gettext_lazy("In already, b"), gettext_lazy("Lost by folding.")),
    "call": (gettext_lazy("To call, c"), gettext_lazy("In all, with what is in.")),
    "raise": (gettext_lazy("Least raise, m"), gettext_lazy("On top of the call.")),
    "folded": (gettext_lazy("Left by others, β"), gettext_lazy("Chips of those who folded.")),
}


class DecideForm(OptionsForm):
    # The example of the author's note.
    defaults = {
        "p": "0.2", "n": "4", "own": "100", "in": "5", "call": "15", "raise": "10", "folded": "0", **DECIDE_DEFAULTS
    }  # fmt: skip
    gamma = slider(
        gettext_lazy("γ, shuns risk"), gettext_lazy("0: counts chips; 1: Kelly; 5: very careful."), 0, 5, 0.1
    )
    style = slider(
        gettext_lazy("s, loose or tight"),
        gettext_lazy("Above 0 the player takes the chance for better than it is, below 0 for worse."),
        -0.5,
        0.8,
        0.1,
    )
    inconsistency = slider(
        gettext_lazy("λ, inconsistent"), gettext_lazy("Above 0: more careful the better the hand."), 0, 5, 0.1
    )
    bias = slider(
        gettext_lazy("δ, misjudges odds"), gettext_lazy("Above 0: hopes for long shots."), 0, 1, 0.05
    )
    street = forms.ChoiceField(
        label=gettext_lazy("Street"),
        choices=[
            ("preflop", gettext_lazy("before the flop")), ("flop", gettext_lazy("flop")),
            ("turn", gettext_lazy("turn")), ("river", gettext_lazy("river")),
        ],
        help_text=gettext_lazy("Counts for a player who is as loose as this only at first."),
    )  # fmt: skip
    river = number_field(gettext_lazy("s on the river"), gettext_lazy("Empty: the same on every street."))
    noise = number_field(
        gettext_lazy("Noise"), gettext_lazy("How far the player errs in the chance, two times in three: 0.1.")
    )
    padding = number_field(
        gettext_lazy("Padding, percent"),
        gettext_lazy("1 to 5: the stack counts as so much more. Empty: only if all may be lost."),
    )
    spot: Spot
    player: Style
    where: str
    padded: float

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        for name, (label, help_text) in SPOT_FIELDS.items():
            self.fields[name] = number_field(label, help_text)
        for name in ("river", "padding"):
            self.fields[name].required = False

    @property
    def of_the_spot(self) -> list[BoundField]:
        return [self[name] for name in SPOT_OPTIONS]

    @property
    def of_the_player(self) -> list[BoundField]:
        return [self[name] for name in ("gamma", "style", "inconsistency", "bias")]

    @property
    def of_the_rest(self) -> list[BoundField]:
        """List the fields that are folded away."""
        return [self[name] for name in ("street", "river", "noise", "padding")]

    @property
    def is_unfolded(self) -> bool:
        return any(
            field.errors or str(field.value() or "") != DECIDE_DEFAULTS[field.name]
            for field in self.of_the_rest
        )

    def clean_p(self) -> float:
        p: float = self.cleaned_data["p"]
        if 1.0 < p <= PERCENT:
            raise forms.ValidationError(
                _("A chance lies between 0 and 1. Did you mean %(share)s?"),
                params={"share": f"{p / PERCENT:g}"},
            )
        return p

    def read(self, options: Mapping[str, Any]) -> None:
        self.spot, self.player, self.where = spot_of(options), style_of(options), street_of(options)
        self.padded = padding_of(self.spot, options)
