"""An account is deleted: it goes with what is its own, results stay, and the history says a former account."""

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from api.models import ApiKey
from api.services import make_key
from league.models import FORMER, AccessChange, Change, Club, Entry, Invitation, Membership, Player, Role
from league.services.bin import restore
from league.services.deletions import delete_player
from league.services.errors import Refused
from people.services.accounts import delete_account
from people.services.claims import claim_player
from people.services.members import remove_member, restore_member, set_member
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.league.racing import at_once
from tests.people.accounts.people import confirmed, is_in, log_in

pytestmark = pytest.mark.django_db
DELETE = "/accounts/delete/"


@pytest.fixture
def ada():
    """An organizer who has entered a result and is a player."""
    season = SeasonFactory()
    user = UserFactory(username="ada")
    set_member(season.club, user=user, role=Role.ORGANIZER, actor=None)
    enter(season, "Ada\nBoris", actor=user)
    claim_player(Player.objects.get(name="Ada"), user=user, actor=user)
    return user


def test_results_stay_and_everything_of_its_own_goes(ada, django_capture_on_commit_callbacks):
    client, other = confirmed(ada), confirmed(ada)
    make_key(ada, label="notebook")
    club = Player.objects.first().club
    Invitation.objects.create(club=club, email="ADA@example.com", ends_at="2099-01-01T00:00Z")
    assert "former" in client.get(DELETE).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(DELETE, {"name": "ada"}, follow=True)
    assert "Your account is deleted." in answer.content.decode()
    assert not is_in(client)
    assert not is_in(other)
    assert Session.objects.filter(session_key=other.cookies["sessionid"].value).count() == 0
    assert ApiKey.objects.count() == Membership.objects.filter(user__username="ada").count() == 0
    assert Entry.objects.filter(player__name="Ada", player__user=None).count() == 1
    assert (
        Change.objects.filter(kind="result-entered").values_list("actor__username", flat=True).get() == FORMER
    )
    assert [message.to for message in mail.outbox] == [["ada@example.com"]]
    assert Invitation.objects.get().email == ""


def test_no_column_of_the_database_has_the_name_any_more(ada):
    delete_account(ada)
    assert "ada" not in {*User.objects.values_list("username", flat=True), *people()}
    left = AccessChange.objects.first()
    assert (left.kind, left.person, left.actor.username) == ("member-left", FORMER, FORMER)


def people():
    return AccessChange.objects.values_list("person", flat=True)


def test_the_history_says_a_former_account_in_both_languages(ada, client):
    delete_account(ada)
    club = Player.objects.first().club
    client.force_login(Membership.objects.get(club=club, role=Role.OWNER).user)
    page = client.get(f"/c/{club.slug}/changes/").content.decode()
    assert "a former account" in page
    assert ">ada<" not in page
    assert (
        "退会したアカウント"
        in client.get(f"/c/{club.slug}/changes/", headers={"accept-language": "ja"}).content.decode()
    )


def test_it_works_twice_and_two_accounts_share_the_former_one(ada):
    delete_account(ada)
    delete_account(ada)
    delete_account(UserFactory())
    assert User.objects.filter(username=FORMER, is_active=False).count() == 1


def test_the_former_account_signs_in_nowhere_and_is_no_member(ada):
    club = Player.objects.first().club
    removal = remove_member(club, user=ada, actor=None)
    delete_account(ada)
    log_in(client := Client(), FORMER, "!")
    assert not is_in(client)
    removal.refresh_from_db()
    with pytest.raises(Refused, match="does not exist any more"):
        restore_member(removal, actor=club.memberships.get().user)


def test_a_stranger_cannot_and_a_wrong_name_is_named(ada):
    assert Client().post(DELETE, {"name": "ada"}).url.startswith("/accounts/login/")
    stolen = Client()
    stolen.force_login(ada)
    assert stolen.post(DELETE, {"name": "ada"}).url.startswith("/accounts/reauthenticate/")
    answer = confirmed(ada).post(DELETE, {"name": "Ada?"}).content.decode()
    assert "Type your user name exactly: ada." in answer
    assert 'value="Ada?"' in answer
    assert User.objects.filter(pk=ada.pk).exists()


def test_the_last_owner_of_others_hands_over_first(ada):
    club = Player.objects.first().club
    owner = club.memberships.get(role=Role.OWNER).user
    page = confirmed(owner).get(DELETE).content.decode()
    assert f'href="/c/{club.slug}/people/"' in page
    with pytest.raises(Refused, match=club.name):
        delete_account(owner, with_clubs=True)
    set_member(club, user=ada, role=Role.OWNER, actor=owner)
    delete_account(owner)
    assert Membership.objects.get(club=club).user == ada


def test_a_club_without_another_member_is_deleted_with_consent(client):
    club = ClubFactory(owner=UserFactory(username="alone"))
    owner = User.objects.get(username="alone")
    client = confirmed(owner)
    answer = client.post(DELETE, {"name": "alone"}).content.decode()
    assert f"Hand over or delete your clubs first: {club.name}." in answer
    assert client.post(DELETE, {"name": "alone", "with_clubs": "on"}).status_code == 302
    assert Club.objects.get(pk=club.pk).deleted_at is not None
    assert not User.objects.filter(username="alone").exists()


def test_a_player_in_the_bin_comes_back_without_the_account(ada):
    club = Player.objects.first().club
    owner = club.memberships.get(role=Role.OWNER).user
    set_member(club, user=(moss := UserFactory(username="moss")), role=Role.MEMBER, actor=owner)
    player = Player.objects.create(club=club, name="Moss", key="moss", user=moss)
    item = delete_player(player, actor=owner)
    delete_account(moss)
    restore(club, item.pk, actor=owner)
    assert Player.objects.get(name="Moss").user is None


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_delete_their_accounts_at_once_leave_one_behind(tmp_path):
    club, second = ClubFactory(), UserFactory()
    set_member(club, user=second, role=Role.OWNER, actor=None)

    def deleting(user_id):
        def delete():
            try:
                delete_account(User.objects.get(pk=user_id))
            except Refused:
                return "refused"
            return "deleted"

        return delete

    calls = [deleting(pk) for pk in Membership.objects.values_list("user_id", flat=True)]
    answers, n_left = at_once(calls, Membership.objects.filter(role=Role.OWNER).count, tmp_path)
    assert sorted(answers) == ["deleted", "refused"]
    assert n_left == 1
