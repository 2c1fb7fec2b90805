"""A screen without a keyboard: it shows a code, and waits until an organizer has typed it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.queries import typed_id
from league.rights import Act
from league.services.errors import Refused
from league.site.limits import consume_quota
from league.vocabulary import gettext as _
from live.queries import running_nights
from live.services.casting import new_cast, show_on, take_cast
from live.views.nights import night_of
from live.views.protocol import BadRequestError, answering, read_json, told
from live.words.faces import words_of_faces

MOST_SCREENS = 20  # of a network that ask for a code in a minute


@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Show the page that a screen opens."""
    return render(request, "live/cast.html", {"words": words_of_faces()})


@csrf_exempt
@require_POST
@answering
def cast(request: HttpRequest) -> HttpResponse:
    """Give a screen a code, or tell one with a token whether it was let in."""
    token = read_json(request).get("token", "")
    if not isinstance(token, str):
        raise BadRequestError("token must be a text")
    if not token:
        if not consume_quota(request, "cast", user=request.user, limit=MOST_SCREENS):
            return JsonResponse({"detail": "too many screens"}, status=429)
        code, token = new_cast()
        return JsonResponse({"code": code, "token": token})
    joined = take_cast(token, name=str(_("Screen")))
    if not joined:
        return JsonResponse({"waits": True})
    first, *others = [told(*each) for each in joined]
    return JsonResponse(first | ({"beside": others[0]} if others else {}))


@require_POST
@club_view(Act.ENTER_RESULTS)
def show_here(request: ClubRequest, night_id: int) -> HttpResponse:
    """Show the night on the screen whose code was typed."""
    night = night_of(request, night_id)
    try:
        other = typed_id(request.POST.get("beside", ""))
        beside = running_nights(request.club).exclude(pk=night.pk).filter(pk=other or 0).first()
        show_on(night, request.POST.get("code", ""), beside=beside)
        messages.success(request, _("The screen shows this night in a moment."))
    except Refused as error:
        messages.error(request, str(error))
    return redirect("live:helpers", request.club.slug, night.pk)
