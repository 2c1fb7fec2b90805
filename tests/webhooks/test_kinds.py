"""Every kind of message, each chat's own form, and a webhook that fails for long."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from league.models import Role, Rsvp
from league.services.events import delete_event
from league.services.schedule import EventPlan, plan_events, say_coming
from ratings.models import PlayerRating
from standings.recomputation.service import recompute
from tests.factories import enter
from webhooks.bodies import body_for_chat
from webhooks.models import Hook, Message, Target
from webhooks.services.failing import note_failure
from webhooks.services.sending import send_due
from webhooks.services.telling import make_messages

pytestmark = pytest.mark.django_db


def told(receiver):
    make_messages()
    while send_due():
        pass
    return [(body["type"], body["data"]) for body in receiver.bodies]


def test_a_deletion_names_its_event_and_waits_for_what_was_said_of_it(season, hook, receiver):
    event = enter(season, "Ada\nBoris")
    make_messages()
    pk = event.pk
    delete_event(event, version=event.version, actor=None)
    found = [(kind, data["event"], data["change"]) for kind, data in told(receiver)]
    assert found == [
        ("result.published", pk, "result-entered"),
        ("result.corrected", pk, "result-deleted"),
    ]
    assert set(Message.objects.values_list("subject", flat=True)) == {f"event:{pk}"}


def test_a_badge_that_has_changed_is_told(season, hook, receiver):
    """A provisional rating has no badge that could change, so there are evenings enough before."""
    badges = []
    for first, order in ((0, "Ada\nBoris"), (12, "Boris\nAda")):
        for day in range(first, first + 12):
            enter(season, order, day=day)
        recompute(season.pool_id)
        badges.append(PlayerRating.objects.get(player__name="Ada"))
        found = [data for kind, data in told(receiver) if kind == "badge.changed"]
    before, now = badges
    assert now.badge != before.badge
    [data] = found
    [moved] = [row for row in data["players"] if row["player"] == now.player_id]
    assert (moved["before"], moved["after"]) == (before.badge, now.badge)


def test_a_plan_and_an_answer_to_it_are_told(season, hook, receiver, people):
    day = max(date(2027, 1, 1), timezone.localdate()) + timedelta(days=30)
    starts_at = datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=19)
    type(season).objects.update(ends_on=None)
    season.refresh_from_db()
    [planned] = plan_events(season, plans=[EventPlan(starts_at)], actor=people["organizer"])
    say_coming(planned, user=people["member"], answer=Rsvp.Answer.YES)
    found = told(receiver)
    assert sorted(kind for kind, _data in found) == ["answer.given", "event.planned"]
    answer = next(data for kind, data in found if kind == "answer.given")
    assert (answer["planned_event"], answer["answer"]) == (planned.pk, "yes")
    assert "user" not in answer


def test_each_chat_gets_its_own_form_and_names_mention_nobody(season, hook):
    event = enter(season, "Ada\nBoris", name="<!channel> *Night* & more")
    make_messages()
    message = Message.objects.get()
    slack = body_for_chat(Hook(target=Target.SLACK, club=season.club), message)
    assert slack["text"] == "&lt;!channel&gt; *Night* &amp; more"
    assert {block["text"]["type"] for block in slack["blocks"] if block["type"] == "section"} == {
        "plain_text"
    }
    assert slack["blocks"][-1]["elements"][0]["url"].endswith(event.get_absolute_url())
    assert [block["type"] for block in slack["blocks"]] == ["section", "image", "actions"]
    telegram = body_for_chat(Hook(target=Target.TELEGRAM, club=season.club, chat="-100"), message)
    assert (telegram["chat_id"], "parse_mode" in telegram) == ("-100", False)
    assert telegram["link_preview_options"]["url"].endswith(event.get_absolute_url())
    assert telegram["text"].startswith("<!channel> *Night* & more\n")
    discord = body_for_chat(Hook(target=Target.DISCORD, club=season.club), message)
    assert discord["allowed_mentions"] == {"parse": []}
    assert discord["embeds"][0]["url"].endswith(event.get_absolute_url())


def test_a_webhook_that_fails_for_days_is_switched_off_and_its_owner_told(
    hook, people, django_capture_on_commit_callbacks
):
    type(people["owner"]).objects.filter(username="owner").update(email="owner@example.com")
    began = timezone.now()
    for days in range(7):
        with django_capture_on_commit_callbacks(execute=True):
            note_failure(hook, began + timedelta(days=days))
        hook.refresh_from_db()
        assert hook.is_on == (days <= 5)
    owners = hook.club.memberships.filter(role=Role.OWNER).exclude(user__email="")
    assert {sent.to[0] for sent in mail.outbox} == {*owners.values_list("user__email", flat=True)}
    assert all(hook.name in sent.subject for sent in mail.outbox)
