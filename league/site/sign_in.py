"""The other sites that people sign in with, as the operator has set them (docs/operations.md); none by default."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from league.site import env

# Each is asked who somebody is, and for the address where it says whether that is confirmed; for nothing else.
SCOPES = {
    "google": ["openid", "email"],
    "discord": ["identify", "email"],
    "line": ["profile"],
    "openid_connect": ["openid", "email"],
}
APPS = ("allauth.socialaccount", *(f"allauth.socialaccount.providers.{provider}" for provider in SCOPES))


def providers() -> dict[str, dict[str, Any]]:
    """Read the keys of each provider from the environment, in the form of SOCIALACCOUNT_PROVIDERS."""
    own = _app(
        "OIDC",
        env.text("OIDC_NAME", "") or "OpenID Connect",
        env.text("OIDC_CLIENT_ID", ""),
        env.text("OIDC_CLIENT_SECRET", ""),
    )
    if own:
        own |= {"provider_id": "oidc", "settings": {"server_url": env.server("OIDC_SERVER")}}
    apps = {
        "google": _app(
            "GOOGLE", "Google", env.text("GOOGLE_CLIENT_ID", ""), env.text("GOOGLE_CLIENT_SECRET", "")
        ),
        "discord": _app(
            "DISCORD", "Discord", env.text("DISCORD_CLIENT_ID", ""), env.text("DISCORD_CLIENT_SECRET", "")
        ),
        "line": _app("LINE", "LINE", env.text("LINE_CLIENT_ID", ""), env.text("LINE_CLIENT_SECRET", "")),
        "openid_connect": own,
    }
    return {
        provider: {"APPS": [app], "SCOPE": SCOPES[provider], "OAUTH_PKCE_ENABLED": True}
        for provider, app in apps.items()
        if app
    }


def _app(prefix: str, name: str, client_id: str, secret: str) -> dict[str, Any]:
    """Describe a provider by the two keys that it has given the operator; empty if there are none."""
    if bool(client_id.strip()) != bool(secret.strip()):
        raise ImproperlyConfigured(
            f"{prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET go together: one of them is missing"
        )
    return {"name": name, "client_id": client_id.strip(), "secret": secret.strip()} if client_id else {}
