"""Settings that take effect with a season: earlier events keep theirs, on pages and in corrections."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from league.models import Change
from league.services.errors import Refused
from ratings.engine.history import EventHistory
from ratings.engine.tier.badges import badge
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState
from ratings.models import PlayerRating, RatedEntry, RatingSettings
from ratings.queries import settings_at, settings_in_force
from ratings.services.settings import set_rating_settings
from standings.explanations.steps import explained_event
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory, correct, enter
from tests.ratings.test_settings_page import typed

pytestmark = pytest.mark.django_db
OLD, NEW = TierParams(), TierParams(beta=300.0, mu0=1400.0, rate_floor=1400.0)


@pytest.fixture
def spring(club):
    """Two seasons in one pool, the first with two events, and settings that take effect with the second."""
    autumn = SeasonFactory(club=club, name="Autumn")
    spring = SeasonFactory(club=club, name="Spring", starts_on=START.date() + timedelta(days=10))
    enter(autumn, "Ada\nBoris\nCleo")
    enter(autumn, "Boris\nAda\nCleo", day=1)
    recompute(spring.pool_id)
    set_rating_settings(spring.pool, NEW, revision=0, season=spring, actor=None)
    recompute(spring.pool_id)
    return spring


def posteriors(day):
    rows = RatedEntry.objects.filter(starts_at=START + timedelta(days=day))
    return {row.player.name: (row.posterior_mu, row.posterior_sigma) for row in rows.select_related("player")}


def replayed(orders, state, params):
    """Rate orders of players by the engine alone, from a state."""
    history = EventHistory.of_orders(orders)
    # What a season's start does to ratings is the subject of other tests.
    return replay_events(history, replace(state, last_day=state.last_day * float("nan")), params)


def by_name(names, result):
    columns = result.posterior_mu.tolist(), result.posterior_sigma.tolist()
    return dict(zip(names, zip(*columns, strict=True), strict=True))


def test_events_before_the_season_keep_their_ratings(spring):
    before = list(RatedEntry.objects.order_by("pk").values())
    rates = list(PlayerRating.objects.order_by("player").values())
    assert settings_in_force(spring.pool_id) is None
    recompute(spring.pool_id, from_scratch=True)
    again = list(RatedEntry.objects.order_by("pk").values())
    assert [row | {"id": 0} for row in again] == [row | {"id": 0} for row in before]
    assert [row | {"id": 0} for row in PlayerRating.objects.order_by("player").values()] == [
        row | {"id": 0} for row in rates
    ]


def test_events_of_the_season_are_rated_by_its_settings(spring):
    enter(spring, "Dora\nAda\nBoris", day=12)
    recompute(spring.pool_id)
    first = replayed([[0, 1, 2]], PoolState.fresh(4, OLD), OLD)
    second = replayed([[1, 0, 2]], first.state, OLD)
    third = replayed([[3, 0, 1]], second.state.with_newcomers(NEW), NEW)
    assert third.history.player.tolist() == [3, 0, 1]
    assert posteriors(1) == by_name(["Boris", "Ada", "Cleo"], second)
    assert posteriors(12) == by_name(["Dora", "Ada", "Boris"], third)
    assert RatedEntry.objects.get(player__name="Dora").prior_mu == NEW.mu0


def test_a_corrected_evening_is_rated_by_the_settings_of_its_time(spring):
    enter(spring, "Dora\nAda\nBoris", day=12)
    recompute(spring.pool_id)
    correct(RatedEntry.objects.filter(starts_at=START + timedelta(days=1))[0].event, "Cleo\nAda\nBoris")
    recompute(spring.pool_id)
    first = replayed([[0, 1, 2]], PoolState.fresh(4, OLD), OLD)
    second = replayed([[2, 0, 1]], first.state, OLD)
    assert posteriors(1) == by_name(["Cleo", "Ada", "Boris"], second)


def test_everybodys_rate_follows_the_settings_of_the_last_event(spring):
    """The players of a leaderboard are compared: those who have not played yet as well."""
    late = enter(spring, "Dora\nAda\nBoris", day=12)
    recompute(spring.pool_id)
    assert settings_in_force(spring.pool_id).revision == 1
    cleo = PlayerRating.objects.get(player__name="Cleo")
    assert cleo.rate == rate(cleo.mu, cleo.sigma, NEW) == 1400.0
    assert cleo.badge == badge(1400.0, NEW)
    late.entries.all().delete()
    late.delete()
    recompute(spring.pool_id, from_scratch=True)
    cleo = PlayerRating.objects.get(player__name="Cleo")
    assert cleo.rate == rate(cleo.mu, cleo.sigma, OLD)
    assert settings_in_force(spring.pool_id) is None


def test_explanations_use_the_settings_of_their_time(spring):
    night = enter(spring, "Dora\nAda\nBoris", day=12)
    recompute(spring.pool_id)
    ada = night.entries.get(player__name="Ada").player
    first = ada.entries.order_by("event__starts_at")[0].event
    assert (explained_event(first, ada).params, explained_event(night, ada).params) == (OLD, NEW)
    assert explained_event(first, ada).settings is None


def test_a_newer_revision_for_all_events_replaces_the_season_s(spring):
    set_rating_settings(spring.pool, replace(OLD, beta=280.0), revision=1, actor=None)
    recompute(spring.pool_id)
    assert settings_at(spring.pool_id, START).revision == 2
    assert settings_at(spring.pool_id, START + timedelta(days=12)).revision == 2


def test_a_season_of_other_ratings_is_refused(spring):
    with pytest.raises(Refused, match="has other ratings"):
        set_rating_settings(spring.pool, OLD, revision=1, season=SeasonFactory(), actor=None)
    assert RatingSettings.objects.count() == 1


def test_the_same_settings_for_another_time_are_a_change(spring):
    assert set_rating_settings(spring.pool, NEW, revision=1, season=spring, actor=None).revision == 1
    assert set_rating_settings(spring.pool, NEW, revision=1, season=None, actor=None).revision == 2


def test_the_page_shows_which_settings_rate_which_events(client, people, spring):
    client.force_login(people["owner"])
    page = reverse("ratings:settings", args=[spring.club.slug])
    first = client.get(page).content.decode()
    assert "TIER with its default settings" in first
    assert "is waiting to be computed" not in first
    assert "From the season Spring on" in first
    other = client.get(page, {"revision": "1"})
    assert "For other events" in other.content.decode()
    shown = [row for _label, rows in other.context["groups"] for row in rows if not row.is_default]
    assert {row.parameter.name for row in shown} == {"beta", "mu0", "rate_floor"}
    assert client.get(page, {"revision": "77"}).status_code == 200


def test_an_owner_chooses_the_season(client, people, spring):
    client.force_login(people["owner"])
    edit = reverse("ratings:settings-edit", args=[spring.club.slug])
    form = client.get(edit).context["form"]
    autumn = spring.club.seasons.get(name="Autumn")
    assert [label for _pk, label in form.fields["season"].choices] == [
        "All events, from the first on",
        f"From the season Spring on, {date_format(spring.starts_on, 'DATE_FORMAT')}",
        f"From the season Autumn on, {date_format(autumn.starts_on, 'DATE_FORMAT')}",
    ]
    # The next change is for the same events, unless the owner chooses others.
    assert form["season"].value() == spring.pk
    sent = typed(revision="1", rate_floor="1200", season=str(spring.pk))
    assert client.post(edit, sent).status_code == 302
    saved = RatingSettings.objects.get(revision=2)
    assert (saved.season, saved.params["rate_floor"]) == (spring, 1200.0)
    change = Change.objects.get(kind=Change.Kind.RATINGS_CHANGED, after__rate_floor=1200.0)
    assert change.rated_from == spring.starts_at
    history = client.get(reverse("standings:changes", args=[spring.club.slug])).content.decode()
    assert "In effect from the season Spring on." in history
    foreign = client.post(edit, typed(revision="2", season=str(SeasonFactory().pk)))
    assert foreign.context["form"].errors["season"]
