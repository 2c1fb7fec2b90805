"""Pages of a club's games and rating pools."""

import pytest
from django.urls import reverse

from league.models import Change, Event, Game, Pool, PoolKind
from league.services.pools import open_pool
from tests.factories import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client_of):
    return client_of("owner")


def url(name, *args):
    return reverse(name, args=args)


def make_pool(owner, club, **fields):
    return owner.post(url("league:pool-create", club.slug), {"name": "Riichi", "kind": "profit"} | fields)


def test_a_mahjong_club_begins_with_r_and_tables_with_scores(client_of):
    new = {
        "name": "Kawabe",
        "slug": "kawabe",
        "time_zone": "Asia/Tokyo",
        "is_public": "on",
        "plays": "mahjong-4",
    }
    client_of("stranger").post("/clubs/new/", new)
    game = Game.objects.select_related("pool").get(club__slug="kawabe")
    assert (game.kind, game.entry_form, game.table_size, game.pool.kind) == (
        "mahjong-4",
        "scores",
        4,
        "profit",
    )


def test_the_first_season_of_a_mahjong_club_counts_balances(client_of):
    new = {
        "name": "Kawabe",
        "slug": "kawabe",
        "time_zone": "Asia/Tokyo",
        "is_public": "on",
        "plays": "mahjong-4",
    }
    client = client_of("stranger")
    form = client.get(client.post("/clubs/new/", new).url).context["form"]
    assert (form["structure"].value(), form["attendance_points"].value()) == ("balance", 0)


def test_a_pool_and_a_game_are_made_and_shut(owner, season):
    club = season.club
    make_pool(owner, club)
    pool = club.pools.get(name="Riichi")
    fields = {
        "name": "Mahjong",
        "kind": "mahjong-4",
        "entry_form": "scores",
        "pool": pool.pk,
        "table_size": 4,
    }
    owner.post(url("league:game-create", club.slug), fields)
    game = club.games.get(name="Mahjong")
    assert game.pool == pool
    page = owner.get(url("league:pools", club.slug)).text
    assert page.count("Riichi") >= 2
    owner.post(
        url("league:game-edit", club.slug, game.pk), fields | {"name": "Riichi night", "is_shut": "on"}
    )
    owner.post(url("league:pool-edit", club.slug, pool.pk), {"name": "R", "kind": "profit", "is_shut": "on"})
    assert club.games.get(pk=game.pk).is_shut
    assert club.pools.get(pk=pool.pk).name == "R"
    kinds = set(Change.objects.filter(pool=pool).values_list("kind", flat=True))
    assert kinds == {Change.Kind.POOL_CHANGED, Change.Kind.GAME_CHANGED}
    history = owner.get(reverse("standings:changes", args=[club.slug])).text
    assert "Riichi → R" in history


def test_a_game_of_mahjong_takes_the_seats_of_its_kind(owner, season):
    fields = {
        "name": "Sanma",
        "kind": "mahjong-3",
        "entry_form": "scores",
        "pool": season.pool_id,
        "table_size": 9,
    }
    owner.post(url("league:game-create", season.club.slug), fields)
    game = season.club.games.get(name="Sanma")
    assert game.table_size == 3
    kept = fields | {"kind": "mahjong-4", "table_size": 3}
    owner.post(url("league:game-edit", season.club.slug, game.pk), kept)
    assert season.club.games.get(name="Sanma").table_size == 4


@pytest.mark.parametrize(
    ("kind", "entry_form", "rated"),
    [
        ("mahjong-3", "scores", PoolKind.PROFIT),
        ("poker", "balances", PoolKind.PROFIT),
        ("other", "order", PoolKind.TIER),
    ],
)
def test_a_new_game_is_rated_in_a_pool_of_its_own_unless_somebody_says_otherwise(
    owner, season, kind, entry_form, rated
):
    form = owner.get(url("league:game-create", season.club.slug)).context["form"]
    assert not form["pool"].value()
    fields = {"name": "Sanma", "kind": kind, "entry_form": entry_form, "pool": "", "table_size": ""}
    fields["table_size"] = 3 if kind == "mahjong-3" else 8
    for _press in range(2):
        owner.post(url("league:game-create", season.club.slug), fields)
    pool = season.club.games.get(name="Sanma").pool
    assert (pool.name, pool.kind, pool.pk == season.pool_id) == ("Sanma", rated, False)
    assert season.club.pools.count() == 2
    edit = owner.get(url("league:game-edit", season.club.slug, pool.games.get().pk)).context["form"]
    assert edit.fields["pool"].required


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "poker", "entry_form": "scores", "table_size": 9}, "entry_form"),
        ({"kind": "mahjong-3", "entry_form": "scores", "table_size": 4}, "table_size"),
        ({"kind": "mahjong-4", "entry_form": "balances", "table_size": 4}, "entry_form"),
        ({"kind": "other", "entry_form": "order", "table_size": 8}, "pool"),
        ({"kind": "chess", "entry_form": "order", "table_size": 8}, "kind"),
        ({"kind": "other", "entry_form": "balances", "table_size": 11}, "table_size"),
        ({"name": "", "kind": "other", "entry_form": "balances", "table_size": 8}, "name"),
    ],
)
def test_games_that_make_no_sense_are_refused_at_the_field(owner, season, fields, field):
    pool = open_pool(season.club, name="R", kind=PoolKind.PROFIT, actor=None)
    page = owner.post(url("league:game-create", season.club.slug), {"name": "New", "pool": pool.pk} | fields)
    assert field in page.context["form"].errors
    assert season.club.games.count() == 1


def test_names_are_taken_once(owner, season):
    make_pool(owner, season.club)
    page = make_pool(owner, season.club, kind="tier")
    assert "already has a rating pool" in page.context["form"].errors["name"][0]
    assert make_pool(owner, season.club).status_code == 302  # the same form again
    assert season.club.pools.count() == 2


def test_what_a_pool_rates_by_stays_once_it_has_events(owner, season):
    enter(season, "Ada\nBoris")
    page = owner.post(
        url("league:pool-edit", season.club.slug, season.pool_id), {"name": "TIER", "kind": "profit"}
    )
    assert "has rated events" in page.context["form"].errors["kind"][0]
    season.pool.refresh_from_db()
    assert season.pool.kind == PoolKind.TIER


def test_a_season_gets_another_pool_with_its_events(owner, season):
    event = enter(season, "Ada\nBoris")
    pool = open_pool(season.club, name="Second", kind=PoolKind.TIER, actor=None)
    address, prefix = url("league:season-pool", season.club.slug, season.slug), f"season-{season.pk}"
    owner.post(address, {f"{prefix}-pool": pool.pk, f"{prefix}-moves_events": "on"})
    event.refresh_from_db()
    season.refresh_from_db()
    assert (event.pool_id, season.pool_id) == (pool.pk, pool.pk)
    profit = open_pool(season.club, name="R", kind=PoolKind.PROFIT, actor=None)
    page = owner.post(address, {f"{prefix}-pool": profit.pk, f"{prefix}-moves_events": "on"}, follow=True)
    assert "The balance of Ada, Boris is missing" in page.text


def test_an_evening_is_rated_where_its_form_says(client_of, season):
    organizer, address = client_of("organizer"), url("entry:event-create", season.club.slug, season.slug)
    assert "Rated in" not in organizer.get(address).text  # there is no choice yet
    none = open_pool(season.club, name="Points only", kind=PoolKind.NONE, actor=None)
    assert "Rated in" in organizer.get(address).text
    form = {"day": "2026-01-06", "start": "19:30", "order": "Ada\nBoris", "save": "", "pool": none.pk}
    organizer.post(address, form)
    event = Event.objects.get()
    assert event.pool == none
    edit = url("entry:event-edit", season.club.slug, event.pk)
    organizer.post(edit, form | {"pool": season.pool_id, "version": event.version})
    event.refresh_from_db()
    assert event.pool_id == season.pool_id


def test_what_was_played_is_asked_where_there_are_several_games(client_of, season):
    organizer, address = client_of("organizer"), url("entry:enter", season.club.slug, season.slug)
    game = season.club.games.get()
    entry = url("entry:event-create", season.club.slug, season.slug)
    assert organizer.get(address).url == f"{entry}?game={game.pk}"
    Game.objects.create(
        club=season.club, name="Freezeout", kind="poker", entry_form="order", pool=season.pool
    )
    assert "Freezeout" in organizer.get(address).text
    Game.objects.all().delete()
    assert organizer.get(address).url == entry


def test_an_evening_is_of_the_game_its_address_names(client_of, season):
    game = season.club.games.get()
    form = {"day": "2026-01-06", "start": "19:30", "order": "Ada\nBoris", "save": ""}
    address = url("entry:event-create", season.club.slug, season.slug)
    client_of("organizer").post(f"{address}?game={game.pk}", form)
    assert Event.objects.get().game == game


def test_pools_are_listed_with_their_events_in_few_queries(owner, season, django_assert_max_num_queries):
    for i in range(5):
        open_pool(season.club, name=f"Pool {i}", kind=PoolKind.TIER, actor=None)
        enter(season, "Ada\nBoris", day=i)
    with django_assert_max_num_queries(20):
        owner.get(url("league:pools", season.club.slug))
    assert Pool.objects.filter(club=season.club).count() == 6


def test_a_game_has_rules_of_its_own(client_of, owner, season):
    club = season.club
    pool = open_pool(club, name="R", kind=PoolKind.PROFIT, actor=None)
    game = Game.objects.create(
        club=club, name="Mahjong", kind="mahjong-4", entry_form="scores", pool=pool, table_size=4
    )
    address = url("entry:game-rules", club.slug, game.pk)
    form = owner.get(address).context["form"]
    typed = {f"rules-{name}": value for name, value in form.initial.items() if name in form.fields}
    wrong = owner.post(address, typed | {"rules-preset": "", "rules-uma": "20, 10, -10, -30"})
    assert "uma" in wrong.context["form"].errors
    owner.post(address, typed | {"rules-preset": "ema"})
    game.refresh_from_db()
    assert (game.scoring["uma"], game.scoring["back"]) == (["15", "5", "-5", "-15"], 30_000)
    night = client_of("organizer").get(f"{url('entry:night-create', club.slug, season.slug)}?game={game.pk}")
    assert "15 / 5 / −5 / −15" in night.text
    other = {"name": "Mahjong", "kind": "mahjong-3", "entry_form": "scores", "pool": pool.pk, "table_size": 3}
    owner.post(url("league:game-edit", club.slug, game.pk), other)
    game.refresh_from_db()
    assert (game.kind, game.scoring) == ("mahjong-3", None)  # those rules were for four
    assert "Uma: – → 15 / 5 / -5 / -15" in owner.get(reverse("standings:changes", args=[club.slug])).text
