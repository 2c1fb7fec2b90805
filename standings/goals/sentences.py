"""Goals in sentences of the reader's language."""

from collections.abc import Iterable
from math import ceil
from operator import itemgetter
from typing import NamedTuple

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.goals.badges import BadgeGoal
from standings.goals.seasons import SeasonGoal


class Aim(NamedTuple):
    """One goal: its first words, what is enough for it, and smaller print. `family` is that of a badge, or empty."""

    family: str
    lead: str
    enough: str
    notes: list[str]


def badge_aim(goal: BadgeGoal, *, is_r: bool) -> Aim:
    if goal.above is None:
        return Aim(goal.now[:1].lower(), _("There is no higher badge."), "", _safe(goal))
    points = formats.number(max(ceil(goal.missing), 1))
    if is_r:
        lead = _("%(points)s of R to %(badge)s.")
    else:
        lead = ngettext("%(points)s point to %(badge)s.", "%(points)s points to %(badge)s.", int(points))
    lead %= {"points": points, "badge": goal.above}
    return Aim(goal.above[:1].lower(), lead, _enough(goal), _safe(goal))


def _enough(goal: BadgeGoal) -> str:
    if not goal.steps:
        return ""
    if goal.enough is None:
        return _("Not even a win among %(n)d brings it in one %(event_word)s.") % {"n": goal.n_players}
    return _("%(place)s of %(n)d does it.") % {"place": _or_better(goal.enough), "n": goal.n_players}


def _safe(goal: BadgeGoal) -> list[str]:
    if not goal.steps:
        return []
    how = _(
        "Worked out by the rating itself for the %(n)d who come most often, if the others finish in the order of their"
        " ratings."
    ) % {"n": goal.n_players}
    if goal.safe is None:
        return [how]
    if goal.safe == goal.n_players:
        return [how, _("%(badge)s is safe in every place.") % {"badge": goal.now}]
    place = formats.ordinal(goal.safe)
    return [how, _("%(badge)s is safe down to %(place)s.") % {"badge": goal.now, "place": place}]


def season_aim(goal: SeasonGoal) -> Aim:
    notes = [*_keeping(goal), *_range(goal)]
    if goal.left is None and goal.by_size:
        notes.append(_("How many %(events_word)s are left is not known, so this is about the next one."))
    return Aim("", _distance(goal), _reaching(goal), notes)


def _distance(goal: SeasonGoal) -> str:
    rank = formats.ordinal(goal.rank)
    if goal.rank_ahead is None:
        return _("%(rank)s in %(season)s.") % {"rank": rank, "season": goal.season}
    values = {
        "points": formats.points(goal.gap),
        "rank": formats.ordinal(goal.rank_ahead),
        "names": formats.together(goal.ahead),
        "season": goal.season,
    }
    if not goal.gap:
        return _("As many points as %(names)s in %(season)s, with the worse tie-breaks.") % values
    number = 1 if values["points"] == "1" else 2
    text = ngettext(
        "%(points)s point to %(rank)s place in %(season)s (%(names)s).",
        "%(points)s points to %(rank)s place in %(season)s (%(names)s).",
        number,
    )
    return text % values


def _reaching(goal: SeasonGoal) -> str:
    """Say what is enough at the next event for the next better place, or at least needed."""
    if goal.rank_ahead is None or not goal.by_size or _is_out_of_reach(goal):
        return ""
    is_one_of_more = (goal.n_left or 1) > 1
    enough = [each.is_enough(goal.rank_ahead) for each in goal.by_size]
    if all(enough):
        values = {"place": _or_better(min(filter(None, enough))), "sizes": _sizes(goal)}
        if is_one_of_more:
            text = _("At the next %(night_word)s: %(place)s of %(sizes)s is enough, whatever the others do.")
        else:
            text = _("%(place)s of %(sizes)s is enough, whatever the others do.")
        return text % values
    return _at_least(goal, goal.rank_ahead, is_one_of_more=is_one_of_more)


def _is_out_of_reach(goal: SeasonGoal) -> bool:
    """Tell whether the next better place cannot be had in all the events that are planned; `_range` says it."""
    return bool(goal.is_certain and goal.rank_ahead and goal.bounds and goal.bounds.best > goal.rank_ahead)


def _at_least(goal: SeasonGoal, rank: int, *, is_one_of_more: bool) -> str:
    """Name the last place that can be enough if the others help."""
    possible = [(each.can_be_enough(rank), each) for each in goal.by_size]
    last, size = max(
        ((each.n_places if at == 0 else at or 0, each) for at, each in possible), key=itemgetter(0)
    )
    if not last:
        return _("At the next %(night_word)s it is out of reach.")
    values = {"place": formats.ordinal(last), "n": size.n_places, "names": formats.together(goal.ahead)}
    if last == 1:
        text = (
            _("At the next %(night_word)s: it takes a win among %(n)d, and others who get little.")
            if is_one_of_more
            else _("It takes a win among %(n)d, and others who get little.")
        )
    elif size.draws_level[last]:
        text = (
            _(
                "At the next %(night_word)s: it takes %(place)s of %(n)d, which draws level with %(names)s, should"
                " they stay"
                " away."
            )
            if is_one_of_more
            else _("It takes %(place)s of %(n)d: that draws level with %(names)s, should they stay away.")
        )
    else:
        text = (
            _("At the next %(night_word)s: it takes at least %(place)s of %(n)d, and others who get little.")
            if is_one_of_more
            else _("It takes at least %(place)s of %(n)d, and others who get little.")
        )
    return text % values


def _keeping(goal: SeasonGoal) -> list[str]:
    """Say what keeps the present place at the next event."""
    if not goal.by_size or (goal.n_left or 1) > 1:
        return []
    rank = formats.ordinal(goal.rank)
    enough = [each.is_enough(goal.rank) for each in goal.by_size]
    if None in enough:
        return [
            _("Nothing makes sure of %(rank)s place at the next %(night_word)s: others can pass.")
            % {"rank": rank}
        ]
    keep = min(each for each in enough if each) if any(enough) else 0
    if not keep:
        return [_("Nobody can take %(rank)s place at the next %(night_word)s.") % {"rank": rank}]
    values = {"place": _or_better(keep), "rank": rank, "sizes": _sizes(goal)}
    sentences = [_("%(place)s of %(sizes)s keeps %(rank)s place.") % values]
    tied = [each.n_places for each in goal.by_size if each.can_tie[keep]]
    if tied:
        sentences.append(
            _("With %(sizes)s players somebody from behind could draw level.") % {"sizes": _either(tied)}
        )
    return sentences


def _range(goal: SeasonGoal) -> list[str]:
    """Say between which places the season can end, or the next event."""
    if goal.bounds is None:
        return []
    best, worst = goal.bounds.best, goal.bounds.worst
    if goal.by_size and (goal.n_left or 1) == 1:
        best = max(best, min(min(each.best) for each in goal.by_size))
        worst = min(worst, max(max(each.worst) for each in goal.by_size))
    values = {"best": formats.ordinal(best), "worst": formats.ordinal(worst), "n": goal.n_left}
    if goal.n_left is None:
        return (
            [_("After the next %(night_word)s: %(best)s to %(worst)s place.") % values]
            if best < worst
            else []
        )
    if not goal.is_certain:
        return [_about(goal, best, worst)]
    if best == worst:
        return [_("%(best)s place is certain.") % values]
    if worst >= goal.n_players:
        text = ngettext(
            "With %(n)d %(event_word)s to come, any place from %(best)s down is left.",
            "With %(n)d %(events_word)s to come, any place from %(best)s down is left.",
            goal.n_left,
        )
    else:
        text = ngettext(
            "With %(n)d %(event_word)s to come, %(best)s to %(worst)s place is left.",
            "With %(n)d %(events_word)s to come, %(best)s to %(worst)s place is left.",
            goal.n_left,
        )
    sentences = [text % values]
    if _is_out_of_reach(goal):
        sentences.append(
            _("%(rank)s place is out of reach: %(gap)s points away, at most %(most)s to come.")
            % {
                "rank": formats.ordinal(goal.rank_ahead or 0),
                "gap": formats.points(goal.gap),
                "most": formats.points(goal.most_gained),
            }
        )
    return sentences


def _about(goal: SeasonGoal, best: int, worst: int) -> str:
    """Say what an estimated number of events would leave."""
    n = goal.n_left or 0
    values = {"best": formats.ordinal(best), "worst": formats.ordinal(worst), "n": n}
    if best == worst:
        text = ngettext(
            "If about %(n)d %(event_word)s is left, %(best)s place stays.",
            "If about %(n)d %(events_word)s are left, %(best)s place stays.",
            n,
        )
    elif worst >= goal.n_players:
        text = ngettext(
            "If about %(n)d %(event_word)s is left, any place from %(best)s down is possible.",
            "If about %(n)d %(events_word)s are left, any place from %(best)s down is possible.",
            n,
        )
    else:
        text = ngettext(
            "If about %(n)d %(event_word)s is left, %(best)s to %(worst)s place is possible.",
            "If about %(n)d %(events_word)s are left, %(best)s to %(worst)s place is possible.",
            n,
        )
    return text % values


def _or_better(place: int) -> str:
    if place == 1:
        return _("A win")
    return _("%(place)s or better") % {"place": formats.ordinal(place)}


def _sizes(goal: SeasonGoal) -> str:
    """Write the field sizes of a goal: 14; 14 to 16; 9, 12 and 15."""
    sizes = [each.n_places for each in goal.by_size]
    if len(sizes) > 2 and sizes[-1] - sizes[0] == len(sizes) - 1:  # noqa: PLR2004  two are named
        return _("%(least)d to %(most)d") % {"least": sizes[0], "most": sizes[-1]}
    return _either(sizes)


def _either(sizes: Iterable[int]) -> str:
    *others, last = map(str, sizes)
    return _("%(others)s or %(last)s") % {"others": formats.listed(others), "last": last} if others else last
