"""Calibration of R from an event file, for the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.engine.errors import BadEventError
from ratings.engine.profit.params import ProfitParams
from ratings.files.reading import read_rated_file

if TYPE_CHECKING:
    from ratings.engine.profit.calibration import Calibration

# What keeps figures from being firm, by the codes of Calibration.warnings.
NOT_ENOUGH = {"too_few_games", "few_games", "too_few_regulars", "few_regulars", "no_skill_seen"}


def calibration_of_file(path: Path, *, n_players: int | None) -> "Calibration":
    """Estimate the parameters of R from a file, from tables of so many players if that is given."""
    from ratings.engine.profit.calibration import calibrate_profit
    from ratings.engine.profit.history import ProfitHistory

    file = read_rated_file(path)
    games = file.history
    try:
        history = ProfitHistory(games.offset, games.player, games.place, file.balance)
    except BadEventError as error:
        raise file.located(error) from error
    if n_players is not None:
        history = history.without(np.flatnonzero(np.diff(history.offset) != n_players))
    return calibrate_profit(history, ProfitParams())


def printed_calibration(found: "Calibration") -> dict[str, Any]:
    """Write the figures of a calibration as the command prints them; an interval without end has no `high`."""
    estimates = {name: getattr(found, name) for name in ("l", "k", "f", "g")}
    why = [code for code in found.warnings if code in NOT_ENOUGH]
    return {
        **{name: estimate and estimate.to_dict() for name, estimate in estimates.items()},
        "games": found.n_games,
        "players": found.n_players,
        "enough": not why,
        "why": list(found.warnings),
    }
