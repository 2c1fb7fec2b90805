"""An account downloads everything about itself: every model that refers to it is in the file, or has a reason."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from api.services import make_key
from league.models import AccessChange, Entry, Invitation, Player, Role
from people.services.claims import claim_player
from people.services.members import set_member
from privacy.own_data import PARTS, own_data
from standings.models import Award
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, UserFactory, correct, enter
from tests.people.accounts.people import add_app, confirmed

pytestmark = pytest.mark.django_db
FILE = "/accounts/data/download/"
SECRETS = {"key", "token", "digest", "password", "password_mark", "data", "session_key", "form_token"}


def references(model):
    """List the models that refer to a model, with the name of the reference."""
    return {
        (relation.related_model._meta.label, relation.remote_field.name)
        for relation in model._meta.get_fields(include_hidden=True)
        if relation.auto_created and not relation.concrete and relation.related_model is not None
    }


@pytest.mark.parametrize(("model", "prefix"), [(User, ""), (Player, "player__"), (Entry, "")])
def test_every_model_that_refers_to_the_account_its_players_and_entries_is_in_the_file(model, prefix):
    if model is Entry:
        fields = PARTS["entries"].fields.split()
        referring = {name.partition("__")[0] for name in fields}
        assert {r.get_accessor_name() for r in Entry._meta.related_objects} <= referring
        return
    links = {f"{part.model}.{part.link}" for part in PARTS.values()}
    wanted = {
        f"{label}.{name}" if not prefix else f"{label}.{name}__user" for label, name in references(model)
    }
    assert wanted - links == set()


def test_each_part_reads_fields_that_exist_and_none_that_is_secret():
    own_data(UserFactory())
    read = {(part.model, name) for part in PARTS.values() for name in part.fields.split()}
    assert {pair for pair in read if pair[1] in SECRETS} == set()
    assert {apps.get_model(model) for model, _name in read}


@pytest.fixture
def ada():
    """A member who is a player with results, and an organizer who writes."""
    season = SeasonFactory()
    user = UserFactory(username="ada")
    EmailAddress.objects.create(user=user, email="ada@example.com", verified=True, primary=True)
    set_member(season.club, user=user, role=Role.ORGANIZER, actor=None)
    event = enter(season, "Ada\nBoris", actor=user)
    Award.objects.create(season=season, position=1, kind="most_wins")
    claim_player(Player.objects.get(name="Ada"), user=user, actor=user)
    correct(event, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    return user


def test_the_file_has_results_ratings_points_awards_and_changes(ada):
    data = own_data(ada)
    assert data["profile"]["username"] == "ada"
    assert [row["role"] for row in data["memberships"]] == [Role.ORGANIZER]
    assert [row["place"] for row in data["entries"]] == [1]
    assert data["entries"][0]["points_numerator"] is not None
    assert data["ratings"][0]["rate"] == data["rated_entries"][0]["posterior_rate"]
    assert data["standings"][0]["points_rank"] == 1
    assert [(row["award"], row["place"]) for row in data["awards"]] == [("Most wins", 1)]
    assert [row["kind"] for row in data["changes_made"]] == ["result-entered"]
    assert {row["kind"] for row in data["changes_of_own_rights"]} >= {"member-added", "player-claimed"}


def test_the_download_asks_for_the_password_first_and_has_no_secret(ada):
    client = Client()
    client.force_login(ada)
    assert client.get(FILE).url.startswith("/accounts/reauthenticate/")
    client = confirmed(ada)
    key = make_key(ada, label="notebook")
    add_app(ada)
    invitation = Invitation.objects.create(
        club=Player.objects.first().club, made_by=ada, ends_at="2099-01-01T00:00Z"
    )
    answer = client.get(FILE)
    data = json.loads(answer.content)
    assert answer["Content-Disposition"] == f'attachment; filename="tierboard-{ada.pk}.json"'
    assert data["api_keys"][0]["label"] == "notebook"
    assert data["sessions"]
    secrets = {key, invitation.token, ada.password, client.session.session_key, "JBSWY3DPEHPK3PXP"}
    assert [secret for secret in secrets if secret in answer.content.decode()] == []


def test_the_file_takes_the_same_queries_for_any_number_of_results(ada, django_assert_num_queries):
    season = Player.objects.get(name="Ada").club.seasons.get()
    with django_assert_num_queries(len(PARTS) + 4):
        own_data(ada)
    enter(season, "Boris\nAda", day=1)
    recompute(season.pool_id)
    with django_assert_num_queries(len(PARTS) + 4):
        assert len(own_data(ada)["entries"]) == 2


def test_nobody_gets_the_data_of_another(ada):
    stranger = UserFactory()
    set_member(ClubFactory(), user=stranger, role=Role.MEMBER, actor=None)
    text = str(own_data(stranger))
    assert "ada" not in text
    assert AccessChange.objects.filter(person="ada").exists()
