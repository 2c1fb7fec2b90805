"""Seats: a draw that is fair and can be checked, and proposals that keep tables even and lose nobody."""

import hashlib
import random
from collections import Counter

import pytest
from scipy.stats import chisquare

from live.engine.project import project
from live.engine.seats import (
    Draw,
    Room,
    committed,
    draw_seat,
    drawn,
    in_order,
    is_right,
    propose,
    sizes_of,
    worst_seats,
)
from tests.live.logs import Writer

N_NIGHTS = 10_000
LEAST_P = 1e-4  # of a chi-square test of a fair draw: once in ten thousand it fails by chance, and the seeds are fixed


def seated(seed, n, *, tables=2, size=8, fixed=None):
    """Seat n people as they come; return who sits where and the draws."""
    taken, draws, fixed = {}, [], fixed or {}
    for who in map(str, range(n)):
        room = Room(taken, size, size, frozenset(range(1, tables + 1)), fixed)
        if who in fixed:
            taken[fixed[who]] = who
            continue
        draws.append(draw_seat(seed, len(draws), room.for_the_next()))
        taken[draws[-1].seat] = who
    return taken, draws


def test_a_number_is_the_hash_modulo_n():
    digest = hashlib.sha256(b"TQXY:3:0").hexdigest()
    assert drawn("TQXY", 3, 16) == int(digest, 16) % 16


def test_the_same_seed_draws_the_same_and_its_hash_was_shown():
    """Property 8."""
    assert seated("TQXY", 16) == seated("TQXY", 16)
    assert seated("TQXY", 16) != seated("WPJB", 16)
    _taken, draws = seated("TQXY", 16)
    shown = hashlib.sha256(b"TQXY").hexdigest()
    assert committed("TQXY") == shown
    assert is_right("TQXY", shown, draws)
    assert not is_right("WPJB", shown, draws)
    one = draws[4]
    other = next(seat for seat in one.free if seat != one.seat)
    assert not is_right("TQXY", shown, [*draws[:4], Draw(one.i, one.free, other), *draws[5:]])


def test_draws_of_a_thousand_nights_are_fair():
    """Every seat is as likely for who comes first, in the middle and last, and so is every neighbour at a table."""
    nights = [seated(f"night {i}", 16)[0] for i in range(1_000)]
    for who in ("0", "7", "15"):
        seats = Counter(seat for taken in nights for seat, each in taken.items() if each == who)
        assert len(seats) == 16
        assert chisquare(list(seats.values())).pvalue > LEAST_P
    together = Counter(each for taken in nights for each in at_the_table_of(taken, "3"))
    pairs = [together[str(i)] for i in range(16) if i not in {2, 3}]  # who came just before sits elsewhere
    assert chisquare(pairs).pvalue > LEAST_P


def at_the_table_of(taken, who):
    table = next(seat[0] for seat, each in taken.items() if each == who)
    return [each for seat, each in taken.items() if seat[0] == table and each != who]


def test_a_stranger_can_check_it_with_the_script_of_the_docs(docs_script):
    taken, draws = seated("TQXY", 14)
    told = {"sha256": committed("TQXY"), "seed": "TQXY", "draws": [draw._asdict() for draw in draws]}
    assert docs_script(told) == "right"
    told["draws"][3]["seat"] = told["draws"][3]["free"][0]
    told["draws"][4]["seat"] = told["draws"][4]["free"][0]
    assert docs_script(told) == "wrong"
    assert len(taken) == 14


@pytest.mark.parametrize("n", range(2, 17))
def test_tables_are_even_whoever_comes(n):
    sizes = sizes_of(seated("TQXY", n)[0])
    assert sum(sizes.values()) == n
    assert max(sizes.values()) - min(sizes.get(table, 0) for table in (1, 2)) <= 1


def test_a_further_table_opens_when_all_seats_are_taken():
    taken, _draws = seated("TQXY", 19)
    assert sizes_of(taken) == {1: 8, 2: 8, 3: 3}


def test_a_seat_that_is_kept_is_drawn_by_nobody_else():
    for i in range(200):
        taken, _draws = seated(f"night {i}", 16, fixed={"5": (2, 1)})
        assert taken[2, 1] == "5"


def room_of(*tables, size=8, final_size=8, **more):
    taken = {(t, seat): f"{t}.{seat}" for t, seats in enumerate(tables, 1) for seat in seats}
    return Room(taken, size, final_size, **more)


@pytest.mark.parametrize("n", range(2, 17))
def test_nothing_is_proposed_while_people_come(n):
    taken, draws = seated("TQXY", n)
    assert propose(Room(taken, 8, 8, frozenset({1, 2})), "TQXY", len(draws), is_filling=True) is None


def test_while_people_come_tables_are_kept_even_and_none_breaks():
    assert propose(room_of([1, 2, 3, 4], [1]), "s", 0, is_filling=True).kind == "balance"
    assert propose(room_of([1, 2, 3, 4], [1]), "s", 0).kind == "final"
    assert propose(room_of([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), "s", 0).kind == "break"
    assert (
        propose(room_of([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), "s", 0, is_filling=True)
        is None
    )


def test_even_tables_need_no_move():
    assert propose(room_of([1, 2, 3, 4, 5], [1, 2, 3, 4]), "s", 0) is None
    assert propose(room_of([1, 2, 3, 4, 5], [1, 2, 3, 4], final_size=6, size=6), "s", 0) is None


def test_who_pays_the_big_blind_next_moves_to_where_it_comes_soonest():
    """The drawing of look4: Rosa, next big blind of table 2, to seat 1 of table 1, where it comes next too."""
    room = room_of([2, 5, 6, 7, 8], [1, 3, 4, 5, 6, 7, 8], big_blinds={1: 2, 2: 6})
    proposal = propose(room, "s", 0)
    assert (proposal.kind, proposal.table, proposal.asks) == ("balance", 1, ())
    assert proposal.moves == [("2.7", 1, 3)]
    assert proposal.draws == []


def test_nobody_sits_down_between_the_blinds():
    room = room_of([1, 4, 8], [1, 2, 3, 4, 5], size=9, final_size=4, big_blinds={1: 4, 2: 1})
    assert [seat for _table, seat in worst_seats(room, 1)] == [
        5,
        6,
        7,
        9,
    ]  # 2 and 3 lie between small and big blind
    assert [seat for _table, seat in in_order(room, 2)] == [2, 3, 4, 5, 1]


def test_without_a_big_blind_it_is_drawn_and_asked_for():
    proposal = propose(room_of([1, 2, 3], [1, 2, 3, 4, 5, 6], final_size=6), "s", 7)
    assert (proposal.asks, [draw.i for draw in proposal.draws]) == ((1, 2), [7, 8])
    assert is_right("s", committed("s"), proposal.draws)


def test_the_last_table_breaks_when_the_others_hold_everybody_but_not_that_of_a_fixed_seat():
    tables = ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert propose(room_of(*tables), "s", 0).table == 3
    fixed = {"3.2": (3, 2)}
    assert propose(room_of(*tables, fixed=fixed), "s", 0).table == 2


def test_the_final_table_is_drawn_for_all_but_who_has_a_seat_of_their_own():
    room = room_of([1, 2, 3, 4], [1, 3, 5, 7], fixed={"2.1": (2, 1)})
    proposal = propose(room, "s", 0)
    assert proposal.kind == "final"
    assert {entry for entry, _table, _seat in proposal.moves} == {*room.taken.values()}
    assert ("2.1", 1, 1) in proposal.moves
    assert {table for _entry, table, _seat in proposal.moves} == {1}


def applied(room, proposal):
    moved = {entry for entry, _table, _seat in proposal.moves}
    taken = {seat: entry for seat, entry in room.taken.items() if entry not in moved}
    for entry, table, seat in proposal.moves:
        assert (table, seat) not in taken, "no seat twice"
        taken[table, seat] = entry
    return taken


def spread(taken):
    sizes = sizes_of(taken).values()
    return max(sizes) - min(sizes)


@pytest.mark.rest
def test_ten_thousand_random_nights_stay_even_and_lose_nobody():
    """No table is ever two short once a proposal was followed, nobody moves twice in one, the final table is complete."""
    rng = random.Random(47)
    kinds = Counter()
    for night in range(N_NIGHTS):
        size = rng.choice([6, 8, 9, 10])
        n = rng.randint(2, 4 * size)
        final_size = rng.choice([size, size, size - 1])
        taken, _draws = seated(f"night {night}", n, tables=-(-n // size), size=size)
        fixed = {who: seat for seat, who in taken.items() if rng.random() < 0.03}
        i = n
        while len(taken) > 1:
            gone = rng.choice(sorted(taken))
            fixed.pop(taken.pop(gone), None)
            blinds = {
                t: rng.choice([s for u, s in taken if u == t]) for t in sizes_of(taken) if rng.random() < 0.7
            }
            while proposal := propose(Room(taken, size, final_size, frozenset(), fixed, blinds), "s", i):
                kinds[proposal.kind] += 1
                movers = [entry for entry, _table, _seat in proposal.moves]
                assert len({*movers}) == len(movers)
                after = applied(Room(taken, size, final_size), proposal)
                assert sorted(after.values()) == sorted(taken.values())
                assert spread(after) <= max(spread(taken), 1)
                if proposal.kind == "final":
                    assert len(sizes_of(after)) == 1
                else:
                    assert not fixed.keys() & {*movers}
                if proposal.kind == "balance":
                    assert spread(after) < spread(taken)
                taken, i = after, i + len(proposal.draws)
                blinds = {}
            if len(sizes_of(taken)) > 1 and not fixed:
                assert spread(taken) < 2
                assert len(taken) > final_size
    assert min(kinds[kind] for kind in ("final", "break", "balance")) > 1_000


def test_a_seat_is_whose_it_was_drawn_for_last():
    """Ada went out, her seat was drawn for Boris, and she was brought back: she waits for another one, and is told."""
    log = Writer()
    ada, boris = log.enter("Ada", "Boris")
    log.add("draw", seats=[[ada, 1, 3]], i=0)
    log.add("draw", seats=[[boris, 1, 3]], i=1)
    night = project(log.actions)
    assert (night.entries[ada].seat, night.entries[boris].seat) == (None, (1, 3))
    assert (night.entries[ada].has_seen, night.questions) == (False, [])
    log.add("draw", seats=[[ada, 1, 4], [boris, 2, 2]], i=2)
    night = project(log.actions)
    assert (night.entries[ada].seat, night.entries[boris].seat) == ((1, 4), (1, 3))


def test_moved_on_two_phones_the_first_move_stands_until_asked():
    log = Writer()
    (ada,) = log.enter("Ada")
    first = log.add("move", "desk", moves=[[ada, 1, 1]])
    second = log.add("move", "door", moves=[[ada, 1, 3]])
    night = project(log.actions)
    assert night.entries[ada].seat == (1, 1)
    (question,) = night.questions
    assert question.kind == "moved_twice"
    log.add("settle", question=question.id, choice="second")
    assert project(log.actions).entries[ada].seat == (1, 3)
    assert question.actions == (first, second)


def test_a_move_is_seen_once_its_player_says_so():
    log = Writer()
    (ada,) = log.enter("Ada")
    log.add("move", moves=[[ada, 1, 1]])
    assert not project(log.actions).entries[ada].has_seen
    log.add("seen_move", entry=ada)
    assert project(log.actions).entries[ada].has_seen
