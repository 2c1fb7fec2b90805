"""A club's own words for an event and for going out, in place of the site's."""

import re

import polib
import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, ngettext

from league.club_vocabulary import EVENT_WORDS, OUT_WORDS, Replacement, in_words_of
from league.models import Change, EventWord, OutWord

FILLED_IN = re.compile(r"%\(\w+\)\w|\{\w*\}|<[^>]*>")
EVERY = polib.pofile(str(settings.BASE_DIR / "league/locale/ja/LC_MESSAGES/django.po"))


def spoken(club, text, language="en"):
    with translation.override(language), in_words_of(club):
        return gettext(text)


@pytest.mark.parametrize(
    ("word", "text", "becomes"),
    [
        ("night", "No event has been entered yet.", "No night has been entered yet."),
        ("evening", "One event", "One evening"),
        ("match", "Events of the season", "Matches of the season"),
        (
            "night",
            "What everybody reads on the page of an event",
            "What everybody reads on the page of a night",
        ),
        ("evening", "An event missed", "An evening missed"),
        ("hanchan", "%(event)s: the events of %(events)s", "%(event)s: the hanchan of %(events)s"),
        ("race", '<a href="/events/">Events</a>', '<a href="/events/">Races</a>'),
        ("race", "eventually", "eventually"),
    ],
)
def test_a_word_stands_for_event_and_nothing_else(word, text, becomes):
    assert Replacement(EVENT_WORDS[EventWord(word)], OUT_WORDS[OutWord.EXIT]).sentence(text) == becomes


def test_every_word_of_the_site_that_a_club_may_choose_is_known():
    assert {*EVENT_WORDS} == {*EventWord} - {EventWord.EVENT}
    assert {*OUT_WORDS} == {*OutWord} - {OutWord.BUST}


@pytest.mark.parametrize("word", EVENT_WORDS.values())
def test_no_sentence_of_the_catalog_loses_what_is_filled_into_it(word):
    replacement = Replacement(word, OUT_WORDS[OutWord.ELIMINATION])
    for entry in EVERY:
        texts = [entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values()]
        for text, spoken in ((text, replacement.sentence(text)) for text in texts if text):
            assert FILLED_IN.findall(text) == FILLED_IN.findall(spoken)
            if "大会" not in (word.ja, text) and "大会" in text:
                assert "大会" not in spoken


@pytest.mark.django_db
def test_sentences_are_in_the_words_of_the_club_in_both_languages(club):
    club.event_word, club.out_word = "race", "elimination"
    assert spoken(club, "No event has been entered yet.") == "No race has been entered yet."
    assert spoken(club, "No event has been entered yet.", "ja") == "まだレースが入力されていません。"
    assert spoken(club, "time of bust") == "time of elimination"
    with translation.override("en"), in_words_of(club):
        assert ngettext("%(n)d event", "%(n)d events", 2) % {"n": 2} == "2 races"
        assert translation.get_language() == "en"
    assert gettext("No event has been entered yet.") == "No event has been entered yet."


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
    assert "1 event, " in client.get(leaderboard).content.decode()
    assert "at the last event" in client.get(leaderboard).content.decode()
    settings_of(event_word="race")
    page = client.get(leaderboard).content.decode()
    assert "at the last race" in page
    assert "1 race, " in page
    assert "at the last event" not in page


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
