"""A season into which somebody has uploaded a file can be deleted, and comes back."""

import pytest

from entry.services.drafts import stage_import
from league.models import BinItem, Season
from league.services.bin import restore
from league.services.deletions import delete_season
from tests.factories import UserFactory, enter

pytestmark = pytest.mark.django_db


def test_a_season_with_an_uploaded_file_goes_into_the_bin(season):
    owner = UserFactory()
    enter(season, "Ada\nBoris")
    stage_import(
        season,
        user=owner,
        files=[("a.csv", b"event,date,player,place\nn,2026-01-13,Ada,1\nn,2026-01-13,Boris,2\n")],
    )
    delete_season(season, actor=owner)
    assert not Season.objects.filter(pk=season.pk).exists()
    restore(season.club, BinItem.objects.get().pk, actor=owner)
    assert Season.objects.filter(pk=season.pk).exists()
