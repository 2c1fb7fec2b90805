"""The stored leaderboard compared with a slow second one, on random small leagues."""

import random
from decimal import Decimal
from fractions import Fraction
from typing import get_args

import pytest

from payouts.brought_forward import BroughtForwardLine
from payouts.engine.seasons.season import TieBreak
from payouts.engine.structures.formulas import FORMULAS
from payouts.engine.structures.settings import NAMES
from payouts.models import SeasonRules
from payouts.services.brought_forward import bring_forward
from payouts.services.terms import set_event_terms
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.cases import seeds
from tests.factories import RULES, SeasonFactory, enter
from tests.standings.recomputation.slow_leaderboard import SLOW_FORMULAS, leaderboard

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
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


def random_text(rng, people):
    """A finishing order with ties, second entries and sometimes an earlier entry with a place of its own."""
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


SETTINGS = {
    "inverse": {},
    "vp_kid": {},
    "vp_kid_alpha": {"alpha": "2"},
    "soft_top": {},
    "winner_takes_all": {},
    "fixed": {"votes": ["50", "30", "20"]},
    "custom": {"votes": ["50", "30", "10"]},
    "linear": {},
    "sqrt": {},
    "pokerstars": {},
    "dr_neau": {},
    "log_field": {},
    "fixed_table": {"votes": ["25", "18", "7.5"]},
    "percentage_pool": {"votes": ["60", "40"], "per_entry": "1.5"},
    "balance": {"per_balance": "1.5"},
    "expression": {"expression": "(n-k+1)*buy_in+entries+balance"},
}
BY_SEATS = list(SETTINGS)[:7]


def test_each_structure_is_tried_and_each_formula_has_a_slow_twin():
    assert set(SETTINGS) == set(NAMES)
    assert set(SLOW_FORMULAS) == {*FORMULAS, "balance", "expression"}


def random_structure(rng):
    name = rng.choice(list(SETTINGS))
    structure = {"name": name} | SETTINGS[name]
    if name in BY_SEATS:
        structure |= {"ties": rng.choice(["better", "worse"]), "cap": rng.choice([None, None, 1, 4])}
    if name == "custom":
        structure["tail"] = rng.choice(["none", "20/n", "power 2"])
    if name not in {"balance", "expression"} and rng.random() < 0.3:
        structure["per_balance"] = "0.5"
    return structure


def random_rules(rng):
    tie_breaks = list(get_args(TieBreak))
    return {
        "structure": random_structure(rng),
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
        "total": rng.choice([None, Decimal(0), Decimal("12.5"), Decimal(30)]),
        "buy_in": rng.choice([Decimal(1), Decimal("2.5")]),
        "paid": 1,
    }


def random_totals(rng, people):
    """Totals brought forward, sometimes of Hanna, who has played no event."""
    lines = []
    for name in rng.sample([*people, "Hanna"], rng.randint(1, 3)):
        n_events = rng.randint(1, 4)
        points = Fraction(rng.randint(0, 60), rng.choice([1, 1, 3, 4]))
        lines.append(
            BroughtForwardLine(name, points, n_events, n_events + rng.randint(0, 2), rng.randint(0, n_events))
        )
    return lines


def random_balance(rng):
    """A function that gives each entry a balance."""
    return lambda _entry: Decimal(rng.randint(-400, 400)) / 10


def random_league(rng):
    season = SeasonFactory(rules=random_rules(rng))
    people = ["Ada", "Boris", "Cleo", "Dmitri", "Elif", "Farouk", "Greta"][: rng.randint(2, 7)]
    for day in rng.sample(range(45), rng.randint(1, 7)):
        text = random_text(rng, people)
        event = enter(season, text, day=day, balance=random_balance(rng))
        if rng.random() < 0.3:
            recompute(season.pool_id)
        if rng.random() < 0.4:
            set_event_terms(event, terms=random_terms(rng), version=0, actor=None)
    if rng.random() < 0.5:
        bring_forward(season, random_totals(rng, people), version=0, actor=None)
    recompute(season.pool_id)
    return season


@pytest.mark.parametrize("name", get_args(TieBreak))
@pytest.mark.parametrize("seed", seeds(2))
def test_each_tie_break_ranks_players_of_equal_totals_as_the_slow_leaderboard(seed, name):
    """Balances of 0 give nobody a point, so that the tie-break decides everything."""
    rng = random.Random(seed)
    rules = {
        "structure": {"name": "balance", "per_balance": "1"},
        "attendance_points": 0,
        "tie_breaks": [name],
    }
    season = SeasonFactory(rules=rules)
    for day in range(5):
        text = random_text(rng, ["Ada", "Boris", "Cleo", "Dmitri", "Elif"])
        enter(season, text, day=day, balance=lambda _entry: Decimal(0))
    recompute(season.pool_id)
    rows = list(Standing.objects.filter(season=season))
    assert {row.total for row in rows} == {0}
    expected = leaderboard(season)
    assert {row.player_id: row.points_rank for row in rows} == {
        player: line["points_rank"] for player, line in expected.items()
    }


@pytest.mark.parametrize("seed", seeds(20))
def test_random_leagues_agree_with_a_slow_second_leaderboard(seed):
    season = random_league(random.Random(seed))
    expected = leaderboard(season)
    rows = list(Standing.objects.filter(season=season))
    assert {row.player_id for row in rows} == set(expected)
    for row in rows:
        line = expected[row.player_id]
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
            for row in sorted(rows, key=lambda row: getattr(row, f"{order}_position"))
        ]
        ranked = [rank for rank in ranks if rank is not None]
        assert ranked == sorted(ranked)
        assert ranks[: len(ranked)] == ranked


def test_ranks_moved_are_counted_from_the_event_before(season, enter_event):
    enter_event("Ada\nBoris\nCleo\nDana")
    enter_event("Dana\nCleo\nEmil", day=1)
    moved = dict(Standing.objects.values_list("player__name", "points_moved"))
    ranks = dict(Standing.objects.values_list("player__name", "points_rank"))
    before = {"Ada": 1, "Boris": 2, "Cleo": 2, "Dana": 4}
    assert moved == {name: before[name] - rank for name, rank in ranks.items() if name in before} | {
        "Emil": None
    }


def test_ranks_moved_are_counted_in_every_order(season, enter_event):
    for day in range(4):
        enter_event("Ada\nBoris\nCleo\nDana", day=day)
    orders = ("tier", "profit")

    def ranks():
        rows = Standing.objects.values("player__name", *(f"{order}_rank" for order in orders))
        return {(row["player__name"], order): row[f"{order}_rank"] for row in rows for order in orders}

    before = ranks()
    enter_event("Dana\nEmil\nCleo\nBoris", day=4)
    after = ranks()
    assert before != after
    for row in Standing.objects.select_related("player"):
        for order in orders:
            now, then = after[row.player.name, order], before.get((row.player.name, order))
            expected = None if now is None or then is None else then - now
            assert getattr(row, f"{order}_moved") == expected, (row, order)


def test_who_misses_so_many_days_of_play_is_inactive_and_has_no_rank_by_rate(season, enter_event):
    SeasonRules.objects.filter(season=season).update(inactive_after=2)
    for day in range(3):
        enter_event("Ada\nBoris\nCleo", day=day)
    # Two events on one day are one day missed, and it does not matter how long the club pauses.
    for text in ("Boris\nCleo", "Cleo\nBoris"):
        enter_event(text, day=200, name=text)
    assert not Standing.objects.filter(is_inactive=True).exists()
    enter_event("Boris\nCleo\nDana", day=300)
    rows = {row.player.name: row for row in Standing.objects.select_related("player")}
    assert [name for name, row in rows.items() if row.is_inactive] == ["Ada"]
    assert (rows["Ada"].tier_rank, rows["Ada"].tier_position, rows["Ada"].points_rank) == (None, 4, 2)
    assert rows["Dana"].tier_position == 3  # in placement, before the inactive
    assert {rows["Boris"].tier_rank, rows["Cleo"].tier_rank} == {1, 2}
    enter_event("Cleo\nBoris\nAda", day=301)
    assert not Standing.objects.filter(is_inactive=True).exists()


@pytest.mark.django_db(transaction=True)
def test_badges_are_counted_in_order_on_every_database(season, enter_event):
    for day in range(3):
        enter_event("Ada\nBoris\nCleo\nDana", day=day)
    season.refresh_from_db()
    letters = [letters for letters, _n in season.summary.facts["badges"]]
    assert letters == ["C3", "C2", "C1", "B3", "B2", "B1", "A3", "A2", "A1", "S"]
    assert sum(n for _letters, n in season.summary.facts["badges"]) == 4


@pytest.mark.parametrize(
    ("tie_breaks", "text", "headline"),
    [
        (["wins"], "Ada\nBoris\nCleo", "Ada leads Boris on equal points"),
        ([], "Ada\nBoris\nCleo", "Ada and Boris share the lead"),
        ([], "Ada = Boris = Cleo", "3 players share the lead"),
    ],
)
def test_the_headline_shares_a_lead_as_the_table_does(club, client, tie_breaks, text, headline):
    structure = {"name": "fixed", "votes": ["50", "50"]}
    season = SeasonFactory(club=club, rules=RULES | {"structure": structure, "tie_breaks": tie_breaks})
    enter(season, f"{text}\nDana")
    recompute(season.pool_id)
    assert headline in client.get(season.get_absolute_url()).content.decode()
