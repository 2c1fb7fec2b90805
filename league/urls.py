"""The URLs of the site, from all apps."""

from allauth.account.decorators import reauthentication_required, secure_admin_login
from allauth.account.views import password_set
from allauth.mfa.webauthn.views import add_webauthn
from allauth.usersessions.views import list_usersessions
from django.contrib import admin
from django.db import transaction
from django.urls import include, path

# The admin uses the site's sign-in page, which limits attempts.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler400 = "league.views.site.bad_request"
handler404 = "standings.views.search.not_found"
handler429 = "league.views.site.rate_limited"
urlpatterns = [
    # First, because their pages and polls are read most, and addresses are tried in order. No two apps have the same.
    path("", include("live.urls")),
    path("", include("standings.urls")),
    path("admin/", admin.site.urls),
    # A new security key and its line in the clubs' histories are one transaction, which allauth does not open itself.
    path("accounts/2fa/webauthn/add/", transaction.atomic(add_webauthn)),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    # Who ends the other sessions has just given the password, so that a browser left open cannot.
    path(
        "accounts/sessions/",
        reauthentication_required(list_usersessions, allow_get=True),
        name="usersessions_list",
    ),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    # A first password, of who has signed in with another site, is as good as a new one: a browser left open sets none.
    path("accounts/password/set/", reauthentication_required(password_set), name="account_set_password"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/", include("people.sign_in_urls")),
    path("", include("privacy.urls")),
    path("", include("api.urls")),
    path("", include("league.routes")),
    path("", include("people.urls")),
    path("", include("entry.urls")),
    path("", include("payouts.urls")),
    path("", include("ratings.urls")),
    path("", include("lab.urls")),
    path("", include("noticeboard.urls")),
    path("", include("forecasts.urls")),
    path("", include("sharing.urls")),
    path("", include("directory.urls")),
    path("", include("webhooks.urls")),
    path("", include("processes.urls")),
]
