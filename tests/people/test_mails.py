"""Mails of a club: who gets them, the way out in each, their signature and their links."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.models import MailChoice, MailKind, Role
from league.site import env
from people.services.mails import Subscription, choose_mails, stop_token
from people.services.members import set_member
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db
PAGE = "/accounts/mails/"


@pytest.fixture
def club():
    return ClubFactory(owner=UserFactory(username="iris"))


@pytest.fixture
def ada(club):
    user = UserFactory(username="ada")
    EmailAddress.objects.create(user=user, email="ada@example.com", verified=True, primary=True)
    set_member(club, user=user, role=Role.MEMBER, actor=None)
    mail.outbox.clear()
    return user


@pytest.fixture
def change_role(club, ada, django_capture_on_commit_callbacks):
    """Change the role of the member, and return the mails about it."""

    def change(role):
        mail.outbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            set_member(club, user=ada, role=role, actor=None)
        return mail.outbox

    return change


def test_one_click_ends_them_without_signing_in(club, ada, change_role, settings):
    settings.SITE_ADDRESS = "https://club.example"
    (sent,) = change_role(Role.HELPER)
    link = re.fullmatch(r"<https://club\.example(/mails/stop/\S+/)>", sent.extra_headers["List-Unsubscribe"])[
        1
    ]
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"https://club.example{link}" in sent.body
    stranger = Client(enforce_csrf_checks=True)
    assert "Send me no more" in stranger.get(link).content.decode()
    assert len(change_role(Role.MEMBER)) == 1, "opening the link changes nothing"
    for _press in range(2):
        answer = stranger.post(link, {"List-Unsubscribe": "One-Click"})
        assert "You get none of them any more." in answer.content.decode()
    assert change_role(Role.HELPER) == []
    assert MailChoice.objects.get().user == ada


def test_a_link_that_is_not_ours_is_nowhere_and_an_old_one_fails_for_nobody(club, ada):
    assert Client().post("/mails/stop/nobody/").status_code == 404
    forged = stop_token(Subscription(ada.pk, club.pk, MailKind.RIGHTS))[:-1] + "-"
    assert Client().post(reverse("people:mail-stop", args=[forged])).status_code == 404
    former = stop_token(Subscription(ada.pk, club.pk, "a-former-kind"))
    assert Client().post(reverse("people:mail-stop", args=[former])).status_code == 404
    gone = stop_token(Subscription(ada.pk + 1_000, club.pk, MailKind.RIGHTS))
    assert Client().post(reverse("people:mail-stop", args=[gone])).status_code == 200
    assert MailChoice.objects.count() == 0


def test_they_are_chosen_in_the_account_for_each_club(club, ada, client, change_role):
    other = ClubFactory()
    set_member(other, user=ada, role=Role.MEMBER, actor=None)
    client.force_login(ada)
    assert client.get(PAGE).content.decode().count("checked") == 2
    assert client.post(PAGE, {f"{other.pk}-rights": "on"}).url == PAGE
    assert client.get(PAGE).content.decode().count("checked") == 1
    assert change_role(Role.HELPER) == []
    assert client.post(PAGE, {f"{club.pk}-rights": "on"}).url == PAGE
    assert len(change_role(Role.MEMBER)) == 1


def test_nobody_chooses_for_a_club_that_is_not_theirs(ada):
    choose_mails(ada, {(ClubFactory().pk, MailKind.RIGHTS): False})
    assert MailChoice.objects.count() == 0
    assert Client().post(PAGE).url.startswith("/accounts/login/")


def test_a_club_without_a_contact_names_its_owners_and_where_to_find_them(club, change_role, settings):
    settings.SITE_ADDRESS = "https://club.example"
    (sent,) = change_role(Role.HELPER)
    assert f"Owners: iris, https://club.example/c/{club.slug}/people/" in sent.body
    assert sent.reply_to == []
    type(club).objects.update(contact="club@example.org")
    club.refresh_from_db()
    (sent,) = change_role(Role.MEMBER)
    assert sent.reply_to == ["club@example.org"]
    assert "Owners:" not in sent.body


def test_no_mail_names_this_machine_when_the_address_is_configured(
    club, ada, client, change_role, settings, django_capture_on_commit_callbacks
):
    settings.SITE_ADDRESS, settings.DEFAULT_FROM_EMAIL = "https://club.example", "tierboard@club.example"
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    here = {"HTTP_HOST": "127.0.0.1:8000"}
    texts = [str(sent.message()) for sent in change_role(Role.HELPER)]
    mail.outbox.clear()
    signed_up = {"username": "moss", "email": "moss@example.com"} | dict.fromkeys(
        ("password1", "password2"), "a-good-passphrase"
    )
    with django_capture_on_commit_callbacks(execute=True):
        Client().post("/accounts/signup/", signed_up, **here)
        Client().post("/accounts/password/reset/", {"email": "ada@example.com"}, **here)
        client.force_login(club.memberships.get(role=Role.OWNER).user)
        invited = {"role": 10, "lasts": 24, "most_uses": 1, "email": "hiro@example.org"}
        client.post(reverse("people:invitation-make", args=[club.slug]), invited, **here)
    texts += [str(sent.message()) for sent in mail.outbox]
    assert len(texts) == 4
    assert [text for text in texts if "https://club.example/" not in text] == []
    # Django names the machine in the Message-ID, which mail servers replace or keep, and nobody reads.
    texts = [re.sub("(?m)^Message-ID: .*$", "", text) for text in texts]
    assert [text for text in texts if "127.0.0.1" in text or "localhost" in text] == []


@pytest.mark.parametrize(
    "typed", ["club.example", "https://club.example/x", "ftp://club.example", "https://a b"]
)
def test_an_address_that_is_none_is_refused(monkeypatch, typed):
    monkeypatch.setenv("SITE_ADDRESS", typed)
    with pytest.raises(env.ImproperlyConfigured, match="SITE_ADDRESS"):
        env.site_address("SITE_ADDRESS", "")


def test_an_address_is_read_without_its_last_slash(monkeypatch):
    monkeypatch.setenv("SITE_ADDRESS", "https://club.example:8443/")
    assert env.site_address("SITE_ADDRESS", "") == "https://club.example:8443"
