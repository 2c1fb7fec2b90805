"""The result as text, the pages to share from, and certificates."""

import re
from datetime import date
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse

from league.models import EventWord, Season
from league.queries import players_by_key
from league.services.seasons import close_season
from league.vocabulary import gettext
from reading.finishing_order.order import read_finishing_order
from sharing.result_text import _gains
from standings.awards.services import add_award
from standings.models import Award, AwardKind
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, correct, enter
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db


@pytest.fixture
def season():
    return SeasonFactory(name="Winter Cup")


@pytest.fixture
def event(season):
    event = enter(season, "Ada\nBoris = Cleo\nDora", name="Final")
    recompute(season.pool_id)
    return event


def to(page, event):
    return reverse(f"sharing:{page}", args=[event.season.club.slug, event.pk])


def text_of(event, **headers):
    answer = Client().get(to("result-text", event), headers=headers)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    return answer.content.decode()


def test_the_text_says_where_and_when_who_won_and_all_places(event):
    lines = text_of(event).splitlines()
    assert lines[0] == event.season.club.name
    assert lines[1] == "Winter Cup, Final. Jan. 6, 2026, 19:30"
    assert lines[3].startswith("Ada ")
    assert [line.partition(" (")[0] for line in lines[5:9]] == ["1. Ada", "2. Boris", "2. Cleo", "4. Dora"]
    assert lines[5].endswith(" points)")
    assert lines[-1] == f"http://testserver{event.get_absolute_url()}"


def test_the_text_is_in_the_language_of_the_club_whoever_asks(event):
    club = event.season.club
    type(club).objects.filter(pk=club.pk).update(language="ja")
    assert "2026年1月6日" in text_of(event, **{"Accept-Language": "en"})


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_text_pastes_back_to_the_same_result(event, language):
    """Whoever knows the members, and whoever sees the names for the first time, reads the shared places."""
    club = event.season.club
    type(club).objects.filter(pk=club.pk).update(language=language)
    for known in (players_by_key(club), {}):
        order = read_finishing_order(text_of(event), known=known, starts_at=event.starts_at)
        assert [(finisher.place, finisher.name) for finisher in order.finishers] == [
            (1, "Ada"), (2, "Boris"), (2, "Cleo"), (4, "Dora"),
        ]  # fmt: skip
        assert order.is_ready


def test_the_text_has_the_words_of_the_club(season, monkeypatch):
    club = season.club
    type(club).objects.filter(pk=club.pk).update(event_word=EventWord.EVENING)
    event = enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    monkeypatch.setattr("sharing.result_text.event_kicker", lambda _event: gettext("Most %(events_word)s"))
    assert "Most evenings" in text_of(event).splitlines()


def test_a_large_field_ends_with_how_many_more_there_are(season):
    event = enter(season, "\n".join(f"Player {n}" for n in range(45)))
    recompute(season.pool_id)
    lines = text_of(event).splitlines()
    assert lines[-4].startswith("40. ")
    assert lines[-3] == "and 5 more"


def test_a_score_that_is_the_points_is_said_once(event):
    row = Client().get(event.get_absolute_url()).context["page"].rows[0]
    assert list(_gains(row._replace(balance=row.points))) == [f"+{row.points:.1f}"]
    assert len(list(_gains(row._replace(balance=row.points + 1)))) == 2


def test_a_page_shows_the_text_and_the_picture_without_scripts(event):
    page = Client().get(to("event-share", event)).content.decode()
    assert "2. Boris" in page
    assert f'href="{to("result-text", event)}"' in page
    assert f'src="{to("event-picture", event)}"' in page
    player = event.entries.get(place=1).player
    badge = reverse("sharing:badge", args=[player.club.slug, player.pk])
    assert "Ada is in placement" in Client().get(badge).content.decode()
    assert f'href="{badge}"' in Client().get(player.get_absolute_url()).content.decode()
    assert f'href="{to("event-share", event)}"' in Client().get(event.get_absolute_url()).content.decode()


@pytest.mark.parametrize("page", ["event-share", "result-text"])
def test_texts_take_the_same_queries_for_one_and_for_three(season, page):
    event = enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    two, _answer = queries(Client(), to(page, event))
    correct(event, "Ada\nBoris\nCleo\nDora\nEmil")
    recompute(season.pool_id)
    assert queries(Client(), to(page, event))[0] == two


@pytest.fixture
def awards(season, event):
    Award.objects.filter(season=season).delete()
    for kind in (AwardKind.FIRST_THREE, AwardKind.MOST_ATTENDANCE):
        add_award(
            season, kind=kind, title="", min_events=1, player=None, actor=season.club.memberships.get().user
        )
    return {award.kind: award for award in Award.objects.filter(season=season)}


def certificate(award, event, name):
    player = event.entries.get(player__name=name).player_id
    season = award.season
    return reverse("sharing:certificate", args=[season.club.slug, season.slug, award.pk, player])


def test_a_certificate_names_club_season_award_winner_and_day(season, event, awards):
    close_season(season, actor=season.club.memberships.get().user)
    shown = Client().get(certificate(awards["first_three"], event, "Ada")).context["certificate"]
    assert (shown.club, shown.season, shown.award, shown.name) == (
        season.club.name,
        "Winter Cup",
        "Winner",
        "Ada",
    )
    assert shown.date == "Jan. 6, 2026"
    assert shown.reason.endswith(" points")
    assert shown.shared_with == ""
    second = Client().get(certificate(awards["first_three"], event, "Boris")).context["certificate"]
    assert (second.award, second.shared_with) == ("Second place", "Cleo")


def test_before_the_season_is_closed_there_are_no_certificates(season, event, awards):
    assert Client().get(certificate(awards["first_three"], event, "Ada")).status_code == 404
    page = Client().get(reverse("standings:awards", args=[season.club.slug, season.slug])).content.decode()
    assert "certificate/" not in page
    assert "How the awards stand after 1 event." in page


def test_a_season_whose_days_are_over_has_winners_and_no_certificates(season, event, awards):
    Season.objects.filter(pk=season.pk).update(ends_on=date(2026, 1, 6))
    page = Client().get(reverse("standings:awards", args=[season.club.slug, season.slug])).content.decode()
    assert "The season is over: these are its winners." in page
    assert "certificate/" not in page


def test_who_shares_an_award_is_named_on_the_certificate(season, event, awards):
    close_season(season, actor=season.club.memberships.get().user)
    shown = Client().get(certificate(awards["most_attendance"], event, "Dora")).context["certificate"]
    assert shown.award == "Best attendance"
    assert shown.shared_with == "Ada, Boris and Cleo"


def test_who_has_not_won_has_no_certificate(season, event, awards):
    close_season(season, actor=season.club.memberships.get().user)
    assert Client().get(certificate(awards["first_three"], event, "Ada")).status_code == 200
    assert Client().get(certificate(awards["first_three"], event, "Dora")).status_code == 404


def test_the_page_of_awards_leads_to_the_certificates(season, event, awards):
    close_season(season, actor=season.club.memberships.get().user)
    page = Client().get(reverse("standings:awards", args=[season.club.slug, season.slug])).content.decode()
    assert f'href="{certificate(awards["first_three"], event, "Ada")}"' in page
    assert f'href="{certificate(awards["most_attendance"], event, "Dora")}"' in page


def test_a_result_is_sent_by_line_with_its_text(client, event):
    page = client.get(
        reverse("sharing:event-share", args=[event.season.club.slug, event.pk])
    ).content.decode()
    [text] = re.findall(r'href="https://line\.me/R/share\?text=([^"]+)"', page)
    assert "&" not in text
    assert unquote(text).splitlines()[0] == event.season.club.name
    assert event.get_absolute_url() in unquote(text)
