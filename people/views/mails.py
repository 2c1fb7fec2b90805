"""The mails that an account gets of its clubs: its choice, and the link in each mail that ends it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.access import signed_in
from league.models import Club
from people.forms.mails import MailForm
from people.services.mails import choices_of, choose_mails, read_stop_token, stop_mails


@never_cache
@signed_in
def mail_choices(request: HttpRequest) -> HttpResponse:
    assert request.user.is_authenticated
    form = MailForm(request.POST or None, choices=choices_of(request.user))
    if request.method == "POST" and form.is_valid():
        choose_mails(request.user, form.chosen())
        messages.success(request, _("Saved."))
        return redirect("people:mails")
    return render(request, "people/mails.html", {"form": form})


@csrf_exempt  # Mail programs send the form of RFC 8058 themselves; the signature in the address is the permission.
@require_http_methods(["GET", "HEAD", "POST"])
def mail_stop(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe from a kind of mail by POST. GET only asks, since virus scanners open links."""
    subscription = read_stop_token(token)
    if subscription is None:
        raise Http404
    if request.method == "POST":
        stop_mails(subscription)
    club = Club.objects.filter(pk=subscription.club_id).first()
    context = {"club": club, "kind": subscription.kind.label, "is_done": request.method == "POST"}
    return render(request, "people/mail_stop.html", context)
