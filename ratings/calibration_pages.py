"""What the page of a calibration shows: figures, warnings in words, the chart behind k, the form to adopt."""

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.db.models import Min, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from league.formats import MINUS
from league.models import Pool, Season
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from ratings.engine.profit.params import ProfitParams
from ratings.models import RatingSettings, SettingsOrigin
from ratings.parameters import digits
from ratings.queries import profit_params_of
from ratings.services.calibration import PoolCalibration

if TYPE_CHECKING:
    from ratings.engine.profit.calibration import Calibration, Estimate

LEFT, TOP, BOTTOM, RIGHT = 40, 24, 200, 12  # margins and height of the chart
WIDTHS = (("narrow", 340), ("wide", 520))
BALANCE_STEP, PLACE_STEP = 5.0, 0.5  # the axes end at multiples of these


class Figure(NamedTuple):
    """A line of the table of parameters."""

    label: str
    about: str
    value: str
    interval: str
    published: str


class Notice(NamedTuple):
    """What a reader has to know before the figures."""

    head: str
    text: str


def brief(value: float, n_digits: int = 3) -> str:
    """Write a number with so many significant digits: 143.9, 0.1267."""
    return digits(float(f"{value:.{n_digits}g}"))


def interval_of(estimate: "Estimate", n_digits: int = 3) -> str:
    if not estimate.is_bounded:
        return _("open")
    low, high = brief(estimate.low, n_digits), brief(estimate.high, n_digits)
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def figures_of(found: "Calibration") -> list[Figure]:
    """Lines of the parameters that could be estimated; the published ones belong to tables of four."""
    published = ProfitParams()
    k = published.g / published.f
    spread = _(
        "variance of balances by that of places; standard deviation %(spread)s %(a_game_word)s; %(games_word)s: %(n)d"
    ) % {
        "spread": brief(found.spread),
        "n": found.n_games,
    }
    slope = _("%(m)s places for each unit of mean balance; players with enough %(games_word)s: %(n)d") % {
        "m": brief(found.m.value) if found.m else "–",
        "n": found.n_regulars,
    }
    lines = [
        (_("Spread of balances, l"), spread, found.l, k / published.f),
        (_("Skill in balances, k"), slope, found.k, k),
        (_("Scale of the result, f"), "k/l", found.f, published.f),
        (_("Weight of the pull, g"), "k²/l", found.g, published.g),
    ]
    is_four = "not_published" not in found.warnings
    return [
        Figure(label, about, brief(each.value, 4), interval_of(each), brief(value, 4) if is_four else "–")
        for label, about, each, value in lines
        if each
    ]


def warnings_of(calibration: PoolCalibration) -> list[Notice]:
    """Say what is missing for firm figures, the most important first, or that they are firm."""
    found = calibration.found
    values = {
        "n_games": found.n_games,
        "n_regulars": found.n_regulars,
        "n_seats": found.table_size,
        "n_others": found.n_other_sizes,
        "low": brief(found.g.low) if found.g else "–",
        "high": brief(found.g.high) if found.g and found.is_bounded else "–",
    }
    words = _words()
    codes = [code for code in found.warnings if code in words and code != "not_published"]
    if found.is_bounded and "few_regulars" not in codes:
        codes.insert(0, "firm")
    if calibration.lacks_published:
        codes.insert(0, "not_published")
    return [Notice(*(str(part) % values for part in words[code])) for code in codes]


def _words() -> dict[str, tuple[str, str]]:
    """Head and text of each warning, by the codes of Calibration.warnings."""
    return {
        "firm": (
            _("Firm enough."),
            _(
                "Players with at least 50 %(games_word)s: %(n_regulars)d. g lies between %(low)s and %(high)s."
            ),
        ),
        "too_few_games": (
            _("%(Games_word)s so far: %(n_games)d."),
            _("From 20 %(games_word)s the quick start is possible, from 100 the spread of balances is firm."),
        ),
        "few_games": (
            _("Few %(games_word)s."),
            _("There are %(n_games)d; from 100 the spread of balances is firm."),
        ),
        "too_few_regulars": (
            _("No estimate of skill yet."),
            _(
                "Players with at least 50 %(games_word)s: %(n_regulars)d. At least 3 are needed, and about 100 make"
                " k firm."
            ),
        ),
        "no_skill_seen": (
            _("Skill cannot be told from luck yet."),
            _(
                "Players with at least 50 %(games_word)s: %(n_regulars)d, but their results differ no more than by"
                " luck. The"
                " interval of k has no end, so there is no estimate to adopt."
            ),
        ),
        "few_regulars": (
            _("Too few to adopt with confidence."),
            _(
                "Players with at least 50 %(games_word)s: only %(n_regulars)d; about 100 make k firm. The interval"
                " of g goes"
                " from %(low)s to %(high)s: the same number of new %(games_word)s could give another answer within it."
            ),
        ),
        "not_published": (
            _("Nobody has published parameters for tables of %(n_seats)d."),
            _("Until you calibrate, R of this pool is provisional."),
        ),
        "other_sizes": (
            _("Tables of several sizes."),
            _(
                "%(Games_word)s not of %(n_seats)d players: %(n_others)d. They count too, compared with places of"
                " their own."
            ),
        ),
    }


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    is_regular: bool


@dataclass(frozen=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True)
class SlopeChart:
    """Mean place against mean balance of each player, with the line of k through an average player."""

    size: str
    width: int
    right: int
    dots: list[Dot]
    line: tuple[float, float, float, float] | None
    places: list[Tick]
    balances: list[Tick]


def slope_charts(found: "Calibration", least_games: int) -> list[SlopeChart]:
    """Draw the chart for a phone and for a wide page; none without players."""
    return [_slope_chart(found, least_games, size, width) for size, width in WIDTHS] if found.n_games else []


def _slope_chart(found: "Calibration", least_games: int, size: str, width: int) -> SlopeChart:
    middle = (found.table_size + 1) / 2.0
    reach = _ceiling(float(abs(found.mean_balance).max()), BALANCE_STEP)
    height = _ceiling(float(abs(found.mean_place - middle).max()), PLACE_STEP)
    right = width - RIGHT

    def x(balance: float) -> float:
        return round((LEFT + right + (right - LEFT) * balance / reach) / 2.0, 1)

    def y(place: float) -> float:
        return round((TOP + BOTTOM + (BOTTOM - TOP) * (place - middle) / height) / 2.0, 1)

    end = min(reach, height / found.m.value) if found.m else 0.0
    gain = end * found.m.value if found.m else 0.0
    return SlopeChart(
        size=size,
        width=width,
        right=right,
        dots=[
            Dot(x(balance), y(place), n >= least_games)
            for balance, place, n in zip(
                found.mean_balance.tolist(), found.mean_place.tolist(), found.games.tolist(), strict=True
            )
        ],
        line=(x(-end), y(middle + gain), x(end), y(middle - gain)) if end else None,
        places=[Tick(y(at), f"{at:.1f}") for at in (middle - height, middle, middle + height)],
        balances=[
            Tick(x(at), brief(at).replace("-", MINUS))
            for at in (-reach, -reach / 2.0, 0.0, reach / 2.0, reach)
        ],
    )


def _ceiling(value: float, step: float) -> float:
    return max(1, ceil(value / step)) * step


class SeasonChoice(forms.ModelChoiceField[Season]):
    def label_from_instance(self, season: Season) -> str:
        return _("Stretch them when the season %(season)s begins, %(day)s; new from then on") % {
            "season": season,
            "day": date_format(season.starts_on, "DATE_FORMAT"),
        }


class AdoptForm(forms.Form):
    """Which parameters, and what happens to the ratings so far; `origin` and `pair` are set once it is valid.

    The value of a choice contains its figures, so that nothing else than what was shown can be adopted.
    """

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    parameters = forms.CharField(label=gettext_lazy("Which parameters"), widget=forms.RadioSelect)
    season = SeasonChoice(
        Season.objects.none(),
        required=False,
        blank=True,  # Otherwise radio buttons have no empty choice.
        empty_label=gettext_lazy("Compute all of them again; every explanation changes"),
        label=gettext_lazy("And the ratings so far?"),
        widget=forms.RadioSelect,
    )

    origin: str
    pair: tuple[float, float]

    def __init__(self, data: Any, *, calibration: PoolCalibration) -> None:
        candidates = calibration.candidates
        values = {origin: f"{origin} {params.f!r} {params.g!r}" for origin, params in candidates.items()}
        is_firm = "few_regulars" not in calibration.found.warnings
        preferred = SettingsOrigin.ESTIMATE if is_firm else SettingsOrigin.QUICK_START
        shown = values.get(preferred, next(iter(values.values()), ""))
        super().__init__(data, initial={"revision": calibration.revision, "parameters": shown, "season": ""})
        widget = self.fields["parameters"].widget
        assert isinstance(widget, forms.RadioSelect)
        widget.choices = [(values[origin], choice_label(origin, candidates[origin])) for origin in candidates]
        season = self.fields["season"]
        assert isinstance(season, SeasonChoice)
        season.queryset = _later_seasons(calibration.pool)

    def clean_parameters(self) -> str:
        """Split a choice into origin and figures; the service compares them with those of now."""
        value: str = self.cleaned_data["parameters"]
        try:
            self.origin, f, g = value.split(" ")
            self.pair = float(f), float(g)
        except ValueError:
            raise forms.ValidationError(_("Choose the parameters to adopt.")) from None
        return value


def _later_seasons(pool: Pool) -> QuerySet[Season]:
    """Select the seasons that began after the pool's first game, the newest first."""
    first_at = pool.events.aggregate(Min("starts_at"))["starts_at__min"]
    seasons = pool.seasons.order_by("-starts_on")
    return seasons.filter(starts_on__gt=timezone.localdate(first_at)) if first_at else seasons.none()


def choice_label(origin: str, params: ProfitParams) -> str:
    texts = {
        SettingsOrigin.ESTIMATE.value: _("The estimate: f %(f)s, g %(g)s"),
        SettingsOrigin.QUICK_START.value: _(
            "The quick start: f %(f)s from the spread of balances alone, g %(g)s"
        ),
    }
    return texts[origin] % {"f": digits(params.f), "g": digits(params.g)}


class Adopted(NamedTuple):
    """A line of the parameters so far."""

    settings: RatingSettings
    f: str
    g: str
    origin: str
    stretch: str  # "" if R was not stretched


def parameters_so_far(revisions: list[RatingSettings]) -> list[Adopted]:
    lines = []
    for settings in revisions:
        params = profit_params_of(settings)
        is_default = settings.origin == SettingsOrigin.TYPED and params.is_published
        origin = _("published") if is_default else settings.get_origin_display()
        stretch = brief(settings.stretch) if settings.stretch else ""
        lines.append(Adopted(settings, digits(params.f), digits(params.g), origin, stretch))
    return lines
