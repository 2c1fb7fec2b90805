"""A change of rules in the middle of a season: who moves and from which event on, before it is saved."""

import pytest
from django.urls import reverse

from league.models import Season
from payouts.models import SeasonRules
from payouts.queries import rules_version
from standings.recomputation.service import recompute
from tests.factories import RULES_TYPED, enter

pytestmark = pytest.mark.django_db
TYPED = RULES_TYPED | {"name": "Winter", "starts_on": "2026-01-01", "ends_on": ""}


@pytest.fixture
def played(season):
    """Three events: Ada wins two and comes last in one, Cleo the other way round."""
    for day, order in enumerate(("Ada\nBoris\nCleo", "Ada\nBoris\nCleo", "Cleo\nBoris\nAda")):
        enter(season, order, day=day)
    recompute(season.pool_id)
    return season


def effects(season):
    return reverse("standings:rule-change", args=[season.club.slug, season.slug])


def typed(season, **fields):
    return TYPED | {"version": rules_version(season)} | fields


def test_who_moves_is_shown_and_nothing_saved(played, organizer_client):
    edit = reverse("payouts:season-edit", args=[played.club.slug, played.slug])
    assert f'formaction="{effects(played)}"' in organizer_client.get(edit).content.decode()
    page = organizer_client.post(effects(played), typed(played, attendance_points="5"))
    assert {mover.name for mover in page.context["movers"]} == {"Ada", "Boris", "Cleo"}
    assert "3 finished events keep their points: VP_KID" in page.content.decode()
    assert not SeasonRules.objects.filter(attendance_points=5).exists()
    saved = organizer_client.post(effects(played), typed(played, attendance_points="5", sure="1"))
    assert saved.status_code == 302
    assert SeasonRules.objects.get().attendance_points == 5


def test_a_new_structure_holds_from_the_next_event_on_and_the_rules_say_both(played, organizer_client):
    page = organizer_client.post(effects(played), typed(played, structure="sqrt"))
    assert page.context["movers"] == []
    assert "The new structure holds from the next event on." in page.content.decode()
    organizer_client.post(effects(played), typed(played, structure="sqrt", sure="1"))
    enter(played, "Ada\nBoris\nCleo", day=3)
    recompute(played.pool_id)
    table = organizer_client.get(Season.objects.get().get_absolute_url()).content.decode()
    assert "3 events were settled by other points: VP_KID" in table


def test_settling_again_moves_who_won_by_the_old_structure(played, organizer_client):
    page = organizer_client.post(effects(played), typed(played, structure="sqrt", settle_again="on"))
    assert {mover.name for mover in page.context["movers"]} == {"Ada", "Boris", "Cleo"}
    assert "counted again by the new structure" in page.content.decode()


def test_a_season_without_events_is_saved_at_once(season, organizer_client):
    answer = organizer_client.post(effects(season), typed(season, attendance_points="5"))
    assert answer.status_code == 302
    assert SeasonRules.objects.get().attendance_points == 5


def test_a_form_with_a_mistake_is_its_own_answer(played, organizer_client):
    page = organizer_client.post(effects(played), typed(played, name=""))
    assert page.context["form"].errors
    assert "movers" not in page.context
