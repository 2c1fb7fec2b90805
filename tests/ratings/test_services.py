"""Ratings that follow any change incrementally equal those computed from scratch, to the last bit."""

import random
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from league.models import Event
from league.services.errors import Refused
from league.services.events import correct_result, delete_event, enter_result
from league.services.seasons import update_season
from payouts.brought_forward import BroughtForwardLine
from payouts.models import EntryPoints
from payouts.queries import brought_forward_version, terms_version
from payouts.services.brought_forward import bring_forward
from payouts.services.rules import set_rules
from payouts.services.terms import set_event_terms
from ratings.engine.tier.params import SEASON_STARTS, TierParams
from ratings.models import PlayerRating, RatedEntry
from ratings.queries import wanted_settings
from ratings.services.settings import set_rating_settings
from reading.results import EntryInput, EventDetails
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.cases import seeds
from tests.factories import START, SeasonFactory, UserFactory, enter, names

pytestmark = pytest.mark.django_db
PEOPLE = names(9)
NAMED = {"id", "pool_id", "event_id", "player_id"}


def rated_rows():
    """Rows of event, player and all other figures."""
    fields = [field.attname for field in RatedEntry._meta.concrete_fields if field.attname not in NAMED]
    in_order = RatedEntry.objects.order_by("starts_at", "event_id", "player_id", "number")
    return list(in_order.values_list("event_id", "player_id", *fields))


def everything():
    players = list(
        PlayerRating.objects.order_by("player").values_list(
            "player", "mu", "sigma", "n_entries", "last_at", "rate", "badge", "is_provisional"
        )
    )
    points = list(EntryPoints.objects.order_by("entry").values_list("entry", "numerator", "denominator"))
    standings = [
        {name: value for name, value in row.items() if name != "id"}
        for row in Standing.objects.order_by("season", "player").values()
    ]
    return rated_rows(), players, points, standings


def random_entries(rng, start):
    """Draw entries with ties, re-entries that bust before all last entries, and times at about half of the events."""
    field = rng.sample(PEOPLE, rng.randint(2, len(PEOPLE)))
    again = [name for name in field if rng.random() < 0.2]
    is_timed, place, entries = rng.random() < 0.5, 1, []
    for i, name in enumerate(field + again, start=1):
        place = place if i > 1 and rng.random() < 0.2 and i <= len(field) else i
        number = 1 if i > len(field) or name not in again else 2
        busted = start + timedelta(minutes=300 - 15 * place) if is_timed else None
        registered = start + timedelta(minutes=30) if is_timed and rng.random() < 0.2 else None
        entries.append(EntryInput(name, place, number, registered, busted))
    return entries


def random_start(rng, season):
    """Draw a start within the season; events can start at the same moment."""
    first = (season.starts_on - START.date()).days
    return START + timedelta(days=rng.randrange(max(first, 0), 12))


def random_change(rng, seasons, actor):
    events = list(Event.objects.order_by("pk"))
    acts = ["enter", "enter", "enter", "correct", "correct", "move", "delete", "settings", "rules", "day"]
    act = rng.choice(acts) if events else "enter"
    if act == "settings":
        change_settings(rng, seasons)
        return
    if act == "day":
        move_first_day(rng, rng.choice(seasons), actor)
        return
    if act == "rules":
        change_rules(rng, rng.choice(seasons))
        return
    if act == "enter":
        season = rng.choice(seasons)
        start = random_start(rng, season)
        details = EventDetails(start, closes_at=rng.choice([None, start + timedelta(hours=1)]))
        enter_result(season, details, random_entries(rng, start), actor=actor)
        return
    event = rng.choice(events)
    if act == "delete":
        delete_event(event, version=event.version, actor=actor)
        return
    start = event.starts_at if act == "correct" else random_start(rng, event.season)
    stored = [
        EntryInput(entry.player.name, entry.place, entry.number)
        for entry in event.entries.select_related("player")
    ]
    entries = random_entries(rng, start) if act == "correct" else stored
    correct_result(event, EventDetails(start), entries, version=event.version, actor=actor)


def change_settings(rng, seasons):
    params = TierParams(
        season_start=rng.choice(SEASON_STARTS),
        tau_per_day=rng.choice([0.0, 40.0]),
        mu0=rng.choice([1500.0, 1400.0]),
        rate_floor=rng.choice([900.0, 1300.0]),
    )
    pool = seasons[0].pool
    newest = wanted_settings(pool.pk)
    revision = newest.revision if newest else 0
    season = rng.choice([None, *seasons])
    set_rating_settings(pool, params, revision=revision, season=season, actor=None)


def move_first_day(rng, season, actor):
    """Move the season's first day, if its events allow that: its ratings and settings can start there."""
    season.refresh_from_db()
    starts_on = START.date() + timedelta(days=rng.randrange(8))
    with suppress(Refused):
        update_season(season, name=season.name, starts_on=starts_on, ends_on=season.ends_on, actor=actor)


def change_rules(rng, season):
    """Change the season's rules and maybe the terms of an event and the totals brought forward."""
    structure = rng.choice([{"name": "inverse"}, {"name": "linear"}, {"name": "fixed", "votes": "60, 40"}])
    rules = {"structure": structure, "best_n": rng.choice([None, 2]), "drop_worst": rng.choice([0, 1])}
    set_rules(season, rules=rules, settle_again=rng.random() < 0.5, actor=None)
    if (event := season.events.first()) and rng.random() < 0.5:
        terms = {
            "multiplier": Decimal(rng.randint(0, 2)),
            "is_final": rng.random() < 0.5,
            "total": rng.choice([None, Decimal(7)]),
            "buy_in": Decimal(2),
            "paid": 3,
        }
        set_event_terms(event, terms=terms, version=terms_version(event), actor=None)
    if rng.random() < 0.5:
        lines = [
            BroughtForwardLine("Nobody", Fraction(5, 3), 2, 3, 1),
            BroughtForwardLine(PEOPLE[0], Fraction(4), 1, 1, 1),
        ]
        bring_forward(season, lines[: rng.randint(0, 2)], version=brought_forward_version(season), actor=None)


@pytest.mark.rest
@pytest.mark.parametrize("seed", seeds(12))
def test_incremental_equals_from_scratch_to_the_last_bit(seed):
    rng = random.Random(seed)
    first = SeasonFactory()
    second = SeasonFactory(club=first.club, starts_on=START.date() + timedelta(days=6))
    seasons, actor = [first, second], UserFactory()
    for _change in range(12):
        random_change(rng, seasons, actor)
        if rng.random() < 0.6:
            recompute(first.pool_id)
    recompute(first.pool_id)
    incremental = everything()
    recompute(first.pool_id, from_scratch=True)
    assert incremental == everything()
    events = set(Event.objects.values_list("pk", flat=True))
    assert {row[0] for row in incremental[0]} == events


@pytest.mark.parametrize("changed", [0, 2, 4])
def test_a_correction_touches_rows_from_its_event_on_alone(season, changed):
    events = [enter(season, "\n".join(PEOPLE[day : day + 4]), day=day) for day in range(5)]
    recompute(season.pool_id)
    before = dict(RatedEntry.objects.values_list("pk", "event_id"))
    swapped = [
        EntryInput(name, place) for place, name in enumerate(reversed(PEOPLE[changed : changed + 4]), start=1)
    ]
    correct_result(events[changed], EventDetails(events[changed].starts_at), swapped, version=1, actor=None)
    recompute(season.pool_id)
    after = dict(RatedEntry.objects.values_list("pk", "event_id"))
    unchanged = {event_id for pk, event_id in before.items() if pk in after}
    assert unchanged == {event.pk for event in events[:changed]}
    assert len(after) == len(before)


def test_priors_run_through_a_players_events_without_a_gap(season):
    for day in range(4):
        enter(season, "\n".join(PEOPLE[day % 2 : day % 2 + 4]), day=day)
    recompute(season.pool_id)
    for rating in PlayerRating.objects.all():
        mu, sigma, last_at = 1500.0, 500.0, None
        for n, row in enumerate(
            RatedEntry.objects.filter(player=rating.player).order_by("starts_at", "event_id")
        ):
            assert (row.prior_mu, row.prior_sigma, row.n_before, row.last_at) == (mu, sigma, n, last_at)
            mu, sigma, last_at = row.posterior_mu, row.posterior_sigma, row.starts_at
        assert (rating.mu, rating.sigma, rating.last_at) == (mu, sigma, last_at)


def test_a_player_whose_only_event_is_deleted_has_no_rating(season):
    first = enter(season, "Ada\nBoris")
    second = enter(season, "Cleo\nBoris", day=1)
    recompute(season.pool_id)
    delete_event(second, version=1, actor=UserFactory())
    recompute(season.pool_id)
    assert set(PlayerRating.objects.values_list("player__name", flat=True)) == {"Ada", "Boris"}
    assert set(RatedEntry.objects.values_list("event_id", flat=True)) == {first.pk}
    assert PlayerRating.objects.get(player__name="Boris").n_entries == 1


def test_every_entry_is_rated_in_the_field_of_its_round(season):
    enter(season, "Ada\nBoris\nAda #1\nCleo x3\nDana")
    recompute(season.pool_id)
    fields = ("number", "player__name", "field_place", "field_size", "place", "n_entries", "n_before")
    rated = list(RatedEntry.objects.order_by("number", "field_place").values_list(*fields))
    assert rated == [
        (1, "Boris", 1, 4, 2, 7, 0), (1, "Ada", 2, 4, 3, 7, 0), (1, "Dana", 3, 4, 5, 7, 0), (1, "Cleo", 4, 4, 6, 7, 0),
        (2, "Ada", 1, 4, 1, 7, 1), (2, "Cleo", 4, 4, 6, 7, 1),
        (3, "Cleo", 3, 4, 4, 7, 2),
    ]  # fmt: skip
    standing = Standing.objects.get(player__name="Cleo")
    entries = RatedEntry.objects.filter(player__name="Cleo").order_by("number")
    assert standing.last_change == entries[2].posterior_rate - entries[0].prior_rate
    assert [row.carried_mu for row in entries[1:]] == [row.posterior_mu for row in entries[:2]]


def test_the_pools_of_two_clubs_are_rated_separately(season):
    other = SeasonFactory()
    for season_of_club in (season, other):
        enter(season_of_club, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    assert set(RatedEntry.objects.values_list("pool", flat=True)) == {season.pool_id}
    first_rows = [row[3:] for row in rated_rows()]
    recompute(other.pool_id)
    assert sorted(row[3:] for row in rated_rows()) == sorted(first_rows * 2)
