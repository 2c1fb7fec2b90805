"""Pages to open a club and to change its settings."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, signed_in
from league.forms.names import MAX_TITLE
from league.rights import Act
from league.services.errors import Refused
from league.services.slugs import SlugTaken
from people.forms.clubs import ClubSettingsForm, NewClubForm
from people.services.clubs import HiddenByOperator, open_club, update_club


@club_view(Act.CHANGE_CLUB)
def club_edit(request: ClubRequest) -> HttpResponse:
    form = ClubSettingsForm(request.POST or None, instance=request.club)
    if request.method == "POST" and form.is_valid():
        club = type(request.club).objects.get(pk=request.club.pk)  # the form has changed request.club
        try:
            club = update_club(club, **form.cleaned_data, actor=request.user)
            messages.success(request, _("Saved."))
            return redirect(club)
        except SlugTaken as error:
            form.add_error("slug", str(error))
        except HiddenByOperator as error:
            form.add_error("is_public", str(error))
        except Refused as error:
            form.add_error("requires_two_factor", str(error))
    request.club.refresh_from_db()
    context = {"form": form, "title": _("Settings of the club"), "action": _("Save")}
    return render(request, "people/club_settings.html", context)


@signed_in
def club_create(request: HttpRequest) -> HttpResponse:
    if "HX-Request" in request.headers and request.method == "GET":
        proposing = NewClubForm(initial={"name": request.GET.get("name", "")[:MAX_TITLE]})
        return HttpResponse(proposing.fields["slug"].help_text)
    form = NewClubForm(request.POST or None, initial={"language": get_language()})
    if request.method == "POST" and form.is_valid():
        assert request.user.is_authenticated
        try:
            club = open_club(request.user, **form.cleaned_data)
            messages.success(request, _("%(club)s is open. Now begin its first season.") % {"club": club})
            return redirect("payouts:season-create", club.slug)
        except SlugTaken as error:
            form.add_error("slug", str(error))
        except HiddenByOperator as error:
            form.add_error("is_public", str(error))
        except Refused as error:
            form.add_error("name", str(error))
    context = {"form": form, "title": _("Open a club"), "action": _("Open the club")}
    return render(request, "people/club_create.html", context)
