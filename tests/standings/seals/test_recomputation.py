"""What goes on around a sealed season leaves its rows as they are."""

import json
from datetime import UTC, datetime

import pytest

from league.models import Change, Player
from league.services.changes import lock_pool, record_change
from league.services.players import update_player
from league.services.seasons import close_season
from payouts.models import EntryPoints
from ratings.models import RatedEntry, RatingSettings
from standings.models import SeasonSeal, Standing
from standings.recomputation import work as recomputing
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.factories import SeasonFactory, enter
from tests.standings.seals.seasons import check, everything, rows, url

pytestmark = pytest.mark.django_db


def test_new_rating_settings_rate_the_pool_again_and_leave_the_sealed_season(club, sealed, owner):
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    enter(second, "Ada\nBoris\nCleo", day=60)
    recompute(sealed.pool_id)
    before, rated = everything(sealed), list(RatedEntry.objects.order_by("pk").values_list("posterior_mu"))
    others = rows(Standing, second)
    pool = lock_pool(sealed.pool_id)
    RatingSettings.objects.create(pool=pool, revision=1, params={"beta": 400.0})
    record_change(
        pool, kind=Change.Kind.RATINGS_CHANGED, actor=owner, rated_from=datetime(1, 1, 1, tzinfo=UTC)
    )
    recompute(sealed.pool_id)
    assert list(RatedEntry.objects.order_by("pk").values_list("posterior_mu")) != rated
    assert rows(Standing, second) != others
    assert everything(sealed) == before
    assert "the seal holds" in check(sealed)


def test_a_recomputation_from_scratch_leaves_it_too(sealed):
    EntryPoints.objects.filter(entry__event__season=sealed).update(numerator=77)  # as a new engine might
    before = everything(sealed)
    recompute(sealed.pool_id, from_scratch=True)
    assert everything(sealed) == before


def test_an_older_season_found_later_makes_nobody_of_the_sealed_one_an_old_hand(club, sealed):
    before = everything(sealed)
    old = SeasonFactory(club=club, starts_on="2025-01-01")
    enter(old, "Ada\nBoris", day=-300)
    recompute(sealed.pool_id)
    assert everything(sealed) == before
    assert "the seal holds" in check(sealed)


def test_a_rename_is_on_the_pages_and_not_in_the_seal(sealed, client, owner):
    before, text = everything(sealed), SeasonSeal.objects.get().text
    update_player(Player.objects.get(name="Ada"), name="Ada L", is_guest=False, actor=owner)
    recompute(sealed.pool_id)
    assert everything(sealed) == before
    assert "Ada L" in client.get(sealed.get_absolute_url()).content.decode()
    names = {row["name"] for row in json.loads(client.get(url(sealed, "seal-file")).content)["players"]}
    assert "Ada" in names
    assert "Ada L" not in names
    assert SeasonSeal.objects.get().text == text
    assert "the seal holds" in check(sealed)


def test_a_season_sealed_while_it_is_recomputed_is_read_again(played, owner, monkeypatch):
    """The recomputation has read the open season; it must not write what it has found over the sealed one."""
    close_season(played, actor=owner)
    recompute(played.pool_id)
    season_standings, calls = recomputing.season_standings, []

    def sealed_meanwhile(*arguments):
        calls.append(arguments)
        standings = season_standings(*arguments)
        seal_season(played, actor=owner)
        for row in standings:
            row.total = 99
        return standings

    monkeypatch.setattr(recomputing, "season_standings", sealed_meanwhile)
    before = everything(played)
    assert recompute(played.pool_id, from_scratch=True)
    assert everything(played) == before
    assert len(calls) == 1
    assert "the seal holds" in check(played)
