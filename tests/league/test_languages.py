"""The language of a club's pages and mails."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse

from league.models import Club, Role
from people.services.members import set_member
from tests.factories import enter

pytestmark = pytest.mark.django_db
ENGLISH, BRITISH, JAPANESE = "en", "en-gb", "ja"


@pytest.fixture(params=["standings:club", "standings:leaderboard"])  # the second one is kept in memory
def page(request, season):
    parts = [season.club.slug, season.slug] if request.param.endswith("leaderboard") else [season.club.slug]
    return reverse(request.param, args=parts)


def language_of(answer):
    assert answer.headers["Content-Language"] in answer.content.decode()[:60]
    return answer.headers["Content-Language"]


@pytest.mark.parametrize(
    ("club_language", "asked", "shown"),
    [
        ("", "en", ENGLISH),
        ("", "ja", JAPANESE),
        ("", "de", ENGLISH),
        ("ja", "en-US,en;q=0.9,ja-JP;q=0.2", JAPANESE),
        ("ja", "en-US,en;q=0.9", ENGLISH),
        ("ja", "de,fr;q=0.9", JAPANESE),
        ("ja", "", JAPANESE),
        ("en", "ja", JAPANESE),
        ("en", "ja,en;q=0.1", ENGLISH),
        ("", "en-GB,en;q=0.9", BRITISH),
        ("en", "en-GB,ja;q=0.9", BRITISH),
        ("en-gb", "ja,en-GB;q=0.1", BRITISH),
        ("ja", "en-GB,en;q=0.9", BRITISH),
    ],
)
def test_a_page_has_the_language_of_the_club_for_those_who_read_it(client, page, club_language, asked, shown):
    Club.objects.update(language=club_language)
    for other in ("en", "ja", "de", asked, asked):  # what another reader got is not shown to this one
        answer = client.get(page, headers={"accept-language": other} if other else {})
    assert language_of(answer) == shown


@pytest.mark.parametrize(
    ("asked", "day"), [("en-US", "Jan. 6, 2026"), ("en-GB", "6 Jan 2026"), ("ja", "2026年1月6日")]
)
def test_dates_are_written_as_the_reader_writes_them(client, season, asked, day):
    event = enter(season, "Ada\nBoris")
    assert day in client.get(event.get_absolute_url(), headers={"accept-language": asked}).content.decode()


def test_a_choice_of_language_counts_more_than_that_of_the_club(client, page):
    Club.objects.update(language="ja")
    client.get("/language/en/")
    assert language_of(client.get(page, headers={"accept-language": "ja"})) == ENGLISH


def test_a_refusal_of_a_club_has_its_language(client_of, club):
    Club.objects.update(language="ja")
    answer = client_of("member").get(reverse("people:club-edit", args=[club.slug]))
    assert answer.status_code == 403
    assert language_of(answer) == JAPANESE


def test_pages_outside_of_clubs_follow_the_browser(client, club):
    Club.objects.update(language="ja")
    client.get(club.get_absolute_url())
    assert language_of(client.get("/")) == ENGLISH


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("language", "words"), [("ja", "あなた"), ("", "has added you")])
def test_mails_about_a_club_are_in_its_language(club, people, language, words):
    Club.objects.update(language=language)
    stranger = people["stranger"]
    EmailAddress.objects.create(user=stranger, email="stranger@example.com", verified=True)
    set_member(Club.objects.get(), user=stranger, role=Role.MEMBER, actor=people["owner"])
    assert words in mail.outbox[0].body


@pytest.mark.django_db(transaction=True)
def test_an_invitation_is_written_in_the_language_of_the_club(client_of, club):
    Club.objects.update(language="ja")
    invitation = {"role": "10", "email": "new@example.com", "lasts": "168", "most_uses": "1"}
    client_of("owner").post(reverse("people:invitation-make", args=[club.slug]), invitation)
    assert "招待" in mail.outbox[0].subject
