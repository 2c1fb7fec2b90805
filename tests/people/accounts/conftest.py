import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.providers.discord.views import DiscordOAuth2Adapter
from allauth.socialaccount.providers.google.views import GoogleOAuth2Adapter
from allauth.socialaccount.providers.line.views import LineOAuth2Adapter
from django.core.cache import cache

from league import settings as site
from league.site.sign_in import providers
from tests.factories import UserFactory
from tests.people.accounts.elsewhere import MAIL, elsewhere


@pytest.fixture
def limits(settings):
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def there(settings, monkeypatch):
    """All four providers are set, and their servers are here."""
    with elsewhere() as server:
        keys = {"OIDC_SERVER": server.url, "OIDC_NAME": "Club House"}
        for provider in ("GOOGLE", "DISCORD", "LINE", "OIDC"):
            keys |= server.keys_of(provider)
        for name, value in keys.items():
            monkeypatch.setenv(name, value)
        settings.SOCIALACCOUNT_PROVIDERS = providers()
        for adapter in (GoogleOAuth2Adapter, DiscordOAuth2Adapter, LineOAuth2Adapter):
            monkeypatch.setattr(adapter, "authorize_url", f"{server.url}/authorize")
            monkeypatch.setattr(adapter, "access_token_url", f"{server.url}/token")
            monkeypatch.setattr(adapter, "profile_url", f"{server.url}/person", raising=False)
        yield server


@pytest.fixture
def known():
    """An account with a confirmed address and a password."""
    user = UserFactory(username="ada", email=MAIL)
    EmailAddress.objects.create(user=user, email=MAIL, verified=True, primary=True)
    return user
