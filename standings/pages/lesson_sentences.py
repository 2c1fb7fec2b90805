"""Sentences about a club's settings that have many numbers."""

from math import erf, sqrt

from league import formats
from league.vocabulary import gettext as _
from ratings.engine.tier.params import TierParams
from standings.goals.lessons import PointsLesson


def rate_in_words(params: TierParams) -> str:
    above = 50 * (1 + erf(params.conservatism / sqrt(2)))
    return _(
        "The rate shown is mu less %(k)s sigma, plus %(offset)s: a cautious number, since %(percent)s times out of 100"
        " a skill is higher than mu less %(k)s sigma. The rate is never below %(least)s."
    ) % {
        "k": formats.number(params.conservatism, 2),
        "offset": formats.number(params.offset),
        "percent": formats.number(above),
        "least": formats.number(params.rate_floor),
    }


def weights_in_words(params: TierParams) -> str:
    names = ("first", "top", "final_table", "bottom", "rest_low", "rest_high")
    weights = {name: formats.number(getattr(params, f"weight_{name}"), 2) for name in names}
    share = formats.points(100 * params.weight_share)
    return _(
        "a win counts %(first)s, the best %(share)s %% %(top)s, the final table %(final_table)s, the last %(share)s %%"
        " %(bottom)s, all others %(rest_low)s to %(rest_high)s."
    ) % (weights | {"share": share})


def points_in_words(lesson: PointsLesson) -> str:
    """Write the points by place: winner 6, then 3, 2, 1; empty if places bring no fixed points."""
    if not lesson.points:
        return ""
    first, *others = map(formats.points, lesson.points)
    values = {"n": lesson.n_entries, "first": first, "others": formats.listed(others)}
    if not others:
        return _("With %(n)d entries: winner %(first)s.") % values
    if lesson.n_more:
        return _("With %(n)d entries: winner %(first)s, then %(others)s and so on.") % values
    return _("With %(n)d entries: winner %(first)s, then %(others)s.") % values
