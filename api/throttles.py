from django.core.cache import caches
from rest_framework.throttling import AnonRateThrottle


class KeylessThrottle(AnonRateThrottle):
    """A limit per address for requests without an account; each process of the web server counts separately."""

    cache = caches["api"]
    rate = "60/min"
