"""The stored leaderboard against a second one, written slowly and by another way, on random small leagues."""

import random
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from league.models import Entry, Event
from payouts.models import SeasonRules
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
    by_place = seats(rules.structure, rules.ties, len(entries))
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


def leaderboard(season):
    rules = SeasonRules.objects.get(season=season)
    events = list(Event.objects.filter(season=season).in_rating_order())
    points, played, n_entries, wins = (
        defaultdict(Fraction),
        defaultdict(int),
        defaultdict(int),
        defaultdict(int),
    )
    ratings = rated_slowly(events)
    for event in events:
        for player, value in points_of(event, rules).items():
            points[player] += value
            played[player] += 1
        for entry in Entry.objects.filter(event=event):
            n_entries[entry.player_id] += 1
            wins[entry.player_id] += entry.is_last and entry.place == 1
    total = {player: points[player] + rules.attendance_points * played[player] for player in played}
    profit = {player: (points[player] - n_entries[player]) / played[player] for player in played}
    ranked = [player for player in played if played[player] >= rules.min_events]
    rated = [player for player in played if ratings[player][2] >= 3]
    points_ranks = competition_ranks({it: (total[it], wins[it], profit[it]) for it in played})
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
            "points_rank": points_ranks[player],
            "profit_rank": profit_ranks.get(player),
            "tier_rank": tier_ranks.get(player),
            "is_provisional": player not in rated,
            "rate": shown_rate(ratings[player]),
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


def random_league(rng):
    rules = {
        "structure": rng.choice(["vp_kid", "inverse"]),
        "ties": rng.choice(["better", "worse"]),
        "attendance_points": rng.randint(0, 2),
        "min_events": rng.randint(0, 3),
    }
    season = SeasonFactory(rules=rules)
    people = ["Ada", "Boris", "Cleo", "Dmitri", "Elif", "Farouk", "Greta"][: rng.randint(2, 7)]
    for day in rng.sample(range(30), rng.randint(1, 6)):
        enter(season, random_text(rng, people), day=day)
        if rng.random() < 0.3:
            recompute(season.pool_id)
    recompute(season.pool_id)
    return season


@pytest.mark.parametrize("seed", range(40))
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
