"""What a run found, in sentences: first how often the best player wins, then what else decides a season."""

from django.utils.translation import gettext as _

from lab.engine.seasons.figures import Figures, VariantFigures
from lab.engine.seasons.scenario import Scenario
from lab.seasons.terms import GROUPS, percent, variant_names

LATE_IN_SEASON = 0.75  # share of the nights after which the lead is looked at


def headline(scenario: Scenario, figures: Figures) -> str:
    """Say how often the best player wins under the structure that favours him most."""
    best = max(variant.best.value for variant in figures.variants)
    return _("In %(nights)d nights of %(size)s the best player wins %(n)s seasons in 100") % {
        "nights": scenario.nights,
        "size": f"{figures.mean_entries:.0f}",
        "n": f"{100 * best:.0f}",
    }


def by_best(figures: Figures) -> list[int]:
    """List the variants by how often the best player wins, most often first."""
    return sorted(range(len(figures.variants)), key=lambda v: -figures.variants[v].best.value)


def so_far(scenario: Scenario, figures: Figures) -> str:
    """Say how often the best player has won in the seasons that are done."""
    return _("So far: %(finding)s") % {"finding": _shares(scenario, figures, by_best(figures))}


def findings(scenario: Scenario, figures: Figures) -> list[str]:
    """Say what the run found, a sentence each."""
    order = by_best(figures)
    lead = figures.variants[order[0]]
    sentences = [
        _shares(scenario, figures, order),
        _chance(scenario, figures, order),
        _turning_up(scenario, lead),
        _settled(scenario, lead),
        _late(scenario, figures),
    ]
    return [sentence for sentence in sentences if sentence]


def _shares(scenario: Scenario, figures: Figures, order: list[int]) -> str:
    names = variant_names(scenario)
    shares = [
        _("under %(name)s %(share)s %%")
        % {"name": names[v], "share": percent(figures.variants[v].best.value)}
        for v in order
    ]
    return _("The best of %(n)d players wins the season %(shares)s; a draw would give %(draw)s %%.") % {
        "n": scenario.n_players,
        "shares": ", ".join(shares),
        "draw": percent(1 / scenario.n_players),
    }


def _chance(scenario: Scenario, figures: Figures, order: list[int]) -> str:
    """Name the variants that cannot be told from the first."""
    names = variant_names(scenario)
    alike = [names[v] for v in order if figures.is_chance[order[0]][v]]
    if len(alike) == 1:
        return ""
    if len(alike) == len(order):
        return _("All differences between them are within chance.")
    return _("Between %(names)s the difference is within chance.") % {"names": ", ".join(alike)}


def _turning_up(scenario: Scenario, lead: VariantFigures) -> str:
    """Compare final places of the middle group by nights played."""
    middle = len(scenario.groups) // 2
    means = lead.turnout[middle]
    if len(means) < 2:  # noqa: PLR2004  nothing to compare
        return ""
    (few, worse), (many, better) = means[0], means[-1]
    return _(
        "Turning up counts: with %(many)d nights a player of the group “%(group)s” ends in place %(better)s on average,"
        " with %(few)d in place %(worse)s."
    ) % {
        "group": GROUPS[scenario.groups[middle]],
        "many": many,
        "few": few,
        "better": f"{better:.0f}",
        "worse": f"{worse:.0f}",
    }


def _settled(scenario: Scenario, lead: VariantFigures) -> str:
    night = int(LATE_IN_SEASON * scenario.nights)
    if night < 1:
        return ""
    return _(
        "The leader after %(night)d of %(nights)d nights keeps the lead to the end in %(share)s %% of the seasons."
    ) % {
        "night": night,
        "nights": scenario.nights,
        "share": percent(lead.settled[night - 1]),
    }


def _late(scenario: Scenario, figures: Figures) -> str:
    if not scenario.late:
        return ""
    costs = [
        f"{GROUPS[group]} {cost:+.0f}".replace("-", "−")
        for group, cost in zip(scenario.groups, figures.late_cost, strict=True)
        if cost is not None
    ]
    return _("Because %(late)s %% come late, the final rate changes by: %(costs)s.") % {
        "late": percent(scenario.late),
        "costs": ", ".join(costs),
    }
