"""Somebody cannot get in: the operator finds the account, sees why, and helps."""

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import FORMER, AccessChange, Invitation, Player, Role
from people.accounts.waits import begin_attempt, failures_of
from people.services.members import set_member
from tests.factories import ClubFactory, UserFactory
from tests.league.conftest import NOW
from tests.people.admin.pages import address, listed, operate


@pytest.fixture
def ada(db):
    return UserFactory(username="ada", email="ada@example.com")


def fail(user, n, browser=""):
    """Fail to sign in so often, as fast as the waits allow."""
    for _attempt in range(n):
        begin_attempt([f"{user.pk}:{browser}"])


def page_of(operator, row):
    return operator.get(address(row)).content.decode()


@pytest.mark.parametrize("typed", ["ada", "ada@example.com", "second@example.com", "Lovelace", "Night Owls"])
def test_an_account_is_found_by_whatever_the_person_writes(operator, ada, typed):
    club = ClubFactory(name="Night Owls")
    set_member(club, user=ada, role=Role.MEMBER, actor=None)
    EmailAddress.objects.create(user=ada, email="second@example.com")
    Player.objects.create(club=club, name="Lovelace", key="lovelace", user=ada)
    stranger = UserFactory(username="zoe")
    found = operator.get(listed(User), {"q": typed}).content.decode()
    assert address(ada) in found
    assert address(stranger) not in found


def test_the_page_says_why_somebody_cannot_get_in(operator, ada):
    with time_machine.travel(
        NOW, tick=False
    ):  # waits are seconds long, and so may a page be on a busy machine
        fail(ada, 5)
        page = page_of(operator, ada)
    assert "5 failed sign-ins lately." in page
    assert re.search(r"The next attempt is possible in [1-9]\d* seconds", page)
    for said in ("No address is confirmed", "It is a member of no club.", f"account={ada.pk}."):
        assert said in page
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert "The account is closed" in page_of(operator, ada)


def test_the_page_of_who_can_get_in_names_no_fault(operator, ada):
    club = ClubFactory(owner=ada)
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    page = page_of(operator, ada)
    for fault in ("failed sign-ins lately", "No address is confirmed", "member of no club", "is closed"):
        assert fault not in page
    assert f"It is the only owner of {club}." in page


def test_the_page_shows_clubs_and_invitations_that_wait(operator, ada):
    club = ClubFactory(name="Night Owls")
    for days in (1, -1):
        Invitation.objects.create(
            club=club, email="ada@example.com", ends_at=timezone.now() + timedelta(days=days)
        )
    Invitation.objects.create(club=club, email="zoe@example.com", ends_at=timezone.now() + timedelta(days=1))
    assert "Night Owls: member (ended); Night Owls: member (open)" in page_of(operator, ada)


def test_a_name_is_unlocked_in_all_its_browsers_and_no_other_name(operator, ada):
    zoe = UserFactory()
    for user, browser in ((ada, ""), (ada, "phone"), (zoe, "")):
        fail(user, 5, browser)
    assert failures_of(ada.pk).n == 10
    for _twice in range(2):
        assert "Failed sign-ins are forgotten." in operate(operator, ada, "unlock")
        assert failures_of(ada.pk) == (0, 0)
    assert failures_of(zoe.pk).n == 5
    assert begin_attempt([f"{ada.pk}:"]) == 0
    assert [str(row.user) for row in LogEntry.objects.filter(object_id=ada.pk)] == ["root", "root"]


@pytest.mark.parametrize("prefix", [1, 10])
def test_accounts_whose_numbers_begin_alike_are_kept_apart(ada, prefix):
    begin_attempt([f"{prefix}:", f"{prefix}2:"])
    assert failures_of(prefix).n == 1


def test_the_mail_that_confirms_an_address_is_sent_again(operator, ada):
    assert "The account has no address." in operate(operator, ada, "send_confirmation")
    row = EmailAddress.objects.create(user=ada, email="ada@example.com", primary=True)
    for n in (1, 2):
        assert "Sent to ada@example.com." in operate(operator, ada, "send_confirmation")
        assert [message.to for message in mail.outbox] == [["ada@example.com"]] * n
    link = re.search(r"/accounts/confirm-email/\S+", mail.outbox[0].body)[0]
    Client().post(link)
    row.refresh_from_db()
    assert row.verified
    assert "confirmed already" in operate(operator, ada, "send_confirmation")
    assert "confirmed already" in operate(operator, row, "send_confirmation")
    assert len(mail.outbox) == 2


def test_a_link_for_a_new_password_is_sent(operator, ada):
    EmailAddress.objects.create(user=ada, email="ada@example.com", primary=True, verified=True)
    assert "Sent to ada@example.com." in operate(operator, ada, "send_password_link")
    (message,) = mail.outbox
    assert message.to == ["ada@example.com"]
    assert "/accounts/password/reset/key/" in message.body
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert "closed, or has no address" in operate(operator, ada, "send_password_link")
    assert len(mail.outbox) == 1


def test_a_browser_is_signed_out(operator, ada):
    browser = Client()
    browser.force_login(ada)
    session = UserSession.objects.create(user=ada, session_key=browser.session.session_key, ip="203.0.113.7")
    sent = {"action": "end", "_selected_action": session.pk}
    for _twice in range(2):
        assert operator.post(listed(UserSession), sent).status_code == 302
    assert "_auth_user_id" not in browser.session
    assert not UserSession.objects.filter(pk=session.pk).exists()


@pytest.mark.parametrize(("permission", "n_left"), [("view_user", 5), ("change_user", 0)])
def test_only_staff_who_may_change_accounts_help(client, ada, permission, n_left):
    helper = UserFactory(is_staff=True)
    helper.user_permissions.add(Permission.objects.get(codename=permission))
    client.force_login(helper)
    fail(ada, 5)
    assert ("Unlock" in client.get(address(ada)).content.decode()) == (n_left == 0)
    client.post(listed(User), {"action": "unlock", "_selected_action": ada.pk, "from_page": 1})
    assert failures_of(ada.pk).n == n_left


def test_who_is_no_staff_sees_nothing(client, ada):
    client.force_login(ada)
    for url in (address(ada), listed(User)):
        assert client.get(url).status_code == 302
        assert client.post(url, {"action": "unlock", "_selected_action": ada.pk}).status_code == 302


def test_an_account_is_kept_while_a_club_would_have_no_owner(operator, ada):
    club = ClubFactory(owner=ada)
    assert operator.post(address(ada, "delete"), {"post": "yes"}).status_code == 403
    bulk = {"action": "delete_selected", "_selected_action": ada.pk, "post": "yes"}
    operator.post(listed(User), bulk)
    assert User.objects.filter(pk=ada.pk).exists()
    set_member(club, user=UserFactory(), role=Role.OWNER, actor=None)
    assert operator.post(address(ada, "delete"), {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=ada.pk).exists()


def test_the_history_does_not_name_an_account_that_the_operator_has_deleted(operator, ada):
    club = ClubFactory()
    set_member(club, user=ada, role=Role.MEMBER, actor=None)
    operator.post(address(ada, "delete"), {"post": "yes"})
    lines = AccessChange.objects.filter(club=club).values_list("person", flat=True)
    assert FORMER in lines
    assert "ada" not in lines
    former = User.objects.get(username=FORMER)
    assert operator.post(address(former, "delete"), {"post": "yes"}).status_code == 403


def test_an_account_is_added(operator):
    sent = {
        "username": "new",
        "usable_password": "true",
        "password1": "a-good-passphrase",
        "password2": "a-good-passphrase",
    }
    assert operator.get(reverse("admin:auth_user_add")).status_code == 200
    assert operator.post(reverse("admin:auth_user_add"), sent).status_code == 302
    assert User.objects.get(username="new").has_usable_password()
