"""Addresses of signing in with another site. Their names are those that allauth asks for."""

from allauth.decorators import rate_limit
from allauth.socialaccount import views
from allauth.socialaccount.providers.discord import views as discord
from allauth.socialaccount.providers.google import views as google
from allauth.socialaccount.providers.line import views as line
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from django.urls import path

from people.views.elsewhere import comes_back, leaves, sign_in_again

OWN = {"provider_id": "oidc"}  # the one server of OpenID Connect
urlpatterns = [
    path("elsewhere/", comes_back(views.connections), name="socialaccount_connections"),
    path("elsewhere/again/", sign_in_again, name="sign_in_again"),
    path(
        "elsewhere/new/", rate_limit(action="signup")(comes_back(views.signup)), name="socialaccount_signup"
    ),
    path("elsewhere/cancelled/", views.login_cancelled, name="socialaccount_login_cancelled"),
    path("elsewhere/error/", views.login_error, name="socialaccount_login_error"),
    path("google/", leaves(google.oauth2_login), name="google_login"),
    path("google/back/", comes_back(google.oauth2_callback), name="google_callback"),
    path("discord/", leaves(discord.oauth2_login), name="discord_login"),
    path("discord/back/", comes_back(discord.oauth2_callback), name="discord_callback"),
    path("line/", leaves(line.oauth2_login), name="line_login"),
    path("line/back/", comes_back(line.oauth2_callback), name="line_callback"),
    path("sso/oidc/", leaves(openid_connect.login), OWN, name="openid_connect_login"),
    path("sso/oidc/back/", comes_back(openid_connect.callback), OWN, name="openid_connect_callback"),
]
