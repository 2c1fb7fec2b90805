"""How long the site keeps what: the figures are those that the deleting code uses."""

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings

from entry.services.drafts import DRAFT_LIFETIME
from entry.views import drafts
from lab.models.run import KEPT as RUNS_KEPT
from lab.services.practice import KEPT as DECISIONS_KEPT
from lab.services.sit_and_go import KEPT as GAMES_KEPT
from league.models.bin import KEPT_FOR as BIN_KEPT
from league.models.club import RESTORABLE_FOR
from league.site.cookies import THEME, VISITS
from league.site.messages import NextPage
from league.views.site import YEAR
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from noticeboard.result_mails import KEPT as MAILS_KEPT
from people.accounts import browsers
from people.forms.members import HOUR, LASTS
from standings.archive.erasing import DRAFTS_KEPT_FOR
from standings.pages import readers
from standings.receipts import visits


class Kept(NamedTuple):
    what: str
    how_long: str


def retention() -> list[Kept]:
    """List the kinds of stored data with their retention periods, in the reader's language."""
    longest_invitation = timedelta(hours=max(hours for hours, _label in LASTS) * HOUR)
    session = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    rows: list[tuple[str, str]] = [
        (_("Account, memberships, API keys, mail settings"), _("until the account is deleted")),
        (_("Players, results, ratings and points"), _("until the club deletes them")),
        (_("History of a club"), _("as long as the club; of a deleted account without its name")),
        (_("Deleted evenings, seasons, players and awards, in the bin"), days(BIN_KEPT)),
        (_("Deleted clubs"), days(RESTORABLE_FOR)),
        (_("Whether you come to planned %(nights_word)s"), _("until the account is deleted")),
        (_("That results were sent to you by mail"), days(MAILS_KEPT)),
        (_("Sessions"), _("until you sign out, at most %(time)s") % {"time": days(session)}),
        (_("Links of invitations"), _("good for at most %(time)s") % {"time": days(longest_invitation)}),
        (_("Uploaded files of results that were not saved"), days(DRAFT_LIFETIME)),
        (_("Uploaded archives of clubs"), days(DRAFTS_KEPT_FOR)),
        (_("Runs of the laboratory"), days(RUNS_KEPT)),
        (_("Decisions at the practice table"), days(DECISIONS_KEPT)),
        (_("Games against the computer"), days(GAMES_KEPT)),
        (
            _("Security log: failed sign-ins with the network address"),
            _("as long as the operator keeps the server’s log"),
        ),
    ]
    return [Kept(*row) for row in rows]


def days(time: timedelta) -> str:
    return ngettext("%(n)d day", "%(n)d days", time.days) % {"n": time.days}


class Cookie(NamedTuple):
    name: str
    purpose: str
    how_long: str


def cookies() -> list[Cookie]:
    """List the cookies of the site. None of them is for advertising or statistics."""
    year = days(timedelta(seconds=YEAR))
    return [
        Cookie(settings.SESSION_COOKIE_NAME, _("keeps you signed in"), _seconds(settings.SESSION_COOKIE_AGE)),
        Cookie(
            settings.CSRF_COOKIE_NAME,
            _("protects forms from other sites"),
            _seconds(settings.CSRF_COOKIE_AGE),
        ),
        Cookie(browsers.COOKIE, _("knows the browsers you have signed in with"), _seconds(browsers.YEAR)),
        Cookie(settings.LANGUAGE_COOKIE_NAME, _("your choice of language"), year),
        Cookie(NextPage.cookie_name, _("what the next page tells you"), _("until it is shown")),
        Cookie(THEME, _("your choice of light or dark"), year),
        Cookie(readers.ME, _("the player that you have said you are, in a club"), _seconds(readers.YEAR)),
        Cookie(VISITS, _("when you were on the club's home page before"), _seconds(visits.YEAR)),
        Cookie(readers.FOLLOWED, _("the players that you follow, in a club"), _seconds(readers.YEAR)),
        Cookie(drafts.COOKIE, _("tells the browser which typed result was saved"), _seconds(drafts.DAY)),
    ]


def _seconds(seconds: int) -> str:
    return days(timedelta(seconds=seconds))
