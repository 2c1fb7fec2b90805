"""Whether a result can be rated by its balances: what a pool of kind profit needs of a game."""

from collections.abc import Sequence
from decimal import Decimal

from league import formats
from league.models import PoolKind
from league.services.plans import PlannedResult
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from ratings.engine.profit.params import ProfitParams
from ratings.queries import profit_params_of, wanted_settings

LEAST_PLAYERS = 2
# A balance of so many units would move R by hundreds of points: it was written in another unit.
FAR_UNITS = 1_000


def plans_without_balances(plans: Sequence[PlannedResult]) -> dict[int, str]:
    """Map positions to the reasons why results cannot be rated in their pools of kind profit."""
    rated = {position: plan for position, plan in enumerate(plans) if plan.pool.kind == PoolKind.PROFIT}
    params = {
        pool_id: profit_params_of(wanted_settings(pool_id))
        for pool_id in {plan.pool.pk for plan in rated.values()}
    }
    reasons = {position: _problem(plan, params[plan.pool.pk]) for position, plan in rated.items()}
    return {position: reason for position, reason in reasons.items() if reason}


def _problem(plan: PlannedResult, params: ProfitParams) -> str:
    names = [entry.name for entry in plan.entries]
    if len(plan.entries) < LEAST_PLAYERS:
        return ngettext(
            "A game has at least two players, not %(n)d.",
            "A game has at least two players, not %(n)d.",
            len(names),
        ) % {"n": len(names)}
    if again := [entry.name for entry in plan.entries if entry.number > 1]:
        return _("%(names)s: nobody plays twice at one table.") % {"names": formats.listed(again)}
    return _problem_of_balances(plan, params) if params.system == "balance" else ""


def _problem_of_balances(plan: PlannedResult, params: ProfitParams) -> str:
    missing = [entry.name for entry in plan.entries if entry.balance is None]
    if missing:
        return _("The balance of %(names)s is missing: this rating needs one of every player.") % {
            "names": formats.listed(missing)
        }
    balances = {entry.name: entry.balance for entry in plan.entries if entry.balance is not None}
    far = [name for name, balance in balances.items() if abs(balance) >= FAR_UNITS * params.balance_unit]
    if far:
        return _(
            "%(name)s with a balance of %(got)s? Balances are written in thousands here: 54.9 for 54900. Another unit"
            " is set in the rating settings."
        ) % {"name": far[0], "got": _digits(balances[far[0]])}
    house = (plan.details.scoring or {}).get("house")
    got, expected = sum(balances.values(), Decimal(0)), expected_sum(house, len(plan.entries), params)
    if abs(got - expected) > Decimal(str(params.sum_tolerance)):
        return _("The balances sum to %(got)s and must sum to %(right)s.") % {
            "got": _digits(got),
            "right": _digits(expected),
        }
    return ""


def expected_sum(house: object, n_players: int, params: ProfitParams) -> Decimal:
    """Compute the sum that a game's balances must have, from the game's house part or the pool's."""
    return Decimal(str(params.balance_sum(n_players))) if house is None else -Decimal(str(house))


def _digits(value: Decimal) -> str:
    return f"{value.normalize():f}"
