"""The Japanese catalogue is complete and compiled, and pages show no English."""

import html
import os
import re
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import polib
import pytest
from django.urls import reverse
from django.utils import timezone

from lab.engine.holdem.sit_and_go import begin_next_hand, start, take_decision
from lab.models import SitAndGo
from league.models import Club, Meet, Role
from league.services.events import delete_event
from league.services.seasons import close_season
from ratings.models import RatingSettings
from standings.models import Award, AwardKind
from standings.pages.rows import environment
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests import access
from tests.addresses import APPS, SHOWN_PAGES, SITE, address, clubs
from tests.factories import START, correct
from tests.ratings.profit_pools import add_games, profit_season

__all__ = ["clubs"]
pytestmark = [pytest.mark.rest, pytest.mark.django_db]
ROOT = Path(__file__).resolve().parent.parent
PO = Path("league/locale/ja/LC_MESSAGES/django.po")
PLACEHOLDER = re.compile(r"%\(\w+\)[\d.]*[a-z]")
LONG = 12  # letters; shorter messages occur within names, addresses and other words
COMPUTED = [kind for kind in AwardKind.values if kind != AwardKind.CHOSEN]
SOURCES = (*APPS, "reading", "scores", "templates")


@pytest.fixture(scope="module")
def catalogue():
    return polib.pofile(ROOT / PO)


def key(entry):
    return entry.msgctxt, entry.msgid, entry.msgid_plural


def translations(entry):
    """List all Japanese forms of a message."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def literals(entry):
    """List the parts of the English message that a page shows unchanged, between placeholders."""
    pieces = (
        piece.strip() for text in (entry.msgid, entry.msgid_plural) for piece in PLACEHOLDER.split(text)
    )
    return [piece for piece in pieces if len(piece) > LONG]


def test_japanese_has_one_plural_form(catalogue):
    assert catalogue.metadata["Plural-Forms"] == "nplurals=1; plural=0;"
    assert not catalogue.metadata_is_fuzzy
    assert {len(translations(entry)) for entry in catalogue} == {1}


def test_each_message_is_translated(catalogue):
    assert [entry.msgid for entry in catalogue if entry.fuzzy or not all(translations(entry))] == []


def placeholders(text):
    return {found for found in PLACEHOLDER.findall(text) if "_word)" not in found}


def test_each_placeholder_is_kept(catalogue):
    """A single form may name the number that only the English plural names; words of the club are filled in apart."""
    wrong = []
    for entry in catalogue:
        english = placeholders(entry.msgid + entry.msgid_plural)
        if any(placeholders(text) != english for text in translations(entry)):
            wrong.append(entry.msgid)
    assert wrong == []


def test_spaces_at_the_ends_of_lines_are_meant(catalogue):
    assert [entry.msgid for entry in catalogue for text in translations(entry) if text != text.strip()] == []


@pytest.mark.skipif(not shutil.which("xgettext"), reason="needs gettext")
def test_no_string_is_missing(catalogue, tmp_path):
    """`make messages` in a copy of the tree finds what the catalogue has, and nothing else."""
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    subprocess.run(
        [sys.executable, *makemessages()],
        cwd=tmp_path,
        env=os.environ | {"VAR_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "league.settings"},
        check=True,
        capture_output=True,
    )
    extracted = polib.pofile(tmp_path / PO)
    assert {key(entry) for entry in extracted} == {key(entry) for entry in catalogue}
    assert [entry.msgid for entry in extracted if entry.fuzzy or entry.obsolete] == []


def test_every_text_of_jinja_templates_is_in_the_catalogue(catalogue):
    """`make messages` does not find those with arguments: they must stand elsewhere too."""
    known = {entry.msgid for entry in catalogue}
    found = [
        # With a plural it is the first of several, with a context the second.
        text if isinstance(text, str) else text[function == "pgettext"]
        for path in (ROOT / "templates/jinja").glob("*.jinja")
        for _line, function, text in environment().extract_translations(path.read_text())
    ]
    assert len(found) > 15
    assert [text for text in found if text not in known] == []


def makemessages():
    """Read the arguments of makemessages from the Makefile."""
    command = re.search(
        r"^\t\$\(BIN\)/python (manage\.py makemessages .+)$", (ROOT / "Makefile").read_text(), re.MULTILINE
    )
    assert command
    return command[1].split()


@pytest.fixture
def event(enter_event):
    enter_event("ann\nbob\ncarol = dave\n")
    return enter_event("bob x2 @22:40\nann @22:30\ncarol @21:10\n", day=7)


def english_in(client, address, catalogue):
    client.cookies["django_language"] = "ja"
    response = client.get(address)
    assert response.status_code in {200, 302, 403, 404}
    if response.status_code == 302 or not response["Content-Type"].startswith("text/html"):
        return []
    page = html.unescape(response.content.decode())
    assert '<html lang="ja"' in page or "<html" not in page  # a part of a page
    return [(address, entry.msgid) for entry in catalogue if any(text in page for text in literals(entry))]


def games_at_each_point():
    """Make sit-and-gos: before a decision, after a hand that was shown, and at the end."""
    game = start(["rock", "bold", "bold"], 1)
    kept = []
    for is_wanted in (lambda: True, lambda: game.hand().is_showdown, lambda: game.is_finished):
        while not is_wanted():
            if game.hand().is_over:
                begin_next_hand(game)
            else:
                take_decision(game, "call", 0)
        kept.append(SitAndGo.objects.create(state=game.to_json(), played_at=timezone.now()))
    return kept


def test_every_page_of_a_club_speaks_japanese(clubs, catalogue):
    """The addresses come from the table of access, so that a new page is read without being listed here."""
    club = clubs["public"]
    owner = club["clients"]["owner"]
    assert [
        found for name in SHOWN_PAGES for found in english_in(owner, address(name, club, owner), catalogue)
    ] == []


def test_pages_of_the_site_speak_japanese(organizer_client, catalogue):
    addresses = [
        reverse(name, args=SITE.get(name, ()))
        for name in sorted(SITE.keys() | access.FOR_ACCOUNTS)
        if name not in {"league:language", "league:theme", "lab:play-game"}
    ]
    addresses += [reverse(name) for name in ("mfa_index", "mfa_list_webauthn", "usersessions_list")]
    addresses += [reverse("lab:play-game", args=[game.pk]) for game in games_at_each_point()]
    addresses.append("/no-such-page/")
    assert [found for each in addresses for found in english_in(organizer_client, each, catalogue)] == []


def test_pages_with_results_speak_japanese(organizer_client, season, event, catalogue):
    club, player = season.club.slug, event.entries.first().player_id
    meet = Meet.objects.create(season=season, day="2026-01-06", name="m")
    season.events.update(meet=meet)
    for position, kind in enumerate(COMPUTED):
        Award.objects.create(season=season, position=position, kind=kind)
    table, what_if = (
        reverse(f"standings:{name}", args=[club, season.slug]) for name in ("season-table", "what-if")
    )
    addresses = [
        reverse("standings:player", args=[club, player]),
        reverse("standings:event", args=[club, event.pk]),
        f"{reverse('standings:players', args=[club])}?on=2026-01-10",
        f"{reverse('standings:players', args=[club])}?on=2226-01-10",
        *(
            reverse("standings:explanation", args=[club, event.pk, player_id])
            for player_id in event.entries.values_list("player_id", flat=True)
        ),
        *(f"{season.get_absolute_url()}?by={order}" for order in ("points", "tier", "profit")),
        f"{season.get_absolute_url()}?q=nobody",
        reverse("standings:awards", args=[club, season.slug]),
        reverse("standings:meet", args=[club, season.slug, meet.pk]),
        reverse("standings:deal", args=[club]) + "?prizes=50,30&chips=Ada+5%0ABoris+6",
        reverse("standings:breakdown", args=[club, season.slug, player]),
        f"{table}?by=month",
        f"{what_if}?structure=linear&best_n=1",
    ]
    assert [found for each in addresses for found in english_in(organizer_client, each, catalogue)] == []


def test_the_way_back_speaks_japanese(organizer_client, season, event, catalogue):
    """The bin, the corrections, the history, and what a correction would change."""
    club = season.club.slug
    correct(event, "ann\nbob\ncarol")
    delete_event(season.events.exclude(pk=event.pk).get(), version=1, actor=None)
    addresses = [
        *(reverse(f"standings:{name}", args=[club]) for name in ("bin", "corrections", "changes")),
        reverse("standings:event", args=[club, event.pk]),
        reverse("league:season-delete", args=[club, season.slug]),
        reverse("league:player-delete", args=[club, event.entries.first().player_id]),
    ]
    assert [
        message for address in addresses for message in english_in(organizer_client, address, catalogue)
    ] == []
    typed = {"order": "bob\nann\ncarol", "day": "2026-01-13", "start": "19:30", "version": "2", "save": ""}
    page = organizer_client.post(reverse("standings:correction", args=[club, event.pk]), typed)
    assert page.context["movers"]
    shown = html.unescape(page.content.decode())
    assert [entry.msgid for entry in catalogue if any(text in shown for text in literals(entry))] == []


def test_the_page_that_asks_for_a_second_factor_speaks_japanese(organizer_client, season, catalogue):
    Club.objects.update(requires_two_factor=True)
    addresses = [
        season.get_absolute_url(),
        reverse("entry:event-create", args=[season.club.slug, season.slug]),
    ]
    assert [
        message for address in addresses for message in english_in(organizer_client, address, catalogue)
    ] == []


def test_owners_pages_speak_japanese(client, season, catalogue):
    client.force_login(season.club.memberships.get().user)
    addresses = [
        reverse(f"people:{name}", args=[season.club.slug])
        for name in ("people", "leave", "hand-over", "club-edit")
    ]
    addresses.append(reverse("standings:changes", args=[season.club.slug]))
    addresses.append(reverse("ratings:settings-edit", args=[season.club.slug]))
    addresses.append(reverse("payouts:club-money", args=[season.club.slug]))
    addresses.append(season.get_absolute_url())
    addresses.append(reverse("standings:seal-edit", args=[season.club.slug, season.slug]))
    assert [message for address in addresses for message in english_in(client, address, catalogue)] == []


def test_the_calibration_speaks_japanese(organizer_client, season, catalogue):
    """With few games of three players, then with more of four, then with parameters adopted."""
    profit_season(season.club)
    season.pool.refresh_from_db()
    address = reverse("ratings:calibrate", args=[season.club.slug, season.pool_id])
    found = english_in(organizer_client, address, catalogue)
    for n_games, n_seats in ((9, 3), (150, 4)):
        add_games(season, n_games=n_games, n_seats=n_seats, start=START + timedelta(days=n_games))
        found += english_in(organizer_client, address, catalogue)
    form = organizer_client.get(address).context["form"]
    organizer_client.post(address, {name: form[name].value() for name in form.fields})
    assert found + english_in(organizer_client, address, catalogue) == []
    assert RatingSettings.objects.exists()


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password"])
def test_account_pages_speak_japanese(client, db, catalogue, name):
    assert english_in(client, reverse(name), catalogue) == []


def test_answers_to_a_form_are_japanese(organizer_client, season, catalogue):
    organizer_client.cookies["django_language"] = "ja"
    address = reverse("entry:event-create", args=[season.club.slug, season.slug])
    response = organizer_client.post(
        address, {"day": "2026-01-06", "start": "19:30", "order": "ann x99\n= bob\nann\n", "preview": ""}
    )
    page = html.unescape(response.content.decode())
    assert [entry.msgid for entry in catalogue if any(text in page for text in literals(entry))] == []
    assert "x1〜x" in page


def test_refused_settings_speak_japanese(client, season, catalogue):
    client.force_login(season.club.memberships.get().user)
    client.cookies["django_language"] = "ja"
    address = reverse("ratings:settings-edit", args=[season.club.slug])
    form = client.get(address).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not False}
    for changes in ({"sigma_floor": "600"}, {"beta": "0"}, {"hands_low": "9"}, {"tau_per_day": "x"}):
        response = client.post(address, sent | changes)
        page = html.unescape(response.content.decode())
        assert response.context["form"].errors, changes
        assert [entry.msgid for entry in catalogue if any(text in page for text in literals(entry))] == []


def test_language_of_the_cookie_wins(client, season):
    """The cookie wins over the language the browser requests."""
    client.cookies["django_language"] = "ja"
    page = client.get(season.get_absolute_url(), headers={"accept-language": "en"}).content.decode()
    assert "順位表" in page


def test_a_sealed_season_speaks_japanese(client, season, event, catalogue):
    owner = season.club.memberships.get(role=Role.OWNER).user
    close_season(season, actor=owner)
    recompute(season.pool_id)
    seal_season(season, actor=owner)
    client.force_login(owner)
    addresses = [
        reverse(f"standings:{name}", args=[season.club.slug, season.slug]) for name in ("seal", "seal-edit")
    ]
    assert [message for address in addresses for message in english_in(client, address, catalogue)] == []
