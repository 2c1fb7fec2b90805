"""Authentication by a key in the header: `Authorization: Bearer tb_...`."""

import re
from typing import Any

from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from api.models import ApiKey
from api.throttles import WrongKeyThrottle
from league.site.security_log import log_refusal

KEY = re.compile(rb"[0-9a-z_]{1,100}")


class KeyAuthentication(TokenAuthentication):
    def authenticate(self, request: Request) -> Any:
        """Find the user of the key. A right key is never refused for the wrong ones of the same address."""
        try:
            return super().authenticate(request)
        except AuthenticationFailed:
            throttle = WrongKeyThrottle()
            if not throttle.is_allowed(request):
                raise Throttled(throttle.wait()) from None
            log_refusal("key-failed", request)
            raise

    def authenticate_credentials(self, token: bytes) -> Any:
        # knox would decode any bytes and look them up in the database.
        if not KEY.fullmatch(token):
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)

    def validate_user(self, key: ApiKey) -> Any:
        if key.has_expired:
            raise AuthenticationFailed(_("The key has expired."))
        if key.is_of_old_password:
            raise AuthenticationFailed(_("The key ended when the password was changed."))
        return super().validate_user(key)

    def _cleanup_token(self, _key: ApiKey) -> bool:
        """Delete nothing, unlike knox: reading writes nothing, and the page of keys says which have expired."""
        return False
