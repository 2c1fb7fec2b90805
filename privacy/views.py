"""Pages on which people see, download and delete what the site holds about them."""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.access import signed_in
from league.database.snapshots import reading_one_moment
from league.services.errors import Refused
from people.services.accounts import clubs_of_one_owner, delete_account
from privacy.forms import DeleteAccountForm
from privacy.own_data import own_data
from privacy.retention import cookies, retention


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "privacy/privacy.html", operator() | {"kept": retention(), "cookies": cookies()})


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "privacy/terms.html", operator())


def operator() -> dict[str, str]:
    """Say who runs the site, as the settings do."""
    contact = settings.OPERATOR_CONTACT or settings.SECURITY_CONTACT
    return {
        "operator": settings.OPERATOR,
        "contact": contact,
        "contact_text": contact.removeprefix("mailto:"),
    }


@require_safe
@never_cache
@signed_in
def own_data_page(request: HttpRequest) -> HttpResponse:
    return render(request, "privacy/own_data.html")


@require_safe
@never_cache
@signed_in
@reauthentication_required
@reading_one_moment
def own_data_file(request: HttpRequest) -> HttpResponse:
    """Send everything about the account as one JSON file, once its owner has typed the password again."""
    assert request.user.is_authenticated
    headers = {"Content-Disposition": f'attachment; filename="tierboard-{request.user.pk}.json"'}
    options = {"ensure_ascii": False, "indent": 1}
    return JsonResponse(own_data(request.user), json_dumps_params=options, headers=headers)


@never_cache
@signed_in
@reauthentication_required(allow_get=True)
def account_delete(request: HttpRequest) -> HttpResponse:
    """Say what goes and what stays; delete the account of who has typed the password again."""
    assert request.user.is_authenticated
    clubs = clubs_of_one_owner(request.user)
    lonely = [club for club, n_others in clubs if not n_others]
    form = DeleteAccountForm(request.POST or None, user=request.user, lonely=lonely)
    if request.method == "POST" and form.is_valid():
        try:
            delete_account(request.user, with_clubs=form.cleaned_data.get("with_clubs", False))
        except Refused as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted."))
            return redirect("directory:home")
    shared = [club for club, n_others in clubs if n_others]
    context = {"form": form, "lonely": lonely, "shared": shared}
    return render(request, "privacy/account_delete.html", context)
