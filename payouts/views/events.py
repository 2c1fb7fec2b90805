"""Page of an event's terms."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.access import ClubRequest, event_view, open_season_form
from league.models import Event
from league.rights import Act
from league.services.errors import Refused, Stale
from payouts.forms.terms import EventTermsForm
from payouts.queries import settling_of, terms_of, terms_version
from payouts.services.terms import set_event_terms


@event_view(Act.CHANGE_RULES)
@open_season_form
def terms_edit(request: ClubRequest, event: Event) -> HttpResponse:
    initial = {"version": terms_version(event)}
    form = EventTermsForm(request.POST or None, instance=terms_of(event), initial=initial)
    form.hide_unused(settling_of(event).structure)
    if request.method == "POST" and form.is_valid():
        version = form.cleaned_data["version"]
        try:
            set_event_terms(event, terms=form.terms, version=version, actor=request.user)
            messages.success(request, _("Saved."))
            return redirect(event)
        except Refused as error:
            form.add_error(None, str(error))
            if isinstance(error, Stale):
                form.data = {**request.POST.dict(), "version": str(initial["version"])}
    context = {"form": form, "kicker": str(event), "title": _("How this event counts"), "action": _("Save")}
    return render(request, "league/form.html", context)
