"""Why a rate changed, told in full sentences of data, none glued from pieces."""

from typing import Any

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from league import formats
from ratings.engine.tier import TierParams
from standings.explanations.steps import Before, ExplainedEntry, ExplainedEvent

STEPS = {
    "whole_field": gettext_lazy("Finishing order, whole field"),
    "partial_field": gettext_lazy("Early bust: the field met"),
    "place_weight": gettext_lazy("Weight of the place"),
    "late_penalty": gettext_lazy("Late entry"),
    "sigma_floor": gettext_lazy("Floor of σ"),
    "rate_floor": gettext_lazy("Floor of the rate"),
}
PLACES = {
    "first": gettext_lazy("first place"),
    "top": gettext_lazy("top of the field"),
    "final_table": gettext_lazy("final table"),
    "bottom": gettext_lazy("bottom of the field"),
    "rest": gettext_lazy("no special place"),
}


def headline(told: ExplainedEvent) -> str:
    # As on every other page, and not of rates that are rounded already.
    rates = (told.entries[0].why.prior.rate, told.entries[-1].why.posterior.rate)
    before, after = map(formats.number, rates)
    values = {"name": told.player.name, "before": before, "after": after}
    if before == after:
        return _("Why %(name)s’s rate stayed at %(after)s") % values
    return _("Why %(name)s’s rate went from %(before)s to %(after)s") % values


def summary(told: ExplainedEvent) -> SafeString:
    """Of several entries: what each did, and all of them together."""
    each = formats.listed(formats.signed(it.change / 10, 1) for it in told.entries)
    text = _("%(n)d entries, each rated like a player of its own: %(each)s. Together that makes %(by)s.")
    by = _change(told.rate_to - told.rate_from)
    return _said(text, n=len(told.entries), each=each, by=by)


def sentences(it: ExplainedEntry, told: ExplainedEvent) -> list[SafeString]:
    """The story of an entry, in the order of the steps."""
    found = (
        _before(it.before) if it.before else None,
        _order(it, told.player.name),
        _round(it),
        _met(it, told.player.name),
        _evidence(it, told.params),
        _weight(it),
        _late(it, told.player.name),
        _floors(it, told.params),
        _result(it, told.params),
    )
    return [sentence for sentence in found if sentence]


def _before(before: Before) -> SafeString:
    texts = {
        "full": _(
            "A season began since the event before, with a full reset: everybody starts as a new player, "
            "and the rate went from %(before)s to %(after)s."
        ),
        "soft": _(
            "A season began since the event before, with a soft reset: σ went from %(low)s to %(high)s, "
            "and the rate from %(before)s to %(after)s."
        ),
        "drift": ngettext(
            "%(n)d day had passed since the event before: σ went from %(low)s to %(high)s, "
            "and the rate from %(before)s to %(after)s.",
            "%(n)d days had passed since the event before: σ went from %(low)s to %(high)s, "
            "and the rate from %(before)s to %(after)s.",
            before.days,
        ),
    }
    return _said(
        texts[before.cause],
        n=before.days,
        low=formats.number(before.sigma_from, 1),
        high=formats.number(before.sigma_to, 1),
        before=shown_rate(before.rate_from),
        after=shown_rate(before.rate_to),
    )


def _order(it: ExplainedEntry, name: str) -> SafeString:
    by = _of(it, "whole_field")
    if by > 0:
        text = _(
            "%(name)s was expected to finish about %(expected)s and finished %(place)s of %(n)d, "
            "which on its own brings %(by)s."
        )
    elif by < 0:
        text = _(
            "%(name)s was expected to finish about %(expected)s and finished %(place)s of %(n)d, "
            "which on its own costs %(by)s."
        )
    else:
        text = _(
            "%(name)s was expected to finish about %(expected)s and finished %(place)s of %(n)d, "
            "which on its own changes nothing."
        )
    why = it.why
    expected, place = ordinal(round(why.expected_place)), ordinal(why.field_place)
    return _said(text, name=name, expected=expected, place=place, n=why.field_size, by=_bare(by))


def _round(it: ExplainedEntry) -> SafeString | None:
    """Why the place is not that of the result."""
    if it.why.field_size == it.why.n_entries:
        return None
    text = _(
        "Entries are rated in rounds that hold every player once: this one, of %(n)d, with entry %(number)d of those "
        "who have it and the last entry of the others. Among all %(entries)d entries the place is %(place)s."
    )
    values = {"n": it.why.field_size, "entries": it.why.n_entries, "number": it.entry.number}
    return _said(text, **values, place=ordinal(it.why.place))


def _met(it: ExplainedEntry, name: str) -> SafeString | None:
    partial = it.why.partial
    if partial is None:
        return None
    later = it.why.field_size - partial.size
    if partial.is_taken:
        text = _(
            "Of those players, %(later)d had not registered yet when %(name)s went out, so only the %(met)d who had "
            "are counted: %(place)s among them, which changes it by %(by)s."
        )
        by = _change(_of(it, "partial_field"))
    else:
        text = _(
            "Of those players, %(later)d had not registered yet when %(name)s went out. Among the %(met)d who had, "
            "%(place)s would have given %(by)s, which is no better: so the whole field counts."
        )
        by = _change(round(partial.change * 10))
    return _said(text, later=later, name=name, met=partial.size, place=ordinal(partial.place), by=by)


def _evidence(it: ExplainedEntry, params: TierParams) -> SafeString:
    evidence = it.why.evidence
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
    return _said(
        text,
        minutes=round(evidence.minutes),
        weight=formats.number(evidence.weight, 2),
        most=formats.number(most, 2),
    )


def _weight(it: ExplainedEntry) -> SafeString | None:
    by = _of(it, "place_weight")
    if by == 0:
        return None
    text = (
        _("The weight of the place (%(row)s: %(weight)s) gives back %(by)s.")
        if by > 0
        else _("The weight of the place (%(row)s: %(weight)s) takes off %(by)s.")
    )
    place = it.why.place_weight
    return _said(text, row=PLACES[place.row], weight=formats.number(place.weight, 2), by=_bare(by))


def _late(it: ExplainedEntry, name: str) -> SafeString | None:
    late = it.why.late
    if late is None:
        return None
    text = ngettext(
        "When %(name)s registered, %(out)d of %(entered)d entries was out already: entering late costs %(by)s.",
        "When %(name)s registered, %(out)d of %(entered)d entries were out already: entering late costs %(by)s.",
        late.n_bust,
    )
    by = _bare(_of(it, "late_penalty"))
    return _said(text, name=name, out=late.n_bust, entered=late.n_entered, by=by)


def _floors(it: ExplainedEntry, params: TierParams) -> SafeString | None:
    steps = {step.name: step.tenths for step in it.steps}
    if "rate_floor" in steps:
        text = _("No rate below %(floor)s is shown, which changes it by %(by)s.")
        return _said(text, floor=formats.number(params.rate_floor), by=_change(steps["rate_floor"]))
    if "sigma_floor" in steps:
        text = _("The uncertainty σ stops at its floor of %(floor)s, which changes the rate by %(by)s.")
        return _said(text, floor=formats.number(params.sigma_floor), by=_change(steps["sigma_floor"]))
    return None


def _result(it: ExplainedEntry, params: TierParams) -> SafeString:
    before, after = it.why.prior, it.why.posterior
    if after.is_provisional:
        text = _("The result is %(by)s. The badge is %(after)s for now: it counts from entry %(n)d on.")
    elif before.badge != after.badge:
        text = _("The result is %(by)s, and the badge goes from %(before)s to %(after)s.")
    else:
        text = _("The result is %(by)s, and the badge stays %(after)s.")
    n = params.provisional_entries
    return _said(text, by=_change(it.change), before=before.badge, after=after.badge, n=n)


def ordinal(n: int) -> str:
    """1st, 2nd, 22nd, 13th."""
    texts = {
        1: pgettext("place", "%(n)dst"),
        2: pgettext("place", "%(n)dnd"),
        3: pgettext("place", "%(n)drd"),
    }
    is_teen = n % 100 in {11, 12, 13}
    text = pgettext("place", "%(n)dth") if is_teen else texts.get(n % 10, pgettext("place", "%(n)dth"))
    return text % {"n": n}


def _of(it: ExplainedEntry, name: str) -> int:
    return next(step.tenths for step in it.steps if step.name == name)


def shown_rate(tenths: int) -> str:
    return formats.number(tenths / 10, 1)


def _change(tenths: int) -> SafeString:
    """A change in its colour, with its sign."""
    return format_html('<b class="{}">{}</b>', _family(tenths), formats.signed(tenths / 10, 1))


def _bare(tenths: int) -> SafeString:
    """The same where the sentence says the sign."""
    return format_html('<b class="{}">{}</b>', _family(tenths), formats.number(abs(tenths) / 10, 1))


def _family(tenths: int) -> str:
    return "up" if tenths > 0 else "dn" if tenths < 0 else "same"


def _said(text: str, **values: Any) -> SafeString:
    """A translated sentence as HTML; everything put into it is escaped unless it is HTML itself."""
    safe = {name: it if isinstance(it, int) else conditional_escape(it) for name, it in values.items()}
    return mark_safe(conditional_escape(text) % safe)  # noqa: S308  text and values are escaped
