"""Totals brought forward: reading, saving, refusing, counting and marking them."""

from fractions import Fraction
from html import unescape

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.models import Change, Event, Player
from league.services.players import ensure_players
from payouts.brought_forward import Attendance, brought_forward_text, read_brought_forward
from payouts.models import BroughtTotals, SeasonRules
from payouts.queries import brought_forward_version
from reading.names.keys import name_key
from reading.names.rules import clean_name, name_problem
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(season):
    return reverse("payouts:brought-edit", args=[season.club.slug, season.slug])


def posted(text, version=0, attendance="added"):
    return {"text": text, "version": version, "attendance": attendance, "save": "1"}


def totals(text):
    return [
        (line.name, line.points, line.n_events, line.n_entries, line.n_wins)
        for line in read_brought_forward(text, {}).totals
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fenwick 35 9 1", ("Fenwick", 35, 9, 9, 1)),
        ("Fenwick 35 9", ("Fenwick", 35, 9, 9, 0)),
        ("Mary Ann 2.5 9 12 1", ("Mary Ann", Fraction(5, 2), 9, 12, 1)),
        ("Gray T\t5/3\t2", ("Gray T", Fraction(5, 3), 2, 2, 0)),
        ("Fenwick, 35, 9, 12, 1", ("Fenwick", 35, 9, 12, 1)),
        ('"Ada; the Ace";35;9', ("Ada; the Ace", 35, 9, 9, 0)),
        ("player,points,events\nPlayer 7,3,1", ("Player 7", 3, 1, 1, 0)),
        ("events;wins;name;points;shirt\n2;1;Ada;4;red", ("Ada", 4, 2, 2, 1)),
        ("player,2026-01,2026-02,2026-03,events\nAda,2,,1.5,3", ("Ada", Fraction(7, 2), 3, 3, 0)),
        ("氏名,1月,2月,points,events\nAda,2,1,3,3", ("Ada", 3, 3, 3, 0)),
        ("name\tJan\tFebruary 2026\tevents\nAda\t2\t1\t3", ("Ada", 3, 3, 3, 0)),
        ("髙橋 12 3", ("髙橋", 12, 3, 3, 0)),
        ("髙橋 １００ ３ １", ("髙橋", 100, 3, 3, 1)),
        ("髙橋，２．５，３", ("髙橋", Fraction(5, 2), 3, 3, 0)),
        ('"A;B", 35, 9', ("A;B", 35, 9, 9, 0)),
        ('"A,B" ;35; 9', ("A,B", 35, 9, 9, 0)),
        ('"Smith, John", 35, 9', ("Smith, John", 35, 9, 9, 0)),
        ('"Ace" Miller, 35, 9', ('"Ace" Miller', 35, 9, 9, 0)),
        ('"Ace" Miller 35 9', ('"Ace" Miller', 35, 9, 9, 0)),
        ('Tom 5", 35, 9', ('Tom 5"', 35, 9, 9, 0)),
        ('points;events;player\n35;9;"A;B, ""C"""', ('A;B, "C"', 35, 9, 9, 0)),
    ],
)
def test_a_line_is_read(text, expected):
    assert totals(text) == [expected]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Fenwick", "After the name come points"),
        ("Fenwick 35", "After the name come points"),
        ("Fenwick, x, 9", "Points: “x” is not a number."),
        ("Fenwick, -1, 9", "Points: 0 to"),
        ("Fenwick 9999999999 9", "Points: 0 to"),
        ("Fenwick, 35, 0", "Events: a whole number from 1 to 10000, not “0”."),
        ("Fenwick, 35, 1.5", "Events: a whole number"),
        ("Fenwick, 35, 9, 8, 1", "Entries: a whole number from 9"),
        ("Fenwick, 35, 9, 10", "Wins: a whole number from 0 to 9"),
        (", 35, 9", "A name is missing."),
        ("A" * 61 + " 3 1", "This name has 61 characters"),
    ],
)
def test_a_wrong_line_is_reported_and_nothing_is_saved(season, address, organizer_client, line, message):
    text = f"Ada 3 1\n{line}"
    answer = organizer_client.post(address, posted(text))
    assert answer.status_code == 200
    problem = answer.context["read"].lines[1]
    assert message in problem.problem
    assert problem.number == 2
    assert answer.context["form"]["text"].value() == text
    assert not BroughtTotals.objects.exists()
    assert not Change.objects.exists()


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("player,points,points,events", "“points” and “points”"),
        ("player;events;Points;total_points", "“Points” and “total_points”"),
        ("name\tplayer\tpoints\tevents", "“name” and “player”"),
    ],
)
def test_two_columns_for_the_same_are_reported_and_nothing_is_saved(
    season, address, organizer_client, head, message
):
    text = f"{head}\nAda, 3, 4, 1"
    answer = organizer_client.post(address, posted(text))
    assert message in answer.context["read"].problem
    assert message in unescape(answer.content.decode())
    assert answer.context["form"]["text"].value() == text
    assert not BroughtTotals.objects.exists()


@pytest.mark.parametrize("first", ["", "Ada 3 1\n"])
def test_a_line_with_too_long_a_column_is_reported(season, address, organizer_client, first):
    text = f"{first}Fenwick,{'3' * 140_000},1"
    answer = organizer_client.post(address, posted(text))
    assert answer.status_code == 200
    assert answer.context["read"].lines[-1].problem == "A column of this line is too long."
    assert answer.context["form"]["text"].value() == text
    assert not BroughtTotals.objects.exists()


def test_too_long_a_text_is_reported_and_only_its_beginning_is_read(season, address, organizer_client):
    answer = organizer_client.post(address, posted("Ada 3 1\n" + "x" * 200_000))
    assert "at most 200000 characters" in answer.context["form"].errors["text"][0]
    assert len(answer.context["read"].lines[1].text) == 200_000 - len("Ada 3 1\n")
    assert not BroughtTotals.objects.exists()


def test_a_repeated_name_is_reported():
    assert read_brought_forward("Ada 3 1\nada 4 1", {}).lines[1].problem == "ada is there twice."


def test_a_name_that_resembles_a_players_is_asked_about_and_remembered(season, address, organizer_client):
    enter(season, "Pilcrow\nHale")
    page = organizer_client.post(address, posted("Pilcro 3 1\nOtto 2 1"))
    assert [line.is_new for line in page.context["read"].lines] == [True, True]
    assert "Pilcro: new guest, or Pilcrow?" in page.content.decode()
    assert "2 new guests: Pilcro (like Pilcrow), Otto." in page.content.decode()
    assert not BroughtTotals.objects.exists()
    pilcrow = Player.objects.get(name="Pilcrow")
    answered = posted("Pilcro 3 1\nOtto 2 1") | {"answer": f"name:Pilcro={pilcrow.pk}"}
    assert organizer_client.post(address, answered).status_code == 302
    assert set(BroughtTotals.objects.values_list("player__name", flat=True)) == {"Pilcrow", "Otto"}
    assert pilcrow.aliases.get().name == "Pilcro"
    version = brought_forward_version(season)
    twice = organizer_client.post(address, posted("pilcro 3 1\nPilcrow 2 1", version))
    assert "Pilcrow is there twice." in twice.content.decode()
    assert BroughtTotals.objects.count() == 2


def test_totals_are_saved_counted_and_marked(season, address, organizer_client, people, client):
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    assert organizer_client.get(address).status_code == 200
    answer = organizer_client.post(address, posted("Ada 5/3 2 3 1\nZoe 20 4"))
    assert answer.url == season.get_absolute_url()
    recompute(season.pool_id)
    ada, zoe = Standing.objects.get(player__name="Ada"), Standing.objects.get(player__name="Zoe")
    assert (float(ada.points), ada.n_events, ada.n_entries, ada.n_wins, ada.n_brought) == (
        pytest.approx(2.6667), 3, 4, 2, 2,
    )  # fmt: skip
    assert (zoe.points_rank, zoe.total, zoe.rate, zoe.badge, zoe.tier_rank) == (1, 24, None, "", None)
    assert Event.objects.count() == 1
    change = Change.objects.get(kind=Change.Kind.TOTALS_BROUGHT)
    assert (change.actor, change.season) == (people["organizer"], season)
    page = organizer_client.get(season.get_absolute_url()).content.decode()
    assert page.count("with totals brought forward</span>") == 2
    assert Player.objects.get(name="Zoe").is_guest
    history = organizer_client.get(reverse("standings:changes", args=[season.club.slug])).content.decode()
    assert "totals brought forward" in history


def test_saving_the_same_totals_twice_is_one_change(season, address, organizer_client):
    organizer_client.post(address, posted("Ada 3 1"))
    version = brought_forward_version(season)
    organizer_client.post(address, posted("Ada 3 1", version))
    assert Change.objects.count() == 1
    assert BroughtTotals.objects.count() == 1


def test_the_form_shows_the_saved_totals(season, address, organizer_client):
    organizer_client.post(address, posted("Player, 5/3, 2\nMary Ann, 2.5, 9, 12, 1"))
    text = organizer_client.get(address).context["form"]["text"].value()
    assert text == brought_forward_text(BroughtTotals.objects.all())
    assert totals(text) == [("Player", Fraction(5, 3), 2, 2, 0), ("Mary Ann", Fraction(5, 2), 9, 12, 1)]


ODD_NAMES = (
    '"Ace" Miller', "Smith, John", "A;B", 'A;B, "C"', '"b', '""c', '","d', 'Tom 5"', '"a" , b', '" , "e', "'f", "' ; 'g", ",h",
    "5/3", "player", "points", "-1", "35 9 1", "髙橋", "O’Brien; jr",
)  # fmt: skip


def is_unchanged(reading, stored):
    before = [(row.player.name, row.points, row.n_events, row.n_entries, row.n_wins) for row in stored]
    return not any(line.problem or line.is_new for line in reading.lines) and before == [
        (line.name, line.points, line.n_events, line.n_entries, line.n_wins) for line in reading.totals
    ]


@given(st.lists(st.text("ab ,;\"'/5.&|\\髙", min_size=1, max_size=12), min_size=1, max_size=4))
def test_every_name_is_read_back(names):
    cleaned = {name_key(name): name for name in map(clean_name, names) if not name_problem(name)}
    stored = [
        BroughtTotals(
            player=Player(name=name), numerator=5, denominator=3, n_events=9, n_entries=12, n_wins=1
        )
        for name in cleaned.values()
    ]
    assert is_unchanged(read_brought_forward(brought_forward_text(stored), cleaned), stored)


def test_a_list_with_odd_names_is_opened_and_saved_unchanged(season, address, organizer_client):
    people = list(ensure_players(season.club, ODD_NAMES).values())
    for person in people:
        BroughtTotals.objects.create(
            season=season, player=person, numerator=5, denominator=3, n_events=9, n_entries=12, n_wins=1
        )
    form = organizer_client.get(address).context["form"]
    answer = organizer_client.post(address, posted(form["text"].value(), form["version"].value()))
    assert answer.status_code == 302
    assert not Change.objects.exists()
    assert Player.objects.count() == len(people)


def previewed(answer):
    return [(line.totals.points, line.total) for line in answer.context["read"].lines]


def test_attendance_is_asked_for_and_both_totals_are_shown(season, address, organizer_client):
    """A list that says 20 became 28 without a word."""
    assert not organizer_client.get(address).context["form"]["attendance"].value()
    answer = organizer_client.post(address, posted("Ada 20 8", attendance=""))
    assert "contain those for attendance" in answer.context["form"].errors["attendance"][0]
    assert answer.context["form"]["text"].value() == "Ada 20 8"
    assert "20 or 28" in answer.content.decode()
    assert not BroughtTotals.objects.exists()


@pytest.mark.parametrize(("attendance", "points", "total"), [("added", 20, 28), ("contained", 12, 20)])
def test_the_total_of_the_preview_is_that_of_the_standings(
    season, address, organizer_client, attendance, points, total
):
    data = posted("Ada 20 8", attendance=attendance)
    asked = {name: value for name, value in data.items() if name != "save"}
    shown = organizer_client.post(address, asked, headers={"HX-Request": "true"})
    assert previewed(shown) == [(points, total)]
    organizer_client.post(address, data)
    organizer_client.post(address, data | {"version": brought_forward_version(season)})
    recompute(season.pool_id)
    standing = Standing.objects.get()
    assert (standing.points, standing.total) == (points, total)
    assert Change.objects.count() == 1
    opened = organizer_client.get(address)
    assert opened.context["form"]["attendance"].value() == "added"
    assert previewed(opened) == [(points, total)]


def test_a_total_cannot_contain_more_attendance_than_it_has_points(address, organizer_client):
    answer = organizer_client.post(address, posted("Ada 7 8", attendance="contained"))
    assert (
        answer.context["read"].lines[0].problem == "Points: 7 cannot contain the points for 8 events played."
    )
    assert not BroughtTotals.objects.exists()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("Ada,2,1,4,2", "The months add up to 3, the points are 4."),
        ("Ada,2,x,3,2", "2026-02: “x” is not a number."),
    ],
)
def test_months_that_do_not_add_up_are_reported(row, problem):
    read = read_brought_forward(f"player,2026-01,2026-02,points,events\n{row}", {})
    assert read.lines[0].problem == problem


@pytest.mark.parametrize("points", [3, 5])
def test_months_with_or_without_attendance_are_those_of_a_total_that_contains_it(points):
    attendance = Attendance(Fraction(1), is_contained=True)
    text = f"player,2026-01,2026-02,points,events\nAda,2,1,{points},2"
    assert read_brought_forward(text, {}, attendance=attendance).totals[0].points == points - 2


def test_a_month_that_is_there_twice_is_reported():
    assert (
        "“2026-01” and “2026-01”"
        in read_brought_forward("player,2026-01,2026-01,events\nAda,2,1,2", {}).problem
    )


def test_without_points_for_attendance_nothing_is_asked(season, address, organizer_client):
    SeasonRules.objects.update_or_create(season=season, defaults={"attendance_points": 0})
    assert (
        "With attendance"
        not in organizer_client.post(address, posted("Ada 7 8x", attendance="")).content.decode()
    )
    assert organizer_client.post(address, posted("Ada 7 8", attendance="")).status_code == 302


def test_an_empty_list_removes_the_totals(season, address, organizer_client):
    organizer_client.post(address, posted("Ada 3 1"))
    recompute(season.pool_id)
    organizer_client.post(address, posted("", brought_forward_version(season)))
    recompute(season.pool_id)
    assert not Standing.objects.exists()


def test_an_outdated_page_is_refused_and_keeps_its_text(season, address, organizer_client):
    organizer_client.post(address, posted("Ada 3 1"))
    answer = organizer_client.post(address, posted("Boris 4 1"))
    form = answer.context["form"]
    assert "Somebody else has changed this" in form.non_field_errors()[0]
    assert form["text"].value() == "Boris 4 1"
    assert list(BroughtTotals.objects.values_list("player__name", flat=True)) == ["Ada"]
    # The page that was returned carries the new version and can be saved.
    assert organizer_client.post(address, posted("Boris 4 1", form["version"].value())).status_code == 302


def test_a_closed_season_takes_no_totals(season, address, organizer_client):
    from league.models import Season

    Season.objects.update(is_closed=True)
    answer = organizer_client.post(address, posted("Ada 3 1"))
    assert "is closed" in answer.context["form"].non_field_errors()[0]
    assert not BroughtTotals.objects.exists()


def test_a_preview_saves_nothing(address, organizer_client):
    for data, headers in (({"preview": "1"}, {}), ({"save": "1"}, {})):
        answer = organizer_client.post(address, {"text": "Ada 3", "version": 0, **data}, headers=headers)
        assert answer.status_code == 200
    answer = organizer_client.post(address, {"text": "Ada 3 1", "version": 0}, headers={"HX-Request": "true"})
    assert "<html" not in answer.content.decode()
    assert not BroughtTotals.objects.exists()


def test_only_organizers_bring_totals_forward(address, refused_to):
    refused_to(address, posted("Ada 3 1"))
    assert not BroughtTotals.objects.exists()


def test_a_player_with_totals_cannot_be_deleted(season, address, organizer_client):
    from django.db.models import ProtectedError

    organizer_client.post(address, posted("Ada 3 1"))
    with pytest.raises(ProtectedError):
        Player.objects.get(name="Ada").delete()


def test_numbers_with_groups_are_read_and_a_row_of_totals_is_nobodys():
    read = read_brought_forward(
        "Player\tEvents\tPoints\tWins\nAnn Lee\t13\t52,750\t0\nBob Ray\t10\t47 400\t4\n|_ Total _|\t23\t100,150\t4",
        (),
    )
    assert [(line.name, line.points, line.n_events, line.n_wins) for line in read.totals] == [
        ("Ann Lee", 52_750, 13, 0), ("Bob Ray", 47_400, 10, 4),
    ]  # fmt: skip
    assert (read.is_ready, len(read.left_out)) == (True, 1)


def test_a_member_with_the_name_of_a_total_is_no_total():
    read = read_brought_forward("Total 34 15 2\nAnn Lee 20 9 1", {"total"})
    assert [line.name for line in read.totals] == ["Total", "Ann Lee"]
    assert [line.name for line in read_brought_forward("Total 34 15 2\nAnn Lee 20 9 1", ()).totals] == [
        "Ann Lee"
    ]
