"""How rates of entries are summed up for a player: values written by hand, no database."""

from standings.recomputation.columns import BADGE_CODES, RatedColumns
from standings.recomputation.rates import N_LAST_RATES, PlayerRates, rates_by_player
from standings.recomputation.season import ranks_by_rate

A1, B2, NONE = BADGE_CODES["A1"], BADGE_CODES["B2"], BADGE_CODES[""]


def rated(*rows):
    """Columns of rows (event, player, before, after, badge, provisional, first); one event's in order of number."""
    return RatedColumns.of_rows([row[1:] for row in rows], [row[0] for row in rows])


def test_each_event_is_one_change_and_the_third_begins_the_improvement():
    rows = rated(
        (0, 7, 1500.0, 1510.0, NONE, True, True),
        (1, 7, 1510.0, 1505.0, NONE, True, False),
        (1, 7, 1505.0, 1520.0, NONE, True, False),  # a re-entry: the event ends here
        (2, 7, 1520.0, 1533.0, B2, False, False),
        (3, 7, 1533.0, 1529.0, A1, False, False),
    )
    assert rates_by_player(rows, since=3) == {
        7: PlayerRates(
            first_before=1500.0,
            third_before=1520.0,
            night_before=1533.0,
            last_rates=[1510.0, 1520.0, 1533.0, 1529.0],
            badge="A1",
            is_provisional=False,
            was_provisional=False,
            was_rated=True,
            is_newcomer=True,
        )
    }


def test_two_events_are_placement_and_begin_no_improvement():
    two = rated((0, 7, 1500.0, 1510.0, NONE, True, True), (1, 7, 1510.0, 1520.0, NONE, True, False))
    assert rates_by_player(two, since=1)[7].third_before is None
    three = rated(
        (0, 7, 1500.0, 1510.0, NONE, True, True),
        (1, 7, 1510.0, 1520.0, NONE, True, False),
        (2, 7, 1520.0, 1530.0, NONE, False, False),
    )
    assert rates_by_player(three, since=2)[7].third_before == 1520.0


def test_who_was_not_there_in_the_last_night_kept_the_rate():
    found = rates_by_player(
        rated((0, 7, 1500.0, 1510.0, B2, False, False), (1, 8, 1400.0, 1450.0, B2, False, False)), since=1
    )
    assert (found[7].night_before, found[7].rate_before_night) == (None, 1510.0)
    assert (found[7].was_rated, found[7].was_provisional, found[7].is_newcomer) == (True, False, False)


def test_who_came_for_the_first_time_had_no_rate_and_was_provisional_before():
    found = rates_by_player(rated((2, 9, 1500.0, 1540.0, B2, False, True)), since=2)[9]
    assert (found.was_rated, found.was_provisional, found.rate_before_night) == (False, True, None)
    assert (found.night_before, found.is_newcomer) == (1500.0, True)


def test_a_night_of_several_events_begins_before_its_first():
    found = rates_by_player(
        rated(
            (0, 7, 1500.0, 1510.0, NONE, True, True),
            (1, 7, 1510.0, 1520.0, NONE, True, False),
            (2, 7, 1520.0, 1490.0, B2, False, False),
        ),
        since=1,
    )[7]
    assert (found.night_before, found.rate_before_night, found.was_provisional) == (1510.0, 1510.0, True)


def test_players_do_not_mix_and_only_the_last_rates_are_kept():
    rows = [(event, 7, float(event), float(event + 1), B2, False, event == 0) for event in range(12)]
    rows += [(event, 3, 100.0 + event, 101.0 + event, A1, False, False) for event in (4, 11)]
    found = rates_by_player(rated(*sorted(rows)), since=11)
    assert found[7].last_rates == [float(rate) for rate in range(4, 13)]
    assert len(found[7].last_rates) == N_LAST_RATES
    assert (found[3].last_rates, found[3].badge, found[3].first_before) == ([105.0, 112.0], "A1", 104.0)
    assert (found[7].badge, found[7].third_before, found[3].third_before) == ("B2", 2.0, None)


def test_equal_rates_share_a_rank_and_the_next_is_skipped():
    rates = {1: 1500.0, 2: 1620.0, 3: 1500.0, 4: 1500.0, 5: 1400.0, 6: 1620.0}
    assert ranks_by_rate(rates) == {2: 1, 6: 1, 1: 3, 3: 3, 4: 3, 5: 6}
    assert ranks_by_rate({}) == {}
