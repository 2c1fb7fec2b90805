"""Rating parameters as pages show them: their tables, what changed, numbers in full."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy

from league.models import PoolKind
from ratings.engine.profit.scales import PUBLISHED_CHIPS, PUBLISHED_SIZE, SPREADS, preset
from ratings.profit_parameters import PROFIT_GROUPS, SYSTEM_LABELS
from ratings.queries import published_values
from ratings.tier_parameters import FITTED, GROUPS, LATE_LABELS, OWN, START_LABELS, Group, Parameter

# Names that both kinds have are those of the badges, which mean the same.
PARAMETERS = {
    parameter.name: parameter for group in (*PROFIT_GROUPS, *GROUPS) for parameter in group.parameters
}
# Where a default comes from that is in no publication.
ORIGINS = {name: gettext_lazy("fitted to published results") for name in FITTED} | {
    name: gettext_lazy("of this site") for name in OWN
}
CHOICES = {"season_start": START_LABELS, "late_charge": LATE_LABELS, "system": SYSTEM_LABELS}


class ShownParameter(NamedTuple):
    """A line of the table. Numbers have at most six digits here; the form and the history show all of them."""

    parameter: Parameter
    value: str
    default: str
    is_default: bool
    origin: str  # of the default, where the publication says nothing of it

    @property
    def is_long(self) -> bool:
        return self.parameter.name in CHOICES


class Preset(NamedTuple):
    """A pair for games of so many players with chips of such a value, in thousands."""

    n_players: int
    chips: int
    f: str
    g: str
    origin: str

    @property
    def key(self) -> str:
        return f"{self.n_players}-{self.chips}"


def presets() -> list[Preset]:
    """List the pairs that a pool of R can begin with."""
    return [_preset(n_players, chips) for n_players, chips in SPREADS]


def _preset(n_players: int, chips: int) -> Preset:
    f, g = preset(n_players, chips)
    return Preset(n_players, chips, digits(f), digits(g), _origin(n_players, chips))


def preset_values(key: str) -> dict[str, float]:
    """Return the parameters that a preset sets; empty for an unknown preset."""
    pairs = {f"{n_players}-{chips}": (n_players, chips) for n_players, chips in SPREADS}
    return dict(zip(("f", "g"), preset(*pairs[key]), strict=True)) if key in pairs else {}


def _origin(n_players: int, chips: int) -> str:
    if (n_players, chips) == (PUBLISHED_SIZE, PUBLISHED_CHIPS):
        return gettext("printed")
    if n_players == PUBLISHED_SIZE:
        return gettext("from the printed spread")
    return gettext("inferred: no variance of places is printed for three")


def for_readers(name: str, value: Any) -> str:
    """Format the value of a parameter for readers, with all its digits."""
    if value is None:
        return gettext("none")
    if name in CHOICES:
        return str(CHOICES[name].get(value, value))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return digits(value)


def changed_parameters(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """List label, old and new value of each changed parameter."""
    return [
        (str(parameter.label), for_readers(name, before[name]), for_readers(name, after[name]))
        for name, parameter in PARAMETERS.items()
        if name in after and after[name] != before[name]
    ]


def digits(value: float) -> str:
    """Format a number in full without an exponent: 0.84162123357, 300, 0.000001."""
    text = format(Decimal(repr(value)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def groups_of(kind: str) -> tuple[Group, ...]:
    """Groups of the parameters of a pool of this kind."""
    return PROFIT_GROUPS if kind == PoolKind.PROFIT else GROUPS


def shown_groups(kind: str, values: Mapping[str, Any]) -> list[tuple[Any, list[ShownParameter]]]:
    """All parameters of a pool of this kind beside their defaults."""
    published = published_values(kind, values)
    return [
        (
            group.label,
            [
                _shown_parameter(parameter, values[parameter.name], published[parameter.name])
                for parameter in group.parameters
            ],
        )
        for group in groups_of(kind)
    ]


def _shown_parameter(parameter: Parameter, value: Any, published: Any) -> ShownParameter:
    brief, brief_published = (
        for_readers(parameter.name, float(f"{number:.6g}") if isinstance(number, float) else number)
        for number in (value, published)
    )
    origin = ORIGINS.get(parameter.name, "")
    return ShownParameter(parameter, brief, brief_published, value == published, str(origin))
