"""Bring the version of a result back that was there before a correction."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import ClubRequest, event_view
from league.models import Change, Event
from league.rights import Act
from league.services.errors import Refused
from league.services.versions import restore_version
from league.views.undo import say_with_undo


@require_POST
@event_view(Act.ENTER_RESULTS)
def version_restore(request: ClubRequest, event: Event, correction_id: int) -> HttpResponse:
    changes = event.changes.filter(kind=Change.Kind.RESULT_CORRECTED)
    change = get_object_or_404(changes.select_related("event__season"), pk=correction_id)
    try:
        if done := restore_version(change, actor=request.user):
            address = reverse("league:version-restore", args=[request.club.slug, event.pk, done.pk])
            say_with_undo(request, _("The version before this correction is back."), address)
    except Refused as error:
        messages.error(request, str(error))
    return redirect(event)
