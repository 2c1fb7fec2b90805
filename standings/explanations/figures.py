"""Why a rate changed, in figures: each step with its basis, the times, the floors, the formula."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import formats
from league.formats import ordinal
from ratings.engine.tier import TierParams
from ratings.parameters import digits
from standings.explanations.sentences import PLACES, STEPS, shown_rate
from standings.explanations.steps import ExplainedEntry, ExplainedEvent


@dataclass(frozen=True)
class Line:
    """A line of the table: the step, what it rests on, its change and the rate after it (rating points)."""

    name: str
    rests_on: str
    change: float | None
    rate: float


def lines(explained: ExplainedEntry, result: ExplainedEvent) -> list[Line]:
    """Rows of the table: the rate before, each step with the rate after it, and the rate after."""
    prior, posterior = explained.why.prior, explained.why.posterior
    level = explained.rate_from
    rows = [Line(_("Rate before"), _mean_and_sigma(prior.mu, prior.sigma), None, level / 10)]
    for step in explained.steps:
        level += step.tenths
        rows.append(
            Line(str(STEPS[step.name]), _basis(step.name, explained, result), step.tenths / 10, level / 10)
        )
    text = _("mean %(mean)s, σ %(sigma)s, badge %(badge)s") % {
        "mean": formats.number(posterior.mu, 1),
        "sigma": formats.number(posterior.sigma, 1),
        "badge": posterior.badge,
    }
    return [*rows, Line(_("Rate after"), text, explained.change / 10, explained.rate_to / 10)]


def _mean_and_sigma(mu: float, sigma: float) -> str:
    return _("mean %(mean)s, σ %(sigma)s") % {
        "mean": formats.number(mu, 1),
        "sigma": formats.number(sigma, 1),
    }


def _basis(name: str, explained: ExplainedEntry, result: ExplainedEvent) -> str:
    return {
        "whole_field": lambda: _order_basis(explained),
        "partial_field": lambda: _partial_field_basis(explained),
        "place_weight": lambda: _weight_basis(explained),
        "balance": lambda: _("equal share of %(n)d players") % {"n": explained.why.field_size},
        "late_penalty": lambda: _late_basis(explained, result.params),
        "sigma_floor": lambda: (
            _("σ is never below %(floor)s") % {"floor": formats.number(result.params.sigma_floor)}
        ),
        "rate_floor": lambda: (
            _("never shown below %(floor)s") % {"floor": formats.number(result.params.rate_floor)}
        ),
    }[name]()


def _order_basis(explained: ExplainedEntry) -> str:
    why = explained.why
    text = (
        _("%(place)s of %(n)d, expected %(expected)s; H %(weight)s: %(minutes)d minutes, tables of %(seats)d")
        if why.field_size == why.n_entries
        else _(
            "%(place)s of %(n)d players (of %(entries)d entries: %(among)s), expected %(expected)s; "
            "H %(weight)s: %(minutes)d minutes, tables of %(seats)d"
        )
    )
    return text % {
        "place": ordinal(why.field_place),
        "n": why.field_size,
        "among": ordinal(why.place),
        "entries": why.n_entries,
        "expected": formats.number(why.expected_place, 1),
        "weight": formats.number(why.evidence.weight, 2),
        "minutes": round(why.evidence.minutes),
        "seats": why.evidence.table_size,
    }


def _partial_field_basis(explained: ExplainedEntry) -> str:
    partial = explained.why.partial
    if partial is None:
        return _("met the whole field")
    later = explained.why.field_size - partial.size
    text = (
        _("%(place)s of %(met)d; %(later)d came later")
        if partial.is_taken
        else _("%(place)s of %(met)d would give %(by)s: not taken")
    )
    by = formats.signed(partial.change, 1)
    return text % {"place": ordinal(partial.place), "met": partial.size, "later": later, "by": by}


def _weight_basis(explained: ExplainedEntry) -> str:
    place = explained.why.place_weight
    return _("%(row)s: %(weight)s") % {"row": PLACES[place.row], "weight": formats.number(place.weight, 2)}


def _late_basis(explained: ExplainedEntry, params: TierParams) -> str:
    late = explained.why.late
    if late is None:
        return _("on time, nothing charged")
    text = _("%(out)d of %(entered)d out: %(factor)s × (%(a)s × %(part1)s + %(b)s × %(part2)s)")
    return text % {
        "out": late.n_bust,
        "entered": late.n_entered,
        "factor": formats.number(late.factor, 2),
        "a": digits(params.late_a),
        "part1": formats.number(late.part1, 1),
        "b": digits(params.late_b),
        "part2": formats.number(late.part2, 1),
    }


def chart_title(explained: ExplainedEntry) -> str:
    """The steps of the waterfall in words, for those who do not see it."""
    steps = formats.listed(
        f"{STEPS[step.name]} {formats.signed(step.tenths / 10, 1)}" for step in explained.steps
    )
    text = _("From %(before)s to %(after)s: %(steps)s.")
    return text % {
        "before": shown_rate(explained.rate_from),
        "after": shown_rate(explained.rate_to),
        "steps": steps,
    }


def times(explained: ExplainedEntry, result: ExplainedEvent) -> list[str]:
    """When the entry registered and was out, and what is assumed where that was not recorded."""
    event = result.event
    sentences = [_registration(explained, result), _bust(explained, result)]
    if event.ends_at is None:
        text = _("The end was not recorded: %(minutes)s minutes for each entry are assumed.")
        sentences.append(text % {"minutes": digits(result.params.minutes_per_entry)})
    if event.closes_at:
        sentences.append(_("Registration was open until %(time)s.") % {"time": _clock(event.closes_at)})
    else:
        sentences.append(_("When registration closed was not recorded: taken for open to the end."))
    return sentences


def _registration(explained: ExplainedEntry, result: ExplainedEvent) -> str:
    if explained.entry.registered_at:
        return _("In at %(time)s.") % {"time": _clock(explained.entry.registered_at)}
    if explained.entry.number > 1 and result.has_times:
        return _("Registration was not recorded: taken for the moment when the entry before was out.")
    text = _("Registration was not recorded: taken for the start at %(time)s.")
    return text % {"time": _clock(result.event.starts_at)}


def _bust(explained: ExplainedEntry, result: ExplainedEvent) -> str:
    minutes = round(explained.why.evidence.minutes)
    if explained.entry.busted_at:
        return _("Out at %(time)s.") % {"time": _clock(explained.entry.busted_at)}
    if explained.entry.place == 1 and result.event.ends_at:
        return _("Stayed to the end at %(time)s.") % {"time": _clock(result.event.ends_at)}
    if explained.entry.place == 1:
        return _("Stayed to the end.")
    text = ngettext(
        "The time of going out was not recorded: busts are spaced evenly, which makes %(n)d minute at the table.",
        "The time of going out was not recorded: busts are spaced evenly, which makes %(n)d minutes at the table.",
        minutes,
    )
    return text % {"n": minutes}


def floors(explained: ExplainedEntry, params: TierParams) -> str:
    texts = {
        (): _("No floor applied."),
        ("sigma",): _("The floor of σ applied: %(sigma)s."),
        ("rate",): _("The floor of the rate applied: %(rate)s."),
        ("sigma", "rate"): _("The floors of σ and of the rate applied: %(sigma)s and %(rate)s."),
    }
    values = {"sigma": formats.number(params.sigma_floor), "rate": formats.number(params.rate_floor)}
    return texts[explained.why.floors] % values


def formula(params: TierParams) -> str:
    return _("The rate shown is mean − %(K)s σ + %(L)s.") % {
        "K": formats.number(params.conservatism, 4),
        "L": formats.number(params.offset, 1),
    }


def _clock(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "H:i")
