"""The words of each kind of club: pages of the demo clubs never say those of another game."""

import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.models import Club, Event, Meet, Player
from league.queries import season_of_today
from tests.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.rest]
# Words that no page for members of a kind of club may say, by language. 局 is one hand of mahjong and never a game;
# 対局数補正 is what the publication of R calls its correction.
NEVER = {
    "riverbank": {
        "en": r"hanchan|(?<!points )race\b|game night|tournament|\bevents?\b",
        "ja": r"半荘|対局|局(?!面)|トップ率|ラス|大会",
    },
    "mahjong": {
        "en": r"tournament|outlast|busts?\b|tourney|re-entr|buy-in|hands? played",
        "ja": r"大会|対局(?!数補正)|戦目|\d戦|(?<!対)局(?!面)|優勝(率|\d)|敗退|生き残|リエントリー|ゲーム",
    },
}
SEASON_PAGES = (
    "standings:leaderboard", "standings:season-table", "standings:events", "standings:awards", "forecasts:title",
    "forecasts:skill",
)  # fmt: skip
CLUB_PAGES = (
    "standings:club", "standings:players", "standings:champions", "standings:badges", "standings:how-it-works",
    "standings:search", "forecasts:quality", "noticeboard:schedule", "standings:me",
)  # fmt: skip


def pages_for_members(club):
    season = season_of_today(club)
    yield from (reverse(name, args=[club.slug]) for name in CLUB_PAGES)
    yield from (reverse(name, args=[club.slug, season.slug]) for name in SEASON_PAGES)
    event = Event.objects.filter(season=season).latest("starts_at")
    yield event.get_absolute_url()
    yield from (meet.get_absolute_url() for meet in Meet.objects.filter(season=season).order_by("-pk")[:1])
    player = Player.objects.filter(entries__event=event).first()
    yield player.get_absolute_url()
    yield reverse("standings:explanation", args=[club.slug, event.pk, player.pk])
    yield reverse("sharing:receipt", args=[club.slug, event.pk, player.pk])
    yield reverse("forecasts:opponents", args=[club.slug, player.pk])


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("demo", ["riverbank", "mahjong"])
def test_no_page_says_a_word_of_another_game(client, demo, language):
    call_command("load_demo", demo, verbosity=0)
    club = Club.objects.get(slug="kamome" if demo == "mahjong" else demo)
    client.cookies["django_language"] = language
    never, said = re.compile(NEVER[demo][language], re.IGNORECASE), {}
    for address in pages_for_members(club):
        answer = client.get(address)
        assert answer.status_code == 200, address
        text = re.sub(r"https?://\S+", "", text_of(answer))
        if found := [text[max(0, hit.start() - 25) : hit.end() + 15] for hit in never.finditer(text)]:
            said[address] = found
    assert said == {}
