"""Profit rating: figures of the proposal of 2010, the loops against their slow twin, games that are refused."""

import csv
import math
import subprocess
import sys
from collections import defaultdict
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.errors import BadEventError
from ratings.engine.profit import ProfitParams, carried_over, corrections, pull_to_others, stationary
from ratings.engine.profit_replay import ProfitHistory, ProfitState, replay_profit, results

PARAMS = ProfitParams()
LADDER = ProfitParams(system="placement")
MLEAGUE = Path(__file__).parents[2] / "data" / "mleague-2025-26" / "results.csv"
# Standard deviation of the balance of a game, thousands: four players, east-only, chip value 5 (source).
SPREAD = 53.6
# The loops and their twin put the same sums together in another order, rating points.
CLOSE = 1e-8


def replay(history, params=PARAMS, start=None, n_players=None):
    n_players = int(history.player.max(initial=-1)) + 1 if n_players is None else n_players
    return replay_profit(history, start or ProfitState.fresh(n_players, params), params)


def replay_slowly(games, params):
    """The column of the source's table as it stands there; games are dicts of player to (place, balance)."""
    c0, pull = params.least_correction, params.table_pull
    rating, n_games, told = defaultdict(lambda: params.r0), defaultdict(int), []
    for game in games:
        mean = math.fsum(rating[who] for who in game) / len(game)
        new = {}
        for who, (place, balance) in game.items():
            share = n_games[who] / params.games
            if params.system == "balance":
                c = max(c0, c0**share)
                r = params.f / c0 * balance / params.balance_unit
                u = params.g * pull / c0
            else:
                c = 1.0 - (1.0 - c0) * share if n_games[who] < params.games else c0
                top = params.place_first / c0
                by_place = [top - 2.0 * top * k / (len(game) - 1) for k in range(len(game))]
                tied = sum(other == place for other, _balance in game.values())
                r = sum(by_place[place - 1 : place - 1 + tied]) / tied
                u = pull / c0
            new[who] = rating[who] + c * (r + u * (mean - rating[who]))
            told.append((rating[who], new[who], c * r, c * u * (mean - rating[who]), c, mean, n_games[who]))
        rating.update(new)
        for who in game:
            n_games[who] += 1
    return np.array(told).T


def games_of(history):
    rows = zip(history.player.tolist(), history.place.tolist(), history.balance.tolist(), strict=True)
    rows = [(who, (place, balance)) for who, place, balance in rows]
    return [dict(rows[a:b]) for a, b in zip(history.offset[:-1], history.offset[1:], strict=True)]


def random_history(rng, n_events=300, n_players=12, sizes=(3, 4)):
    games = []
    for _ in range(n_events):
        n = int(rng.choice(sizes))
        balance = np.round(rng.normal(0.0, 50e3, n), -4)  # ties are common
        balance[-1] -= balance.sum()
        games.append(dict(zip(rng.permutation(n_players)[:n].tolist(), balance.tolist(), strict=True)))
    return ProfitHistory.of_balances(games)


def season():
    """A riichi season: thousands of real balances, one tie, and one game that does not sum to 0."""
    with MLEAGUE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names, player = np.unique([row["player"] for row in rows], return_inverse=True)
    _events, sizes = np.unique([row["event"] for row in rows], return_counts=True)
    assert (names.size, sizes.tolist()) == (40, [4] * 300)
    place, balance = (np.array([float(row[name]) for row in rows]) for name in ("place", "balance"))
    return ProfitHistory(np.arange(301) * 4, player.astype(np.int64), place.astype(np.int64), balance)


# Published figures


def test_published_defaults():
    """0.4079 = 5 * 0.08158; 0.9575/40; R0 = 1500."""
    assert PARAMS.r0 == 1500.0
    assert PARAMS.f / PARAMS.least_correction == pytest.approx(0.4079, abs=1e-15)
    assert PARAMS.pull / PARAMS.least_correction == pytest.approx(0.9575 / 40.0, abs=1e-16)
    assert LADDER.pull / LADDER.least_correction == pytest.approx(1.0 / 40.0, abs=1e-16)


@given(st.lists(st.floats(0.0, 3000.0), min_size=4, max_size=4))
def test_pull_towards_the_table_is_a_pull_towards_the_others(ratings):
    """0.2 (Rbar - R)/40 = 3/800 (mean of the three others - R)."""
    own, others = ratings[0], sum(ratings[1:]) / 3.0
    to_table = 0.2 * (sum(ratings) / 4.0 - own) / 40.0
    assert pull_to_others(4, LADDER) * (others - own) == pytest.approx(to_table, abs=1e-12)
    assert pull_to_others(4, PARAMS) == pytest.approx(0.9575 * 3 / 800, rel=1e-15)


@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_after_enough_games_a_game_is_its_result_and_a_pull_to_the_others(n):
    """dR = r' + w (Rothers - R), r' = f balance/1000, at tables of any size."""
    rng = np.random.default_rng(n)
    start = ProfitState(rng.normal(1500.0, 200.0, n), np.full(n, 400))
    balance = rng.normal(0.0, 50e3, n)
    balance -= balance.mean()
    played = replay(ProfitHistory.of_balances([dict(enumerate(balance.tolist()))]), start=start)
    others = (start.r.sum() - start.r) / (n - 1)
    wanted = 0.08158 * balance / 1000.0 + pull_to_others(n, PARAMS) * (others - start.r)
    np.testing.assert_allclose(played.after - played.before, wanted, rtol=0, atol=1e-10)
    np.testing.assert_allclose(played.pull_part.sum(), 0.0, atol=1e-10)


def test_scale_and_pull_from_the_measured_ratios():
    """(k, l) = (11.737, 143.87) gives (0.08158, 0.9575); k = 1/(4 * 0.0213); l about 53.6^2/20."""
    f, g = carried_over(11.737, 143.87)
    assert (round(f, 5), round(g, 4)) == (0.08158, 0.9575)
    slope = 0.0213  # of mean place against mean balance in thousands
    assert pytest.approx(11.737, abs=5e-4) == 1.0 / (4.0 * slope)
    ladder = results(ProfitHistory.of_balances([{0: 3.0, 1: 1.0, 2: -1.0, 3: -3.0}]), LADDER)
    assert ladder.var() == 20.0
    assert SPREAD**2 / ladder.var() == pytest.approx(143.87, rel=0.002)


def test_twice_as_long_games():
    """Source: sqrt 2 in e and 1 in v want the result times sqrt 2 and the pull times 2."""
    assert carried_over(math.sqrt(2.0), 1.0) == pytest.approx((math.sqrt(2.0), 2.0))


@pytest.mark.parametrize(("k", "l", "name"), [(0.0, 1.0, "k"), (1.0, -1.0, "l"), (math.nan, 1.0, "k")])
def test_ratios_must_be_positive(k, l, name):  # noqa: E741
    with pytest.raises(ValueError, match=f"^{name} must be positive"):
        carried_over(k, l)


def test_corrections_of_both_systems():
    ladder, club = corrections(LADDER), corrections(PARAMS)
    assert ladder.size == club.size == 401
    for n in range(400):
        assert ladder[n] == pytest.approx(1.0 - 0.002 * n, abs=1e-15)
        assert club[n] == pytest.approx(max(0.2, 0.2 ** (n / 400)), abs=1e-15)
    assert ladder[400] == club[400] == 0.2


def test_new_players_ladder_game():
    """Everybody at 1500, nobody has played: +30, +10, -10, -30."""
    played = replay(ProfitHistory.of_balances([{0: 3.0, 1: 1.0, 2: -1.0, 3: -3.0}]), LADDER)
    np.testing.assert_allclose(played.after - 1500.0, [30.0, 10.0, -10.0, -30.0], rtol=0, atol=1e-12)


def test_places_of_other_tables():
    """Equal steps, tied players the mean of their places: always a sum of 0."""

    def ladder(*balances):
        return results(ProfitHistory.of_balances([dict(enumerate(balances))]), LADDER).tolist()

    assert ladder(1.0, 0.0, -1.0) == [6.0, 0.0, -6.0]
    assert ladder(1.0, -1.0) == [6.0, -6.0]
    assert ladder(5.0, 5.0, -1.0, -9.0) == [4.0, 4.0, -2.0, -6.0]
    assert ladder(3.0, -1.0, -1.0, -1.0) == [6.0, -2.0, -2.0, -2.0]
    assert ladder(0.0, 0.0, 0.0, 0.0) == [0.0] * 4


@pytest.mark.parametrize(
    ("g", "n_chains", "n_games", "e"), [(0.9575, 500, 1500, 0.0), (40.0, 15_000, 60, 6.5)]
)
def test_where_a_rating_settles(g, n_chains, n_games, e):
    """Mean e/w and variance v/(w(2 - w)), each within four standard errors of that many ends of chains.

    That is 25 % of the variance for the published g, and 4.6 % for the large one, where leaving out the w in
    2 - w would make 8 %. Every game is against three new players at 1500, so the others' mean never moves.
    """
    params = replace(PARAMS, g=g)
    rng = np.random.default_rng(7)
    shape = (n_games, n_chains, 4)
    balance = np.empty(shape)
    balance[:, :, 0] = rng.normal(1e3 * e, 1e3 * SPREAD, shape[:2])
    balance[:, :, 1:] = -balance[:, :, :1] / 3.0
    won = balance[:, :, :1] > 0.0
    place = np.broadcast_to(np.where(won, 2, 1), shape).copy()
    place[:, :, 0] = np.where(won, 1, 4)[:, :, 0]
    player = n_chains + np.arange(balance.size).reshape(shape)
    player[:, :, 0] = np.arange(n_chains)
    offset = 4 * np.arange(n_games * n_chains + 1)
    history = ProfitHistory(offset, player.ravel(), place.ravel(), balance.ravel())
    n_before = np.zeros(n_chains + balance.size, dtype=np.int64)
    n_before[:n_chains] = params.games
    start = ProfitState(np.full(n_before.size, 1500.0), n_before)
    ends = replay_profit(history, start, params).state.r[:n_chains] - 1500.0
    mean, variance = stationary(params.f * e, (params.f * SPREAD) ** 2, pull_to_others(4, params))
    assert ends.mean() == pytest.approx(mean, abs=4.0 * math.sqrt(variance / n_chains))
    assert ends.var(ddof=1) == pytest.approx(variance, rel=4.0 * math.sqrt(2.0 / n_chains))


@pytest.mark.parametrize(("v", "w"), [(-1.0, 0.1), (math.nan, 0.1), (1.0, 0.0), (1.0, 2.0), (1.0, math.nan)])
def test_what_never_settles(v, w):
    with pytest.raises(ValueError, match=r"^[vw] must be"):
        stationary(0.0, v, w)


def test_luck_alone_spreads_both_systems_alike():
    """What (f, g) are for: the source's own figures bring the spread to within 0.2 % of the ladder's."""
    of_ladder = stationary(0.0, 20.0, pull_to_others(4, LADDER))[1]
    of_club = stationary(0.0, (PARAMS.f * SPREAD) ** 2, pull_to_others(4, PARAMS))[1]
    assert of_club == pytest.approx(of_ladder, rel=0.002)


# The loops

SYSTEMS = [
    PARAMS,
    LADDER,
    ProfitParams(f=0.4, g=12.0, games=5, least_correction=0.5, r0=0.0, balance_unit=250.0),
    ProfitParams(system="placement", place_first=9.0, table_pull=0.01, games=7, least_correction=0.6),
]


@pytest.mark.parametrize("params", SYSTEMS)
@pytest.mark.parametrize("sizes", [(3, 4), (2, 5, 12)])
def test_loops_equal_their_slow_twin(params, sizes):
    history = random_history(np.random.default_rng(3), sizes=sizes, n_players=14)
    played, slow = replay(history, params), replay_slowly(games_of(history), params)
    columns = (
        played.before,
        played.after,
        played.result_part,
        played.pull_part,
        played.correction,
        played.table_mean[history.event],
        played.n_before,
    )
    for fast, wanted in zip(columns, slow, strict=True):
        np.testing.assert_allclose(fast, wanted, rtol=0, atol=CLOSE)
    change = played.after - played.before
    np.testing.assert_allclose(played.result_part + played.pull_part, change, rtol=0, atol=1e-9)


def test_a_season_of_riichi_equals_the_slow_twin():
    history, params = season(), replace(PARAMS, sum_tolerance=1000.0)
    played = replay(history, params)
    np.testing.assert_allclose(played.after, replay_slowly(games_of(history), params)[1], rtol=0, atol=CLOSE)
    assert played.state.n_games.sum() == 1200
    assert (played.result_part + played.pull_part) == pytest.approx(played.after - played.before, abs=1e-9)


def test_a_replay_in_parts_gives_the_same_bits():
    history = random_history(np.random.default_rng(5))
    whole, state, after = replay(history), ProfitState.fresh(12, PARAMS), []
    for first, end in ((0, 1), (1, 120), (120, 300)):
        a, b = history.offset[first], history.offset[end]
        part = ProfitHistory(
            history.offset[first : end + 1] - a, history.player[a:b], history.place[a:b], history.balance[a:b]
        )
        played = replay_profit(part, state, PARAMS)
        state = played.state
        after.append(played.after)
    assert np.concatenate(after).tolist() == whole.after.tolist()
    assert state.r.tolist() == whole.state.r.tolist()
    assert state.n_games.tolist() == whole.state.n_games.tolist()


def test_nothing_given_is_changed():
    history = random_history(np.random.default_rng(5))
    start = ProfitState.fresh(12, PARAMS)
    for array in (history.offset, history.player, history.place, history.balance, start.r, start.n_games):
        array.flags.writeable = False
    played = replay_profit(history, start, PARAMS)
    assert start.r.tolist() == [1500.0] * 12
    assert played.state.n_games.sum() == history.n_entries


@given(st.lists(st.integers(-100_000, 100_000), min_size=1, max_size=9), st.sampled_from(SYSTEMS))
def test_games_among_equals_change_nothing_in_sum(balances, params):
    """New players: everybody's c is the same, so R is only moved about, whatever the size of the table."""
    game = dict(enumerate([*map(float, balances), -float(sum(balances))]))
    played = replay(ProfitHistory.of_balances([game]), params)
    assert (played.after - played.before).sum() == pytest.approx(0.0, abs=1e-8)


def test_tied_players_with_the_same_balance_move_alike():
    after = replay(ProfitHistory.of_balances([{0: 54.0, 1: 8.0, 2: -31.0, 3: -31.0}])).after
    assert after[2] == after[3]


def test_no_games():
    played = replay(ProfitHistory.of_balances([]), n_players=3)
    assert played.state.r.tolist() == [1500.0] * 3


# What is refused


def test_the_game_that_does_not_sum_is_named():
    with pytest.raises(BadEventError, match="balances sum to -1000 and must sum to 0") as refused:
        replay(season())
    assert (refused.value.event, refused.value.player) == (295, None)


def test_how_many_more_do_not_sum():
    games = ProfitHistory.of_balances([{0: 1.0, 1: -1.0}, {0: 2.0, 1: 0.0}, {0: 0.5, 1: 0.0}])
    with pytest.raises(
        BadEventError, match=r"^event 1: balances sum to 2 .* \(1 later events do not"
    ) as refused:
        replay(games)
    assert refused.value.event == 1


@pytest.mark.parametrize(
    ("changes", "balance", "fits"),
    [
        ({}, [0.1, 0.2, -0.3], True),
        ({}, [54.9, 9.8, -15.9, -48.8], True),
        ({}, [1e9, 0.1, -1e9, -0.1], True),
        ({}, [1.0, 0.0, -1.00001], False),
        ({"sum_tolerance": 0.1}, [1.0, 0.0, -1.05], True),
        ({"house_per_table": 300.0}, [100.0, -400.0], True),
        ({"house_per_table": 300.0}, [100.0, -100.0], False),
        ({"house_per_player": 100.0}, [0.0, -100.0, -200.0], True),
        ({"house_per_player": 100.0, "house_per_table": -300.0}, [1.0, 1.0, -2.0], True),
        ({"house_per_player": 100.0}, [0.0, -100.0, -200.0, -200.0], False),
    ],
)
def test_balances_sum_to_what_the_house_leaves(changes, balance, fits):
    history, params = ProfitHistory.of_balances([dict(enumerate(balance))]), replace(PARAMS, **changes)
    if fits:
        assert replay(history, params).state.n_games.tolist() == [1] * len(balance)
    else:
        with pytest.raises(BadEventError, match=f"must sum to {params.balance_sum(len(balance)):g}$"):
            replay(history, params)


def test_the_part_of_the_house_is_no_result_of_anybody_else():
    """R follows the balance as it is told."""
    params = replace(PARAMS, house_per_player=500.0)
    after = replay(ProfitHistory.of_balances([{0: 500.0, 1: -1500.0}]), params).after
    np.testing.assert_allclose(after - 1500.0, [0.4079 * 0.5, 0.4079 * -1.5], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("value", "said"), [(math.nan, "balance is missing"), (math.inf, "must be finite")])
def test_a_balance_that_is_none(value, said):
    games = ProfitHistory.of_balances([{0: 1.0, 1: -1.0}, {2: 1.0, 1: -1.0}])
    history = replace(games, balance=np.array([1.0, -1.0, 1.0, value]))
    with pytest.raises(BadEventError, match=said) as refused:
        replay(history)
    assert (refused.value.event, refused.value.player, refused.value.entry) == (1, 1, 3)
    assert replay(history, LADDER).state.n_games.tolist() == [1, 2, 1]


def arrays(**changes):
    good = {
        "offset": np.array([0, 2, 5]),
        "player": np.array([0, 1, 0, 1, 2]),
        "place": np.array([1, 2, 1, 2, 2]),
        "balance": np.zeros(5),
    }
    return {name: np.array(changes.get(name, values)) for name, values in good.items()}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"player": [0, 1, 0, 1, 0]}, "event 1, player 0: player is twice at this table"),
        ({"player": [0, -1, 0, 1, 2]}, "event 0, player -1: player must not be negative"),
        ({"place": [1, 2, 1, 2, 3]}, None),
        ({"place": [1, 2, 1, 3, 3]}, "event 1, player 1: place must be a competition ranking"),
        ({"place": [0, 1, 1, 2, 3]}, "event 0, player 0: place must be"),
        ({"place": [1, 2, 1, 2, 9]}, "event 1, player 2: place must be"),
        ({"offset": [0, 1, 5]}, "event 0: a table has at least two players, got 1"),
        ({"offset": [0, 3, 2, 5]}, "offset must rise from 0 to 5"),
        ({"offset": [0, 2]}, "offset must rise from 0 to 5"),
        ({"offset": np.zeros(0, dtype=np.int64)}, "offset must be int64 of shape"),
        ({"balance": np.zeros(4)}, "balance must be float64 of shape"),
        ({"balance": np.zeros(5, dtype=np.float32)}, "balance must be float64"),
        ({"player": np.zeros(5)}, "player must be int64"),
    ],
)
def test_impossible_histories(changes, said):
    if said is None:
        assert ProfitHistory(**arrays(**changes)).n_events == 2
    else:
        with pytest.raises(ValueError, match=said):
            ProfitHistory(**arrays(**changes))


def test_a_player_the_pool_does_not_have():
    with pytest.raises(BadEventError, match="player is not one of the pool's 2"):
        replay(ProfitHistory.of_balances([{0: 1.0, 2: -1.0}]), n_players=2)


@pytest.mark.parametrize(("r", "n_games"), [(math.nan, 0), (math.inf, 0), (1500.0, -1)])
def test_impossible_states(r, n_games):
    with pytest.raises(ValueError, match=r"player 0: r .* is no rating"):
        ProfitState(np.array([r]), np.array([n_games]))


def test_a_rating_beyond_all_bounds():
    history = ProfitHistory.of_balances([{0: 1e9, 1: -1e9}])
    with pytest.raises(BadEventError, match="event 0, player 0: R is beyond all bounds"):
        replay(history, replace(PARAMS, f=1e308))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"system": "elo"}, "system must be one of balance, placement, got elo"),
        ({"r0": math.nan}, "r0 must be finite"),
        ({"f": 0.0}, "f must be positive"),
        ({"g": -1.0}, "g must be at least 0"),
        ({"g": 40.1}, "g must be smaller: a new player would be taken 1.0025 times the way"),
        ({"system": "placement", "table_pull": 0.3}, "table_pull must be smaller"),
        ({"system": "placement", "f": 1.0}, "f must be 0.08158, its default, where system is placement"),
        ({"system": "placement", "g": 1.0}, "g must be 0.9575, its default, where system is placement"),
        ({"place_first": 30.0}, "place_first must be 6.0, its default, where system is balance"),
        ({"balance_unit": 0.0}, "balance_unit must be positive"),
        ({"system": "placement", "place_first": -6.0}, "place_first must be positive"),
        ({"table_pull": -0.1}, "table_pull must be at least 0"),
        ({"least_correction": 0.0}, "least_correction must be above 0 and at most 1"),
        ({"least_correction": 1.5}, "least_correction must be above 0 and at most 1"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"games": 2.5}, "games must be a whole number"),
        ({"games": 10**9}, "games must be a whole number"),
        ({"house_per_table": math.inf}, "house_per_table must be finite"),
        ({"sum_tolerance": -1.0}, "sum_tolerance must be at least 0"),
    ],
)
def test_parameters_that_make_no_sense(changes, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        ProfitParams(**changes)


def test_each_parameter_is_described():
    described = ProfitParams.__doc__
    assert [field.name for field in fields(ProfitParams) if field.name not in described] == []


def test_pages_can_import_the_parameters_without_numba():
    code = "import sys, ratings.engine.profit; sys.exit('numba' in sys.modules)"
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
