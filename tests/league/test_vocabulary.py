"""The words of a club for its nights, events and games, for going out and winning: arguments of messages."""

import re

import polib
import pytest
from django.conf import settings
from django.template import Context, Engine, Template
from django.urls import reverse
from django.utils import translation

from league.models import Change, Club, EventWord, NightWord, OutWord
from league.vocabulary import (
    EVENT_WORDS,
    NAMES,
    NIGHT_WORDS,
    OUT_WORDS,
    gettext,
    gettext_lazy,
    in_words_of,
    ngettext,
    vocabulary_of,
)
from tests.pages import text_of

WORDS = re.compile(r"%\((\w+_word)\)s")


def spoken(club, text, language="en"):
    with translation.override(language), in_words_of(club):
        return gettext(text)


@pytest.mark.parametrize(
    ("word", "text", "becomes"),
    [
        ("night", "No %(event_word)s yet", "No night yet"),
        ("match", "%(Events_word)s of the season", "Matches of the season"),
        ("evening", "page of %(an_event_word)s", "page of an evening"),
        ("evening", "%(An_event_word)s missed", "An evening missed"),
        ("hanchan", "%(event)s: %(n)d %(events_word)s", "%(event)s: %(n)d hanchan"),
        ("", "%(n)d %(games_word)s of %(a_night_word)s", "%(n)d games of an event"),
        ("hanchan", "%(n)d %(games_word)s of %(a_night_word)s", "%(n)d hanchan of a meeting"),
        ("race", "%(a_night_word)s: %(name)s %(outlasted_word)s all", "a race weekend: %(name)s beat all"),
        ("tournament", "%(name)s %(outlasts_word)s %(n)d others", "%(name)s outlasts %(n)d others"),
    ],
)
def test_words_are_filled_in_and_other_arguments_stay(word, text, becomes):
    assert spoken(Club(event_word=word), text) == becomes


def test_every_word_that_a_club_may_choose_is_known():
    assert {*EVENT_WORDS} == {*EventWord} - {EventWord.EVENT}
    assert {*NIGHT_WORDS} == {*NightWord} - {NightWord.SAME}
    assert {*OUT_WORDS} == {*OutWord} - {OutWord.BUST}


def test_a_night_is_called_as_its_events_unless_it_has_several_or_the_club_says():
    assert vocabulary_of(Club(event_word="evening")).night.one == "evening"
    assert vocabulary_of(Club(event_word="hanchan")).night.ja == "例会"
    assert vocabulary_of(Club(event_word="hanchan", night_word="night")).night.one == "night"


def test_the_first_of_a_game_has_not_won_a_title():
    assert spoken(Club(), "%(win_word)s", "ja") == "優勝"
    assert spoken(Club(event_word="hanchan"), "%(win_word)s", "ja") == "トップ"


def test_every_word_of_the_catalogue_exists():
    catalogue = polib.pofile(str(settings.BASE_DIR / "league/locale/ja/LC_MESSAGES/django.po"))
    used = {
        name
        for entry in catalogue
        for text in (entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values())
        for name in WORDS.findall(text)
    }
    assert len(used) > 10
    assert used <= NAMES


def test_templates_and_lazy_messages_know_the_words():
    club = Club(event_word="race")
    lazy = gettext_lazy("No %(event_word)s has been entered yet.")
    template = Template(
        "{% blocktranslate count n=n %}{{ n }} {{ event_word }}{% plural %}{{ n }} {{ events_word }}"
        "{% endblocktranslate %}; {% word 'Events_word' %}",
        engine=Engine.get_default(),
    )
    with translation.override("en"), in_words_of(club):
        assert template.render(Context({"n": 2})) == "2 races; Races"
        assert str(lazy) == "No race has been entered yet."
        assert ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", 2) % {"n": 2} == "2 races"
    with translation.override("ja"), in_words_of(club):
        assert str(lazy) == "まだレースが入力されていません。"
        assert template.render(Context({"n": 2})) == "2レース; レース"
    with translation.override("en"):
        assert str(lazy) == "No event has been entered yet."


@pytest.fixture
def settings_of(client_of, club):
    """Send the form of the club's settings, with some fields changed, as a person of a role."""
    address = reverse("people:club-edit", args=[club.slug])

    def send(who="owner", **changes):
        client = client_of(who)
        fields = {"name": club.name, "time_zone": "UTC", "is_public": "on"} | changes
        return client.post(address, fields)

    return send


@pytest.mark.django_db
def test_pages_use_the_word_and_names_stay(club, season, settings_of, client):
    season.name = "The events of 2026"
    season.save()
    events = reverse("standings:events", args=[club.slug, season.slug])
    assert "No event has been entered yet." in client.get(events).content.decode()
    for _twice in range(2):
        assert settings_of(event_word="night").status_code == 302
    assert Change.objects.filter(kind=Change.Kind.CLUB_CHANGED).count() == 1
    page = client.get(events).content.decode()
    assert "No night has been entered yet." in page
    assert "The events of 2026" in page
    assert "No race" not in page


@pytest.mark.django_db
def test_a_page_that_was_kept_changes_with_the_word(season, enter_event, settings_of, client):
    enter_event("Ada\nBoris")
    leaderboard = season.get_absolute_url()
    assert "After 1 event, " in client.get(leaderboard).content.decode()
    settings_of(event_word="race")
    page = text_of(client.get(leaderboard))
    assert "After 1 race, " in page
    assert "ranked from 1 race on" in page
    assert "After 1 event" not in page


@pytest.mark.django_db
def test_other_clubs_keep_theirs(settings_of, client):
    from tests.factories import SeasonFactory

    settings_of(event_word="night")
    other = SeasonFactory()
    page = client.get(reverse("standings:events", args=[other.club.slug, other.slug]))
    assert "No event has been entered yet." in page.content.decode()


@pytest.mark.django_db
def test_a_word_that_is_not_offered_is_refused_and_what_was_typed_is_kept(club, settings_of):
    answer = settings_of(event_word="party", name="Another name")
    assert answer.status_code == 200
    assert "event_word" in answer.context["form"].errors
    assert "Another name" in answer.content.decode()
    club.refresh_from_db()
    assert club.event_word == ""


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["organizer", "member", "stranger"])
def test_words_are_the_owners(club, settings_of, who):
    assert settings_of(who, event_word="night").status_code == 403
    club.refresh_from_db()
    assert club.event_word == ""
