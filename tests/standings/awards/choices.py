"""Awards as organizers choose them: in the database, as forms, and what a refused form says."""

import re

import pytest
from django.urls import reverse

from standings.models import Award, AwardKind

COMPUTED = [kind for kind in AwardKind.values if kind != "chosen"]


def url(season, page="awards", *more):
    return reverse(f"standings:{page}", args=[season.club.slug, season.slug, *more])


def add(season, **fields):
    fields = {"kind": "most_wins", "position": Award.objects.count() + 1} | fields
    return Award.objects.create(season=season, **fields)


def text_of(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


NEW = {"kind": "best_profit", "title": "", "min_events": "5", "player": ""}
BAD = pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("kind", {"kind": "luck"}, "Select a valid choice."),
        ("kind", {"kind": ""}, "This field is required."),
        ("title", {"title": "a" * 81}, "at most 80 characters"),
        ("title", {"title": "\u200b"}, "invisible control character"),
        ("title", {"title": "Best\x07 dealer"}, "invisible control character"),
        ("title", {"title": "\u202eBest dealer"}, "invisible control character"),
        ("title", {"kind": "chosen", "player": "Ada"}, "Say what the award is for."),
        ("min_events", {"min_events": "0"}, "greater than or equal to 1"),
        ("min_events", {"min_events": "9999999999"}, "less than or equal to 1000"),
        ("min_events", {"min_events": "five"}, "Enter a whole number."),
        ("player", {"kind": "chosen", "title": "Best dealer"}, "Choose who gets it."),
        ("player", {"kind": "chosen", "title": "Best dealer", "player": "Adda"}, "Is it Ada?"),
        ("player", {"kind": "chosen", "title": "Best dealer", "player": "Xerxes"}, "No player of this club"),
        ("player", {"player": "Ada"}, "This award is computed: leave the player empty."),
    ],
)


def told_and_kept(answer, field, typed, said):
    form = answer.context["form"]
    assert list(form.errors) == [field]
    assert said in form.errors[field][0]
    for name, text in typed.items():
        assert form[name].value() == text


def order(season):
    return list(Award.objects.filter(season=season).values_list("kind", flat=True))
