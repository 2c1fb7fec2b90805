"""EventHistory refuses wrong events by name; entry_times fills in times that were not recorded."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.engine.history import EventHistory
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.times import entry_times

NAN = np.nan


def make(**changes):
    """Two events: players 0, 1 and 2 with a re-entry of 2; then 0 and 1."""
    columns = {
        "day": [0.0, 1.0],
        "offset": [0, 4, 6],
        "duration": [120.0, 60.0],
        "closes_at": [60.0, NAN],
        "table_size": [9, 6],
        "final_table_size": [9, 6],
        "player": [0, 2, 1, 2, 0, 1],
        "number": [1, 2, 1, 1, 1, 1],
        "place": [1, 2, 3, 4, 2, 1],
        "registered_at": [0.0, 25.0, 0.0, 0.0, 0.0, NAN],
        "busted_at": [120.0, 120.0, 70.0, 20.0, 60.0, NAN],
    } | changes
    whole = {"offset", "table_size", "final_table_size", "player", "number", "place"}
    return EventHistory(
        **{
            name: np.array(values, np.int64 if name in whole else np.float64)
            for name, values in columns.items()
        }
    )


def test_good():
    assert (make().n_events, make().n_entries) == (2, 6)


def test_part_is_a_history_of_its_own():
    part = make().part(1, 2)
    assert part.offset.tolist() == [0, 2]
    assert part.player.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"place": [1, 2, 3, 5, 2, 1]},
            "event 0, player 2: place 5 should be 4: places must be a competition",
        ),
        ({"place": [1, 2, 3, 4, 2, 2]}, "event 1, player 0: place 2 should be 1"),
        ({"place": [0, 1, 2, 3, 2, 1]}, "event 0, player 0: place 0 is not from 1"),
        ({"number": [1, 3, 1, 1, 1, 1]}, "event 0, player 2: number 3 without an entry 2"),
        ({"number": [1, 2, 1, 1, 2, 1]}, "event 1, player 0: number 2 without an entry 1"),
        ({"number": [1, 1, 1, 1, 1, 1]}, "event 0, player 2: number 1: the player has this entry twice"),
        ({"number": [1, 2, 1, 1, 0, 1]}, "event 1, player 0: number must be at least 1, got 0"),
        ({"player": [0, 2, 1, 2, 1, 1]}, "event 1, player 1: number 1: the player has this entry twice"),
        ({"player": [0, 2, 1, 2, -1, 1]}, "event 1, player -1: player must not be negative"),
        (
            {"busted_at": [120, 21, 70, 20, 60, NAN]},
            "event 0, player 2: busted_at 21 min is before registered_at 25",
        ),
        (
            {"busted_at": [120, 120, 70, -1, 60, NAN]},
            "event 0, player 2: busted_at -1 min is before the event",
        ),
        (
            {"registered_at": [0, 61, 0, 0, 0, 0]},
            "event 0, player 2: registered_at 61 min is after registration",
        ),
        ({"registered_at": [0, np.inf, 0, 0, 0, 0]}, "event 0, player 2: registered_at must be finite"),
        ({"day": [0.0, NAN]}, "event 1: day must be finite, got nan"),
        ({"day": [1.0, 0.0]}, "event 1: day must be in order, got 0"),
        ({"table_size": [9, 11]}, "event 1: table_size must be 2 to 10, got 11"),
        ({"final_table_size": [1, 9]}, "event 0: final_table_size must be 2 to 10, got 1"),
        ({"duration": [-1.0, 9.0]}, "event 0: duration must be positive, got -1"),
        ({"duration": [np.inf, 9.0]}, "event 0: duration must be finite, got inf"),
        ({"closes_at": [60.0, np.inf]}, "event 1: closes_at must be finite"),
        ({"offset": [0, 6, 6]}, "event 1: there must be at least one entry, got 0"),
        ({"offset": [0, 4, 5]}, "offset must rise from 0 to 6"),
        ({"duration": [60.0]}, r"duration must be float64 of shape \(2,\)"),
    ],
)
def test_bad_histories_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        make(**changes)


def test_wrong_dtype_is_named():
    with pytest.raises(ValueError, match="place must be int64"):
        replace(make(), place=np.arange(6.0))


def test_only_an_order_is_known():
    """Busts are evenly spaced; the first two are out at the end."""
    times = entry_times(EventHistory.of_orders([[4, 3, 2, 1, 0]], duration=100.0), TierParams())
    assert times.busted_at.tolist() == [100.0, 100.0, 75.0, 50.0, 25.0]
    assert times.registered_at.tolist() == [0.0] * 5


def test_no_end_is_known():
    """Six minutes for each entry, as in both simulated events of the publication."""
    assert entry_times(EventHistory.of_orders([list(range(50))]), TierParams()).duration.tolist() == [300.0]
    assert entry_times(make(duration=[NAN, NAN]), TierParams()).duration.tolist() == [120.0, 60.0]


def test_tied_entries_bust_together():
    event = replace(EventHistory.of_orders([[0, 1, 2, 3]], duration=90.0), place=np.array([1, 2, 2, 4]))
    assert entry_times(event, TierParams()).busted_at.tolist() == [90.0, 90.0, 90.0, 30.0]


def test_unknown_busts_lie_between_the_known_ones():
    event = EventHistory.of_orders([[0, 1, 2, 3, 4]], duration=100.0)
    event = replace(event, busted_at=np.array([NAN, NAN, 60.0, NAN, 20.0]))
    assert entry_times(event, TierParams()).busted_at.tolist() == [100.0, 80.0, 60.0, 40.0, 20.0]


def test_nobody_registers_after_an_estimated_bust():
    event = EventHistory.of_orders([[0, 1, 2]], duration=30.0)
    event = replace(event, registered_at=np.array([0.0, 30.0, 0.0]))
    assert entry_times(event, TierParams()).busted_at.tolist() == [30.0, 30.0, 15.0]
    event = replace(event, busted_at=np.array([NAN, NAN, 10.0]))
    times = entry_times(event, TierParams())
    assert (times.busted_at.tolist(), times.registered_at.tolist()) == ([30.0, 20.0, 10.0], [0.0, 20.0, 0.0])


def test_a_re_entry_registers_when_the_entry_before_it_is_bust():
    event = make(registered_at=[0.0, NAN, NAN, NAN, NAN, NAN])
    times = entry_times(event, TierParams())
    assert times.registered_at[1] == 20.0
    assert times.played[1] == 100.0


def test_an_early_registration_plays_from_the_start():
    times = entry_times(make(registered_at=[-30.0, 25.0, 0.0, 0.0, 0.0, 0.0]), TierParams())
    assert times.played[0] == 120.0
    assert times.registered_at[0] == -30.0
