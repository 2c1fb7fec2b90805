"""Filters and tags of the site's look, built into every template."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django import template
from django.contrib.messages import add_message
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.template import Context
from django.template.base import Parser, Token, TokenType
from django.templatetags.i18n import BlockTranslateNode, do_block_translate
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league import formats, rights, vocabulary
from league.hooks import tray
from league.models import Entry, PoolKind, Role, shown_account
from league.site.cookies import chosen_theme

register = template.Library()
register.filter(chosen_theme)

NONE = "–"
KEPT = " kept for "  # in the tags of a message, before the address of the page that loads itself again


@register.tag("blocktranslate")
def translated_block(parser: Parser, token: Token) -> BlockTranslateNode:
    """Translate a block as Django does; words of the club are among its variables (league.vocabulary)."""
    node = do_block_translate(parser, token)
    used = {part.contents for part in (*node.singular, *node.plural) if part.token_type == TokenType.VAR}
    words: dict[str, Any] = {name: Word(name) for name in used & vocabulary.NAMES}
    node.extra_context |= words
    return node


class Word:
    """A word of the club, looked up when a template is rendered."""

    def __init__(self, name: str) -> None:
        self.name = name

    def resolve(self, _context: Context) -> str:
        return vocabulary.word(self.name)


@register.simple_tag
def word(name: str) -> str:
    """Write a word of the club: `{% word "Events_word" %}`."""
    return vocabulary.word(name)


@register.filter
def account(name: str | None, nobody: str = NONE) -> str:
    """Write a user name; `nobody` where there is none."""
    return shown_account(name) if name else nobody


@register.filter
def signed(value: float | Decimal | None, places: int = 0) -> str:
    """Write a number with its sign; a dash where there is none."""
    return NONE if value is None else formats.signed(value, places)


@register.filter
def moment(at: datetime | None) -> str:
    """Write a day and time in a sentence; nothing where there is none."""
    return formats.moment(at) if at else ""


@register.filter
def number(value: float | Decimal | None, places: int = 0) -> str:
    """Write a number; a dash where there is none."""
    return NONE if value is None else formats.number(value, places)


@register.filter
def whole_rate(value: float | None) -> str:
    """Write a rate rounded down; a dash where there is none."""
    return NONE if value is None else formats.whole_rate(value)


@register.filter
def points(value: float | Decimal | Fraction | None) -> str:
    """Write points; a dash where there are none."""
    return NONE if value is None else formats.points(value)


@register.filter
def grouped(value: float | Decimal | None) -> str:
    """Write a score with its digits in groups; a dash where there is none."""
    return NONE if value is None else formats.grouped(value)


@register.filter
def listed(items: Iterable[object]) -> str:
    """Join items with the separator of the reader's language."""
    return formats.listed(items)


@register.simple_tag
def comma() -> str:
    """Write what stands between the items of a list in the reader's language."""
    return formats.listed(["", ""])


@register.filter
def ordinal(n: int) -> str:
    return formats.ordinal(n)


@register.filter
def finish(n: int) -> str:
    return formats.finish(n)


@register.filter
def percent(share: float, places: int = 0) -> str:
    return formats.percent(share, places)


@register.filter
def days(n: int) -> str:
    return formats.days(n)


@register.filter
def names(of: Iterable[str]) -> str:
    """Join names in a sentence: Ada, Boris and Cleo."""
    return formats.together(of)


@register.filter
def together(entries: Iterable[Entry]) -> str:
    """Name the players of entries in a sentence: Ada, Boris and Cleo."""
    return formats.together(entry.player.name for entry in entries)


@register.filter
def change(value: float | Decimal | None, places: int = 0) -> SafeString:
    """Draw a change in green or red, with its sign; a dash where there is none."""
    if value is None:
        return SafeString(f'<span aria-hidden="true">{NONE}</span>')
    text = formats.signed(value, places)
    family = "dn" if text.startswith(formats.MINUS) else "up" if text.startswith("+") else "same"
    return SafeString(f'<span class="{family}">{text}</span>')


@register.filter
def rating_name(kind: str) -> str:
    """Name what rates a pool of this kind."""
    return "R" if kind == PoolKind.PROFIT else "TIER"


@register.filter
def moved(places: int | None) -> SafeString:
    """Draw how many places a player has moved since the event before."""
    return moved_html(places, _("up"), _("down"), _("same place"))


def moved_html(places: int | None, up: str, down: str, same: str) -> SafeString:
    """Draw places moved as an arrow, with its direction in words for screen readers."""
    if places is None:
        return SafeString("")
    family, sign, words, text = "same", NONE, same, ""
    if places > 0:
        family, sign, words, text = "up", "▲", f"{up} ", str(places)
    elif places < 0:
        family, sign, words, text = "dn", "▽", f"{down} ", str(-places)
    return SafeString(
        f'<span class="{family}"><span aria-hidden="true">{sign}</span><span class="vh">{words}</span>{text}</span>'
    )


@register.simple_tag
def badge(letters: str, *, provisional: bool = False, size: str = "") -> SafeString:
    """Draw the badge of a rate."""
    return badge_html(letters, _("Provisional badge") if provisional else _("Badge"), provisional, size)


@lru_cache(maxsize=256)  # There are few badges, drawn in every row of a table.
def badge_html(letters: str, words: str, is_provisional: bool = False, size: str = "") -> SafeString:
    """Draw a badge: shape and colour of its family, letter and level always written, `words` for screen readers."""
    classes = " ".join(filter(None, (letters[0].lower(), size, "prov" if is_provisional else "")))
    said = (
        format_html('<span class="vh">{} </span>', words) if words else ""
    )  # none where a column's head says it
    return format_html('<span class="badge {}"><span>{}{}</span></span>', classes, said, letters)


@register.simple_tag
def current(shown: str, name: str) -> SafeString:
    """Mark a link whose page is the one shown: `<a href="…"{% current section "events" %}>`."""
    return SafeString(' aria-current="page"' if shown == name else "")


@register.simple_tag
def page_query(query: str, number: int) -> str:
    """Find the address of a page of a list that keeps the rest of the query."""
    return f"?{query}&page={number}" if query else f"?page={number}"


@register.simple_tag(takes_context=True)
def said(context: Context) -> list[tuple[Message, str]]:
    """List the messages of this page, each with the URL of its undo; skip those kept for another page."""
    path = context["request"].path
    messages = context.get("messages") or ()
    parted = [(message, *message.extra_tags.partition(KEPT)[::2]) for message in messages]
    new = [(message, undo) for message, undo, page in parted if not page]
    # What is new takes the place of what was kept, whose undo may be the very thing that is said now.
    return new or [(message, undo) for message, undo, page in parted if page == path]


@register.simple_tag
def keep_messages(request: Any) -> str:
    """Mark the request to show its messages again after the page has reloaded itself."""
    request.keeps_messages = True
    return ""


@register.simple_tag(takes_context=True)
def keep_said(context: Context, listed: Iterable[tuple[Message, str]]) -> str:
    """Store the shown messages again for this page alone, if it keeps them while it reloads itself."""
    request = context["request"]
    if getattr(request, "keeps_messages", False):
        for message, undo in listed:
            add_message(request, message.level, message.message, f"{undo}{KEPT}{request.path}")
    return ""


@register.filter
def may(role: Role, act: str) -> bool:
    """Check what a role may do (`league.rights`): `{% if request.role|may:"enter_results" %}`."""
    return rights.may(role, rights.Act(act))


@register.simple_tag
def n_waiting(request: HttpRequest) -> int:
    """Count what waits for the reader of a page of a club."""
    return tray.n_waiting(request)
