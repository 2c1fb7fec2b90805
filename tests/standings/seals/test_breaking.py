"""Breaking the seal: by an owner who types the season's name, once."""

import pytest

from league.models import Change
from league.services.seasons import reopen_season
from standings.models import SeasonSeal, Standing
from standings.recomputation.service import recompute
from standings.seals.services import unseal_season
from tests.standings.seals.seasons import url

pytestmark = pytest.mark.django_db


def test_an_owner_breaks_the_seal_by_typing_the_seasons_name(sealed, client, owner, enter_event):
    sha256 = SeasonSeal.objects.get().sha256
    client.force_login(owner)
    assert "type the name of the season" in client.get(url(sealed, "seal-edit")).content.decode()
    typed = {"unseal": "1", "name": sealed.name.upper()}
    assert client.post(url(sealed, "seal-edit"), typed).url == sealed.get_absolute_url()
    sealed.refresh_from_db()
    assert (sealed.is_sealed, sealed.is_closed, SeasonSeal.objects.exists()) == (False, True, False)
    change = Change.objects.first()
    assert (change.kind, change.actor, change.before) == ("season-unsealed", owner, {"sha256": sha256})
    reopen_season(sealed, actor=owner)
    enter_event("Zoe\nAda", day=21)
    assert Standing.objects.filter(season=sealed, player__name="Zoe").exists()


def test_standings_follow_again_when_the_seal_is_broken(sealed, owner):
    Standing.objects.filter(season=sealed).update(total=99)
    unseal_season(sealed, actor=owner)
    recompute(sealed.pool_id)
    assert not Standing.objects.filter(season=sealed, total=99).exists()


def test_breaking_it_twice_is_once(sealed, client, owner):
    for _press in range(2):
        unseal_season(sealed, actor=owner)
    assert Change.objects.filter(kind="season-unsealed").count() == 1
    client.force_login(owner)
    client.post(url(sealed, "seal-edit"), {"unseal": "1", "name": sealed.name})
    assert Change.objects.filter(kind="season-unsealed").count() == 1


def test_only_owners_break_it(sealed, refused_to):
    refused_to(url(sealed, "seal-edit"), {"unseal": "1", "name": sealed.name}, below="owner")
    assert SeasonSeal.objects.exists()


@pytest.mark.parametrize(
    ("name", "said"), [("", "This field is required."), ("Spring", "This is not the name")]
)
def test_another_name_breaks_nothing(sealed, client, owner, name, said):
    client.force_login(owner)
    answer = client.post(url(sealed, "seal-edit"), {"unseal": "1", "name": name})
    assert said in answer.content.decode()
    assert SeasonSeal.objects.exists()
    assert client.post(url(sealed, "seal-edit"), {}).status_code == 200
    assert SeasonSeal.objects.exists()
