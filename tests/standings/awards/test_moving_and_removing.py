"""Moving and removing awards: works, twice, out of reach. Who may is tested with adding."""

import pytest

from league.models import Change
from standings.models import Award
from tests.factories import SeasonFactory
from tests.standings.awards.choices import COMPUTED, NEW, add, order, url

pytestmark = pytest.mark.django_db


def test_awards_are_moved_and_the_ends_stay(season, organizer_client):
    kinds = COMPUTED[:3]
    first, middle, last = (add(season, kind=kind) for kind in kinds)
    for award, to, expected in (
        (first, "up", [0, 1, 2]),
        (last, "down", [0, 1, 2]),
        (last, "up", [0, 2, 1]),
        (last, "up", [2, 0, 1]),
        (last, "up", [2, 0, 1]),
        (middle, "up", [2, 1, 0]),
        (last, "down", [1, 2, 0]),
    ):
        organizer_client.post(url(season, "award-move", award.pk), {"to": to})
        assert order(season) == [kinds[i] for i in expected]
    assert Change.objects.count() == 4


def test_an_award_is_removed_once(season, organizer_client):
    award, kept = add(season), add(season, kind="first_three")
    for _press in range(2):
        answer = organizer_client.post(url(season, "award-remove", award.pk))
        assert answer.url == url(season, "award-edit")
    assert list(Award.objects.all()) == [kept]
    assert Change.objects.count() == 1


def test_an_award_of_another_season_is_out_of_reach(season, organizer_client):
    foreign = add(SeasonFactory())
    organizer_client.post(url(season, "award-remove", foreign.pk))
    organizer_client.post(url(season, "award-move", foreign.pk), {"to": "up"})
    page = url(season, "award-change", foreign.pk)
    assert organizer_client.post(page, NEW | {"version": "1"}).status_code == 404
    assert Award.objects.get() == foreign
