"""A slow second leaderboard for comparison: without the payouts engine, and with decimals in place of its floats."""

from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import numpy as np

from league.models import Entry, Event, Player
from payouts.models import BroughtTotals, EventTerms, SeasonRules
from ratings.engine.history import EventHistory
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pool_state import PoolState
from tests.engine.twins.tier_pipeline import replay_slowly

K, OFFSET = 0.84162123357, 0.84162123357 * 440  # publication of November 2022
HEADS = {
    "inverse": [],
    "vp_kid": [100, 60, 40, 25],
    "soft_top": [100, 70, 50],
    "winner_takes_all": [1],
    "vp_kid_alpha": [100, 60, 40, 25],
}
TAILS = {"winner_takes_all": "none", "fixed": "none", "vp_kid_alpha": "power 2"}


def votes(structure, n):
    head = [Fraction(value) for value in structure.get("votes") or HEADS[structure["name"]]]
    tail = structure.get("tail") or TAILS.get(structure["name"], "100/n")
    behind = {
        "none": lambda _place: Fraction(0),
        "power 2": lambda place: head[-1] * Fraction(len(head), place) ** 2,
        "20/n": lambda place: Fraction(20, place),
        "100/n": lambda place: Fraction(100, place),
    }[tail]
    return (head + [behind(place) for place in range(len(head) + 1, n + 1)])[:n]


def seats(structure, n_places, n_seats):
    """Give one seat after the other to the highest quotient."""
    claims, held = votes(structure, n_places), [0] * n_places
    for _seat in range(n_seats):
        best = max(claim / (own + 1) for claim, own in zip(claims, held, strict=True))
        equal = [i for i in range(n_places) if claims[i] / (held[i] + 1) == best]
        held[equal[0] if structure["ties"] == "better" else equal[-1]] += 1
    return held


def exact(irrational):
    return Fraction(irrational.quantize(Decimal("0.0001"), ROUND_HALF_EVEN))


# Points of place k of n for a player with m entries, by the buy-in.
SLOW_FORMULAS = {
    "linear": lambda n, k, _m, _buy_in: Fraction(n - k + 1),
    "sqrt": lambda n, k, _m, _buy_in: exact((Decimal(100 * n) / k).sqrt()),
    "pokerstars": lambda n, k, _m, buy_in: exact(
        (Decimal(100 * n) / k).sqrt() * (1 + (buy_in + Decimal("0.25")).log10())
    ),
    "dr_neau": lambda n, k, m, buy_in: exact((n * buy_in / m).sqrt() / (k + 1)),
    "log_field": lambda n, k, _m, _buy_in: exact((Decimal(n + 1) / k).ln()),
    "balance": lambda _n, _k, _m, _buy_in: Fraction(0),
    "expression": lambda n, k, m, buy_in: (n - k + 1) * Fraction(buy_in) + m,
}


def value_of(structure, terms, n, k, m):
    """Points of one place before tied entries share."""
    name = structure["name"]
    if name in SLOW_FORMULAS:
        return SLOW_FORMULAS[name](n, k, m, terms.buy_in)
    listed = dict(enumerate(map(Fraction, structure.get("votes", ())), start=1))
    if name == "fixed_table":
        return listed.get(k, Fraction(0))
    if name == "percentage_pool":
        pool = Fraction(structure["per_entry"]) * n if terms.total is None else Fraction(terms.total)
        return listed.get(k, Fraction(0)) * pool / 100
    n_seats = min(n, structure.get("cap") or n)
    put_up = Fraction(n) if terms.total is None else Fraction(terms.total)
    return seats(structure, n, n_seats)[k - 1] * put_up / n_seats


def points_of(event, rules, terms):
    """Points by player: the sum of all entries, tied ones sharing; by a formula those of the last entry only."""
    entries = list(Entry.objects.filter(event=event))
    is_formula = rules.structure["name"] in {*SLOW_FORMULAS, "fixed_table", "percentage_pool"}
    points = defaultdict(Fraction)
    for entry in entries:
        if is_formula and not entry.is_last:
            continue
        tied = sum(other.place == entry.place for other in entries)
        own = sum(other.player_id == entry.player_id for other in entries)
        occupied = range(entry.place, entry.place + tied)
        values = [value_of(rules.structure, terms, len(entries), k, own) for k in occupied]
        points[entry.player_id] += sum(values, Fraction(0)) / tied
    per_balance = "1" if rules.structure["name"] == "expression" else rules.structure.get("per_balance", 0)
    for entry in entries:
        points[entry.player_id] += Fraction(per_balance) * Fraction(entry.balance)
    return points


def competition_ranks(keys):
    """Competition ranks 1-2-2-4, the greatest key first."""
    return {player: 1 + sum(other > key for other in keys.values()) for player, key in keys.items()}


def split_ranks(players, criteria):
    """Competition ranks by one criterion after the other, each among the players still equal: more is better."""
    groups = [sorted(players)] if players else []
    for criterion in criteria:
        groups = [part for group in groups for part in _parts(group, criterion)]
    ranks = {}
    for group in groups:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks


def _parts(group, criterion):
    value = {player: criterion(player, group) for player in group}
    return [
        [player for player in group if value[player] == one]
        for one in sorted(set(value.values()), reverse=True)
    ]


def rows_of_places(places):
    """Criteria from places by player, one dict an event: firsts, seconds and so on, and who finished above whom."""

    def best_places(player, _group):
        return tuple(sum(of_event.get(player) == place for of_event in places) for place in range(1, 40))

    def head_to_head(player, group):
        return sum(
            (of_event[player] < of_event[rival]) - (of_event[player] > of_event[rival])
            for of_event in places
            for rival in group
            if player in of_event and rival in of_event
        )

    return {"best_places": best_places, "head_to_head": head_to_head}


def rated_slowly(events):
    """(mu, sigma, rated entries) of all who played; no times are recorded."""
    entries = [(e, entry) for e, event in enumerate(events) for entry in Entry.objects.filter(event=event)]
    players = sorted({entry.player_id for _e, entry in entries})
    not_recorded = np.full(len(events), np.nan)
    no_times = np.full(len(entries), np.nan)
    history = EventHistory(
        day=np.arange(float(len(events))),
        offset=np.searchsorted([e for e, _entry in entries], np.arange(len(events) + 1)),
        duration=not_recorded,
        closes_at=not_recorded,
        table_size=np.full(len(events), 9),
        final_table_size=np.full(len(events), 9),
        player=np.array([players.index(entry.player_id) for _e, entry in entries]),
        number=np.array([entry.number for _e, entry in entries]),
        place=np.array([entry.place for _e, entry in entries]),
        registered_at=no_times,
        busted_at=no_times,
    )
    slow = replay_slowly(history, PoolState.fresh(len(players), TierParams()), TierParams())
    n_entries = np.bincount(history.player)
    return {who: (slow.mu[i], slow.sigma[i], n_entries[i]) for i, who in enumerate(players)}


def shown_rate(rating):
    return max(rating[0] - K * rating[1] + OFFSET, 900.0)


def counted(results, rules, n_held):
    """What counts of a player's results (points, event, month, is_final): the worst are taken away one by one."""
    left = [result for result in results if not result[3]]
    missed = n_held - len(left)

    def without_worst(among):
        left.remove(min(among, key=lambda result: (result[0], -result[1])))

    for month in {result[2] for result in left}:
        while rules.best_n_per_month and sum(result[2] == month for result in left) > rules.best_n_per_month:
            without_worst([result for result in left if result[2] == month])
    missed_zeros = missed if rules.missed_count_as_zero else 0
    for _drop in range(rules.drop_worst):
        if missed_zeros and not any(result[0] < 0 for result in left):
            missed_zeros -= 1
        elif left:
            without_worst(left)
    while rules.best_n and len(left) > rules.best_n:
        without_worst(left)
    return sum((result[0] for result in results if result in left or result[3]), Fraction(0))


def criteria_of(keys, places, players):
    """Map the names of the total and of tie-breaks to functions of a player and the group that is still equal."""
    name_of = dict(Player.objects.filter(pk__in=players).values_list("pk", "key"))
    criteria = {name: lambda player, _group, by=by: by[player] for name, by in keys.items()}
    criteria |= rows_of_places(places)
    criteria["alphabetical"] = lambda player, group: sum(name_of[rival] > name_of[player] for rival in group)
    return criteria


def brought_forward_to(season, points, all_points, played, n_entries, wins):
    """Add the totals brought forward of each player; return them by player."""
    brought_forward = {row.player_id: row for row in BroughtTotals.objects.filter(season=season)}
    for player, totals in brought_forward.items():
        points[player] += totals.points
        all_points[player] += totals.points
        played[player] += totals.n_events
        n_entries[player] += totals.n_entries
        wins[player] += totals.n_wins
    return brought_forward


def leaderboard(season):
    rules = SeasonRules.objects.get(season=season)
    events = list(Event.objects.filter(season=season).in_rating_order())
    terms = {row.event_id: row for row in EventTerms.objects.all()}
    plain = EventTerms()
    results, all_points, played, n_entries, wins = (
        defaultdict(kind) for kind in (list, Fraction, int, int, int)
    )
    n_held = sum(not terms.get(event.pk, plain).is_final for event in events)
    ratings = rated_slowly(events) if events else {}
    places = []
    for i, event in enumerate(events):
        of_event = terms.get(event.pk, plain)
        for player, value in points_of(event, rules, of_event).items():
            month = (event.starts_at.year, event.starts_at.month)
            results[player].append((value * Fraction(of_event.multiplier), i, month, of_event.is_final))
            all_points[player] += value
            played[player] += 1
        places.append(dict(event.entries.filter(is_last=True).values_list("player_id", "place")))
        for entry in Entry.objects.filter(event=event):
            n_entries[entry.player_id] += 1
            wins[entry.player_id] += entry.is_last and entry.place == 1
    points = defaultdict(Fraction, {player: counted(results[player], rules, n_held) for player in played})
    brought_forward = brought_forward_to(season, points, all_points, played, n_entries, wins)
    total = {player: points[player] + rules.attendance_points * played[player] for player in played}
    # What is won of what is staked, 1 an entry; nothing is staked where the points are balances.
    stake = 0 if rules.structure["name"] == "balance" else 1
    profit = {player: (all_points[player] - stake * n_entries[player]) / played[player] for player in played}
    ranked = [player for player in played if played[player] >= rules.min_events]
    rated = [player for player in played if player in ratings and ratings[player][2] >= 3]
    keys = {"total": total, "points": points, "wins": wins, "events": played, "profit": profit}
    criteria = criteria_of(keys, places, played)
    points_ranks = split_ranks(played, [criteria[name] for name in ("total", *rules.tie_breaks)])
    profit_ranks = competition_ranks({player: (profit[player], points[player]) for player in ranked})
    tier_ranks = competition_ranks({player: shown_rate(ratings[player]) for player in rated})
    return {
        player: {
            "points": points[player],
            "total": total[player],
            "profit": profit[player],
            "n_events": played[player],
            "n_entries": n_entries[player],
            "n_wins": wins[player],
            "n_brought": brought_forward[player].n_events if player in brought_forward else 0,
            "points_rank": points_ranks[player],
            "profit_rank": profit_ranks.get(player),
            "tier_rank": tier_ranks.get(player),
            "is_provisional": player not in rated,
            "rate": shown_rate(ratings[player]) if player in ratings else None,
        }
        for player in played
    }
