"""What is sent: to a program ids and addresses, to a chat a headline, a picture and a link."""

from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import override

from league import formats
from league.models import Event, PlannedEvent, Player, Season
from league.vocabulary import gettext as _
from league.vocabulary import in_words_of
from people.services.mails import absolute
from standings.home.queries import night_of
from standings.home.sentences import sentence_of
from webhooks.models import Hook, Kind, Message, Target


def body_for_program(message: Message) -> dict[str, Any]:
    """Write a message as the Standard Webhooks convention does: its type, when it happened, and what about."""
    return {
        "type": message.kind,
        "timestamp": message.at.isoformat(),
        "data": {"club": message.club.slug} | message.data,
    }


class Headline(NamedTuple):
    """What a chat is told: a line, more about it, where it stands, and its picture, if there is one."""

    title: str
    text: str
    link: str
    picture: str = ""


def headline_of(message: Message) -> Headline | None:
    """Write what a chat is told about a message, with the names of now; None if it is about nothing any more."""
    club = message.club
    with override(club.language or "en"), in_words_of(club):
        headline = WRITERS[Kind(message.kind)](message)
    # A chat cannot fetch the pictures of a private club.
    return headline if headline is None or club.is_public else headline._replace(picture="")


def _of_result(message: Message) -> Headline | None:
    events = Event.objects.select_related("season__club", "season__pool", "pool__recomputation", "meet")
    event = events.filter(pk=message.data["event"]).first()
    if event is None:
        return None
    title = (
        str(event) if message.kind == Kind.RESULT_PUBLISHED else _("Corrected: %(event)s") % {"event": event}
    )
    picture = reverse("sharing:event-picture", args=[event.season.club.slug, event.pk])
    night = night_of(event)
    return Headline(title, sentence_of(night), absolute(night.address), absolute(picture))


def _of_standings(message: Message) -> Headline | None:
    season = Season.objects.select_related("club").filter(pk__in=message.data["seasons"]).first()
    if season is None:
        return None
    picture = reverse("sharing:season-picture", args=[season.club.slug, season.slug])
    title = _("%(season)s: the standings are new") % {"season": season}
    return Headline(title, "", absolute(season.get_absolute_url()), absolute(picture))


def _of_badges(message: Message) -> Headline | None:
    moves = {row["player"]: (row["before"], row["after"]) for row in message.data["players"]}
    players = Player.objects.select_related("club").filter(pk__in=moves)
    told = [f"{player.name}: {moves[player.pk][0]} → {moves[player.pk][1]}" for player in players]
    if not told:
        return None
    return Headline(_("New badges"), formats.listed(told), absolute(message.club.get_absolute_url()))


def _of_season(message: Message) -> Headline | None:
    season = Season.objects.select_related("club").filter(pk=message.data["season"]).first()
    if season is None:
        return None
    link = reverse("standings:awards", args=[season.club.slug, season.slug])
    return Headline(_("%(season)s is over") % {"season": season}, _("These are the awards."), absolute(link))


def _of_plan(message: Message) -> Headline | None:
    link = absolute(reverse("noticeboard:schedule", args=[message.club.slug]))
    return Headline(_("What is planned has changed"), "", link)


def _of_answer(message: Message) -> Headline | None:
    planned = (
        PlannedEvent.objects.select_related("season__club").filter(pk=message.data["planned_event"]).first()
    )
    if planned is None:
        return None
    day = f"{localtime(planned.starts_at, message.club.tz):%Y-%m-%d}"
    link = absolute(reverse("noticeboard:schedule", args=[message.club.slug]))
    return Headline(_("A new answer for %(event)s, %(day)s") % {"event": planned, "day": day}, "", link)


WRITERS = {
    Kind.RESULT_PUBLISHED: _of_result,
    Kind.RESULT_CORRECTED: _of_result,
    Kind.STANDINGS_CHANGED: _of_standings,
    Kind.BADGE_CHANGED: _of_badges,
    Kind.SEASON_CLOSED: _of_season,
    Kind.EVENT_PLANNED: _of_plan,
    Kind.ANSWER_GIVEN: _of_answer,
}


def body_for_chat(hook: Hook, message: Message) -> dict[str, Any] | None:
    """Write a message in the form that a chat takes; None if it is about nothing any more."""
    headline = headline_of(message)
    return FORMS[Target(hook.target)](hook, headline) if headline else None


def _for_discord(_hook: Hook, headline: Headline) -> dict[str, Any]:
    """Write an embed; names in it mention nobody."""
    embed: dict[str, Any] = {"title": headline.title[:256], "url": headline.link}
    embed |= {"description": headline.text[:4000]} if headline.text else {}
    embed |= {"image": {"url": headline.picture}} if headline.picture else {}
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


def _for_slack(_hook: Hook, headline: Headline) -> dict[str, Any]:
    """Write blocks of plain text, in which nothing is a mention or a link but the button."""
    plain = headline.title if not headline.text else f"{headline.title}\n{headline.text}"
    blocks: list[dict[str, Any]] = [{"type": "section", "text": {"type": "plain_text", "text": plain[:3000]}}]
    if headline.picture:
        blocks.append({"type": "image", "image_url": headline.picture, "alt_text": headline.title[:2000]})
    button = {"type": "button", "text": {"type": "plain_text", "text": _("Open")}, "url": headline.link}
    # Its text is markup, in which names could mention everybody.
    text = headline.title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": text, "blocks": [*blocks, {"type": "actions", "elements": [button]}]}


def _for_telegram(hook: Hook, headline: Headline) -> dict[str, Any]:
    """Write a text without any markup; the preview of its link is the picture."""
    lines = [headline.title, headline.text, headline.link]
    text = "\n".join(filter(None, lines))[:4096]
    return {"chat_id": hook.chat, "text": text, "link_preview_options": {"url": headline.link}}


FORMS = {Target.DISCORD: _for_discord, Target.SLACK: _for_slack, Target.TELEGRAM: _for_telegram}
