"""The seed of a night's draws, which nobody can read before the night is published."""

import base64

from django.utils.crypto import salted_hmac

from live.models import Night

SEED_BYTES = 16


def seed_of(night: Night) -> str:
    """Derive the seed of a night's draws from the key of the site, so that the database holds it for nobody to read."""
    digest = salted_hmac("live.seed", f"{night.pk} {night.form_token}", algorithm="sha256").digest()
    return base64.b32encode(digest[:SEED_BYTES]).decode().rstrip("=")
