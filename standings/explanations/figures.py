"""Why a rate changed, in figures: each step with its basis, the times, the floors, the formula."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format

from league import formats
from league.formats import ordinal
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from ratings.engine.tier.explanation import Explanation
from ratings.engine.tier.params import TierParams
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
    step: str = ""  # where "How points and ratings work" explains it


def lines(explained: ExplainedEntry, result: ExplainedEvent) -> list[Line]:
    """Rows of the table: the rate before, each step that changed it with the rate after it, and the rate after."""
    prior, posterior = explained.why.prior, explained.why.posterior
    level = explained.rate_from
    rows = [Line(_("Rate before"), _mean_and_sigma(prior.mu, prior.sigma), None, level / 10)]
    for step in explained.shown:
        level += step.tenths
        basis = _basis(step.name, explained, result)
        rows.append(Line(str(STEPS[step.name]), basis, step.tenths / 10, level / 10, step.name))
    text = _("mean %(mean)s, σ %(sigma)s, badge %(badge)s") % {
        "mean": formats.number(posterior.mu, 1),
        "sigma": formats.number(posterior.sigma, 1),
        "badge": posterior.badge,
    }
    return [*rows, Line(_("Rate after"), text, explained.change / 10, explained.rate_to / 10)]


def unused(explained: ExplainedEntry) -> list[tuple[str, str]]:
    """List the steps that changed nothing here: name in the engine, and in words."""
    return [(step.name, str(STEPS[step.name])) for step in explained.steps if not step.tenths]


@dataclass(frozen=True)
class Part:
    """A part of a change (tenths of a rating point), and what it says."""

    name: str
    tenths: int
    text: str

    @property
    def change(self) -> float:
        return self.tenths / 10


def split(explained: ExplainedEntry, params: TierParams) -> list[Part]:
    """Split the change into skill, certainty and the floor of the rate, and add their total."""
    why = explained.why
    place = _("%(place)s of %(n)d, where %(expected)s was expected.") % {
        "place": ordinal(why.field_place),
        "n": why.field_size,
        "expected": formats.number(why.expected_place, 1),
    }
    parts = [
        Part(_("Skill"), explained.skill, place),
        Part(_("Certainty"), explained.tenths_of("certainty"), _certainty_text(explained, params)),
    ]
    floor = explained.tenths_of("rate_floor")
    if floor:
        parts.append(Part(str(STEPS["rate_floor"]), floor, _basis_of_rate_floor(params)))
    text = _("%(before)s → %(after)s") % {
        "before": shown_rate(explained.rate_from),
        "after": shown_rate(explained.rate_to),
    }
    return [*parts, Part(_("Together"), explained.change, text)]


def _certainty_text(explained: ExplainedEntry, params: TierParams) -> str:
    before, after = explained.why.prior.sigma, explained.why.posterior.sigma
    floor = formats.number(params.sigma_floor)
    if after == before == params.sigma_floor:
        return _("σ is %(floor)s, the least there is: playing more adds nothing here.") % {"floor": floor}
    text = _(
        "One more result seen: %(change)s. This part shrinks with each %(event_word)s and ends at σ %(floor)s."
    )
    return text % {"change": _sigma_change(explained), "floor": floor}


def _sigma_change(explained: ExplainedEntry) -> str:
    return _("σ from %(before)s to %(after)s") % {
        "before": formats.number(explained.why.prior.sigma, 1),
        "after": formats.number(explained.why.posterior.sigma, 1),
    }


def _mean_and_sigma(mu: float, sigma: float) -> str:
    return _("mean %(mean)s, σ %(sigma)s") % {
        "mean": formats.number(mu, 1),
        "sigma": formats.number(sigma, 1),
    }


def _basis(name: str, explained: ExplainedEntry, result: ExplainedEvent) -> str:
    return {
        "finishing_order": lambda: _order_basis(explained),
        "partial_field": lambda: _partial_field_basis(explained.why),
        "place_weight": lambda: _weight_basis(explained),
        "balance": lambda: _("equal share of %(n)d players") % {"n": explained.why.field_size},
        "late_penalty": lambda: _late_basis(explained.why, result.params),
        "certainty": lambda: _sigma_change(explained),
        "rate_floor": lambda: _basis_of_rate_floor(result.params),
    }[name]()


def _basis_of_rate_floor(params: TierParams) -> str:
    return _("never below %(floor)s: skill is set so that the rate is %(floor)s") % {
        "floor": formats.number(params.rate_floor)
    }


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


def _partial_field_basis(why: Explanation) -> str:
    """Say what a partial field that was taken rests on; a step of 0 is not shown."""
    assert why.partial
    text = _("%(place)s of %(met)d; %(later)d came later")
    met = why.partial.size
    return text % {"place": ordinal(why.partial.place), "met": met, "later": why.field_size - met}


def _weight_basis(explained: ExplainedEntry) -> str:
    place = explained.why.place_weight
    return _("%(row)s: %(weight)s") % {"row": PLACES[place.row], "weight": formats.number(place.weight, 2)}


def _late_basis(why: Explanation, params: TierParams) -> str:
    late = why.late
    assert late
    text = _("%(out)d of %(entered)d out: %(factor)s × (%(a)s × %(part1)s + %(b)s × %(part2)s)")
    return text % {
        "out": late.n_bust,
        "entered": late.n_entered,
        "factor": formats.number(late.factor, 2),
        "a": digits(params.late_a),
        "part1": formats.number(late.part1, 1),
        "b": digits(params.charged_b),
        "part2": formats.number(late.part2, 1),
    }


def chart_title(explained: ExplainedEntry) -> str:
    """Describe the steps of the waterfall in words, for readers who do not see it."""
    steps = formats.listed(
        f"{STEPS[step.name]} {formats.signed(step.tenths / 10, 1)}" for step in explained.shown
    )
    text = _("From %(before)s to %(after)s: %(steps)s.") if steps else _("The rate stayed at %(after)s.")
    return text % {
        "before": shown_rate(explained.rate_from),
        "after": shown_rate(explained.rate_to),
        "steps": steps,
    }


def times(explained: ExplainedEntry, result: ExplainedEvent) -> list[str]:
    """Say when the entry registered and was out, and what is assumed where that was not recorded."""
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
    if explained.entry.busted_at:
        return _("Out at %(time)s.") % {"time": _clock(explained.entry.busted_at)}
    minutes = round(explained.why.evidence.minutes)
    if explained.why.evidence.is_mean_time:
        text = ngettext(
            "How long it was at the table was not recorded: the mean of the %(event_word)s is taken, %(n)d minute.",
            "How long it was at the table was not recorded: the mean of the %(event_word)s is taken, %(n)d minutes.",
            minutes,
        )
        return text % {"n": minutes}
    if result.event.ends_at:
        return _("Stayed to the end at %(time)s.") % {"time": _clock(result.event.ends_at)}
    return _("Stayed to the end.")


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
