"""Atom feeds of a club: its events, and the corrections of their results."""

from datetime import datetime

from django.db.models import Max
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language

from league import formats
from league.models import Change, Club, Event
from league.queries import changes_of, renames_of
from league.vocabulary import gettext as _
from reading.names.rules import visible
from standings.home.queries import last_nights
from standings.pages.history.corrections import correction_in_brief

N_ITEMS = 30
CONTENT_TYPE = Atom1Feed.content_type


def events_feed(club: Club, *, site: str, own_address: str) -> str:
    """Write the feed of the last events; `site` is the beginning of every address."""
    feed = _feed(club, _("%(club)s: %(events_word)s") % {"club": club.name}, site, own_address)
    nights = last_nights(club, N_ITEMS)
    ids = [pk for night in nights for pk in night.events]
    changes = Change.objects.filter(event__in=ids).values_list("event").annotate(Max("at")).order_by()
    changed = dict(changes)
    for night in nights:
        address = f"{site}{night.address}"
        text = _("%(names)s came first among %(n)d players.") % {
            "names": formats.together(night.winners),
            "n": night.n_players,
        }
        at = max([changed[pk] for pk in night.events if pk in changed], default=night.starts_at)
        title = _named_day(night.title or night.season, night.starts_at)
        feed.add_item(title, address, text, unique_id=address, pubdate=night.starts_at, updateddate=at)
    return feed.writeString("utf-8")


def corrections_feed(club: Club, *, site: str, own_address: str) -> str:
    """Write the feed of the last corrections, as everybody may read them."""
    feed = _feed(club, _("%(club)s: corrections") % {"club": club.name}, site, own_address)
    made = changes_of(club).filter(kind=Change.Kind.RESULT_CORRECTED)[:N_ITEMS]
    renames = renames_of(club)
    for change in made:
        page = change.event.get_absolute_url() if change.event else club.get_absolute_url()
        title = _title(change.event) if change.event else str(change.season or club)
        text = ". ".join(filter(None, [correction_in_brief(change, renames), visible(change.reason)]))
        unique = f"{site}{page}#change-{change.pk}"
        feed.add_item(
            title, f"{site}{page}", text, unique_id=unique, pubdate=change.at, updateddate=change.at
        )
    return feed.writeString("utf-8")


def _feed(club: Club, title: str, site: str, own_address: str) -> Atom1Feed:
    return Atom1Feed(
        title=title,
        link=f"{site}{club.get_absolute_url()}",
        description=title,
        language=get_language(),
        feed_url=own_address,
    )


def _title(event: Event) -> str:
    return _named_day(event.name or event.season.name, event.starts_at)


def _named_day(name: str, moment: datetime) -> str:
    return _("%(event)s, %(day)s") % {
        "event": name,
        "day": date_format(localtime(moment), "DATE_FORMAT"),
    }
