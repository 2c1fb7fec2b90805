"""Sign-ins that fail wait longer and longer; name and address of an account count together; its own browsers do not wait."""

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client, RequestFactory

from people.accounts import browsers, waits
from tests.factories import UserFactory
from tests.league.racing import at_once
from tests.people.accounts.people import LOGIN, PASSWORD, is_in, is_refused, log_in

NOON = "2026-03-01T12:00:00.5Z"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limits", "clock")]


@pytest.fixture
def clock():
    """Stop the clock, so that no wait ends while a slow machine runs a test."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def fail(times, name="ada", **extra):
    """Fail from another address each time, so that no limit of an address counts."""
    return [log_in(Client(), name, REMOTE_ADDR=f"203.0.113.{n}", **extra) for n in range(times)]


def test_waits_grow_and_end():
    assert [waits.wait_after(n) for n in (0, 4, 5, 6, 7, 8, 9, 10, 11, 10_000)] == [
        0,
        0,
        2,
        4,
        8,
        16,
        32,
        60,
        60,
        60,
    ]


def test_after_five_failures_the_right_password_waits_two_seconds(clock):
    UserFactory(username="ada")
    assert not any(map(is_refused, fail(5)))
    answer = log_in(Client(), "ada", PASSWORD)
    assert "Try again in 2 seconds." in answer.content.decode()
    assert answer.context["form"]["login"].value() == "ada"
    clock.shift(2)
    client = Client()
    log_in(client, "ada", PASSWORD)
    assert is_in(client)
    assert not any(map(is_refused, fail(5)))  # the count began anew


@pytest.mark.rest
def test_refused_attempts_do_not_make_the_wait_longer(clock):
    UserFactory(username="ada")
    assert [is_refused(answer) for answer in fail(40)] == [False] * 5 + [True] * 35
    clock.shift(2)
    client = Client()
    log_in(client, "ada", PASSWORD)
    assert is_in(client)


@pytest.mark.rest
def test_an_attacker_with_many_addresses_has_one_attempt_a_minute_in_the_end(clock):
    UserFactory(username="ada")
    tried_at = []
    assert not any(map(is_refused, fail(5)))
    for seconds in range(0, 200, 2):
        answer = log_in(Client(), "ada", REMOTE_ADDR=f"198.51.100.{seconds}")
        tried_at += [] if is_refused(answer) else [seconds]
        clock.shift(2)
    assert tried_at == [2, 6, 14, 30, 62, 122, 182]


def test_name_and_address_of_an_account_count_together():
    UserFactory(username="ada")
    names = ["ada", "ada@example.com", "Ada@Example.com", "ADA"]
    answers = [log_in(Client(), names[n % 4], REMOTE_ADDR=f"203.0.113.{n}") for n in range(6)]
    assert [is_refused(answer) for answer in answers] == [False] * 5 + [True]


def test_names_of_nobody_wait_as_well():
    assert [is_refused(answer) for answer in fail(6, name="nobody")] == [False] * 5 + [True]


def test_another_forged_address_each_time_does_not_help():
    UserFactory(username="ada")
    answers = [
        log_in(Client(), "ada", headers={"x-forwarded-for": f"203.0.113.{n}", "x-real-ip": f"203.0.113.{n}"})
        for n in range(6)
    ]
    assert is_refused(answers[-1])


def test_a_browser_that_has_signed_in_before_does_not_wait_for_strangers():
    UserFactory(username="ada")
    owner = Client()
    log_in(owner, "ada", PASSWORD)
    owner.post("/accounts/logout/")
    fail(9)
    log_in(owner, "ada", PASSWORD)
    assert is_in(owner)
    assert is_refused(log_in(Client(), "ada", PASSWORD))


def test_a_known_browser_waits_for_its_own_failures():
    UserFactory(username="ada")
    owner = Client()
    log_in(owner, "ada", PASSWORD)
    owner.post("/accounts/logout/")
    assert [is_refused(log_in(owner, "ada")) for _n in range(6)] == [False] * 5 + [True]


def test_the_cookie_of_one_account_opens_no_lane_of_another():
    UserFactory(username="ada")
    UserFactory(username="eve")
    eve = Client()
    log_in(eve, "eve", PASSWORD)
    eve.post("/accounts/logout/")
    fail(6)
    assert is_refused(log_in(eve, "ada", PASSWORD))
    cookie = eve.cookies["browser"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/accounts/")


def test_signing_in_to_a_second_account_of_an_address_does_not_reset_the_first():
    victim = UserFactory(username="ada", email="shared@example.com")
    UserFactory(username="eve", email="shared@example.com", password="password-of-eve")
    for _round in range(3):
        log_in(Client(), "shared@example.com", REMOTE_ADDR="203.0.113.1")
        log_in(Client(), "ada", REMOTE_ADDR="203.0.113.2")
        log_in(Client(), "shared@example.com", "password-of-eve", REMOTE_ADDR="203.0.113.3")
    assert is_refused(log_in(Client(), victim.username, PASSWORD))


def test_names_that_differ_in_case_alone_wait_together():
    UserFactory(username="ada")
    UserFactory(username="Ada", password="password-of-Ada")
    client = Client()
    log_in(client, "Ada", "password-of-Ada")
    assert is_in(client)
    assert [is_refused(answer) for answer in fail(6)] == [False] * 5 + [True]


def test_confirming_a_password_again_counts_for_the_account_that_is_signed_in():
    owner, eve = UserFactory(username="ada", email="shared@example.com"), UserFactory(username="eve")
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    EmailAddress.objects.create(user=eve, email=owner.email, verified=False, primary=True)
    client = Client()
    log_in(client, "eve", PASSWORD)
    for password in ["wrong-passphrase"] * 5 + [PASSWORD]:
        answer = client.post("/accounts/reauthenticate/?next=/accounts/2fa/", {"password": password})
    assert is_refused(answer)


def test_one_network_address_is_closed_whatever_accounts_it_tries():
    answers = [
        log_in(Client(), f"person{n}", headers={"x-forwarded-for": f"203.0.113.{n}", "forwarded": f"for={n}"})
        for n in range(12)
    ]
    assert not is_refused(answers[0])
    assert is_refused(answers[-1])


def test_the_admin_has_no_log_in_of_its_own(client):
    UserFactory(username="root", is_staff=True, is_superuser=True)
    assert client.get("/admin/").url.startswith("/admin/login/")
    for attempt in range(8):
        answer = client.post(
            "/admin/login/",
            {"username": "root", "password": PASSWORD},
            headers={"x-forwarded-for": f"203.0.113.{attempt}"},
        )
        assert answer.status_code == 302
        assert answer.url.startswith(LOGIN)
        assert not is_in(client)
    fail(5, "root", address=f"{LOGIN}?next=/admin/")
    assert is_refused(log_in(client, "root", PASSWORD, address=f"{LOGIN}?next=/admin/"))
    assert client.get("/admin/").status_code == 302


def test_others_still_get_in():
    UserFactory(username="ada")
    UserFactory(username="boris")
    fail(6)
    client = Client()
    log_in(client, "boris", PASSWORD)
    assert is_in(client)


def test_of_attempts_made_at_once_one_goes_on_after_a_wait(clock):
    assert [waits.begin_attempt(["ada"]) for _n in range(8)] == [0] * 5 + [2] * 3
    clock.shift(2)
    assert [waits.begin_attempt(["ada"]) for _n in range(3)] == [0, 4, 4]


@pytest.mark.django_db(transaction=True)
def test_of_attempts_that_many_processes_make_at_once_five_go_on(tmp_path):
    passed, n_left = at_once(
        [lambda: waits.begin_attempt(["ada"]) == 0] * 8, lambda: waits.begin_attempt(["ada"]), tmp_path
    )
    assert sum(passed) == 5
    assert n_left > 0


def test_an_attempt_refused_for_one_lane_is_not_counted_in_another():
    assert [waits.begin_attempt(["ada"]) for _n in range(5)] == [0] * 5
    assert [waits.begin_attempt(["eve", "ada"]) for _n in range(5)] == [2] * 5
    assert [waits.begin_attempt(["eve"]) for _n in range(6)] == [0] * 5 + [2]


def test_signing_in_by_an_address_leaves_its_other_accounts_as_they_were():
    UserFactory(username="ada", email="shared@example.com")
    UserFactory(username="eve", email="shared@example.com", password="password-of-eve")
    for _n in range(7):
        client = Client()
        log_in(client, "shared@example.com", "password-of-eve")
        assert is_in(client)
    assert [is_refused(answer) for answer in fail(6)] == [False] * 5 + [True]


def test_a_known_browser_confirms_its_password_while_strangers_guess():
    UserFactory(username="ada")
    owner, page = Client(), "/accounts/reauthenticate/?next=/accounts/2fa/"
    log_in(owner, "ada", PASSWORD)
    fail(9)
    if not page.startswith(owner.cookies["browser"]["path"]):
        del owner.cookies["browser"]  # a browser would not send it; the test client would
    assert owner.post(page, {"password": PASSWORD}).status_code == 302


def test_a_shared_computer_is_known_to_all_its_accounts_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(browsers, "MOST_ACCOUNTS", 2)
    users = [UserFactory(username=name) for name in ("ada", "boris", "cleo")]
    computer = Client()
    for name in ("ada", "boris", "ada", "cleo"):
        log_in(computer, name, PASSWORD)
        computer.post("/accounts/logout/")
    request = RequestFactory().get("/")
    request.COOKIES["browser"] = computer.cookies["browser"].value
    assert [bool(browsers.known_browser(request, user)) for user in users] == [True, False, True]
    fail(6)
    log_in(computer, "ada", PASSWORD)
    assert is_in(computer)
