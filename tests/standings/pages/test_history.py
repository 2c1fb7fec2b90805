"""Changes in words, on the history of a club and the page of an event."""

import re
from datetime import date, timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.urls import reverse

from entry.services.meets import dissolve_meet, form_meet
from league.models import Change, Player, Pool
from league.queries import changes_of, renames_of
from league.services.deletions import delete_season
from league.services.events import delete_event
from league.services.players import update_player
from league.services.seasons import close_season, update_season
from payouts.brought_forward import BroughtForwardLine
from payouts.queries import terms_of, terms_version
from payouts.services.brought_forward import bring_forward
from payouts.services.rules import open_season_with_rules, set_rules
from payouts.services.terms import TERM_FIELDS, set_event_terms
from people.services.clubs import update_club
from people.services.hidden_names import hide_name
from ratings.engine.tier.params import TierParams
from ratings.services.settings import set_rating_settings
from standings.awards.services import add_award, change_award, move_award, remove_award
from standings.pages.history.changes import WORDS, change_lines
from standings.recomputation.service import recompute
from standings.seals.services import seal_season, unseal_season
from tests.factories import RULES, correct, enter, names

pytestmark = pytest.mark.django_db


def newest(club):
    (line, *_older) = change_lines(changes_of(club), renames_of(club))
    return line


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("Ada\nBoris\nCleo", "Boris\nAda\nCleo", ["Boris, place: 2 → 1", "Ada, place: 1 → 2"]),
        (
            "Ada\nBoris\nCleo\nDana",
            "Dana\nAda\nBoris\nCleo",
            ["Dana, place: 4 → 1", "Ada, place: 1 → 2", "Boris, place: 2 → 3", "Cleo, place: 3 → 4"],
        ),
        ("Ada\nBoris\nCleo", "Ada\nBoris = Cleo", ["Cleo, place: 3 → 2"]),
        ("Ada\nBoris", "Ada\nBoris\nCleo", ["Cleo added at place 3"]),
        ("Ada\nBoris\nCleo", "Boris\nCleo", ["Ada taken out of place 1", "Boris, place: 2 → 1", "Cleo, place: 3 → 2"]),
        ("Ada\nBoris", "Ada\nBoris\nAda #1", ["Ada (entry 2) added at place 1", "Ada, place: 1 → 3"]),
        ("Ada\nBoris @21:40", "Ada\nBoris @21:50", ["Boris, out at: 21:40 → 21:50"]),
        ("Ada\nBoris", "Ada\nBoris @21:50", ["Boris, out at: – → 21:50"]),
        ("Ada ko1\nBoris", "Ada ko2\nBoris", ["Ada, knock-outs: 1 → 2"]),
        ("Ada cost 20\nBoris", "Ada cost 70\nBoris", ["Ada: another cost"]),
    ],
)  # fmt: skip
def test_a_correction_lists_entries_added_taken_out_and_moved(season, before, after, lines):
    event = enter(season, before)
    correct(event, after)
    line = newest(season.club)
    assert (line.change.kind, line.descriptions) == (Change.Kind.RESULT_CORRECTED, lines)


def test_a_correction_of_an_events_start_and_name(season):
    event = enter(season, "Ada\nBoris", name="Monday")
    correct(event, "Ada\nBoris", later=timedelta(hours=1), name="Tuesday")
    start, name = newest(season.club).descriptions
    assert re.fullmatch(r"Start: \d{4}-\d\d-\d\d \d\d:\d\d → \d{4}-\d\d-\d\d \d\d:\d\d", start)
    assert name == "Name: Monday → Tuesday"


def test_results_entered_and_deleted(season, people):
    event = enter(season, "Ada = Boris\nCleo x2")
    assert newest(season.club).descriptions == ["4 entries, won by Ada, Boris"]
    delete_event(event, version=event.version, actor=people["organizer"])
    line = newest(season.club)
    assert (line.subject, line.descriptions) == (str(event), ["4 entries, won by Ada, Boris"])


def test_a_name_that_was_taken_back_is_shown_nowhere(client, season, people):
    event = enter(season, "Ada\nBoris")
    correct(event, "Boris\nAda")
    for old, new in (("Ada", "Cleo"), ("Boris", "Ada"), ("Cleo", "Dana")):
        update_player(Player.objects.get(name=old), name=new, is_guest=True, actor=people["owner"])
    enter(season, "Cleo\nDana", day=1)  # another player than the first Cleo
    lines = {
        line.change.version: line for line in change_lines(changes_of(season.club), renames_of(season.club))
    }
    assert lines[1].descriptions == ["2 entries, won by Dana"]
    assert lines[2].descriptions == ["Ada, place: 2 → 1", "Dana, place: 1 → 2"]
    assert [lines[version].subject for version in (3, 4, 5)] == ["Dana", "Ada", "Dana"]
    assert lines[6].descriptions == ["2 entries, won by Cleo"]
    page = client.get(reverse("standings:changes", args=[season.club.slug])).content.decode()
    assert "Boris" not in page


def test_a_guest_who_becomes_a_member(season, people):
    enter(season, "Ada\nBoris")
    update_player(Player.objects.get(name="Ada"), name="Ada", is_guest=False, actor=people["owner"])
    assert (newest(season.club).subject, newest(season.club).descriptions) == ("Ada", ["no longer a guest"])


def test_rules_and_terms(season, people):
    event, owner = enter(season, "Ada\nBoris"), people["owner"]
    set_rules(season, rules={"attendance_points": 2, "drop_worst": 1}, settle_again=False, actor=owner)
    lines = newest(season.club).descriptions
    assert "No longer: Each event played adds 1 point for attendance." in lines
    assert "Now: Each event played adds 2 points for attendance." in lines
    set_rules(season, rules={"structure": {"name": "inverse"}}, settle_again=True, actor=owner)
    assert newest(season.club).descriptions[-1] == "Also for the events before."
    event.refresh_from_db()
    stored = terms_of(event)
    terms = {name: getattr(stored, name) for name in TERM_FIELDS} | {
        "multiplier": Decimal("1.50"),
        "is_final": True,
    }
    set_event_terms(event, terms=terms, version=terms_version(event), actor=owner)
    assert newest(season.club).descriptions == ["Multiplier: 1 → 1.5", "Final: no → yes"]


def test_totals_brought_forward_and_rating_settings(season, people):
    bring_forward(season, [BroughtForwardLine("Ada", 12, 3, 3, 1)], version=0, actor=people["organizer"])
    assert newest(season.club).descriptions == ["Players: 0 → 1"]
    set_rating_settings(season.pool, TierParams(beta=300.0), revision=0, actor=people["owner"])
    assert newest(season.club).descriptions == [f"Chance in one event: {TierParams().beta:g} → 300"]


def test_seasons_and_clubs(season, people):
    owner = people["owner"]
    update_season(season, name="Spring", starts_on=season.starts_on, ends_on=None, actor=owner)
    assert (
        newest(season.club).descriptions == [f"Name: {season.name} → Spring"]
        or "Name" in newest(season.club).descriptions[0]
    )
    close_season(season, actor=owner)
    assert newest(season.club).descriptions == ["Closed: no → yes"]
    update_club(
        season.club, name="Other", time_zone="UTC", is_public=True, requires_two_factor=False, actor=owner
    )
    assert "Name: " in newest(season.club).descriptions[0]
    assert newest(season.club).subject == "Other"


def test_meets(season, people):
    games = [enter(season, "Ada\nBoris", name=name) for name in ("Mahjong", "Go")]
    meet = form_meet(season, name="Sunday", event_ids=[game.pk for game in games], actor=people["organizer"])
    assert newest(season.club).descriptions == ["Sunday: Mahjong, Go"]
    dissolve_meet(season, meet.pk, actor=people["organizer"])
    assert newest(season.club).descriptions == ["Sunday: dissolved"]


def test_awards_and_seals(season, people):
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    owner, lines = people["owner"], []
    fields = {"kind": "most_wins", "min_events": 1, "player": None, "actor": owner}
    first = add_award(season, title="Spirit", **fields)
    lines.append(newest(season.club).descriptions)
    add_award(season, title="Baker", **fields)
    move_award(season, first.pk, is_up=False, actor=owner)
    lines.append(newest(season.club).descriptions)
    change_award(season, first.pk, title="Spirit", version=first.version, **(fields | {"min_events": 2}))
    lines.append(newest(season.club).descriptions)
    remove_award(season, first.pk, actor=owner)
    lines.append(newest(season.club).descriptions)
    assert lines == [["Spirit: added"], ["another order"], ["Spirit: changed"], ["Spirit: taken away"]]
    close_season(season, actor=owner)
    recompute(season.pool_id)
    seal = seal_season(season, actor=owner)
    assert newest(season.club).descriptions == [f"Checksum {seal.sha256[:12]}…"]
    unseal_season(season, actor=owner)
    assert newest(season.club).descriptions == [f"Checksum {seal.sha256[:12]}…"]


def test_new_players_and_seasons_are_lines_each_once(season, people, organizer_client):
    club, organizer = season.club, people["organizer"]
    Pool.objects.create(club=club, name="Another")
    for _press in range(2):
        organizer_client.post(reverse("league:player-create", args=[club.slug]), {"name": "Zoe"})
        roster, pasted = reverse("league:roster", args=[club.slug]), {"names": "Zoe\nAda\nBoris"}
        seen = organizer_client.post(roster, pasted).context["digest"]
        organizer_client.post(roster, pasted | {"seen": seen, "save": "1"})
    days = {"starts_on": date(2026, 5, 1), "ends_on": date(2026, 5, 31)}
    opened = open_season_with_rules(club, name="May", rules=RULES, actor=organizer, **days)
    lines = change_lines(changes_of(club), renames_of(club))
    assert [(line.change.kind, line.subject, line.change.actor) for line in lines] == [
        ("season-opened", "May", organizer),
        ("players-added", "Ada, Boris", organizer),
        ("players-added", "Zoe", organizer),
    ]
    assert lines[0].descriptions == ["First day: – → 2026-05-01", "Last day: – → 2026-05-31"]
    hide_name(Player.objects.get(name="Boris"), actor=organizer)
    shown = organizer_client.get(reverse("standings:changes", args=[club.slug])).content.decode()
    assert "Boris" not in shown
    delete_season(opened, actor=organizer)
    assert "May" in {line.subject for line in change_lines(changes_of(club), renames_of(club))}


def test_every_kind_of_change_has_words():
    assert set(WORDS) == set(Change.Kind)


def test_the_page_of_an_event_shows_its_correction(client, season):
    event = enter(season, "Ada\nBoris\nCleo\nDana\nEdda")
    correct(event, "Edda\nAda\nBoris\nCleo\nDana")
    recompute(season.pool_id)
    for page in ("event", "changes"):
        address = (
            event.get_absolute_url()
            if page == "event"
            else reverse("standings:changes", args=[season.club.slug])
        )
        html = unescape(client.get(address).content.decode())
        visible, _mark, folded = html.partition("and 2 more")
        assert "Edda, place: 5 → 1" in visible
        assert "Boris, place: 2 → 3" in visible
        assert "Dana, place: 4 → 5" in folded


def test_a_long_correction_is_told_whole(season):
    many = names(60)
    event = enter(season, "\n".join(many))
    correct(event, "\n".join(["Zoe", *many]))
    lines = newest(season.club).descriptions
    assert (lines[0], lines[1], len(lines)) == ("Zoe added at place 1", f"{many[0]}, place: 1 → 2", 61)


def test_markup_in_a_correction_is_text(client, season):
    event = enter(season, "<b>Ada</b>\nBoris")
    correct(event, "Boris\n<b>Ada</b>")
    page = client.get(reverse("standings:changes", args=[season.club.slug])).content.decode()
    assert "&lt;b&gt;Ada&lt;/b&gt;, place: 1 → 2" in page
    assert "<b>Ada" not in page
