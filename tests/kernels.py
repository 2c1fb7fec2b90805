"""Compile the kernels that tests use, so that they find them compiled: `python -m tests.kernels`."""

import os

import django
import numpy as np


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()

    from lab.engine.holdem.cards import CARD_BITS
    from lab.engine.holdem.hand_kernels import GAME_SIZE, SEAT_ROWS, STACK
    from lab.engine.holdem.kernels import set_values, win_chances
    from lab.engine.holdem.tournament import play_duels
    from lab.engine.push_fold.enumeration import margins
    from lab.engine.seasons.chunks import simulate
    from lab.engine.seasons.scenario import Scenario
    from lab.engine.utility import Style
    from ratings.engine.forecasts.scores import Forecasts, score_pairs
    from ratings.engine.history import EventHistory
    from ratings.engine.profit.history import ProfitHistory
    from ratings.engine.profit.params import ProfitParams
    from ratings.engine.profit.replay import ProfitState, replay_profit
    from ratings.engine.tier.figures import explain_entries
    from ratings.engine.tier.params import TierParams
    from ratings.engine.tier.pipeline import replay_events
    from ratings.engine.tier.pool_state import PoolState
    from tests.engine.twins.hand_actions import play_actions

    tier = TierParams()
    explain_entries(replay_events(EventHistory.of_orders([[0, 1]]), PoolState.fresh(2, tier), tier))
    params = ProfitParams()
    replay_profit(ProfitHistory.of_balances([{0: 1.0, 1: -1.0}]), ProfitState.fresh(2, params), params)
    score_pairs(Forecasts(np.array([0, 2]), np.array([1, 2]), np.zeros(2), np.ones(2)))
    set_values(CARD_BITS[:1])
    win_chances(CARD_BITS[:1], np.uint64(0), 0, 1, 1, np.array([1], dtype=np.uint64))
    seats = np.zeros((SEAT_ROWS, 2), dtype=np.int64)
    seats[STACK] = 100
    hand = np.zeros(GAME_SIZE, dtype=np.int64)
    play_actions(seats, hand, 0, np.array([1, 2, 0]), np.zeros((1, 2), dtype=np.int64))
    play_duels(Style(), Style(), 1, 1)
    margins(CARD_BITS[:1], np.array([1]))
    trio = Scenario(counts=(1, 1, 1, 0, 0), size=3)
    simulate(trio, 1, 0, 1)


if __name__ == "__main__":
    main()
