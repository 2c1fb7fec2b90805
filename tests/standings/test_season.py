"""The stored leaderboard against a second one, written slowly and by another way, on random small leagues."""

import random
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from league.models import Entry, Event
from payouts.brought_lines import BroughtLine
from payouts.models import BroughtTotals, EventTerms, SeasonRules
from payouts.services import bring_forward, set_event_terms
from ratings.engine.history import EventHistory
from ratings.engine.pipeline_reference import replay_slowly
from ratings.engine.pool_state import PoolState
from ratings.engine.tier import TierParams
from standings.models import Standing
from standings.services import recompute
from tests.factories import SeasonFactory, enter

pytestmark = pytest.mark.django_db
K, OFFSET = 0.84162123357, 0.84162123357 * 440  # publication of November 2022
BOUNDS = {
    "S": 2000,
    "A1": 1900,
    "A2": 1800,
    "A3": 1700,
    "B1": 1600,
    "B2": 1500,
    "B3": 1400,
    "C1": 1300,
    "C2": 1200,
}


def votes(structure, n):
    if structure == "inverse":
        return [Fraction(100, place) for place in range(1, n + 1)]
    head = [Fraction(it) for it in (100, 60, 40, 25)]
    return (head + [Fraction(100, place) for place in range(5, n + 1)])[:n]


def seats(structure, ties, n):
    """One seat after the other to the highest quotient."""
    claims, held = votes(structure, n), [0] * n
    for _seat in range(n):
        best = max(claim / (own + 1) for claim, own in zip(claims, held, strict=True))
        equal = [i for i in range(n) if claims[i] / (held[i] + 1) == best]
        held[equal[0] if ties == "better" else equal[-1]] += 1
    return held


def points_of(event, rules):
    """Points of each player: of all his entries, tied ones sharing."""
    entries = list(Entry.objects.filter(event=event))
    by_place = seats(rules.structure["name"], rules.structure["ties"], len(entries))
    points = defaultdict(Fraction)
    for entry in entries:
        tied = sum(other.place == entry.place for other in entries)
        share = sum(by_place[entry.place - 1 : entry.place - 1 + tied])
        points[entry.player_id] += Fraction(share, tied)
    return points


def competition_ranks(keys):
    """1-2-2-4, the greatest key first."""
    return {player: 1 + sum(other > key for other in keys.values()) for player, key in keys.items()}


def rated_slowly(events):
    """(mu, sigma, rated entries) of all who played; nobody has typed a time."""
    entries = [(e, entry) for e, event in enumerate(events) for entry in Entry.objects.filter(event=event)]
    players = sorted({entry.player_id for _e, entry in entries})
    unknown = np.full(len(events), np.nan)
    nobody_knows = np.full(len(entries), np.nan)
    history = EventHistory(
        day=np.arange(float(len(events))),
        offset=np.searchsorted([e for e, _entry in entries], np.arange(len(events) + 1)),
        duration=unknown,
        closes_at=unknown,
        table_size=np.full(len(events), 9),
        final_table_size=np.full(len(events), 9),
        player=np.array([players.index(entry.player_id) for _e, entry in entries]),
        number=np.array([entry.number for _e, entry in entries]),
        place=np.array([entry.place for _e, entry in entries]),
        registered_at=nobody_knows,
        busted_at=nobody_knows,
    )
    slow = replay_slowly(history, PoolState.fresh(len(players), TierParams()), TierParams())
    n_entries = np.bincount(history.player)
    return {who: (slow.mu[i], slow.sigma[i], n_entries[i]) for i, who in enumerate(players)}


def shown_rate(rating):
    return max(rating[0] - K * rating[1] + OFFSET, 900.0)


def counted(results, rules, n_held):
    """What counts of one player's (points, event, month, is_final), by taking the worst away one by one."""
    left = [it for it in results if not it[3]]
    missed = n_held - len(left)

    def without_worst(among):
        left.remove(min(among, key=lambda it: (it[0], -it[1])))

    for month in {it[2] for it in left}:
        while rules.best_n_per_month and sum(it[2] == month for it in left) > rules.best_n_per_month:
            without_worst([it for it in left if it[2] == month])
    for _drop in range(rules.drop_worst - (missed if rules.missed_count_as_zero else 0)):
        if left:
            without_worst(left)
    while rules.best_n and len(left) > rules.best_n:
        without_worst(left)
    return sum((it[0] for it in results if it in left or it[3]), Fraction(0))


def leaderboard(season):
    rules = SeasonRules.objects.get(season=season)
    events = list(Event.objects.filter(season=season).in_rating_order())
    terms = {it.event_id: it for it in EventTerms.objects.all()}
    plain = EventTerms()
    results, all_points, played, n_entries, wins = (defaultdict(it) for it in (list, Fraction, int, int, int))
    n_held = sum(not terms.get(event.pk, plain).is_final for event in events)
    ratings = rated_slowly(events) if events else {}
    for i, event in enumerate(events):
        of_event = terms.get(event.pk, plain)
        for player, value in points_of(event, rules).items():
            month = (event.starts_at.year, event.starts_at.month)
            results[player].append((value * Fraction(of_event.multiplier), i, month, of_event.is_final))
            all_points[player] += value
            played[player] += 1
        for entry in Entry.objects.filter(event=event):
            n_entries[entry.player_id] += 1
            wins[entry.player_id] += entry.is_last and entry.place == 1
    points = defaultdict(Fraction, {it: counted(results[it], rules, n_held) for it in played})
    brought = {it.player_id: it for it in BroughtTotals.objects.filter(season=season)}
    for player, totals in brought.items():
        points[player] += totals.points
        all_points[player] += totals.points
        played[player] += totals.n_events
        n_entries[player] += totals.n_entries
        wins[player] += totals.n_wins
    total = {player: points[player] + rules.attendance_points * played[player] for player in played}
    profit = {player: (all_points[player] - n_entries[player]) / played[player] for player in played}
    ranked = [player for player in played if played[player] >= rules.min_events]
    rated = [player for player in played if player in ratings and ratings[player][2] >= 3]
    keys = {"points": points, "wins": wins, "events": played, "profit": profit}
    points_ranks = competition_ranks(
        {it: (total[it], *(keys[name][it] for name in rules.tie_breaks)) for it in played}
    )
    profit_ranks = competition_ranks({it: (profit[it], points[it]) for it in ranked})
    tier_ranks = competition_ranks({it: shown_rate(ratings[it]) for it in rated})
    return {
        player: {
            "points": points[player],
            "total": total[player],
            "profit": profit[player],
            "n_events": played[player],
            "n_entries": n_entries[player],
            "n_wins": wins[player],
            "n_brought": brought[player].n_events if player in brought else 0,
            "points_rank": points_ranks[player],
            "profit_rank": profit_ranks.get(player),
            "tier_rank": tier_ranks.get(player),
            "is_provisional": player not in rated,
            "rate": shown_rate(ratings[player]) if player in ratings else None,
        }
        for player in played
    }


def random_text(rng, people):
    """An evening with ties, second entries and now and then an earlier entry with a place of its own."""
    field = rng.sample(people, rng.randint(2, len(people)))
    lines, above = [], []
    for i, name in enumerate(field):
        typed = name + (f" x{rng.randint(2, 3)}" if rng.random() < 0.2 else "")
        if i and rng.random() < 0.2:
            lines[-1] += f" = {typed}"
        else:
            lines.append(typed)
        if " x" not in typed:
            above.append(name)
        if len(above) > 1 and rng.random() < 0.15:
            lines.append(f"{above.pop(rng.randrange(len(above)))} #1")
    return "\n".join(lines)


def random_rules(rng):
    tie_breaks = ["wins", "profit", "points", "events"]
    return {
        "structure": {"name": rng.choice(["vp_kid", "inverse"]), "ties": rng.choice(["better", "worse"])},
        "attendance_points": rng.randint(0, 2),
        "min_events": rng.randint(0, 3),
        "best_n": rng.choice([None, None, 1, 2, 4]),
        "best_n_per_month": rng.choice([None, None, 1, 2]),
        "drop_worst": rng.choice([0, 0, 1, 2]),
        "missed_count_as_zero": rng.random() < 0.5,
        "tie_breaks": rng.sample(tie_breaks, rng.randint(0, 4)),
    }


def random_terms(rng):
    return {
        "multiplier": rng.choice([Decimal(1), Decimal("1.5"), Decimal(0), Decimal(3)]),
        "is_final": rng.random() < 0.4,
        "total": None,
        "buy_in": Decimal(1),
        "paid": 1,
    }


def random_totals(rng, people):
    """Hanna has no evening at all."""
    lines = []
    for name in rng.sample([*people, "Hanna"], rng.randint(1, 3)):
        n_events = rng.randint(1, 4)
        points = Fraction(rng.randint(0, 60), rng.choice([1, 1, 3, 4]))
        lines.append(
            BroughtLine(name, points, n_events, n_events + rng.randint(0, 2), rng.randint(0, n_events))
        )
    return lines


def random_league(rng):
    season = SeasonFactory(rules=random_rules(rng))
    people = ["Ada", "Boris", "Cleo", "Dmitri", "Elif", "Farouk", "Greta"][: rng.randint(2, 7)]
    for day in rng.sample(range(45), rng.randint(1, 7)):
        event = enter(season, random_text(rng, people), day=day)
        if rng.random() < 0.3:
            recompute(season.pool_id)
        if rng.random() < 0.4:
            set_event_terms(event, terms=random_terms(rng), version=0, actor=None)
    if rng.random() < 0.5:
        bring_forward(season, random_totals(rng, people), version=0, actor=None)
    recompute(season.pool_id)
    return season


@pytest.mark.parametrize("seed", range(60))
def test_random_leagues_agree_with_a_slow_second_leaderboard(seed):
    season = random_league(random.Random(seed))
    wanted = leaderboard(season)
    rows = list(Standing.objects.filter(season=season))
    assert {row.player_id for row in rows} == set(wanted)
    for row in rows:
        line = wanted[row.player_id]
        for field in (
            "n_events",
            "n_entries",
            "n_wins",
            "n_brought",
            "points_rank",
            "profit_rank",
            "tier_rank",
            "is_provisional",
        ):
            assert getattr(row, field) == line[field], (row, field)
        for field, places in (("points", 4), ("total", 4), ("profit", 6)):
            assert abs(Fraction(getattr(row, field)) - line[field]) <= Fraction(1, 2 * 10**places), (
                row,
                field,
            )
        if line["rate"] is None:
            assert (row.rate, row.badge, row.last_rates) == (None, "", "")
            continue
        assert row.rate == pytest.approx(line["rate"], abs=1e-3)
        assert row.badge == next((name for name, bound in BOUNDS.items() if row.rate >= bound), "C3")
    for order in ("points", "profit", "tier"):
        assert sorted(getattr(row, f"{order}_position") for row in rows) == list(range(1, len(rows) + 1))
        ranks = [
            getattr(row, f"{order}_rank")
            for row in sorted(rows, key=lambda it: getattr(it, f"{order}_position"))
        ]
        ranked = [rank for rank in ranks if rank is not None]
        assert ranked == sorted(ranked)
        assert ranks[: len(ranked)] == ranked


def test_places_moved_are_counted_from_the_evening_before(season, enter_evening):
    enter_evening("Ada\nBoris\nCleo\nDana")
    enter_evening("Dana\nCleo\nEmil", day=1)
    moved = dict(Standing.objects.values_list("player__name", "points_moved"))
    ranks = dict(Standing.objects.values_list("player__name", "points_rank"))
    before = {"Ada": 1, "Boris": 2, "Cleo": 2, "Dana": 4}
    assert moved == {name: before[name] - rank for name, rank in ranks.items() if name in before} | {
        "Emil": None
    }


@pytest.mark.django_db(transaction=True)
def test_badges_are_counted_in_order_on_every_database(season, enter_evening):
    for day in range(3):
        enter_evening("Ada\nBoris\nCleo\nDana", day=day)
    season.refresh_from_db()
    letters = [letters for letters, _n in season.summary.facts["badges"]]
    assert letters == ["C3", "C2", "C1", "B3", "B2", "B1", "A3", "A2", "A1", "S"]
    assert sum(n for _letters, n in season.summary.facts["badges"]) == 4
