"""Invitations by link: made, accepted, revoked, ended; and the claim of a player that comes with one."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from league.models import Acceptance, AccessChange, Invitation, Membership, Player, Role
from league.services.errors import Refused
from people.services.invitations import accept, invite
from tests.factories import ClubFactory, UserFactory
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db
TOKEN = "6a3c6a57-3f5e-4b8f-9a51-0a7f5c3c2b11"


def url(club, page, *rest):
    return reverse(f"people:{page}", args=[club.slug, *rest])


def typed(**fields):
    return {"role": Role.ORGANIZER, "lasts": 168, "most_uses": 1, "form_token": TOKEN} | fields


def invited(club, owner, role=Role.HELPER, **fields):
    made = {"lasts": timedelta(days=7), "most_uses": 1, "actor": owner, "actor_role": Role.OWNER} | fields
    return invite(club, role=role, **made)


def role_of(club, user):
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def test_an_owner_invites_a_second_organizer_who_signs_up_and_enters(club, client_of, client, settings):
    made = client_of("owner").post(url(club, "invitation-make"), typed(), follow=True)
    invitation = Invitation.objects.get()
    page = made.content.decode()
    assert f"http://testserver{invitation.get_absolute_url()}" in page
    assert "<svg" in page
    sign_up = client.post(invitation.get_absolute_url())
    assert sign_up.url.startswith(reverse("account_signup"))
    person = {
        "username": "Hiro Tanaka",
        "email": "hiro@example.org",
        "password1": "a-good-passphrase",
        "password2": "a-good-passphrase",
    }
    landed = client.post(sign_up.url, person | {"next": club.get_absolute_url()}, follow=True)
    assert landed.redirect_chain[-1][0] == club.get_absolute_url()
    assert f"Welcome to {club}." in landed.content.decode()
    assert role_of(club, User.objects.get(username="Hiro Tanaka")) == Role.ORGANIZER
    assert not Invitation.objects.get().is_open


def test_who_looks_at_an_invitation_and_signs_in_otherwise_has_accepted_nothing(club, people, client):
    invitation = invited(club, people["owner"])
    client.get(invitation.get_absolute_url())
    stranger = people["stranger"]
    client.post(reverse("account_login"), {"login": stranger.username, "password": "password"})
    assert role_of(club, stranger) is None


@pytest.mark.parametrize("name", ["a former account", " Hiro", "Hiro  Tanaka", "Hiro\tTanaka", "<hiro>"])
def test_some_user_names_are_refused(client, name):
    typed_by = {"email": "x@example.org", "password1": "a-good-passphrase", "password2": "a-good-passphrase"}
    client.post(reverse("account_signup"), typed_by | {"username": name})
    assert not User.objects.filter(username=name).exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_form_sent_twice_makes_and_sends_one_invitation(club, client_of):
    client = client_of("owner")
    for _press in range(2):
        client.post(url(club, "invitation-make"), typed(email="hiro@example.org"))
    assert Invitation.objects.count() == len(mail.outbox) == 1


def test_accepting_twice_uses_one_of_the_uses(club, people):
    invitation = invited(club, people["owner"], most_uses=3)
    for _press in range(2):
        accept(invitation, user=people["stranger"])
    assert Invitation.objects.get().n_uses == Acceptance.objects.count() == 1


def test_an_invitation_lowers_no_role(club, people):
    accept(invited(club, people["owner"], Role.MEMBER), user=people["organizer"])
    assert role_of(club, people["organizer"]) == Role.ORGANIZER


@pytest.mark.parametrize("ended", ["used", "late", "revoked"])
def test_an_invitation_that_has_ended_gives_nothing(club, people, client_of, ended):
    invitation = invited(club, people["owner"])
    if ended == "used":
        accept(invitation, user=UserFactory())
    elif ended == "late":
        Invitation.objects.update(ends_at=timezone.now())
    else:
        for _press in range(2):
            client_of("owner").post(url(club, "invitation-revoke", invitation.pk))
        assert AccessChange.objects.filter(kind="invitation-revoked").count() == 1
    client = client_of("stranger")
    assert "has ended or is used up" in client.get(invitation.get_absolute_url()).content.decode()
    answer = client.post(invitation.get_absolute_url())
    assert "This invitation has ended. Ask for a new one." in answer.content.decode()
    assert role_of(club, people["stranger"]) is None


def test_organizers_invite_members_and_helpers_only(club, client_of, refused_to):
    client = client_of("organizer")
    answer = client.post(url(club, "invitation-make"), typed())
    assert list(answer.context["invitation_form"].errors) == ["role"]
    client.post(url(club, "invitation-make"), typed(role=Role.HELPER))
    assert [each.role for each in Invitation.objects.all()] == [Role.HELPER]
    refused_to(url(club, "invitation-make"), typed(), is_page=False)


@pytest.mark.parametrize(
    ("field", "value"),
    [("role", 0), ("role", ""), ("lasts", 5), ("most_uses", 21), ("email", "nobody"), ("player", 999_999)],
)
def test_a_bad_invitation_names_the_field_and_keeps_what_was_typed(club, client_of, field, value):
    answer = client_of("owner").post(url(club, "invitation-make"), typed(**{field: value}))
    form = answer.context["invitation_form"]
    assert list(form.errors) == [field]
    assert form[field].value() == str(value)
    assert not Invitation.objects.exists()


def test_an_invitation_by_mail_is_signed_by_the_club(club, client_of, django_capture_on_commit_callbacks):
    club.contact = "desk@example.org"
    club.save()
    with django_capture_on_commit_callbacks(execute=True):
        client_of("owner").post(url(club, "invitation-make"), typed(email="hiro@example.org"))
    sent = mail.outbox[0]
    assert sent.to == ["hiro@example.org"]
    assert sent.from_email.startswith(f'"{club.name}" <')
    assert sent.reply_to == ["desk@example.org"]
    assert Invitation.objects.get().get_absolute_url() in sent.body


def test_a_claim_by_link_makes_a_member_who_is_the_player(club, people, client_of):
    gray = Player.objects.create(club=club, name="Gray", key="gray")
    client_of("organizer").post(
        url(club, "invitation-make"), typed(role=Role.MEMBER, player=gray.pk, most_uses=20)
    )
    invitation = Invitation.objects.get()
    assert invitation.most_uses == 1
    client = client_of("stranger")
    assert "Are you Gray?" in client.get(invitation.get_absolute_url()).content.decode()
    client.post(invitation.get_absolute_url())
    gray.refresh_from_db()
    assert gray.user == people["stranger"]
    assert role_of(club, people["stranger"]) == Role.MEMBER
    with pytest.raises(Refused, match="Gray is claimed already"):
        invited(club, people["owner"], Role.MEMBER, player=gray)


def test_a_person_who_is_another_player_claims_nothing_and_gets_no_role(club, people, client_of):
    first = Player.objects.create(club=club, name="First", key="first", user=people["stranger"])
    second = Player.objects.create(club=club, name="Second", key="second")
    invitation = invited(club, people["owner"], player=second)
    answer = client_of("stranger").post(invitation.get_absolute_url())
    assert f"This account is {first} already" in answer.content.decode()
    assert role_of(club, people["stranger"]) is None


def test_an_invitation_of_another_club_is_out_of_reach(club, people, client_of):
    other = ClubFactory()
    invitation = invited(other, people["stranger"])
    client = client_of("owner")
    assert client.get(url(club, "invitation", invitation.pk)).status_code == 404
    assert client.post(url(club, "invitation-revoke", invitation.pk)).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_people_at_once_share_no_single_use(tmp_path):
    club = ClubFactory()
    invitation = invited(club, User.objects.get())
    people = [UserFactory(), UserFactory()]

    def accepting(user):
        def run():
            try:
                accept(Invitation.objects.select_related("club").get(pk=invitation.pk), user=user)
            except Refused:
                return "refused"
            return "in"

        return run

    answers, n_members = at_once([accepting(user) for user in people], Membership.objects.count, tmp_path)
    assert sorted(answers) == ["in", "refused"]
    assert n_members == 2
