"""Event forms as a browser posts them, and counts of what is stored."""

import re
from datetime import timedelta

from django.urls import reverse
from django.utils.html import escape

from league.models import Change, Entry, Event, Player
from tests.factories import START, names

DAY = "2026-01-20"
TEN = "\n".join(names(10))


def create_url(season):
    return reverse("entry:event-create", args=[season.club.slug, season.slug])


def edit_url(event, page="edit"):
    return reverse(f"entry:event-{page}", args=[event.season.club.slug, event.pk])


def filled(order, **fields):
    """The fields of the event form as a browser posts them."""
    return {"name": "", "day": DAY, "start": "19:30", "order": order, "version": "", "save": ""} | fields


def minutes(n):
    return START + timedelta(minutes=n)


def stored():
    return {model.__name__: model.objects.count() for model in (Event, Entry, Player, Change)}


def shows(response, text):
    return escape(text) in response.content.decode() or text in response.content.decode()


NOTHING = {"Event": 0, "Entry": 0, "Player": 0, "Change": 0}


def hidden(page):
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()))


BAD_FORMS = [
    ({"order": "Ada\nBoris\nADA"}, "already stands in line 1."),
    ({"order": "Ada"}, "One player alone is no result"),
    ({"order": ""}, "Type at least two names"),
    ({"order": " \n\n"}, "Type at least two names"),
    ({"order": "Ada\nBo\x07ris"}, "invisible control character"),
    ({"order": "Ada\nBoris\nAda #2"}, "Ada has an entry #2, but no entry #1."),
    ({"order": "Ada\nBoris #1"}, "no last entry above it"),
    ({"order": "\n".join(["Ada"] * 1_000)}, "Line 1000:"),
    ({"order": "Ada\n" * 5_001}, "5001 lines are more than"),
    ({"day": "", "order": "Ada\nBoris"}, "This field is required."),
    ({"day": "soon", "order": "Ada\nBoris"}, "Enter a valid date."),
    ({"day": "9999-12-31", "order": "Ada\nBoris @00:10"}, "This day is still to come"),
    ({"day": "0001-01-01", "order": "Ada\nBoris @00:10"}, "begins on 2026-01-01"),
    ({"day": "2026-02-03", "order": "Ada\nBoris"}, "This day is still to come"),
    ({"day": "2025-12-31", "order": "Ada\nBoris"}, "begins on 2026-01-01"),
    ({"start": "", "order": "Ada\nBoris"}, "This field is required."),
    ({"start": "25:00", "order": "Ada\nBoris"}, "Enter a valid time."),
    ({"name": "a\x07b", "order": "Ada\nBoris"}, "invisible control character"),
    ({"name": "a" * 81, "order": "Ada\nBoris"}, "at most 80 characters"),
    ({"form_token": "no token", "order": "Ada\nBoris"}, "This form was not sent whole."),
]
