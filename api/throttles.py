from django.core.cache import caches
from rest_framework.throttling import AnonRateThrottle


class KeylessThrottle(AnonRateThrottle):
    """Requests of nobody we know, by address; each process of the web server counts its own."""

    cache = caches["api"]
    rate = "60/min"
