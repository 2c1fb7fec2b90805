"""Overall standings of a meet (payouts specification, section 3)."""

from fractions import Fraction

import pytest

from payouts.engine.facts import EventFacts
from payouts.engine.meets import Game, meet_rows
from payouts.engine.structure import PointsStructure

POKER = Game("poker", [(1, 1), (2, 2), (3, 3), (4, 4)])
MAHJONG = Game("mahjong", [(4, 1), (2, 2), (1, 2), (5, 4)])


def test_points_of_each_game_by_the_same_structure_added_up():
    rows = meet_rows([POKER, MAHJONG], PointsStructure("linear"))
    half = Fraction(5, 2)
    assert [(row.place, row.player_id, row.points, row.total, row.n_games, row.wins) for row in rows] == [
        (1, 1, (4, half), Fraction(13, 2), 2, 1),
        (2, 2, (3, half), Fraction(11, 2), 2, 0),
        (3, 4, (1, 4), 5, 2, 1),
        (4, 3, (2, None), 2, 1, 0),
        (5, 5, (None, 1), 1, 1, 0),
    ]


def test_equal_totals_go_to_more_wins_and_then_share_the_place():
    games = [Game("a", [(1, 1), (2, 2), (3, 3)]), Game("b", [(1, 3), (2, 2), (3, 1)])]
    rows = meet_rows(games, PointsStructure("linear"))
    assert [(row.player_id, row.place) for row in rows] == [(1, 1), (3, 1), (2, 3)]


def test_each_game_has_its_own_field_facts_and_re_entries():
    games = [Game("a", [(1, 1), (1, 3), (2, 2)], EventFacts(Fraction(39, 4))), Game("b", [(2, 1)])]
    rows = meet_rows(games, PointsStructure("vp_kid"))
    assert [(row.player_id, row.points) for row in rows] == [(1, (2, None)), (2, (1, 1))]
    by_buy_in = meet_rows(games, PointsStructure("pokerstars"))
    assert by_buy_in[0].points[0] == Fraction("34.6410") + 20


def test_no_games():
    assert meet_rows([], PointsStructure()) == []


def test_bad_places_name_the_game():
    games = [POKER, Game("mahjong", [(1, 1), (2, 3)])]
    message = r"^places: found place 3 where 2 is due \(competition ranking 1-2-2-4\) \(game mahjong\)$"
    with pytest.raises(ValueError, match=message):
        meet_rows(games, PointsStructure())
    with pytest.raises(ValueError, match=r"^places: at least one entry is needed \(game chess\)$"):
        meet_rows([Game("chess", [])], PointsStructure())
