"""Winners of season awards from the rows of the standings; ties share."""

from fractions import Fraction

import pytest

from payouts.engine.seasons.awards import AWARDS, Award, AwardInput, award_winners
from payouts.engine.seasons.standings import EventResult, SeasonRules, season_rows

F = Fraction
# Points and place of each event.
PLAYERS = {
    1: [(9, 1), (0, 5)],
    2: [(6, 1)],
    3: [(4, 2), (3, 2), (0, 5)],
    4: [(2, 3), (1, 3), (2, 3)],
    5: [(0, 9)],
}
RESULTS = [
    EventResult(player, event, F(points), 1, place)
    for player, events in PLAYERS.items()
    for event, (points, place) in enumerate(events)
]
ROWS = season_rows(RESULTS, SeasonRules(tie_breaks=()))
RATES = {1: -5.0, 2: 80.5, 3: 12.0, 4: 12.0}


def winners(kind, **settings):
    return award_winners(kind, AwardInput(ROWS, RATES, **settings))


def test_first_three_with_a_shared_place():
    """Totals with attendance are 11, 10, 8, 7 and 1; after two players tied for first, the second place is skipped."""
    assert winners("first_three") == [
        Award("first_three", 1, (1,), F(11)),
        Award("first_three", 2, (3,), F(10)),
        Award("first_three", 3, (4,), F(8)),
    ]
    tied = season_rows([EventResult(player, 0, F(5), 1, 2) for player in (4, 2)] + RESULTS[-1:])
    assert award_winners("first_three", AwardInput(tied, {})) == [
        Award("first_three", 1, (2, 4), F(6)),
        Award("first_three", 3, (5,), F(1)),
    ]


def test_best_profit_needs_events():
    assert winners("best_profit") == [Award("best_profit", 1, (2,), F(5))]
    assert winners("best_profit", min_events=2) == [Award("best_profit", 1, (1,), F(7, 2))]
    assert winners("best_profit", min_events=9) == []


def test_most_attendance_and_wins_are_shared():
    assert winners("most_attendance") == [Award("most_attendance", 1, (3, 4), 3)]
    assert winners("most_wins") == [Award("most_wins", 1, (1, 2), 1)]


def test_most_knockouts_are_those_of_players_of_the_season():
    assert winners("most_knockouts") == []
    assert winners("most_knockouts", knockouts={1: 2, 3: 5, 4: 5, 99: 8}) == [
        Award("most_knockouts", 1, (3, 4), 5)
    ]


def test_best_newcomer():
    assert winners("best_newcomer", newcomers={4, 5}) == [Award("best_newcomer", 1, (4,), F(8))]
    assert winners("best_newcomer", newcomers={99}) == winners("best_newcomer") == []


def test_most_improved_rate():
    assert winners("most_improved") == [Award("most_improved", 1, (2,), 80.5)]
    assert winners("most_improved", min_events=3) == [Award("most_improved", 1, (3, 4), 12.0)]
    assert award_winners("most_improved", AwardInput(ROWS, {1: -5.0, 99: 7.0})) == []


@pytest.mark.parametrize("kind", AWARDS)
def test_an_empty_season_has_no_winners(kind):
    assert award_winners(kind, AwardInput([], {})) == []


def test_nobody_won():
    rows = season_rows([EventResult(1, 0, F(0), 1, 2)])
    assert award_winners("most_wins", AwardInput(rows, {})) == []


def test_unknown_award():
    with pytest.raises(
        ValueError, match=r"^kind: unknown award 'best_hat', one of: first_three, best_profit, "
    ):
        winners("best_hat")
