"""Access to pages: decorators of views that check the role which the act of a page requires (`league.rights`).

A page is read from one snapshot of the database, the check of the role included.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from league import formats
from league.database.snapshots import READS, View, reading_one_moment
from league.languages import activate_club_language
from league.models import Club, Event, Membership, Role, Season
from league.queries import has_two_factor, needs_two_factor, season_of_today
from league.rights import IN_CLOSED_CLUB, RIGHTS, Act, acts_of
from league.site.security_log import log_refusal
from league.vocabulary import in_words_of


class ClubRequest(HttpRequest):
    """A request for a page of a club."""

    user: User  # an AnonymousUser where Role.PUBLIC is enough
    htmx: HtmxDetails
    club: Club
    role: Role
    lacks_two_factor: bool
    season: Season  # in the address; without one, the club's season of today, read on first use


class Admission(NamedTuple):
    """The role a person may act in, and whether it is lowered because the account has no second factor."""

    role: Role
    lacks_two_factor: bool = False


class TwoFactorRequired(PermissionDenied):
    """The role suffices, but the club requires a second factor for it."""


class ClubClosed(PermissionDenied):
    """The role suffices, but the club is closed."""


class ClubDeleted(Http404):
    """The club was deleted; `owner` tells whether the person may bring it back."""

    def __init__(self, club: Club, *, is_owner: bool) -> None:
        super().__init__(club.name)
        self.club, self.is_owner = club, is_owner


def role_in(club: Club, user: User | AnonymousUser) -> Role:
    if not user.is_authenticated:
        return Role.PUBLIC
    rule = settings.SECOND_FACTOR
    if user.is_superuser and (rule == "clubs" or has_two_factor(user)):
        return Role.OWNER
    if rule == "everybody" and not has_two_factor(user):
        return Role.PUBLIC
    role = Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()
    return Role.PUBLIC if role is None else Role(role)


def admitted(club: Club, user: User | AnonymousUser, act: Act) -> Admission:
    """Check that the user has the role that an act requires in the club, or a higher one.

    Raise Http404 if the user may not see that the club exists, ClubDeleted if it does no longer, PermissionDenied if
    the role is too low, ClubClosed if the act is none of a closed club, TwoFactorRequired if only the second factor is
    missing. Without it, an organizer may do what members may.
    """
    role, required = role_in(club, user), RIGHTS[act]
    if not club.is_public and role == Role.PUBLIC:
        raise Http404
    if club.deleted_at and not (act == Act.KEEP_CLUB and role == Role.OWNER):
        raise ClubDeleted(club, is_owner=role == Role.OWNER)
    if role < required:
        if user.is_authenticated and user.is_superuser:  # with a second factor, the role would be an owner's
            raise TwoFactorRequired(two_factor_reason(club))
        raise PermissionDenied
    if club.closed_at and act not in IN_CLOSED_CLUB:
        raise ClubClosed(_("%(club)s is closed. Its owners can open it again.") % {"club": club})
    if role <= Role.MEMBER or not needs_two_factor(user, club) or has_two_factor(user):
        return Admission(role)
    if required > Role.MEMBER:
        raise TwoFactorRequired(two_factor_reason(club))
    return Admission(Role.MEMBER, lacks_two_factor=True)


def two_factor_reason(club: Club) -> str:
    """Say who requires a second factor of organizers: the club, or the operator for all of them."""
    if club.requires_two_factor:
        text = _("%(club)s requires two-factor sign-in of its organizers: set it up for your account first.")
        return text % {"club": club}
    return _("This site requires two-factor sign-in of organizers: set it up for your account first.")


def club_view(act: Act = Act.READ) -> Callable[[View], View]:
    """Wrap a view of (request, **kwargs) whose address has <club_slug>."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, club_slug: str, **kwargs: Any) -> HttpResponse:
            club = get_object_or_404(Club, slug=club_slug)
            current = SimpleLazyObject(lambda: season_of_today(club))
            return _call_if_admitted(cast("ClubRequest", request), club, current, act, view, kwargs)

        return reading_one_moment(wrapped)

    return decorate


def season_view(act: Act = Act.READ, *, related: tuple[str, ...] = ()) -> Callable[[View], View]:
    """Wrap a view of (request, **kwargs) whose address has <club_slug> and <season_slug>."""
    seasons = Season.objects.select_related("club", "pool", *related)

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, club_slug: str, season_slug: str, **kwargs: Any) -> HttpResponse:
            season = get_object_or_404(seasons, club__slug=club_slug, slug=season_slug)
            return _call_if_admitted(cast("ClubRequest", request), season.club, season, act, view, kwargs)

        return reading_one_moment(wrapped)

    return decorate


def event_view(act: Act = Act.READ, *, related: tuple[str, ...] = ()) -> Callable[[View], View]:
    """Wrap a view of (request, event, **kwargs) whose address has <club_slug> and <event_id>."""
    events = Event.objects.select_related("season__club", "season__pool", "meet", *related)

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, club_slug: str, event_id: int, **kwargs: Any) -> HttpResponse:
            if event_id > BigIntegerField.MAX_BIGINT:  # no id, and too large a number for a query
                raise Http404
            event = get_object_or_404(events, pk=event_id, season__club__slug=club_slug)
            season = event.season
            kwargs["event"] = event
            return _call_if_admitted(cast("ClubRequest", request), season.club, season, act, view, kwargs)

        return reading_one_moment(wrapped)

    return decorate


def _form_unless(is_shut: Callable[[Season], bool]) -> Callable[[View], View]:
    """Make a decorator that shows a sentence in place of the form of a season that takes no changes.

    What is sent from a form that was opened before is refused by the service, and the form keeps it.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: ClubRequest, **kwargs: Any) -> HttpResponse:
            if request.method in READS and is_shut(request.season):
                return render(request, "league/season_closed.html")
            return view(request, **kwargs)

        return wrapped

    return decorate


open_season_form = _form_unless(lambda season: season.is_closed)
unsealed_season_form = _form_unless(lambda season: season.is_sealed)


def signed_in(view: View) -> View:
    """Wrap a view that needs an account and belongs to no club."""
    return login_required(view)


def _call_if_admitted(
    request: ClubRequest, club: Club, season: Any, act: Act, view: View, kwargs: dict[str, Any]
) -> HttpResponse:
    try:
        admission = admitted(club, request.user, act)
    except TwoFactorRequired as error:
        return render(
            request, "league/two_factor_required.html", {"reason": error, "may_read": True}, status=403
        )
    except ClubClosed:
        return render(request, "league/club_closed.html", {"club": club}, status=403)
    except ClubDeleted as error:
        return render(request, "league/club_deleted.html", {"gone": error}, status=410)
    except PermissionDenied:
        if cast("Any", request.user).is_anonymous:
            return redirect_to_login(request.get_full_path())
        return _refusal(request, club, season, act)
    request.club, request.season = club, season
    request.role, request.lacks_two_factor = admission
    activate_club_language(request, club.language)
    with timezone.override(club.tz), in_words_of(club):
        try:
            return view(request, **kwargs)
        except ObjectDoesNotExist as error:
            if request.method in READS:
                raise
            # Somebody deleted or merged the row after this request had found it, and before it had the lock.
            raise Http404 from error


def _refusal(request: ClubRequest, club: Club, season: Any, act: Act) -> HttpResponse:
    """Say which role is needed, whom to ask for it, and what the present one allows."""
    log_refusal("access-refused", request, account=request.user.pk, club=club.pk, act=str(act))
    request.club, request.season, request.role = club, season, role_in(club, request.user)
    request.lacks_two_factor = False
    activate_club_language(request, club.language)
    context = {
        "needed": RIGHTS[act],
        "is_owners_act": RIGHTS[act] == Role.OWNER,
        "owners": formats.listed(
            club.memberships.filter(role=Role.OWNER).values_list("user__username", flat=True)
        ),
        "allowed": acts_of(request.role),
    }
    with in_words_of(club):
        return render(request, "403.html", context, status=403)


def back_to(request: ClubRequest, address: str) -> HttpResponse:
    """Redirect to the page of this site from which something was sent, or else to an address."""
    sent_from = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        sent_from, {request.get_host()}, require_https=request.is_secure()
    )
    return redirect(sent_from if is_ours else address)
