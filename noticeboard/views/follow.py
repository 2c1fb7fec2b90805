"""How members follow a club without opening its pages: calendar, mails, feeds, and the leaderboard elsewhere."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.models import MailKind, Membership
from league.rights import Act
from league.site.hosts import frame_hosts
from league.vocabulary import gettext as _
from people.services.feed_keys import renew_feed_key
from people.services.mails import choose_mails, is_wanted

FRAME = '<iframe src="%s" title="%s" width="360" height="560"></iframe>'
FEEDS = ("calendar", "events-atom", "corrections-atom")


@require_safe
@club_view()
def follow(request: ClubRequest) -> HttpResponse:
    club, user = request.club, request.user
    member = Membership.objects.filter(club=club, user=user).first() if user.is_authenticated else None
    key = member.feed_key if member else None
    context = {
        "member": member,
        "key": key,
        "addresses": _addresses(request, key),
        "gets_results": member is not None and is_wanted(user, club, MailKind.RESULTS),
        "frame": FRAME
        % (request.build_absolute_uri(reverse("noticeboard:embed", args=[club.slug])), escape(club.name)),
        "hosts": frame_hosts(club.embed_hosts),
    }
    return render(request, "noticeboard/follow.html", context)


def _addresses(request: ClubRequest, key: uuid.UUID | None) -> dict[str, str]:
    """Write the addresses for programs: of a private club those of the reader alone, once there is a key."""
    if request.club.is_public:
        paths = [reverse(f"noticeboard:{name}", args=[request.club.slug]) for name in FEEDS]
    elif key:
        paths = [reverse(f"noticeboard:keyed-{name}", args=[key]) for name in FEEDS]
    else:
        return {}
    names = (name.replace("-", "_") for name in FEEDS)
    return dict(zip(names, map(request.build_absolute_uri, paths), strict=True))


@require_POST
@club_view(Act.USE_AS_MEMBER)
def follow_key(request: ClubRequest) -> HttpResponse:
    """Replace the reader's feed key; do nothing if the form shows an outdated one."""
    renew_feed_key(request.club, user=request.user, present=request.POST.get("present", ""))
    return redirect("noticeboard:follow", request.club.slug)


@require_POST
@club_view(Act.USE_AS_MEMBER)
def follow_mails(request: ClubRequest) -> HttpResponse:
    wanted = request.POST.get("results") == "1"
    choose_mails(request.user, {(request.club.pk, MailKind.RESULTS): wanted})
    messages.success(
        request, _("You get the results by mail.") if wanted else _("You get no results by mail.")
    )
    return redirect("noticeboard:follow", request.club.slug)
