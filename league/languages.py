"""The language of a club's pages: the reader's choice, else the club's for those who read it, else the reader's."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def activate_club_language(request: HttpRequest, club_language: str) -> None:
    """Answer in the language of the club, unless the reader chose another one or does not read it.

    A browser that asks for none of the site's languages gets that of the club, too.
    """
    if not club_language or settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
        return
    asked = _languages_asked_for(request)
    is_spoken = (translation.get_language() or "").startswith(club_language)  # en-gb is English too
    if not asked or (club_language in asked and not is_spoken):
        translation.activate(club_language)
        request.LANGUAGE_CODE = club_language


def _languages_asked_for(request: HttpRequest) -> set[str]:
    """List the languages of the site that a browser asks for; ja-JP asks for ja, and en-GB for en, too."""
    codes = [code for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", ""))]
    return {*codes, *(code.partition("-")[0] for code in codes)} & dict(settings.LANGUAGES).keys()
