"""Whom a page is closed to learns which role it needs, who gives it, and what the own role allows."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("who", "page", "said"),
    [
        (
            "stranger",
            "payouts:season-create",
            "You are not in {club}. Its organizers invite people by a link.",
        ),
        ("member", "payouts:season-create", "Your role in {club}: member. This needs the role organizer,"),
        ("helper", "payouts:season-create", "Your role in {club}: helper. This needs the role organizer,"),
        ("member", "entry:imports", "This needs the role helper,"),
        ("organizer", "people:club-edit", "Only owners of {club} may do this. Your role: organizer."),
    ],
)
def test_a_refusal_says_who_may_and_what_one_may_oneself(club, client_of, people, who, page, said):
    answer = client_of(who).get(reverse(page, args=[club.slug]))
    text = " ".join(answer.content.decode().split())
    assert answer.status_code == 403
    assert said.format(club=club.name) in text
    assert "to make you an organizer" not in text
    is_in_club = who != "stranger"
    assert ("Owners, who give roles:" in text) is is_in_club
    assert ("roles: owner, " in text) is is_in_club
    allowed = text.partition("What you may do here")[2]
    assert "Read the pages of a public club" in allowed
    assert ("Begin and close seasons" in allowed) is (who == "organizer")


def test_a_private_club_is_not_betrayed_by_a_refusal(client_of, club):
    type(club).objects.filter(pk=club.pk).update(is_public=False, language="ja")
    answer = client_of("stranger").get(reverse("people:club-edit", args=[club.slug]))
    assert (answer.status_code, answer.headers["Content-Language"]) == (404, "en")
    assert club.name not in answer.content.decode()
