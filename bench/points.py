"""Speed of payout points: seats of large fields and a season's standings."""

import heapq
import random
import time
from collections import defaultdict
from contextlib import suppress
from fractions import Fraction

from bench.report import Row, best_of, met, seconds
from payouts.engine.errors import EngineError
from payouts.engine.seasons.standings import EventResult, SeasonEvent, SeasonRules, season_rows
from payouts.engine.structures import expression
from payouts.engine.structures.dhondt import allocate, seat_table
from payouts.engine.structures.quotients import compare_quotients
from payouts.engine.structures.structure import PointsStructure
from payouts.engine.structures.votes import STRUCTURES, StructureVotes
from tests.engine.payouts.formulas import fuzzed_formulas

STRUCTURE = "vp_kid"
RULE = STRUCTURES[STRUCTURE]
ALPHA = PointsStructure("vp_kid_alpha").rule
N_ALPHA = 1_000
CAPS = SeasonRules(
    best_n=20, best_n_per_month=4, drop_worst=3, tie_breaks=("wins", "best_places", "head_to_head")
)
N_SEATS, N_MANY = 10_000, 1_000_000
N_EVENTS, N_PLAYERS = 100, 5_000
N_FORMULAS, SLOWEST, N_REPEATED = 2_000, 0.05, 20


def heap_order(votes, seats):
    """Give out the seats one by one, as in the definition; ties go to the better place."""
    heap = [(-vote, place, 0) for place, vote in enumerate(votes, start=1)]
    heapq.heapify(heap)
    order = []
    for _ in range(seats):
        _, place, held = heap[0]
        heapq.heapreplace(heap, (-votes[place - 1] / (held + 2), place, held + 1))
        order.append(place)
    return order


def heap_counts(seats):
    counts = [0] * seats
    for place in heap_order(StructureVotes(RULE, seats)[:], seats):
        counts[place - 1] += 1
    return counts


class ExactQuotient:
    """An irrational quotient, ordered for a heap: the highest first, ties to the better place."""

    def __init__(self, vote, place, kth):
        self.vote, self.place, self.kth = vote, place, kth

    def __lt__(self, other):
        sign = compare_quotients(self.vote, self.kth, other.vote, other.kth)
        return sign > 0 or (sign == 0 and self.place < other.place)


def exact_heap_counts(votes, seats):
    heap = [ExactQuotient(vote, place, 1) for place, vote in enumerate(votes)]
    heapq.heapify(heap)
    counts = [0] * len(votes)
    for _ in range(seats):
        best = heap[0]
        counts[best.place] += 1
        heapq.heapreplace(heap, ExactQuotient(best.vote, best.place, best.kth + 1))
    return counts


def season():
    points = PointsStructure(STRUCTURE).event_points(range(1, N_PLAYERS + 1))
    return [
        EventResult(player, event, points[place], 1, place + 1)
        for event in range(N_EVENTS)
        for player in range(N_PLAYERS)
        for place in [(player * 7 + event * 613) % N_PLAYERS]
    ]


def fraction_totals(results):
    """Sum the points with attendance as Fractions and sort them, without computing ranks."""
    totals = defaultdict(Fraction)
    for result in results:
        totals[result.player_id] += result.points + 1
    return sorted(totals.items(), key=lambda item: -item[1])


def seconds_of_many(rule):
    start = time.perf_counter()
    held = allocate(StructureVotes(rule, N_MANY), N_MANY)
    seconds = time.perf_counter() - start
    assert sum(held) == N_MANY
    return seconds


def check_seconds(text):
    """Seconds of processor time to take or to refuse a formula that was not checked before."""
    expression._fault.cache_clear()
    expression._parsed.cache_clear()
    start = time.process_time()
    with suppress(EngineError):
        expression.check_expression(text)
    return time.process_time() - start


def slowest_formula() -> Row:
    texts = fuzzed_formulas(random.Random(63), N_FORMULAS)
    times = sorted((check_seconds(text), text) for text in texts)
    # Another process may have interrupted a short measurement: of the slowest ones the best of some tries counts.
    slowest = max(min(check_seconds(text) for _try in range(5)) for _seconds, text in times[-N_REPEATED:])
    return Row(
        what=f"checking a formula, the slowest of {N_FORMULAS:,} random ones",
        theirs_name="",
        ours=slowest,
        theirs=None,
        note=f"processor time; median {seconds(times[N_FORMULAS // 2][0])}; goal 50 ms: {met(slowest <= SLOWEST)}",
    )


def measure() -> list[Row]:
    many, many_alpha = seconds_of_many(RULE), seconds_of_many(ALPHA)
    assert allocate(StructureVotes(RULE, N_SEATS), N_SEATS) == heap_counts(N_SEATS)
    alpha_votes = StructureVotes(ALPHA, N_ALPHA)
    assert allocate(alpha_votes, N_ALPHA) == exact_heap_counts(alpha_votes[:], N_ALPHA)
    results = season()
    events = [SeasonEvent(f"month {event // 9}", is_final=event == N_EVENTS - 1) for event in range(N_EVENTS)]
    return [
        Row(
            what=f"seats of a field of {N_SEATS:,}",
            theirs_name="heap of fractions, seat by seat",
            ours=best_of(lambda: allocate(StructureVotes(RULE, N_SEATS), N_SEATS)),
            theirs=best_of(lambda: heap_counts(N_SEATS), repeat=3),
            goal=20.0,
            note=f"{N_MANY:,} seats over {N_MANY:,} entries: {many:.2f} s, goal under 1 s",
        ),
        Row(
            what=f"seats of a field of {N_ALPHA:,}, votes with power 1.05",
            theirs_name="heap of exact quotients, seat by seat",
            ours=best_of(lambda: allocate(StructureVotes(ALPHA, N_ALPHA), N_ALPHA)),
            theirs=best_of(lambda: exact_heap_counts(alpha_votes[:], N_ALPHA), repeat=1),
            note=f"{N_MANY:,} seats over {N_MANY:,} entries: {many_alpha:.2f} s, goal under 1 s",
        ),
        Row(
            what="printable seat table, 100 seats",
            theirs_name="heap of fractions, seat by seat",
            ours=best_of(lambda: seat_table(StructureVotes(RULE, 100), 100)),
            theirs=best_of(lambda: heap_order(StructureVotes(RULE, 100)[:], 100)),
            note="goal under 10 ms",
        ),
        Row(
            what=f"season of {N_EVENTS} events, {N_PLAYERS:,} players",
            theirs_name="totals in fractions only",
            ours=best_of(lambda: season_rows(results), repeat=3),
            theirs=best_of(lambda: fraction_totals(results), repeat=3),
            note="goal under 2 s",
        ),
        Row(
            what="the same with best 4 of a month, best 20, drop 3, a final, tie-breaks",
            theirs_name="totals in fractions only",
            ours=best_of(lambda: season_rows(results, CAPS, events=events), repeat=3),
            theirs=best_of(lambda: fraction_totals(results), repeat=3),
            note="goal under 2 s",
        ),
        slowest_formula(),
    ]
