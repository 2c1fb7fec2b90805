"""Accounts and the players they are, and what people are told about their rights."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse

from league.models import AccessChange, Claim, Invitation, Membership, Notice, Player, Role
from people.services.members import remove_member, set_member

pytestmark = pytest.mark.django_db


def url(club, page, *rest):
    return reverse(f"people:{page}", args=[club.slug, *rest])


@pytest.fixture
def gray(club):
    return Player.objects.create(club=club, name="Gray", key="gray")


def owner_of(player):
    return Player.objects.select_related("user").get(pk=player.pk).user


def test_a_member_asks_and_an_organizer_approves(club, people, client_of, gray):
    member, organizer = client_of("member"), client_of("organizer")
    for _press in range(2):
        member.post(url(club, "player-claim", gray.pk))
    claim = Claim.objects.get()
    assert "member says: “I am Gray.”" in organizer.get(url(club, "people")).content.decode()
    for _press in range(2):
        organizer.post(url(club, "claim-answer", claim.pk), {"yes": "1"})
    assert owner_of(gray) == people["member"]
    assert not Claim.objects.exists()
    assert AccessChange.objects.filter(kind="player-claimed").count() == 1
    assert "You are Gray." in member.get(url(club, "people")).content.decode()


def test_a_declined_claim_is_gone_and_can_be_asked_again(club, client_of, gray):
    client_of("member").post(url(club, "player-claim", gray.pk))
    client_of("organizer").post(url(club, "claim-answer", Claim.objects.get().pk), {"no": "1"})
    assert owner_of(gray) is None
    client_of("member").post(url(club, "player-claim", gray.pk))
    assert Claim.objects.count() == 1


def test_the_claim_of_somebody_who_has_left_is_refused(club, people, client_of, gray):
    client_of("member").post(url(club, "player-claim", gray.pk))
    remove_member(club, user=people["member"], actor=None)
    answer = client_of("organizer").post(
        url(club, "claim-answer", Claim.objects.get().pk), {"yes": "1"}, follow=True
    )
    assert "member is no member any more." in answer.content.decode()
    assert owner_of(gray) is None


def test_a_player_who_is_claimed_cannot_be_asked_for(club, people, client_of, gray):
    Player.objects.filter(pk=gray.pk).update(user=people["organizer"])
    answer = client_of("member").post(url(club, "player-claim", gray.pk), follow=True)
    assert "Gray is claimed already." in answer.content.decode()
    assert not Claim.objects.exists()


def test_a_claim_is_taken_back_by_the_person_or_an_organizer_and_by_nobody_else(
    club, people, client_of, gray
):
    for who, is_left in (("helper", False), ("member", True), ("organizer", True)):
        Player.objects.filter(pk=gray.pk).update(user=people["member"])
        for _press in range(2):
            client_of(who).post(url(club, "player-unclaim", gray.pk))
        assert (owner_of(gray) is None) == is_left, who


def test_a_removed_member_comes_back_with_role_and_player(club, people, client_of, gray):
    Player.objects.filter(pk=gray.pk).update(user=people["helper"])
    membership = Membership.objects.get(user=people["helper"])
    owner = client_of("owner")
    assert "Remove helper?" in owner.get(url(club, "member-remove", membership.pk)).content.decode()
    page = owner.post(url(club, "member-remove", membership.pk), follow=True)
    removal = AccessChange.objects.get(kind="member-removed")
    assert "helper is no member any more." in page.content.decode()
    assert owner_of(gray) is None
    for _press in range(2):
        owner.post(url(club, "member-restore", removal.pk))
    assert Membership.objects.get(user=people["helper"]).role == Role.HELPER
    assert owner_of(gray) == people["helper"]


def test_a_member_leaves_and_the_history_says_who(club, people, client_of):
    client = client_of("member")
    assert "Leave" in client.get(url(club, "leave")).content.decode()
    assert client.post(url(club, "leave")).url == club.get_absolute_url()
    assert not Membership.objects.filter(user=people["member"]).exists()
    assert client.post(url(club, "leave")).status_code == 403
    assert AccessChange.objects.get(kind="member-left").actor == people["member"]


def test_the_last_owner_cannot_leave(club, people, client_of):
    Membership.objects.filter(role=Role.OWNER).exclude(user=people["owner"]).delete()
    answer = client_of("owner").post(url(club, "leave"), follow=True)
    assert "A club needs an owner" in answer.content.decode()
    assert Membership.objects.get(user=people["owner"]).role == Role.OWNER


def test_an_owner_hands_the_club_over_and_stays_as_an_organizer(club, people, client_of, refused_to):
    client = client_of("owner")
    membership = Membership.objects.get(user=people["member"])
    refused_to(url(club, "hand-over"), {"member": membership.pk}, below="owner")
    own = Membership.objects.get(user=people["owner"])
    assert list(client.post(url(club, "hand-over"), {"member": own.pk}).context["form"].errors) == ["member"]
    client.post(url(club, "hand-over"), {"member": membership.pk})
    roles = dict(Membership.objects.values_list("user__username", "role"))
    assert (roles["member"], roles["owner"]) == (Role.OWNER, Role.ORGANIZER)
    assert client.post(url(club, "hand-over"), {"member": membership.pk}).status_code == 403


def test_a_change_of_rights_is_told_on_the_next_page_until_it_is_read_and_by_mail(
    club, people, client_of, django_capture_on_commit_callbacks
):
    EmailAddress.objects.create(user=people["stranger"], email="stranger@example.com", verified=True)
    with django_capture_on_commit_callbacks(execute=True):
        set_member(club, user=people["stranger"], role=Role.HELPER, actor=people["owner"])
    words = f"owner has added you to {club}. Your role: helper."
    assert words in mail.outbox[0].body
    client = client_of("stranger")
    for _visit in range(2):
        assert words in client.get("/").content.decode()
    assert words not in client_of("member").get("/").content.decode()
    notice = Notice.objects.get().pk
    client_of("member").post(reverse("people:notices-seen"), {"notice": notice})  # of somebody else
    assert Notice.objects.exists()
    for _press in range(2):
        client.post(reverse("people:notices-seen"), {"notice": [notice, "x"]})
    assert words not in client.get("/").content.decode()


def test_a_mail_that_cannot_be_sent_undoes_nothing(
    club, people, settings, django_capture_on_commit_callbacks
):
    EmailAddress.objects.create(user=people["stranger"], email="stranger@example.com", verified=True)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens there
    with django_capture_on_commit_callbacks(execute=True):
        set_member(club, user=people["stranger"], role=Role.MEMBER, actor=people["owner"])
    assert Membership.objects.filter(user=people["stranger"]).exists()


def test_the_form_for_a_player_makes_an_invitation_of_one_use(club, client_of, gray):
    page = client_of("organizer").get(url(club, "people"), {"player": gray.pk}).content.decode()
    form = page[page.index(url(club, "invitation-make")) :].partition("</form>")[0]
    fields = dict.fromkeys(re.findall(r'<(?:input|select)[^>]*\bname="(\w+)"', form), "")
    assert "most_uses" not in fields
    asked = {"player": gray.pk, "role": Role.MEMBER.value, "lasts": 24}
    client_of("organizer").post(url(club, "invitation-make"), fields | asked)
    invitation = Invitation.objects.get()
    assert (invitation.player, invitation.most_uses) == (gray, 1)
