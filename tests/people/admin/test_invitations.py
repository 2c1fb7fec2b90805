"""An operator sends the mail of an invitation again, or revokes it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core import mail
from django.utils import timezone

from league.models import AccessChange, Club, Invitation
from tests.factories import UserFactory
from tests.people.admin.pages import address, listed, operate

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def invitation(club, people):
    end = timezone.now() + timedelta(days=1)
    return Invitation.objects.create(
        club=club, email="zoe@example.com", made_by=people["organizer"], ends_at=end
    )


def test_the_mail_is_sent_again_with_the_same_link(operator, invitation):
    for n in (1, 2):
        assert "Sent to zoe@example.com." in operate(operator, invitation, "send_again")
        assert len(mail.outbox) == n
    message = mail.outbox[0]
    assert message.to == ["zoe@example.com"]
    assert f"http://testserver/join/{invitation.token}" in message.body
    assert "organizer invites you" in message.body


def test_the_mail_is_in_the_language_of_the_club(operator, invitation):
    Club.objects.update(language="ja")
    operate(operator, invitation, "send_again")
    assert mail.outbox[0].subject == f"{invitation.club}への招待"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"email": ""}, "made without an address"),
        ({"ends_at": timezone.now() - timedelta(days=1_000)}, "has ended"),
        ({"revoked_at": timezone.now()}, "has ended"),
    ],
)
def test_what_cannot_be_sent_is_explained(operator, invitation, change, said):
    Invitation.objects.update(**change)
    assert said in operate(operator, invitation, "send_again")
    assert mail.outbox == []


def test_it_is_revoked_once(operator, invitation):
    for _twice in range(2):
        assert "The invitation is revoked" in operate(operator, invitation, "end")
    assert not Invitation.objects.open().exists()
    (line,) = AccessChange.objects.filter(kind=AccessChange.Kind.INVITATION_REVOKED)
    assert line.actor.username == "root"


def test_a_club_that_requires_two_factor_requires_it_of_operators(operator, invitation):
    Club.objects.update(requires_two_factor=True)
    for action in ("send_again", "end"):
        assert "requires two-factor sign-in" in operate(operator, invitation, action)
    assert mail.outbox == []
    assert Invitation.objects.open().exists()


def test_who_may_only_look_sends_nothing(client, invitation):
    person = UserFactory(is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_invitation"))
    client.force_login(person)
    assert "Send the mail again" not in client.get(address(invitation)).content.decode()
    client.post(listed(Invitation), {"action": "send_again", "_selected_action": invitation.pk})
    assert mail.outbox == []
