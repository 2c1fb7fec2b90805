"""An operator sees recomputations that fail, starts them, and checks seals."""

import pytest
from django.contrib.auth.models import Permission, User

from league.models import Entry
from league.services.seasons import close_season
from standings.models import Recomputation, Standing
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.factories import UserFactory, enter
from tests.people.admin.pages import address, listed, operate

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    client.force_login(User.objects.create_superuser("root", "root@example.com", "a-good-passphrase"))
    return client


@pytest.fixture
def failing(season):
    """Leave a result behind the site's back that no engine can rate."""
    enter(season, "Ada\nBoris")
    Entry.objects.filter(place=1).update(place=7)
    with pytest.raises(ValueError, match="place 7"):
        recompute(season.pool_id)
    return Recomputation.objects.get()


def shown(operator, state):
    return (
        address(Recomputation.objects.get())
        in operator.get(listed(Recomputation), {"state": state}).content.decode()
    )


def test_a_failing_recomputation_is_found_and_started(
    operator, failing, published, django_capture_on_commit_callbacks
):
    assert shown(operator, "failing")
    page = operator.get(address(failing)).content.decode()
    assert "place 7" in page
    published.clear()
    for n in (1, 2):
        with django_capture_on_commit_callbacks(execute=True):
            assert "A worker is asked" in operate(operator, failing, "compute")
        assert published == [failing.pool_id] * n
    Entry.objects.filter(place=7).update(place=1)
    recompute(failing.pool_id)
    assert not shown(operator, "failing")
    assert not shown(operator, "waiting")
    assert "Nothing waits" in operate(operator, failing, "compute")


def test_everything_is_computed_again(operator, enter_event, published, django_capture_on_commit_callbacks):
    enter_event("Ada\nBoris")
    before = list(Standing.objects.order_by("player").values_list("player", "rate", "points"))
    state = Recomputation.objects.get()
    published.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert "from the first event on" in operate(operator, state, "compute_all")
    assert published == [state.pool_id]
    assert shown(operator, "waiting")
    recompute(state.pool_id)
    assert not shown(operator, "waiting")
    assert list(Standing.objects.order_by("player").values_list("player", "rate", "points")) == before


def test_who_may_only_look_starts_nothing(client, failing, published):
    person = UserFactory(is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_recomputation"))
    client.force_login(person)
    published.clear()
    assert "Compute now" not in client.get(address(failing)).content.decode()
    client.post(listed(Recomputation), {"action": "compute", "_selected_action": failing.pk})
    assert published == []


def test_a_seal_is_checked(operator, season, enter_event, people):
    enter_event("Ada\nBoris")
    close_season(season, actor=people["owner"])
    recompute(season.pool_id)
    seal = seal_season(season, actor=people["owner"])
    assert "The season is as it was sealed." in operate(operator, seal, "check_seal")
    Entry.objects.filter(place=2).update(knockouts=3)
    page = operate(operator, seal, "check_seal")
    assert "The season is as it was sealed." not in page
    assert 'class="error"' in page
