"""Names of the site's cookies."""

from django.http import HttpRequest

from league.site.machine import PRODUCTION


def cookie_name(name: str, *, has_path: bool = False) -> str:
    """Name a cookie as browsers protect it: taken over HTTPS alone and, at the whole site, from this very host.

    A cookie of a part of the site (`has_path`) cannot be bound to the host. Locally there is no HTTPS.
    """
    if not PRODUCTION:
        return name
    return f"__Secure-{name}" if has_path else f"__Host-{name}"


THEME = cookie_name("theme")
# Of a club's home page: the beginnings of a visit and of the one before.
VISITS = cookie_name("visits", has_path=True)
THEMES = ("light", "dark", "system")


def chosen_theme(request: HttpRequest) -> str:
    """Read the theme that a reader has chosen; "" for that of the browser."""
    theme = request.COOKIES.get(THEME, "")
    return theme if theme in {"light", "dark"} else ""
