"""The account that owns all demo clubs."""

import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from processes.serve import LOGIN_FILE

ORGANIZER = "demo"


def demo_organizer() -> User:
    """Get the owner of the demo clubs; a new one gets a password, which the log-in file tells."""
    organizer, is_new = User.objects.get_or_create(username=ORGANIZER, defaults={"email": "demo@example.com"})
    if is_new:
        password = secrets.token_urlsafe(9)
        organizer.set_password(password)
        organizer.save()
        login = Path(settings.VAR_DIR) / LOGIN_FILE
        login.touch(mode=0o600)
        login.write_text(f"{ORGANIZER}, password {password}\n", encoding="utf-8")
    return organizer
