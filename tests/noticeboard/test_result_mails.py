"""Mails about results: once for each event, after a quiet time, to those who asked, whatever is interrupted."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends import locmem
from django.utils import translation

from entry.services.meets import form_meet
from league.models import MailKind, Player, Role
from noticeboard.models import ResultMail
from noticeboard.result_mails import KEPT, NEW, QUIET
from noticeboard.tasks import purge, sweep
from people.services.claims import claim_player
from people.services.hidden_names import hide_name
from people.services.mails import choose_mails
from people.services.members import set_member
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory, UserFactory, correct, enter

pytestmark = pytest.mark.django_db
SOON = timedelta(minutes=5)


@pytest.fixture
def clock():
    with time_machine.travel(START + timedelta(hours=4), tick=False) as clock:
        yield clock


@pytest.fixture
def season(clock):
    return SeasonFactory()


def subscribe(season, name, language="en", *, wanted=True, verified=True):
    user = UserFactory(username=name)
    address = f"{name}@example.com"
    EmailAddress.objects.create(user=user, email=address, verified=verified, primary=True)
    set_member(season.club, user=user, role=Role.MEMBER, actor=None)
    with translation.override(language):
        choose_mails(user, {(season.club.pk, MailKind.RESULTS): wanted})
    mail.outbox.clear()
    return user


def entered(season, text="Ada\nBoris\nCleo", **details):
    event = enter(season, text, **details)
    recompute(season.pool_id)
    return event


def test_once_an_event_is_over_and_quiet_a_mail_says_what_it_means(season, clock):
    ada = subscribe(season, "ada")
    entered(season)
    claim_player(Player.objects.get(name="Ada"), user=ada, actor=ada)
    clock.shift(QUIET - SOON)
    sweep()
    assert mail.outbox == []
    clock.shift(2 * SOON)
    for _again in range(3):
        sweep()
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (
        ["ada@example.com"], f"{season.club}: {season}, Jan. 6, 2026",
    )  # fmt: skip
    assert "Ada, expected in place 2.0, outlasted 2 others." in sent.body
    assert "1. Ada, 2. Boris, 3. Cleo" in sent.body
    assert "Ada: 1st of 3, expected 2.0" in sent.body
    assert "Rate +" in sent.body
    assert "Season 1st: " in sent.body
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_correction_waits_again_and_sends_no_second_mail(season, clock):
    subscribe(season, "ada")
    event = entered(season)
    clock.shift(QUIET - SOON)
    event = correct(event, "Boris\nAda\nCleo")
    recompute(season.pool_id)
    clock.shift(2 * SOON)
    sweep()
    assert mail.outbox == []
    clock.shift(QUIET)
    sweep()
    assert "Boris, expected in place 2.0, outlasted" in mail.outbox[0].body
    correct(event, "Cleo\nAda\nBoris")
    recompute(season.pool_id)
    clock.shift(2 * QUIET)
    sweep()
    assert len(mail.outbox) == 1


def test_it_waits_for_the_recomputation(season, clock):
    subscribe(season, "ada")
    enter(season, "Ada\nBoris")
    clock.shift(2 * QUIET)
    sweep()
    assert mail.outbox == []
    recompute(season.pool_id)
    sweep()
    assert len(mail.outbox) == 1


def test_only_who_asked_and_has_a_confirmed_address_gets_it_in_the_language_of_asking(season, clock):
    subscribe(season, "ada", "ja")
    subscribe(season, "boris")
    subscribe(season, "cleo", wanted=False)
    subscribe(season, "dora", verified=False)
    gone = subscribe(season, "emil")
    season.club.memberships.filter(user=gone).delete()
    entered(season)
    clock.shift(2 * QUIET)
    with translation.override("en"):
        sweep()
    bodies = {sent.to[0]: sent.body for sent in mail.outbox}
    assert set(bodies) == {"ada@example.com", "boris@example.com"}
    assert "outlasted" in bodies["boris@example.com"]
    assert "2026年1月6日" in bodies["ada@example.com"]


def test_who_ends_them_before_they_are_sent_gets_none(season, clock):
    ada = subscribe(season, "ada")
    entered(season)
    clock.shift(2 * QUIET)
    from noticeboard.result_mails import make_due_mails, send_mails

    make_due_mails()
    choose_mails(ada, {(season.club.pk, MailKind.RESULTS): False})
    send_mails()
    assert mail.outbox == []


def test_a_mail_server_that_does_not_answer_is_tried_again(season, clock, monkeypatch):
    subscribe(season, "ada")
    subscribe(season, "boris")
    entered(season)
    clock.shift(2 * QUIET)
    calls = []

    def refuse(self, messages):
        calls.append(messages)
        raise OSError

    with monkeypatch.context() as patched:
        patched.setattr(locmem.EmailBackend, "send_messages", refuse)
        sweep()
    assert len(calls) == 1, "the others wait, too"
    assert list(ResultMail.objects.values_list("sent_at", flat=True)) == [None, None]
    sweep()
    assert [sent.to for sent in mail.outbox] == [["ada@example.com"], ["boris@example.com"]]


def test_a_worker_that_is_killed_leaves_the_others_to_the_next_sweep(season, clock, monkeypatch):
    for name in ("ada", "boris", "cleo"):
        subscribe(season, name)
    entered(season)
    clock.shift(2 * QUIET)

    class KilledError(BaseException):
        pass

    def die(self, messages):
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(locmem.EmailBackend, "send_messages", die)
        with pytest.raises(KilledError):
            sweep()
    for _again in range(2):
        sweep()
    assert [sent.to for sent in mail.outbox] == [["boris@example.com"], ["cleo@example.com"]]


def test_an_import_of_last_year_is_no_news(season, clock):
    subscribe(season, "ada")
    clock.shift(timedelta(days=60))
    entered(season)
    clock.shift(2 * QUIET)
    sweep()
    assert (mail.outbox, ResultMail.objects.count()) == ([], 0)


def test_they_have_the_words_of_the_club(season, clock):
    subscribe(season, "ada", "ja")
    type(season.club).objects.filter(pk=season.club.pk).update(event_word="race")
    for i in range(2):
        entered(season, day=i / 50)
    clock.shift(2 * QUIET)
    sweep()
    assert [sent.subject for sent in mail.outbox] == [f"{season.club}：2レースの結果"]


def test_the_games_of_a_night_are_one_mail(season, clock):
    subscribe(season, "ada")
    games = [entered(season, "Ada\nBoris", day=i / 50) for i in range(3)]
    form_meet(season, name="Night", event_ids=[game.pk for game in games], actor=UserFactory())
    recompute(season.pool_id)
    clock.shift(2 * QUIET)
    sweep()
    (sent,) = mail.outbox
    assert sent.subject == f"{season.club}: Night, Jan. 6, 2026"
    assert "in 3 games" in sent.body
    assert sent.body.count("1. Ada") == 1


def test_mails_are_forgotten(season, clock):
    subscribe(season, "ada")
    entered(season)
    clock.shift(2 * QUIET)
    sweep()
    clock.shift(KEPT + SOON)
    purge()
    sweep()
    assert (ResultMail.objects.count(), len(mail.outbox), NEW < KEPT) == (0, 1, True)


def test_a_hidden_name_is_in_no_mail(season, clock):
    subscribe(season, "boris")
    entered(season, "Zebulon\nBoris")
    player = hide_name(Player.objects.get(name="Zebulon"), actor=UserFactory())
    recompute(season.pool_id)
    clock.shift(2 * QUIET)
    sweep()
    assert player.name in mail.outbox[0].body
    assert "Zebulon" not in mail.outbox[0].body
