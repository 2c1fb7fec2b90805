"""Ranks that one more event leaves, beside going through every way in which the rivals can finish."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from payouts.engine.results import EventResult, SeasonResults
from payouts.engine.seasons.prospects import SeasonSoFar, bounds, prospects
from payouts.engine.seasons.season import BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.seasons.standings import season_ranks
from payouts.engine.structures.structure import PointsStructure

ME, RIVALS, NEWCOMER = 1, (2, 3, 4), 90
# Places of me and the rivals at three events of six, with points of VP_KID; the rest were guests.
PLACES = {0: (3, 1, 2, 6), 1: (1, 4, 2, 3), 2: (4, 2, 1, 5)}
RULES = {
    "plain": SeasonRules(),
    "best two": SeasonRules(best_n=2),
    "drop one": SeasonRules(drop_worst=1, missed_count_as_zero=True),
    "no attendance": SeasonRules(attendance_points=Fraction(0), tie_breaks=("profit",)),
    "best places": SeasonRules(tie_breaks=("wins", "best_places", "events")),
    "by name": SeasonRules(tie_breaks=("alphabetical",)),
}


OLD = [
    EventResult(player, event, PointsStructure("vp_kid").points(6)[place - 1], 1, place)
    for event, places in PLACES.items()
    for player, place in zip((ME, *RIVALS), places, strict=True)
]


def points_of(n):
    return PointsStructure("vp_kid").points(n)


def season_by(rules):
    brought = [BroughtForward(4, Fraction(3, 2), 1, 1)]
    names = {ME: "moss", 2: "ada", 3: "moss", 4: "zoe"}
    return SeasonSoFar(SeasonResults.of(OLD), rules, [SeasonEvent()] * 3, brought, names)


def ranks_after(season, finish, points):
    """Rank everybody after an event in which each player has the given place; 0 is to stay away."""
    new = [EventResult(who, 3, points[place - 1], 1, place) for who, place in finish.items() if place]
    names = season.names | dict.fromkeys(finish.keys() - season.names.keys(), "")
    ranks, _profit = season_ranks(
        [*OLD, *new],
        season.rules,
        events=[*season.events, SeasonEvent()],
        brought_forward=season.brought_forward,
        names=names,
    )
    return ranks


def finishes(n, place, n_rivals):
    """Every way in which rivals finish in the other places, or stay away."""
    options = [each for each in range(n + 1) if each != place or not place]
    for chosen in product(options, repeat=n_rivals):
        taken = [each for each in chosen if each]
        if len(set(taken)) == len(taken):
            yield chosen


@pytest.mark.parametrize("rules", RULES)
def test_best_and_worst_are_those_of_every_finish_by_each_rule(rules):
    season, n = season_by(RULES[rules]), 4
    points = points_of(n)
    found = prospects(ME, season, points)
    for place in range(n + 1):
        ranks = set()
        for chosen in finishes(n, place, len(RIVALS)):
            rest = set(range(1, n + 1)) - {place, *chosen}
            for newcomers in ({}, {NEWCOMER + each: each for each in rest}):
                finish = {ME: place, **dict(zip(RIVALS, chosen, strict=True)), **newcomers}
                ranks.add(ranks_after(season, finish, points)[ME])
        assert (found.best[place], found.worst[place]) == (min(ranks), max(ranks)), place


@pytest.mark.parametrize("n", [14, 15, 16])
def test_a_field_as_large_as_a_clubs_is_gone_through(n):
    """Totals by hand: points and one for attendance, then wins, then points less entries by event."""
    points = points_of(n)
    so_far = {ME: (10, 1, 3), 2: (12, 1, 3), 3: (9, 1, 3), 4: (7, 0, 2)}  # points, wins, events
    results = [
        EventResult(who, event, Fraction(total, events), 1, 1 if event < wins else 9)
        for who, (total, wins, events) in so_far.items()
        for event in range(events)
    ]
    season = SeasonSoFar(SeasonResults.of(results), SeasonRules(), [SeasonEvent()] * 3, (), {})
    found = prospects(ME, season, points)

    def key(who, place):
        total, wins, events = so_far[who]
        total += points[place - 1] if place else 0
        events += place > 0
        return total + events, wins + (place == 1), Fraction(total - events, events)

    for place in range(n + 1):
        own = key(ME, place)
        ahead = {
            1 + sum(key(who, each) > own for who, each in zip(RIVALS, chosen, strict=True))
            for chosen in finishes(n, place, len(RIVALS))
        }
        assert (found.best[place], found.worst[place]) == (min(ahead), max(ahead)), place


def test_which_places_are_enough():
    """11, 13 and 7 points with attendance, and one event of five with 3, 1 and 1 points."""
    season = season_of({ME: 10, 2: 12, 3: 6})
    found = prospects(ME, season, [Fraction(value) for value in (3, 1, 1, 0, 0)])
    assert found.worst == (2, 1, 2, 2, 2, 2)
    assert found.best == (2, 1, 1, 1, 2, 2)
    assert (found.is_enough(2), found.is_enough(1)) == (0, 1)
    assert found.can_be_enough(1) == 3  # 13 points, as many as the leader who stays away
    assert found.can_tie == (True, False, False, False, False, False)  # the third can come to 11


def season_of(totals, rules=None):
    """A season of one event in which everybody had these points, without any for attendance and without tie-breaks."""
    results = [EventResult(who, 0, Fraction(total), 1, 2) for who, total in totals.items()]
    rules = rules or SeasonRules(tie_breaks=())
    return SeasonSoFar(SeasonResults.of(results), rules, [SeasonEvent()], (), {})


def test_head_to_head_may_go_either_way():
    season = season_of({ME: 10, 2: 10}, SeasonRules(tie_breaks=("head_to_head", "wins")))
    found = prospects(ME, season, [Fraction(1)])
    assert (found.best[0], found.worst[0]) == (1, 2)


@pytest.mark.parametrize("n_events", [2, 3])
def test_bounds_hold_whatever_happens(n_events):
    """Every course of the events, among three players who all come each time."""
    season = season_of({ME: 10, 2: 12, 3: 7})
    points = [Fraction(value) for value in (3, 1, 0)]
    found = bounds(season, [points] * n_events)[ME]
    ends = set()
    for course in product(permutations((ME, 2, 3)), repeat=n_events):
        totals = {ME: 10, 2: 12, 3: 7}
        for order in course:
            for who, value in zip(order, points, strict=True):
                totals[who] += value
        ends.add(1 + sum(total > totals[ME] for total in totals.values()))
    assert found.best <= min(ends) <= max(ends) <= found.worst
    assert found.most == 10 + 1 + n_events * 4


def test_out_of_reach_and_safe_by_bounds():
    season = season_of({ME: 30, 2: 90, 3: 4})
    found = bounds(season, [[Fraction(3), Fraction(1)]] * 2)[ME]
    assert (found.best, found.worst) == (2, 2)


def test_each_event_to_come_has_its_own_points():
    season = season_of({ME: 30, 2: 20})
    rules_give = 2  # for attendance
    far = [[Fraction(3)], [Fraction(4)]]
    found = bounds(season, far)[ME]
    assert found.most == 31 + 3 + 4 + rules_give
    assert found.worst == 1  # 21 + 3 + 4 + 2 are 30, below 31
    assert bounds(season, [[Fraction(3)], [Fraction(5)]])[ME].worst == 2
