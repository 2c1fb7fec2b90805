"""Say how often a player who errs in the chance to win chooses each action."""

from collections import Counter
from statistics import NormalDist

from lab.engine.utility import CHOICES, PADDING, Spot, Style, decide

N_ERRORS = 1_000


def choice_shares(
    spot: Spot, style: Style, street: str = "preflop", *, padding: float = PADDING
) -> dict[str, float]:
    """Say how often a player with noise chooses each action.

    Parameters
    ----------
    spot : Spot
    style : Style
    street : {"preflop", "flop", "turn", "river"}
    padding : float
        As for `decide`.

    Returns
    -------
    dict of str to float
        Share of each of CHOICES, over N_ERRORS errors that divide the normal distribution into equal parts.

    Examples
    --------
    >>> spot = Spot(p=0.2, n=4, own=100.0, paid=5.0, call=15.0, min_raise=10.0)
    >>> choice_shares(spot, Style(), padding=0.0)
    {'fold': 1.0, 'call': 0.0, 'raise': 0.0}
    """
    n_errors, normal = N_ERRORS if style.noise > 0.0 else 1, NormalDist()
    errors = [normal.inv_cdf((i + 0.5) / n_errors) for i in range(n_errors)]
    chosen = Counter(decide(spot, style, street, error=error, padding=padding).choice for error in errors)
    return {choice: chosen[choice] / len(errors) for choice in CHOICES}
