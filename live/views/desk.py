"""The desk of a night: one page without data, which a service worker keeps; its scripts get everything by key."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from live.words.desk import words_of_desk
from live.words.faces import words_of_clock

# What the desk loads before it is shown, and what it loads then: clock, seats, and what is tapped less often.
FIRST = (
    "project",
    "clock",
    "store",
    "offset",
    "sync",
    "ids",
    "search",
    "words",
    "dom",
    "actions",
    "views",
    "desk",
)
LATER = ("times", "room", "alarm", "awake", "more")
MODULES = (*FIRST, *LATER)
OTHER_FILES = ("css/desk.css", "img/icon.svg")


@require_safe
def desk(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the desk; whoever has no key of this night sees how to get one."""
    return render(
        request, "live/desk.html", {"night_id": night_id, "words": words_of_clock() | words_of_desk()}
    )


@require_safe
def join_page(request: HttpRequest) -> HttpResponse:
    """Show the page that a link or code of a night leads to; the secret is behind # and never gets here."""
    return render(request, "live/join.html", {"words": words_of_desk()})


@never_cache
@require_safe
def worker(request: HttpRequest, night_id: int) -> HttpResponse:
    """Send the service worker of a night, with everything that its desk needs without a network."""
    names = [*(f"js/live/{name}.js" for name in MODULES), "vendor/idb/idb-8.0.3.js", *OTHER_FILES]
    files = [static(name) for name in names]
    context = {
        "version": hashlib.sha256("".join(files).encode()).hexdigest()[:12],
        "desk": reverse("live:desk", args=[night_id]),
        "files": files,
        "language": get_language(),
    }
    return render(request, "live/worker.js", context, content_type="text/javascript")
