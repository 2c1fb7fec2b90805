"""Form of the rating settings that readers may try."""

from collections.abc import Mapping
from typing import Any

from ratings.forms import SettingsForm

TRIED = (
    "beta",
    "tau_per_day",
    "sigma_floor",
    "season_start",
    "season_sigma",
    "late_a",
    "late_b",
    "badge_top",
    "badge_step",
)


class TriedSettingsForm(SettingsForm):
    """A few parameters of TIER; all others are those in force."""

    def __init__(self, data: Mapping[str, Any] | None, *, values: Mapping[str, Any]) -> None:
        super().__init__(data, values=values, revision=0)
        self.fields = {name: self.fields[name] for name in TRIED}
