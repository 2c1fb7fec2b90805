"""The account page of API keys."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from api.forms import KeyForm
from api.models import ApiKey
from api.services import make_key, revoke_key
from league.access import signed_in
from league.services.errors import Refused


@never_cache
@signed_in
def keys(request: HttpRequest) -> HttpResponse:
    """Show the keys and make new ones. Only this response has a new key: a redirect would have to store it."""
    assert request.user.is_authenticated
    form, new_key = KeyForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            new_key = make_key(request.user, **form.cleaned_data)
            form = KeyForm()
        except Refused as error:
            form.add_error("label", str(error))
    rows = ApiKey.objects.filter(user=request.user).select_related("user")
    return render(request, "api/keys.html", {"form": form, "keys": rows, "new_key": new_key})


@require_POST
@signed_in
def key_revoke(request: HttpRequest, token_key: str) -> HttpResponse:
    assert request.user.is_authenticated
    revoke_key(request.user, token_key=token_key)
    messages.success(request, _("The key is revoked."))
    return redirect("api:keys")
