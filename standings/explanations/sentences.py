"""Explain a rate change in whole translatable sentences."""

from typing import Any

from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from league import formats
from league.formats import ordinal
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy, ngettext
from ratings.engine.tier.params import TierParams, rate
from standings.explanations.steps import Before, ExplainedEntry, ExplainedEvent

STEPS = {
    "finishing_order": gettext_lazy("Finishing order"),
    "partial_field": gettext_lazy("Early %(bust_word)s: the field met"),
    "place_weight": gettext_lazy("Weight of the place"),
    "balance": gettext_lazy("Balance of the field"),
    "late_penalty": gettext_lazy("Late entry"),
    "certainty": gettext_lazy("Certainty"),
    "rate_floor": gettext_lazy("Floor of the rate"),
}
PLACES = {
    "first": gettext_lazy("first place"),
    "top": gettext_lazy("top of the field"),
    "final_table": gettext_lazy("final table"),
    "bottom": gettext_lazy("bottom of the field"),
    "rest": gettext_lazy("no special place"),
}


def headline(result: ExplainedEvent) -> str:
    # The whole numbers of the stored rates, as on every other page, not of tenths.
    rates = (result.entries[0].why.prior.rate, result.entries[-1].why.posterior.rate)
    before, after = map(formats.whole_rate, rates)
    values = {"name": result.player.name, "before": before, "after": after}
    if before == after:
        return _("Why %(name)s’s rate stayed at %(after)s") % values
    return _("Why %(name)s’s rate went from %(before)s to %(after)s") % values


def summary(result: ExplainedEvent) -> SafeString:
    """Say what each of several entries changed, and all of them together."""
    each = formats.listed(formats.signed(entry.change / 10, 1) for entry in result.entries)
    text = _("%(n)d entries, each rated like a player of its own: %(each)s. Together that makes %(by)s.")
    by = change_of(result.rate_to - result.rate_from)
    return filled(text, n=len(result.entries), each=each, by=by)


def lead(explained: ExplainedEntry, result: ExplainedEvent) -> list[SafeString]:
    """The answer in brief: what was assumed, how much is skill, how much is certainty, and what that makes."""
    name = result.player.name
    parts = (
        _assumed(explained, result),
        _skill(explained, name),
        _certainty(explained, name),
        _floor(explained, result.params),
        _result(explained, result.params),
    )
    return [sentence for sentence in parts if sentence]


def details(explained: ExplainedEntry, result: ExplainedEvent) -> list[SafeString]:
    """Write the sentences about the steps of an entry, in their order."""
    name = result.player.name
    parts = (
        _brought(explained, result),
        _before(explained.before) if explained.before else None,
        _order(explained),
        _rated_field(explained),
        _partial_field(explained, name),
        _evidence(explained, result.params),
        _weight(explained),
        _balance(explained),
        _late(explained, name),
    )
    return [sentence for sentence in parts if sentence]


def _assumed(explained: ExplainedEntry, result: ExplainedEvent) -> SafeString | None:
    """Say that the minutes at the table are the event's mean, if nobody recorded when they ended."""
    evidence = explained.why.evidence
    if not evidence.is_mean_time:
        return None
    text = _(
        "Nobody wrote down how long %(name)s played, so the mean of the %(event_word)s is taken: %(minutes)s."
    )
    n = round(evidence.minutes)
    minutes = ngettext("%(n)d minute at the table", "%(n)d minutes at the table", n) % {"n": n}
    return filled(text, name=result.player.name, minutes=format_html('<b class="assumed">{}</b>', minutes))


def _skill(explained: ExplainedEntry, name: str) -> SafeString:
    why = explained.why
    expected = round(why.expected_place)
    if why.field_place == expected:
        text = _("%(name)s finished where we expected (%(place)s of %(n)d): skill %(by)s.")
    elif why.field_place < expected:
        text = _(
            "%(name)s finished better than expected (%(place)s of %(n)d, expected %(expected)s): skill %(by)s."
        )
    else:
        text = _(
            "%(name)s finished worse than expected (%(place)s of %(n)d, expected %(expected)s): skill %(by)s."
        )
    by = change_of(explained.skill)
    place = ordinal(why.field_place)
    return filled(text, name=name, place=place, n=why.field_size, expected=ordinal(expected), by=by)


def _certainty(explained: ExplainedEntry, name: str) -> SafeString:
    by = explained.tenths_of("certainty")
    text = (
        _("We are surer of %(name)s: %(by)s.") if by else _("We are as sure of %(name)s as before: %(by)s.")
    )
    return filled(text, name=name, by=change_of(by))


def _brought(explained: ExplainedEntry, result: ExplainedEvent) -> SafeString | None:
    """Say with which rating of an older system the player began."""
    brought = result.brought
    if brought is None or brought.sigma is None or explained is not result.entries[0]:
        return None
    if explained.why.prior.sigma == brought.sigma:
        text = _(
            "%(name)s began with a rating of an older system, brought forward from %(day)s: %(rate)s "
            "(mean %(mean)s, σ %(low)s)."
        )
    else:
        text = _(
            "%(name)s began with a rating of an older system, brought forward from %(day)s: %(rate)s "
            "(mean %(mean)s, σ %(low)s). By this %(event_word)s σ had grown to %(high)s."
        )
    return filled(
        text,
        name=result.player.name,
        day=date_format(brought.day, "DATE_FORMAT"),
        rate=formats.number(rate(brought.mu, brought.sigma, result.params), 1),
        mean=formats.number(brought.mu, 1),
        low=formats.number(brought.sigma, 1),
        high=formats.number(explained.why.prior.sigma, 1),
    )


def _before(before: Before) -> SafeString:
    texts = {
        "full": _(
            "A season began since the %(event_word)s before, with a full reset: everybody starts as a new player, "
            "and the rate went from %(before)s to %(after)s."
        ),
        "soft": _(
            "A season began since the %(event_word)s before, with a soft reset: σ went from %(low)s to %(high)s, "
            "and the rate from %(before)s to %(after)s."
        ),
        "drift": ngettext(
            "%(n)d day had passed since the %(event_word)s before: σ went from %(low)s to %(high)s, "
            "and the rate from %(before)s to %(after)s.",
            "%(n)d days had passed since the %(event_word)s before: σ went from %(low)s to %(high)s, "
            "and the rate from %(before)s to %(after)s.",
            before.days,
        ),
    }
    return filled(
        texts[before.cause],
        n=before.days,
        low=formats.number(before.sigma_from, 1),
        high=formats.number(before.sigma_to, 1),
        before=shown_rate(before.rate_from),
        after=shown_rate(before.rate_to),
    )


def _order(explained: ExplainedEntry) -> SafeString:
    by = explained.tenths_of("finishing_order")
    if by > 0:
        text = _("%(place)s of %(n)d, where %(expected)s was expected, on its own brings %(by)s.")
    elif by < 0:
        text = _("%(place)s of %(n)d, where %(expected)s was expected, on its own costs %(by)s.")
    else:
        text = _("%(place)s of %(n)d, where %(expected)s was expected, on its own changes nothing.")
    why = explained.why
    expected, place = formats.number(why.expected_place, 1), ordinal(why.field_place)
    return filled(text, place=place, n=why.field_size, expected=expected, by=size_of(by))


def _rated_field(explained: ExplainedEntry) -> SafeString | None:
    """Explain why the rated place differs from the event's; None if all entries are rated together."""
    if explained.why.field_size == explained.why.n_entries:
        return None
    text = _(
        "Entries are rated in rounds that hold every player once: this one, of %(n)d, with entry %(number)d of those "
        "who have it and the last entry of the others. Among all %(entries)d entries the place is %(place)s."
    )
    values = {
        "n": explained.why.field_size,
        "entries": explained.why.n_entries,
        "number": explained.entry.number,
    }
    return filled(text, **values, place=ordinal(explained.why.place))


def _partial_field(explained: ExplainedEntry, name: str) -> SafeString | None:
    partial = explained.why.partial
    if partial is None:
        return None
    later = explained.why.field_size - partial.size
    if partial.is_taken:
        text = _(
            "Of those players, %(later)d had not registered yet when %(name)s went out, so only the %(met)d who had "
            "are counted: %(place)s among them, which changes that by %(by)s."
        )
        by = change_of(explained.tenths_of("partial_field"))
    else:
        text = _(
            "Of those players, %(later)d had not registered yet when %(name)s went out. Among the %(met)d who had, "
            "%(place)s would have changed the rate by %(by)s, no better than the %(whole)s of the whole field: "
            "so that counts."
        )
        by = change_of(round(partial.change * 10))
    place, whole = ordinal(partial.place), change_of(round(explained.why.whole_change * 10))
    return filled(text, later=later, name=name, met=partial.size, place=place, by=by, whole=whole)


def _evidence(explained: ExplainedEntry, params: TierParams) -> SafeString:
    evidence = explained.why.evidence
    if evidence.hours >= params.hands_high:
        text = _(
            "The %(minutes)d minutes at the table are in that already: they carry the most weight of "
            "evidence there is, %(weight)s."
        )
    else:
        text = _(
            "The %(minutes)d minutes at the table are in that already: they carry a weight of evidence of %(weight)s, "
            "where a long night carries %(most)s."
        )
    most = params.hands_scale * params.hands_high ** (1 / 3)
    return filled(
        text,
        minutes=round(evidence.minutes),
        weight=formats.number(evidence.weight, 2),
        most=formats.number(most, 2),
    )


def _weight(explained: ExplainedEntry) -> SafeString | None:
    by = explained.tenths_of("place_weight")
    if by == 0:
        return None
    text = (
        _("The weight of the place (%(row)s: %(weight)s) gives back %(by)s.")
        if by > 0
        else _("The weight of the place (%(row)s: %(weight)s) takes off %(by)s.")
    )
    place = explained.why.place_weight
    return filled(text, row=PLACES[place.row], weight=formats.number(place.weight, 2), by=size_of(by))


def _balance(explained: ExplainedEntry) -> SafeString | None:
    by = explained.tenths_of("balance")
    if by == 0:
        return None
    text = (
        _(
            "Weights take points from the field as a whole. They are handed back in equal shares, so that ratings are "
            "neither made nor lost: each of the %(n)d players gains %(by)s."
        )
        if by > 0
        else _(
            "Weights give points to the field as a whole. They are collected in equal shares, so that ratings are "
            "neither made nor lost: each of the %(n)d players gives %(by)s."
        )
    )
    return filled(text, n=explained.why.field_size, by=size_of(by))


def _late(explained: ExplainedEntry, name: str) -> SafeString | None:
    late = explained.why.late
    if late is None:
        return None
    text = ngettext(
        "When %(name)s registered, %(out)d of %(entered)d entries was out already: that takes off %(by)s.",
        "When %(name)s registered, %(out)d of %(entered)d entries were out already: that takes off %(by)s.",
        late.n_bust,
    )
    by = size_of(explained.tenths_of("late_penalty"))
    return filled(text, name=name, out=late.n_bust, entered=late.n_entered, by=by)


def _floor(explained: ExplainedEntry, params: TierParams) -> SafeString | None:
    by = explained.tenths_of("rate_floor")
    if by == 0:
        return None
    text = _("No rate is below %(floor)s: skill is set so that it is %(floor)s, which changes it by %(by)s.")
    return filled(text, floor=formats.number(params.rate_floor), by=change_of(by))


def _result(explained: ExplainedEntry, params: TierParams) -> SafeString:
    before, after = explained.why.prior, explained.why.posterior
    if after.is_provisional:
        text = _("Together that makes %(by)s. The badge is %(after)s for now: it counts from entry %(n)d on.")
    elif before.badge != after.badge:
        text = _("Together that makes %(by)s, and the badge goes from %(before)s to %(after)s.")
    else:
        text = _("Together that makes %(by)s, and the badge stays %(after)s.")
    n = params.provisional_entries
    return filled(text, by=change_of(explained.change), before=before.badge, after=after.badge, n=n)


def shown_rate(tenths: int) -> str:
    return formats.number(tenths / 10, 1)


def change_of(tenths: int) -> SafeString:
    """Format a change with its sign, in its colour."""
    return format_html('<b class="{}">{}</b>', _css_class(tenths), formats.signed(tenths / 10, 1))


def size_of(tenths: int) -> SafeString:
    """Format the size of a change in its colour, where the sentence says the direction."""
    return format_html('<b class="{}">{}</b>', _css_class(tenths), formats.number(abs(tenths) / 10, 1))


def _css_class(tenths: int) -> str:
    return "up" if tenths > 0 else "dn" if tenths < 0 else "same"


def filled(text: str, **values: Any) -> SafeString:
    """Fill in a translated sentence as HTML; escape every value that is not HTML itself."""
    safe = {
        name: value if isinstance(value, int) else conditional_escape(value) for name, value in values.items()
    }
    return mark_safe(conditional_escape(text) % safe)  # noqa: S308  text and values are escaped
