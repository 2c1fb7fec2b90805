"""The equilibrium of push or fold between two players."""

import numpy as np
import pytest

from lab.engine.errors import EngineError
from lab.engine.push_fold.hands import COMBINATIONS, KINDS
from lab.engine.push_fold.heads_up import (
    SMALL_BLIND,
    STACKS,
    equilibrium,
    solve,
    write_equilibria,
)
from tests.engine.twins.heads_up import value_of_call, value_of_push

# The largest stack, in big blinds, with which a hand is pushed or called: the chart "HeadsUp Push/Fold Nash Equilibrium"
# of HoldemResources.net (2014), the hands that it prints below 20 and that have no gap.
PUSHED_UP_TO = {
    "K3s": 19.9, "K2s": 19.3, "Q4s": 16.3, "Q3s": 13.5, "Q2s": 12.7, "J6s": 18.6, "J5s": 14.7, "J4s": 13.5, "J3s": 10.6,
    "J2s": 8.5, "T5s": 11.9, "T4s": 10.5, "T3s": 7.7, "T2s": 6.5, "K8o": 18.0, "Q8o": 13.0, "J8o": 13.3, "T8o": 17.5,
    "K7o": 16.1, "Q7o": 10.3, "J7o": 8.5, "T7o": 9.0, "97o": 10.8, "87o": 14.7, "K6o": 15.1, "Q6o": 9.6, "J6o": 6.5,
    "K5o": 14.2, "Q5o": 8.9, "J5o": 6.0, "K4o": 13.1, "Q4o": 7.9, "K3o": 12.2, "Q3o": 7.5, "K2o": 11.6, "Q2o": 7.0,
    "J2o": 4.6, "72o": 1.6, "32o": 1.4,
}  # fmt: skip
CALLED_UP_TO = {
    "K8s": 17.6, "K7s": 15.2, "K6s": 14.3, "K5s": 13.2, "K4s": 12.1, "K3s": 11.4, "K2s": 10.7, "Q9s": 16.1, "Q8s": 13.0,
    "Q7s": 10.5, "Q6s": 9.9, "Q5s": 8.9, "Q2s": 7.2, "J9s": 13.4, "J8s": 10.6, "J2s": 5.6, "T9s": 11.5, "T2s": 4.5,
    "K9o": 17.1, "Q9o": 11.7, "J9o": 9.5, "T9o": 8.4, "K8o": 13.8, "Q8o": 9.7, "J8o": 7.6, "K7o": 12.4, "Q7o": 8.0,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["push", "call"])
def test_the_published_chart(kind):
    """With a whole number of big blinds clearly below the published stack a hand is played, clearly above it is not."""
    chart = PUSHED_UP_TO if kind == "push" else CALLED_UP_TO
    wrong = []
    for stack in STACKS[1:20]:
        played = getattr(equilibrium(stack), kind)
        for hand, most in chart.items():
            if abs(stack - most) > 0.2 and (played[KINDS[hand]] > 0.5) != (stack < most):
                wrong.append((hand, stack, most))
    assert wrong == []


@pytest.mark.parametrize("stack", STACKS)
def test_nobody_gains_by_changing_any_hand(stack):
    """The expected gain of the best answer, in big blinds a hand."""
    both = equilibrium(stack)
    dealt = COMBINATIONS / COMBINATIONS.sum()
    push = value_of_push(stack, both.call) + SMALL_BLIND
    assert (dealt * (np.maximum(push, 0.0) - both.push * push)).sum() == pytest.approx(0.0, abs=1e-6)
    pushed = both.push @ dealt
    call = value_of_call(stack, both.push) + 1.0
    assert pushed * (dealt * (np.maximum(call, 0.0) - both.call * call)).sum() == pytest.approx(0.0, abs=2e-3)


def test_the_stored_equilibrium_is_the_solved_one():
    for stored, solved in zip(equilibrium(10), solve(10.0), strict=True):
        assert stored == pytest.approx(solved, abs=1e-6)


def test_all_equilibria_are_written(tmp_path, monkeypatch):
    expected = np.array(equilibrium(10))
    monkeypatch.setattr("lab.engine.push_fold.heads_up.STACKS", range(10, 11))
    write_equilibria(tmp_path / "one.npz")
    with np.load(tmp_path / "one.npz") as stored:
        assert stored["both"][0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("stack", [0, 26, -1])
def test_other_stacks_are_refused(stack):
    with pytest.raises(EngineError, match="stack must be a whole number from 1 to 25"):
        equilibrium(stack)
