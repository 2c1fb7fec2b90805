"""Scenarios and variants of the season laboratory in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from lab.engine.seasons.scenario import Scenario, Variant
from payouts.sentences import LABELS

GROUPS: Mapping[str, Any] = {
    "top": pgettext_lazy("players", "top"),
    "strong": pgettext_lazy("players", "strong"),
    "average": pgettext_lazy("players", "average"),
    "weak": pgettext_lazy("players", "weak"),
    "beginner": pgettext_lazy("players", "beginner"),
    "bold": pgettext_lazy("players", "bold"),
    "kelly": pgettext_lazy("players", "Kelly"),
    "loose": pgettext_lazy("players", "loose"),
    "moody": pgettext_lazy("players", "moody"),
    "dreamer": pgettext_lazy("players", "dreamer"),
    "careful": pgettext_lazy("players", "careful"),
    "rock": pgettext_lazy("players", "rock"),
    "upper": gettext_lazy("upper third"),
    "middle": gettext_lazy("middle third"),
    "lower": gettext_lazy("lower third"),
}


def percent(share: float) -> str:
    """Write a share in percent, with a decimal below 20."""
    value = 100 * share
    return f"{value:.1f}" if value < 20 and value != round(value) else f"{value:.0f}"  # noqa: PLR2004


def variant_names(scenario: Scenario) -> list[str]:
    """Name each variant by what tells it from the others: its structure, and its rules where these differ."""
    variants = scenario.variants
    has_rules = len({_rules_key(variant) for variant in variants}) > 1
    return [
        f"{LABELS[variant.structure.name]}, {rules_in_words(variant)}"
        if has_rules
        else str(LABELS[variant.structure.name])
        for variant in variants
    ]


def _rules_key(variant: Variant) -> tuple[object, ...]:
    return (variant.rules.best_n, variant.rules.drop_worst)


def rules_in_words(variant: Variant) -> str:
    """Say which nights count."""
    rules = variant.rules
    if rules.best_n is not None:
        return ngettext("the best night counts", "the best %(n)d nights count", rules.best_n) % {
            "n": rules.best_n
        }
    if rules.drop_worst:
        return ngettext("without the worst night", "without the worst %(n)d nights", rules.drop_worst) % {
            "n": rules.drop_worst
        }
    return _("all nights count")


def assumptions(scenario: Scenario) -> list[tuple[str, str, str]]:
    """List what is assumed: a label, a value and a line that says more."""
    return [
        (_("Players"), str(scenario.n_players), _players(scenario)),
        (_("Nights"), *_nights(scenario)),
        (_("Late"), f"{percent(scenario.late)} %", _("changes ratings, not places")),
        (
            _("Re-entries"),
            f"{percent(scenario.re_entry)} %",
            _("of those out before registration closes buy in again, once"),
        ),
        (
            _("Attendance"),
            ", ".join(sorted({str(int(each.rules.attendance_points)) for each in scenario.variants})),
            _("points for each night played"),
        ),
    ]


def _players(scenario: Scenario) -> str:
    if scenario.mu:
        return _("by their ratings, as the TIER model sees chances")
    named = zip(scenario.counts or scenario.styles, scenario.groups, strict=True)
    return ", ".join(f"{n} {GROUPS[group]}" for n, group in named if n)


def _nights(scenario: Scenario) -> tuple[str, str]:
    if scenario.size is not None:
        value = _("%(nights)d of %(size)d") % {"nights": scenario.nights, "size": scenario.size}
        return value, _("who comes is drawn, equally for all")
    chances = scenario.attendance
    if len(set(chances)) == 1:
        return str(scenario.nights), _("each player comes with a chance of %(chance)s %%") % {
            "chance": percent(chances[0])
        }
    return str(scenario.nights), _("each player comes as often as in the season so far")
