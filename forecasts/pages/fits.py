"""What organizers see of a pool under other settings."""

from typing import Any, NamedTuple

from forecasts.models import SettingsFit
from league import formats
from league.vocabulary import gettext as _
from ratings.services.fitting import LEAST_EVENTS


class FitRow(NamedTuple):
    beta: str
    drift: str
    right: str
    surprise: str
    better: str
    is_now: bool
    is_clear: bool  # better than now by more than two standard errors


class FitPage(NamedTuple):
    rows: list[FitRow]
    is_asked: bool
    warning: str
    finding: str


def fit_page(fit: SettingsFit | None, n_events: int) -> FitPage:
    rows = [_row(each) for each in fit.tried] if fit else []
    warning = ""
    if n_events < LEAST_EVENTS:
        warning = _(
            "With %(n)d %(events_word)s the history is too small to say: settings that look better here may be so"
            " by chance."
        ) % {"n": n_events}
    return FitPage(rows, bool(fit and fit.is_asked), warning, _finding(rows))


def _row(tried: dict[str, Any]) -> FitRow:
    value, error = tried["better"]
    is_clear = error is not None and value > 2 * error
    better = "–" if tried["is_now"] else formats.signed(value, 4)
    numbers = [float(tried[name]) for name in ("beta", "tau_per_day", "accuracy", "log_loss")]
    return FitRow(
        formats.number(numbers[0]),
        formats.number(numbers[1]),
        formats.number(100 * numbers[2], 1),
        formats.number(numbers[3], 4),
        better,
        bool(tried["is_now"]),
        is_clear,
    )


def _finding(rows: list[FitRow]) -> str:
    if not rows:
        return ""
    best = rows[0]
    if best.is_now:
        return _("No other settings that were tried forecast better.")
    if not best.is_clear:
        return _("Other settings look better, but not by more than chance.")
    return _("With beta %(beta)s and a drift of %(drift)s a day, the forecasts would have been better.") % {
        "beta": best.beta,
        "drift": best.drift,
    }
