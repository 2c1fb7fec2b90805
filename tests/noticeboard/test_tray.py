"""What waits for those who run a club: on their page, in the masthead, and by mail where they want it."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from entry.services.drafts import stage_import
from league.models import Claim, ImportDraft, MailKind, PlannedEvent, Player, Role
from noticeboard.models import ResultMail, TrayMail
from noticeboard.tray_mails import send_tray_mails
from people.services.mails import choose_mails
from people.services.members import set_member
from standings.models import Recomputation
from standings.recomputation.service import recompute
from tests.factories import START, UserFactory, enter

pytestmark = pytest.mark.django_db
NOW = START + timedelta(days=10)


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(NOW, tick=False):
        yield


def to(season, name="run", *more):
    return reverse(f"noticeboard:{name}", args=[season.club.slug, *more])


def kinds(client, season):
    page = client.get(to(season))
    return [item.key.split(":")[0] for item in [*page.context["first"], *page.context["others"]]]


def count(client, season):
    page = client.get(season.club.get_absolute_url()).content.decode()
    shown = page.partition('class="count"')[2]
    return int(shown.partition("</span>")[2].partition("<")[0]) if shown else 0


def asks(season):
    """A member asks to be a player."""
    enter(season, "Ada\nBoris")
    user = UserFactory()
    set_member(season.club, user=user, role=Role.MEMBER, actor=None)
    return Claim.objects.create(player=Player.objects.get(name="Ada"), user=user)


def test_a_claim_is_answered_from_the_tray(season, of):
    organizer, claim = of(Role.ORGANIZER), asks(season)
    assert (kinds(organizer, season), count(organizer, season)) == (["4-claim"], 1)
    answer = organizer.post(
        reverse("people:claim-answer", args=[season.club.slug, claim.pk]), {"yes": "1", "next": to(season)}
    )
    assert answer.url == to(season)
    assert Player.objects.get(name="Ada").user == claim.user
    assert (kinds(organizer, season), count(organizer, season)) == ([], 0)
    assert "Nothing waits for you." in organizer.get(to(season)).content.decode()


def test_nobody_is_led_to_another_site(season, of):
    organizer, claim = of(Role.ORGANIZER), asks(season)
    address = reverse("people:claim-answer", args=[season.club.slug, claim.pk])
    answer = organizer.post(address, {"no": "1", "next": "https://elsewhere.example/"})
    assert answer.url == reverse("people:people", args=[season.club.slug])


@pytest.mark.parametrize(
    ("days_ago", "waits"),
    [(3, True), (0.1, False), (61, False)],
)
def test_a_planned_event_waits_for_its_result(season, of, days_ago, waits):
    helper = of(Role.HELPER)
    planned = PlannedEvent.objects.create(season=season, starts_at=NOW - timedelta(days=days_ago))
    assert kinds(helper, season) == ["2-result"] * waits
    if waits:
        page = helper.get(to(season)).content.decode()
        assert f"?planned={planned.pk}" in page
        enter(season, "Ada\nBoris", day=7)
        assert kinds(helper, season) == []


def test_an_event_of_the_day_by_the_clock_of_the_club_is_its_result(season, of):
    """23:30 in UTC is 00:30 of the next day in Berlin."""
    helper = of(Role.HELPER)
    PlannedEvent.objects.create(season=season, starts_at=START.replace(day=9, hour=23, minute=30))
    enter(season, "Ada\nBoris", day=4)
    assert kinds(helper, season) == []


def test_a_file_that_was_uploaded_and_not_saved_waits_for_who_sent_it(season, of):
    one, other = of(Role.HELPER), of(Role.HELPER)
    stage_import(season, user=one.user, files=[("evening.csv", b"Date,Place,Player\n2026-01-06,1,Ada\n")])
    assert kinds(one, season) == []
    ImportDraft.objects.update(created_at=NOW - timedelta(hours=2))
    assert (kinds(one, season), kinds(other, season)) == (["3-upload"], [])
    ImportDraft.objects.update(applied_at=timezone.now())
    assert kinds(one, season) == []


def test_a_computation_that_has_stopped_is_tried_again(season, of, monkeypatch):
    helper = of(Role.HELPER)
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    assert kinds(helper, season) == []
    Recomputation.objects.update(rated_version=0, n_failures=2)
    assert kinds(helper, season) == ["1-stuck"]
    with_calls = []
    monkeypatch.setattr("noticeboard.views.run.recompute_pool.delay", with_calls.append)
    helper.post(to(season, "try-again", season.pool_id))
    Recomputation.objects.update(n_failures=0, rated_version=10**6)
    helper.post(to(season, "try-again", season.pool_id))
    assert with_calls == [season.pool_id]


def test_mails_that_the_server_does_not_take_wait(season, of):
    organizer = of(Role.ORGANIZER)
    ResultMail.objects.create(club=season.club, user=organizer.user, event_ids=[1])
    assert kinds(organizer, season) == []
    ResultMail.objects.update(made_at=NOW - timedelta(hours=2))
    assert kinds(organizer, season) == ["5-mail"]


def test_a_helper_sees_what_a_helper_may_answer_and_a_member_no_tray(season, of):
    asks(season)
    assert kinds(of(Role.HELPER), season) == []
    member = of(Role.MEMBER)
    assert member.get(to(season)).status_code == 403
    assert 'class="to-run"' not in member.get(season.club.get_absolute_url()).content.decode()


def test_all_of_it_takes_one_query_to_count(season, of, django_assert_num_queries):
    from noticeboard.tray import keys_of

    organizer = of(Role.ORGANIZER)
    asks(season)
    PlannedEvent.objects.create(season=season, starts_at=NOW - timedelta(days=3))
    with django_assert_num_queries(1):
        assert len(keys_of(season.club, organizer.user, Role.ORGANIZER)) == 2


def test_who_asks_for_it_is_told_what_is_new_once_a_day(season, of):
    organizer = of(Role.ORGANIZER)
    EmailAddress.objects.create(user=organizer.user, email="clara@example.org", verified=True, primary=True)
    claim = asks(season)
    send_tray_mails()
    assert not mail.outbox
    choose_mails(organizer.user, {(season.club_id, MailKind.TRAY): True})
    for _sweep in range(2):
        send_tray_mails()
    (message,) = mail.outbox
    assert message.subject == f"{season.club}: 1 thing waits"
    assert f"{claim.user.username} says: “I am Ada”." in message.body
    with time_machine.travel(NOW + timedelta(hours=21), tick=False):
        send_tray_mails()
        assert len(mail.outbox) == 1
        PlannedEvent.objects.create(season=season, starts_at=NOW - timedelta(days=3))
        send_tray_mails()
        assert mail.outbox[-1].subject == f"{season.club}: 2 things wait"


def test_a_mail_that_could_not_be_sent_is_sent_later(season, of, monkeypatch):
    organizer = of(Role.ORGANIZER)
    EmailAddress.objects.create(user=organizer.user, email="clara@example.org", verified=True, primary=True)
    choose_mails(organizer.user, {(season.club_id, MailKind.TRAY): True})
    asks(season)
    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.message.EmailMessage.send", _refuse)
        send_tray_mails()
    assert not TrayMail.objects.exists()
    send_tray_mails()
    assert len(mail.outbox) == 1


def _refuse(*_args, **_kwargs):
    raise OSError("connection refused")
