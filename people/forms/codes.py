"""Codes of a second factor: each is good once."""

import re
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.cache import cache

PERIOD = 30  # seconds of a code


class UsedOnce:
    """Refuses a code of an app that was used before. allauth forgets it while the tolerance still accepts it."""

    def clean_code(self: Any) -> str:
        code: str = super().clean_code()  # type: ignore[misc]
        if self.authenticator.type == Authenticator.Type.TOTP:
            digits = re.sub(r"\D", "", code)  # "123 456" is the same code
            accepted = (2 * settings.MFA_TOTP_TOLERANCE + 1) * PERIOD
            if not cache.add(f"code-used:{self.user.pk}:{digits}", 1, accepted):
                raise get_adapter().validation_error("incorrect_code")
        return code


class AuthenticateForm(UsedOnce, forms.AuthenticateForm):  # type: ignore[misc]
    """Asks for a code at sign-in."""


class ReauthenticateForm(UsedOnce, forms.ReauthenticateForm):  # type: ignore[misc]
    """Asks for a code before something that needs it again."""
