"""A season compared with the same season under another structure or other rules."""

from fractions import Fraction

from payouts.engine.seasons.standings import EventResult, SeasonRules, season_rows
from payouts.engine.seasons.what_if import WhatIfRow, side_by_side
from payouts.engine.structures.structure import PointsStructure

FINISHERS = [[1, 2, 3, 4, 5], [2, 3, 4, 5], [3, 2, 5, 6]]


def results(structure):
    return [
        EventResult(player, event, points, 1, place)
        for event, players in enumerate(FINISHERS)
        for place, (player, points) in enumerate(
            zip(players, structure.points(len(players)), strict=True), start=1
        )
    ]


def test_another_structure_moves_players():
    real = season_rows(results(PointsStructure("winner_takes_all")))
    other = season_rows(results(PointsStructure("linear")))
    rows = side_by_side(real, other)
    assert [row.player_id for row in rows] == [row.player_id for row in real]
    assert rows[0] == WhatIfRow(2, 1, Fraction(7), 1, Fraction(14), 0)
    by_player = {row.player_id: row for row in rows}
    assert by_player[1] == WhatIfRow(1, 3, Fraction(6), 4, Fraction(6), -1)
    assert [(row.player_id, row.rank, row.other_rank, row.moved) for row in rows] == [
        (2, 1, 1, 0), (3, 1, 2, -1), (1, 3, 4, -1), (5, 4, 3, 1), (4, 5, 5, 0), (6, 6, 6, 0),
    ]  # fmt: skip


def test_other_rules_of_the_same_results():
    own = results(PointsStructure("linear"))
    rows = side_by_side(season_rows(own), season_rows(own, SeasonRules(Fraction(0), best_n=1)))
    assert {row.player_id: row.other_total for row in rows}[2] == 4


def test_players_of_one_side_only():
    one, other = (season_rows([EventResult(player, 0, Fraction(1), 1, 1)]) for player in (1, 2))
    assert side_by_side(one, other) == [
        WhatIfRow(1, 1, Fraction(2), None, None, None),
        WhatIfRow(2, None, None, 1, Fraction(2), None),
    ]
    assert side_by_side([], []) == []
