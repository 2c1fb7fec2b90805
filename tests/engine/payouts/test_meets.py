"""Overall standings of a meet (payouts specification, section 3)."""

from fractions import Fraction

from payouts.engine.seasons.meets import GameResult, overall_rows
from payouts.engine.structures.structure import PointsStructure

POKER = [(1, 1), (2, 2), (3, 3), (4, 4)]
MAHJONG = [(4, 1), (2, 2), (1, 2), (5, 4)]
LINEAR = PointsStructure("linear")


def results(*games, structure=LINEAR):
    """Make game results from (player, place) of every entry."""
    return [
        GameResult(game, player, place, points)
        for game, finishers in enumerate(games)
        for (player, place), points in zip(
            finishers, structure.event_points([place for _player, place in finishers]), strict=True
        )
    ]


def test_points_of_each_game_added_up():
    rows = overall_rows(2, results(POKER, MAHJONG))
    half = Fraction(5, 2)
    assert [(row.place, row.player_id, row.points, row.total, row.n_games, row.wins) for row in rows] == [
        (1, 1, (4, half), Fraction(13, 2), 2, 1),
        (2, 2, (3, half), Fraction(11, 2), 2, 0),
        (3, 4, (1, 4), 5, 2, 1),
        (4, 3, (2, None), 2, 1, 0),
        (5, 5, (None, 1), 1, 1, 0),
    ]


def test_profit_per_tourney_is_points_less_entries_by_game_and_can_decide():
    # Player 1: 4 and 5/2 with 2 entries in 2 games; player 5: two entries in one game, 6 points.
    games = [GameResult(0, 1, 1, Fraction(4)), GameResult(1, 1, 2, Fraction(5, 2))]
    games += [
        GameResult(1, 5, 1, Fraction(6)),
        GameResult(1, 5, 4, Fraction(0)),
        GameResult(0, 7, 2, Fraction(-3)),
    ]
    by_profit = overall_rows(2, games, "profit")
    assert [(row.place, row.player_id, row.profit_per_tourney) for row in by_profit] == [
        (1, 5, 4),
        (2, 1, Fraction(9, 4)),
        (3, 7, -4),
    ]
    assert [(row.player_id, row.total) for row in overall_rows(2, games)] == [
        (1, Fraction(13, 2)),
        (5, 6),
        (7, -3),
    ]


def test_equal_totals_go_to_more_wins_and_then_share_the_place():
    rows = overall_rows(2, results([(1, 1), (2, 2), (3, 3)], [(1, 3), (2, 2), (3, 1)]))
    assert [(row.player_id, row.place) for row in rows] == [(1, 1), (3, 1), (2, 3)]


def test_entries_of_one_player_count_together():
    games = [(1, 1), (1, 3), (2, 2)], [(2, 1)]
    rows = overall_rows(2, results(*games, structure=PointsStructure("vp_kid")))
    assert [(row.player_id, row.points) for row in rows] == [(1, (2, None)), (2, (1, 1))]


def test_a_game_is_one_win_for_a_player_with_several_winning_entries():
    rows = overall_rows(3, results([(1, 1), (1, 1), (2, 3)], [(2, 1), (1, 2)], [(2, 1), (1, 1)]))
    assert {row.player_id: row.wins for row in rows} == {1: 2, 2: 2}
    # With equal totals, two games won rank above one game won with both entries.
    level = [(0, 1, 1, 2), (0, 1, 1, 2), (1, 2, 1, 2), (2, 2, 1, 2)]
    rows = overall_rows(3, [GameResult(game, player, place, Fraction(n)) for game, player, place, n in level])
    assert [(row.place, row.player_id, row.wins) for row in rows] == [(1, 2, 2), (2, 1, 1)]


def test_no_games():
    assert overall_rows(0, []) == []
