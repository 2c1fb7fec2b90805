"""Page of an event's terms."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from league.access import ClubRequest, event_view, open_season_form
from league.models import Event
from league.rights import Act
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from payouts.forms.terms import EventTermsForm
from payouts.queries import settling_of, terms_of, terms_version
from payouts.services.terms import TABLE_FIELDS, set_terms_and_tables


@event_view(Act.CHANGE_RULES)
@open_season_form
def terms_edit(request: ClubRequest, event: Event) -> HttpResponse:
    versions = {"version": terms_version(event), "result_version": event.version}
    initial = versions | {name: getattr(event, name) for name in TABLE_FIELDS}
    form = EventTermsForm(request.POST or None, instance=terms_of(event), initial=initial)
    form.hide_unused(settling_of(event).structure)
    if request.method == "POST" and form.is_valid():
        typed = {name: form.cleaned_data[name] or 0 for name in versions}
        try:
            set_terms_and_tables(event, terms=form.terms, tables=form.tables, **typed, actor=request.user)
            messages.success(request, _("Saved."))
            return redirect(event)
        except Refused as error:
            form.add_error(None, str(error))
            if isinstance(error, Stale):
                form.data = request.POST.dict() | {name: str(value) for name, value in versions.items()}
    context = {
        "form": form,
        "kicker": str(event),
        "title": _("How this %(event_word)s counts"),
        "action": _("Save"),
    }
    return render(request, "league/form.html", context)
