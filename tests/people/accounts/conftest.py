import pytest
from django.core.cache import cache

from league import settings as site


@pytest.fixture
def limits(settings):
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    cache.clear()
    yield
    cache.clear()
