"""The page of a night as a browser without scripts fills it in."""

import re
import uuid

from django.urls import reverse

HUNDREDS = ("422", "223", "205", "150")


def address(season):
    return reverse("entry:night-create", args=[season.club.slug, season.slug])


def edit_address(meet):
    return reverse("entry:night-edit", args=[meet.season.club.slug, meet.season.slug, meet.pk])


def seats(where, names, scores, **more):
    fields = {}
    for row, (name, score) in enumerate(zip(names, scores, strict=True), start=1):
        fields |= {f"{where}-{row}-name": name, f"{where}-{row}-score": score}
    return fields | {f"{where}-{part}": value for part, value in more.items()}


def filled(*tables, **fields):
    """The fields of a night as a browser posts them."""
    posted = {
        "name": "Tuesday", "day": "2026-01-20", "start": "19:30", "shape": "1", "seats": "4", "unit": "hundreds",
        "rules-preset": "mleague", "form_token": str(uuid.UUID(int=3)),
    } | fields  # fmt: skip
    for posted_table in tables:
        posted |= posted_table
    return posted


def fields_of(page):
    """All fields that the page holds, as the browser would send them back."""
    text = page.content.decode()
    text = text[text.index('id="entry-form"') :]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", text):
        name, value = (re.search(rf'\b{key}="([^"]*)"', tag) for key in ("name", "value"))
        if name:
            fields[name[1]] = value[1] if value else ""
    for name, options in re.findall(r'<select name="([\w-]+)"[^>]*>(.*?)</select>', text, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"\s+selected', options)
        fields[name] = chosen[1] if chosen else ""
    fields.pop("csrfmiddlewaretoken", None)
    return fields
