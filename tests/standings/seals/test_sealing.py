"""Setting the seal: by an owner, once, on a closed season that is computed."""

import hashlib

import pytest
from django.db import IntegrityError
from django.urls import reverse

from league.formats import moment
from league.models import Change, Season
from league.services.errors import Refused
from league.services.seasons import close_season
from standings.models import SeasonSeal
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.standings.seals.seasons import check, url

pytestmark = pytest.mark.django_db


def test_an_owner_seals_a_closed_season(played, client, owner):
    client.force_login(owner)
    client.post(reverse("league:season-close", args=[played.club.slug, played.slug]), {"closed": "1"})
    recompute(played.pool_id)
    assert client.post(url(played, "seal-edit"), {"seal": "1"}).url == url(played)
    played.refresh_from_db()
    seal = SeasonSeal.objects.get()
    assert (played.is_sealed, seal.sealed_by) == (True, owner)
    assert seal.sha256 == hashlib.sha256(seal.text.encode()).hexdigest()
    change = Change.objects.first()
    assert (change.kind, change.season, change.actor) == ("season-sealed", played, owner)
    assert change.after == {"sha256": seal.sha256}


def test_the_same_seal_twice_is_one(sealed, client, owner):
    client.force_login(owner)
    before = Change.objects.count()
    assert client.post(url(sealed, "seal-edit"), {"seal": "1"}).url == url(sealed)
    assert (SeasonSeal.objects.count(), Change.objects.count()) == (1, before)


def test_only_owners_seal(played, refused_to):
    refused_to(url(played, "seal-edit"), {"seal": "1"}, below="owner")
    assert not SeasonSeal.objects.exists()


def test_an_open_season_is_not_sealed(played, client, owner):
    client.force_login(owner)
    answer = client.post(url(played, "seal-edit"), {"seal": "1"})
    assert "Close the season first" in answer.content.decode()
    assert not SeasonSeal.objects.exists()
    with pytest.raises(IntegrityError):
        Season.objects.filter(pk=played.pk).update(is_sealed=True)


def test_a_season_that_is_still_being_computed_is_not_sealed(played, owner):
    close_season(played, actor=owner)
    with pytest.raises(Refused, match="still being computed"):
        seal_season(played, actor=owner)
    recompute(played.pool_id)
    assert seal_season(played, actor=owner)


def test_a_season_without_events_can_be_sealed(season, owner):
    close_season(season, actor=owner)
    recompute(season.pool_id)
    seal_season(season, actor=owner)
    assert "the seal holds" in check(season)


def test_the_page_shows_checksum_time_and_name_to_members(sealed, client, people, owner):
    page = client.get(url(sealed)).content.decode()
    seal = SeasonSeal.objects.get()
    assert seal.sha256 in page
    assert moment(seal.sealed_at, sealed.club.tz) in page
    assert owner.username not in page
    client.force_login(people["member"])
    assert owner.username in client.get(url(sealed)).content.decode()
    assert url(sealed) in client.get(sealed.get_absolute_url()).content.decode()


def test_the_page_of_an_unsealed_season_says_so(season, client):
    assert "This season is not sealed" in client.get(url(season)).content.decode()
    assert client.get(url(season, "seal-file")).status_code == 404


def test_the_operator_reads_seals_in_the_admin_and_breaks_none(sealed, client):
    from tests.factories import UserFactory

    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert client.get("/admin/standings/seasonseal/").status_code == 200
    seal = SeasonSeal.objects.get()
    assert client.get(f"/admin/standings/seasonseal/{seal.pk}/change/").status_code == 200
    assert client.post(f"/admin/standings/seasonseal/{seal.pk}/delete/", {"post": "yes"}).status_code == 403
