"""Keep what the next page tells somebody: in a cookie, or in the session if it is long."""

from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage

from league.site.cookies import cookie_name


class NextPage(CookieStorage):
    cookie_name = cookie_name("messages")


class NextPageOrSession(FallbackStorage):
    storage_classes = (NextPage, SessionStorage)
