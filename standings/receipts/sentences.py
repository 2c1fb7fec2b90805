"""A receipt in sentences that fit its reader and those it is shared with: the reason, the next event, who is near."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.formats import date_format

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.receipts.facts import Receipt, Rival, SeasonPart


class Line(NamedTuple):
    """A line of a receipt: what it is about, the sentence, smaller print, and the figure at its end."""

    about: str
    label: str
    text: str
    small: str
    value: str


def title(receipt: Receipt) -> str:
    values = {"place": formats.ordinal(receipt.place), "n": receipt.n_players}
    return _("%(place)s of %(n)d") % values


def subtitle(receipt: Receipt) -> str:
    day = date_format(timezone.localtime(receipt.event.starts_at), "DATE_FORMAT")
    return _("Your %(night_word)s, %(day)s") % {"day": day}


def reached(receipt: Receipt) -> list[str]:
    """Write the milestones of the night, a sentence each."""
    found, said = receipt.milestones, []
    if found.is_first_win:
        said.append(_("First win"))
    if found.n_events:
        said.append(_("%(nth)s %(night_word)s") % {"nth": formats.nth(found.n_events)})
    if found.years_at_badge:
        text = ngettext("A year at %(badge)s", "%(n)d years at %(badge)s", found.years_at_badge)
        said.append(text % {"n": found.years_at_badge, "badge": receipt.badge})
    return said


def first_day(receipt: Receipt) -> str:
    """Say when the player came first, beside a round number of events; else nothing."""
    first = receipt.milestones.first_at
    if not receipt.milestones.n_events or first is None:
        return ""
    return _("First on %(day)s.") % {"day": date_format(timezone.localtime(first), "DATE_FORMAT")}


def lines(receipt: Receipt) -> list[Line]:
    """Write the lines of a receipt."""
    return [*_games(receipt), *_rate(receipt), *_badge(receipt), *_season(receipt)]


def _games(receipt: Receipt) -> Iterator[Line]:
    """List the places of the games of a night beside what was expected."""
    if len(receipt.places) < 2:  # noqa: PLR2004  one place is the title
        return
    text = formats.listed(map(formats.ordinal, receipt.places))
    small = _("%(mean)s on average") % {"mean": formats.number(receipt.mean_place, 2)}
    if receipt.expected is not None:
        values = {
            "mean": formats.number(receipt.mean_place, 2),
            "expected": formats.number(receipt.expected, 2),
        }
        small = _("%(mean)s on average, expected %(expected)s") % values
    value = formats.signed(receipt.points, 1) if receipt.points is not None else ""
    yield Line("games", _("%(Games_word)s"), text, small, value)


def _rate(receipt: Receipt) -> Iterator[Line]:
    if receipt.change is None or receipt.before is None or receipt.after is None:
        return
    values = {"before": formats.whole_rate(receipt.before), "after": formats.whole_rate(receipt.after)}
    small = _("%(before)s before, %(after)s now.") % values
    label = "R" if receipt.is_r else _("Rate")
    yield Line("rate", label, reason(receipt), small, formats.signed(receipt.change))


def reason(receipt: Receipt) -> str:
    """Say in a clause why the rate changed; empty for a night, whose games differ."""
    if receipt.field is None or receipt.change is None or receipt.expected is None:
        return ""
    ahead, behind = receipt.field.n_ahead_below, receipt.field.n_behind_above
    if receipt.change < 0 and ahead:
        return ngettext(
            "%(n)d who is rated below finished ahead",
            "%(n)d who are rated below finished ahead",
            ahead,
        ) % {"n": ahead}
    if receipt.change > 0 and behind:
        return ngettext(
            "Ahead of %(n)d who is rated above",
            "Ahead of %(n)d who are rated above",
            behind,
        ) % {"n": behind}
    expected = {"expected": formats.number(receipt.expected, 1)}
    if round(receipt.expected) == receipt.place:
        return _("About as expected (%(expected)s)") % expected
    return _("Expected was %(expected)s") % expected


def _badge(receipt: Receipt) -> Iterator[Line]:
    if not receipt.badge:
        return
    yield Line("badge", _("Badge"), _badge_now(receipt), _next_badge(receipt), receipt.badge)


def _badge_now(receipt: Receipt) -> str:
    values = {"badge": receipt.badge, "before": receipt.badge_before}
    if not receipt.badge_before:
        text = _("%(badge)s, the first badge")
    elif receipt.badge == receipt.badge_before:
        text = _("Still %(badge)s")
    elif receipt.change and receipt.change > 0:
        text = _("%(badge)s now, up from %(before)s")
    else:
        text = _("%(badge)s now, down from %(before)s")
    parts = [text % values]
    goal = receipt.goal
    if goal and goal.above and goal.missing > 0:
        missing = formats.number(max(1, round(goal.missing)))
        parts.append(_("%(points)s short of %(badge)s") % {"points": missing, "badge": goal.above})
    return formats.listed(parts)


def _next_badge(receipt: Receipt) -> str:
    """Say which places of the next event bring a better badge, and which cost the present one."""
    goal = receipt.goal
    if goal is None or not goal.steps:
        return ""
    parts = []
    if goal.enough is not None and goal.above:
        values = {"place": formats.ordinal(goal.enough), "badge": goal.above}
        text = (
            _("A win next time makes %(badge)s")
            if goal.enough == 1
            else _("%(place)s or better next time makes %(badge)s")
        )
        parts.append(text % values)
    safe = goal.safe or 0
    if safe < goal.n_players:
        cost = {"place": formats.ordinal(safe + 1), "n": goal.n_players, "badge": goal.now}
        parts.append(_("%(place)s or worse of %(n)d costs %(badge)s") % cost)
    return _("%(parts)s.") % {"parts": _("; ").join(parts)} if parts else ""


def _season(receipt: Receipt) -> Iterator[Line]:
    part = receipt.in_season
    if part is None or part.rank is None:
        return
    yield Line("season", _("Season"), _moved(part), _near(part), formats.ordinal(part.rank))


def _moved(part: SeasonPart) -> str:
    n = abs(part.moved)
    if not n:
        return _("Same place as before")
    names = part.passed if part.moved > 0 else part.passed_by
    values: dict[str, Any] = {"n": n, "names": formats.together(names)}
    if part.moved > 0:
        text = ngettext("%(n)d place up", "%(n)d places up", n)
        who = _("past %(names)s") if names else ""
    else:
        text = ngettext("%(n)d place down", "%(n)d places down", n)
        who = _("passed by %(names)s") if names else ""
    return (_("%(what)s: %(who)s") % {"what": text, "who": who} if who else text) % values


def _near(part: SeasonPart) -> str:
    text = formats.points(part.total)
    points = ngettext("%(points)s point", "%(points)s points", 1 if text == "1" else 2) % {"points": text}
    rivals = [_rival(each) for each in (part.ahead, part.behind) if each]
    return _("%(parts)s.") % {"parts": _("; ").join([points, *([formats.listed(rivals)] if rivals else [])])}


def _rival(rival: Rival) -> str:
    values = {"name": rival.name, "points": formats.points(abs(rival.ahead))}
    if not rival.ahead:
        return _("%(name)s is level") % values
    if rival.ahead > 0:
        return _("%(name)s is %(points)s ahead") % values
    return _("%(name)s %(points)s behind") % values
