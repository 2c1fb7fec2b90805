"""Events of one season in several pools: each rating is its own, and points count all of them."""

import random
from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest
from django.urls import reverse

from entry.services.meets import form_meet
from league.models import Change, Event, Meet, PoolKind
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, delete_event, enter_result
from league.services.pools import open_pool, set_season_pool, update_pool
from league.services.seasons import close_season
from league.templatetags.formatting import change
from ratings.engine.profit.history import ProfitHistory
from ratings.engine.profit.params import ProfitParams
from ratings.engine.profit.replay import ProfitState, replay_profit
from ratings.models import PlayerRating, ProfitRating, RatedEntry, RatedGame
from reading.results import EntryInput, EventDetails
from standings.models import EventColumns, SeasonSummary, Standing
from standings.points.meets import meet_standings
from standings.recomputation.service import recompute
from tests.cases import seeds
from tests.factories import START, correct, enter

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
PEOPLE = ["Ada", "Boris", "Cleo", "Dmitri", "Elif", "Farouk"]


@pytest.fixture
def profit(season):
    return open_pool(season.club, name="Mahjong", kind=PoolKind.PROFIT, actor=None)


def game_of(season, pool, balances, *, day=0, event=None):
    """Enter or correct a game by balances in thousands, the best first."""
    order = sorted(balances.items(), key=lambda row: -row[1])
    entries = [
        EntryInput(name, 1 + sum(other > value for other in balances.values()), balance=Decimal(str(value)))
        for name, value in order
    ]
    details = EventDetails(START + timedelta(days=day), pool_id=pool.pk)
    if event:
        return correct_result(event, details, entries, version=event.version, actor=None)
    return enter_result(season, details, entries, actor=None)


def compute(*pools, from_scratch=False):
    for pool in pools:
        assert recompute(pool.pk, from_scratch=from_scratch)


def without_ids(model, **conditions):
    names = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    return list(model.objects.filter(**conditions).order_by(*names[:5]).values_list(*names))


def tier_rows(pool):
    return without_ids(RatedEntry, pool=pool), without_ids(PlayerRating, pool=pool)


def profit_rows(pool):
    return without_ids(RatedGame, pool=pool), without_ids(ProfitRating, pool=pool)


def test_a_game_of_another_pool_leaves_the_rating_alone_but_counts_for_points(season, profit):
    enter(season, "Ada\nBoris\nCleo\nDmitri")
    last = enter(season, "Cleo\nAda\nBoris\nDmitri", day=7)
    compute(season.pool)
    before, points = tier_rows(season.pool), Standing.objects.get(player__name="Ada").points
    game = game_of(season, profit, {"Ada": 62.2, "Boris": 2.3, "Cleo": -19.5, "Dmitri": -45}, day=3)
    compute(season.pool, profit)
    assert tier_rows(season.pool) == before
    assert Standing.objects.get(player__name="Ada").points > points
    assert list(RatedGame.objects.filter(player__name="Ada").values_list("event", "pool")) == [
        (game.pk, profit.pk)
    ]
    rate = RatedEntry.objects.get(event=last, player__name="Ada").posterior_rate
    assert Standing.objects.get(player__name="Ada").rate == rate  # that of the season's own pool


def test_events_that_count_for_points_only(season):
    none = open_pool(season.club, name="Points only", kind=PoolKind.NONE, actor=None)
    enter(season, "Ada\nBoris", day=1, pool_id=none.pk)
    compute(season.pool, none)
    assert not RatedEntry.objects.exists()
    assert not RatedGame.objects.exists()
    standing = Standing.objects.get(player__name="Ada")
    assert (standing.rate, standing.badge, standing.n_events) == (None, "", 1)


def test_r_of_the_site_is_that_of_the_engine(season, profit):
    games = [
        {"Ada": 40, "Boris": 10, "Cleo": -20, "Dmitri": -30},
        {"Boris": 40, "Cleo": 10, "Dmitri": -20, "Ada": -30},
    ]
    for day, balances in enumerate(games):
        game_of(season, profit, balances, day=day)
    compute(profit)
    # The example of the source (spec of R), with balances in thousands.
    expected = {"Ada": 1503.7391, "Boris": 1520.2322, "Cleo": 1496.0991, "Dmitri": 1479.9295}
    stored = dict(ProfitRating.objects.values_list("player__name", "r"))
    assert stored == pytest.approx(expected, abs=5e-5)
    params = ProfitParams(balance_unit=1.0)
    history = ProfitHistory.of_balances(
        [{PEOPLE.index(who): float(b) for who, b in g.items()} for g in games]
    )
    replayed = replay_profit(history, ProfitState.fresh(4, params), params)
    assert [stored[name] for name in PEOPLE[:4]] == replayed.state.r.tolist()
    change = RatedGame.objects.get(player__name="Ada", n_before=1)
    assert change.r_before + change.result_part + change.pull_part == pytest.approx(change.r_after, abs=1e-9)


def season_rows():
    return without_ids(Standing), list(SeasonSummary.objects.values_list("n_players", "facts"))


def night_of(season, event):
    """Make a meet of all events of the day of this one, unless there is one or nothing else was played."""
    events = Event.objects.filter(starts_at=event.starts_at)
    if event.meet_id is None and events.count() > 1:
        ids = [event.pk for event in events.filter(meet=None)]
        if len(ids) > 1:
            form_meet(season, name=f"Night {event.pk}", event_ids=ids, actor=None)


def last_changes(season):
    rows = Standing.objects.filter(season=season, last_change__isnull=False)
    return dict(rows.values_list("player__name", "last_change"))


def test_a_side_game_leaves_the_last_event_of_the_leaderboard(season, profit, client):
    enter(season, "Boris\nAda\nCleo")
    enter(season, "Ada\nBoris\nCleo", day=1)
    compute(season.pool)
    changes, facts = last_changes(season), SeasonSummary.objects.get().facts
    assert set(changes) == {"Ada", "Boris", "Cleo"}
    game_of(season, profit, {"Dmitri": 30, "Elif": -30}, day=2)
    compute(season.pool)
    assert last_changes(season) == changes
    now = SeasonSummary.objects.get().facts
    assert (now["last_event"]["event_id"], now["last_event"]["winners"]) == (
        facts["last_event"]["event_id"], ["Ada"],
    )  # fmt: skip


def test_the_last_event_of_a_mahjong_club_is_the_whole_night(season, profit, client):
    """Half the room sits at another table than the last; whoever played there is not the winner of the night."""
    set_season_pool(season, profit, moves_events=False, actor=None)
    season.refresh_from_db()
    game_of(season, profit, {"Ada": -1, "Boris": 1})
    tables = [("Ada", "Boris"), ("Cleo", "Dmitri"), ("Ada", "Cleo"), ("Dmitri", "Boris")]
    events = [game_of(season, profit, {winner: 20, loser: -20}, day=1) for winner, loser in tables]
    form_meet(season, name="Tuesday", event_ids=[event.pk for event in events], actor=None)
    compute(profit)
    games = RatedGame.objects.filter(event__in=events).order_by("event_id")
    first, last = ({row.player.name: row for row in rows} for rows in (games.reverse(), games))
    expected = {name: last[name].r_after - first[name].r_before for name in PEOPLE[:4]}
    assert last_changes(season) == expected
    page = client.get(season.get_absolute_url())
    body = page.content.decode()
    ada = Standing.objects.get(player__name="Ada")
    address = reverse("standings:player", args=[season.club.slug, ada.player_id])
    assert f'class="why" href="{address}?pool={profit.pk}">' in body
    assert f"<small>{change(ada.last_change)}</small>" in body
    winners = [line.name for line in meet_standings(Meet.objects.get()).winners]
    assert winners == ["Ada"]
    assert SeasonSummary.objects.get(season=season).facts["last_event"]["winners"] == winners


def random_game(rng):
    field = rng.sample(PEOPLE, rng.choice([3, 4]))
    balances = [rng.randint(-400, 400) for _name in field[1:]]
    return dict(zip(field, (value / 10 for value in [-sum(balances), *balances]), strict=True))


@pytest.mark.rest
@pytest.mark.parametrize("seed", seeds(3))
def test_random_changes_in_two_pools_give_the_rows_of_a_computation_from_scratch(season, profit, seed):
    rng = random.Random(seed)
    pools = [season.pool, profit]
    for day in range(6):
        game_of(season, rng.choice(pools), random_game(rng), day=day)
    compute(*pools)
    for _change in range(6):
        event = rng.choice(list(Event.objects.select_related("season__club")))
        kind = rng.choice(["enter", "correct", "move", "delete", "night"])
        if kind == "enter":
            game_of(season, rng.choice(pools), random_game(rng), day=rng.randint(0, 9))
        elif kind == "delete" and Event.objects.count() > 1:
            delete_event(event, version=event.version, actor=None)
        elif kind == "night":
            night_of(season, event)
        elif event.meet_id is None:  # a move takes the event to another pool as well
            game_of(season, rng.choice(pools), random_game(rng), day=rng.randint(0, 9), event=event)
        compute(*pools)
        stored = [tier_rows(season.pool), profit_rows(profit), *season_rows()]
        EventColumns.objects.all().delete()
        compute(*pools, from_scratch=True)
        assert [tier_rows(season.pool), profit_rows(profit), *season_rows()] == stored


def test_a_finishing_order_leaves_the_balances_of_its_players(season, profit):
    event = game_of(season, profit, {"Ada": 30, "Boris": -30})
    correct(event, "Ada ko1\nBoris")
    assert list(event.entries.values_list("player__name", "balance", "knockouts")) == [
        ("Ada", 30, 1),
        ("Boris", -30, None),
    ]


def test_an_event_that_moves_is_rated_in_its_new_pool_alone(season, profit):
    event = game_of(season, season.pool, {"Ada": 30, "Boris": -30})
    compute(season.pool)
    assert RatedEntry.objects.count() == 2
    version = profit.data_version
    game_of(season, profit, {"Ada": 30, "Boris": -30}, event=event)
    compute(season.pool, profit)
    assert (RatedEntry.objects.count(), RatedGame.objects.count(), PlayerRating.objects.count()) == (0, 2, 0)
    profit.refresh_from_db()
    assert profit.data_version == version + 1
    assert profit.changes.last().kind in {Change.Kind.POOL_CHANGED, Change.Kind.RATINGS_TOUCHED}


def test_a_season_of_a_profit_pool_has_r_in_its_table(season, profit):
    game_of(season, season.pool, {"Ada": 30, "Boris": -10, "Cleo": -20})
    compute(season.pool)
    set_season_pool(season, profit, moves_events=True, actor=None)
    compute(season.pool, profit)
    rates = dict(Standing.objects.values_list("player__name", "rate"))
    assert rates == dict(ProfitRating.objects.values_list("player__name", "r"))
    assert not PlayerRating.objects.exists()
    assert np.isclose(sum(rates.values()), 3 * 1500.0)


@pytest.mark.parametrize(
    ("balances", "said"),
    [
        ({"Ada": 30, "Boris": -10, "Cleo": -21}, "sum to -1 and must sum to 0"),
        ({"Ada": 30.0005, "Boris": -30}, "sum to 0.0005 and must"),
        ({"Ada": 0}, "at least two players"),
        ({"Ada": 62200, "Boris": -62200}, "Ada with a balance of 62200"),
    ],
)
def test_games_that_r_cannot_rate_are_refused(season, profit, balances, said):
    with pytest.raises(BadResult, match=said):
        game_of(season, profit, balances)
    assert not Event.objects.exists()


def test_a_game_without_a_balance_is_refused(season, profit):
    with pytest.raises(BadResult, match="balance of Ada, Boris is missing"):
        enter(season, "Ada\nBoris", pool_id=profit.pk)


def test_a_stated_part_of_the_house_is_no_wrong_sum(season, profit):
    details = EventDetails(START, pool_id=profit.pk, scoring={"house": "1"})
    entries = [EntryInput("Ada", 1, balance=Decimal(9)), EntryInput("Boris", 2, balance=Decimal(-10))]
    enter_result(season, details, entries, actor=None)
    compute(profit)
    assert ProfitRating.objects.count() == 2


def test_a_pool_with_events_keeps_its_kind(season, profit):
    enter(season, "Ada\nBoris")
    with pytest.raises(Refused, match="rated events"):
        update_pool(season.pool, name="TIER", kind=PoolKind.PROFIT, is_shut=False, actor=None)
    update_pool(profit, name="Riichi", kind=PoolKind.TIER, is_shut=True, actor=None)
    with pytest.raises(Refused, match="is shut"):
        enter(season, "Cleo\nElif", day=1, pool_id=profit.pk)


def test_events_without_balances_cannot_move_to_r(season, profit):
    enter(season, "Ada\nBoris")
    with pytest.raises(Refused, match="2026-01-06: The balance of Ada, Boris is missing"):
        set_season_pool(season, profit, moves_events=True, actor=None)


def test_re_entries_cannot_move_to_r(season, profit):
    enter(season, "Ada x2\nBoris", balance=lambda _entry: Decimal(0))
    with pytest.raises(Refused, match="nobody plays twice at one table"):
        set_season_pool(season, profit, moves_events=True, actor=None)
    season.refresh_from_db()
    assert season.pool_id != profit.pk


def test_a_closed_season_keeps_its_pool(season, profit):
    close_season(season, actor=None)
    with pytest.raises(Refused, match="is closed"):
        set_season_pool(season, profit, moves_events=False, actor=None)


def test_a_pool_of_another_club_is_refused(season):
    from tests.factories import SeasonFactory

    other = SeasonFactory()
    with pytest.raises(Refused, match="not of the club"):
        enter(season, "Ada\nBoris", pool_id=other.pool_id)
