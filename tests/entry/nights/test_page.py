"""The page of a night, used as a browser without scripts uses it."""

import uuid
from dataclasses import replace
from decimal import Decimal

import pytest
from django.urls import reverse

from entry.services.nights import enter_night
from league.models import EntryForm, Event, Game, GameKind, Meet, Player, PlayerAlias, Pool
from scores.rules import PRESETS
from tests.entry.event_forms import shows, stored
from tests.entry.nights.pages import HUNDREDS, address, edit_address, fields_of, filled, seats
from tests.entry.nights.tables import NAMES, make_cash_game, make_game, night_of, table
from tests.factories import enter

pytestmark = pytest.mark.django_db


def test_a_night_is_published_and_sent_twice_it_is_one(organizer_client, season, game):
    data = filled(
        seats("1-1", NAMES, HUNDREDS),
        seats("1-2", ("Eve", "Fumi", "Gus", "Hana"), HUNDREDS),
        shape="2",
        save="",
    )
    answer = organizer_client.post(address(season), data)
    meet = Meet.objects.get()
    assert (answer.status_code, answer.url) == (302, meet.get_absolute_url())
    assert [event.entries.get(place=1).balance for event in meet.events.all()] == [Decimal("62.2")] * 2
    before = stored()
    assert organizer_client.post(address(season), data).url == answer.url
    assert stored() == before
    page = organizer_client.get(answer.url)
    assert shows(page, "Published: 2 tables. Ada is best with +62.2.")


def test_places_and_balances_are_shown_and_a_wrong_sum_asks(organizer_client, season, game):
    page = organizer_client.post(
        address(season), filled(seats("1-1", NAMES, ("453", "312", "184", "42")), save="")
    )
    for text in (
        "start 25,000, return 30,000 · uma 30 / 10 / −10 / −30 · oka 20", "1st", "+65.3", "99,100 of 100,000", "900 missing. Places and points may still change.", "−900",
        "Two digits the wrong way round? With 32,100 the sum is right. No other single slip explains it.",
        "Make it 32,100", "Mend table 1",
    ):  # fmt: skip
        assert shows(page, text), text
    assert Event.objects.count() == 0
    mended = organizer_client.post(address(season), fields_of(page) | {"do": "set:1-1-2:321"})
    assert shows(mended, "100,000 ✓")
    assert shows(mended, "Publish 1 table")
    assert fields_of(mended)["1-1-2-score"] == "321"


def test_a_night_is_not_offered_for_publishing_while_a_name_is_asked_about(organizer_client, season, game):
    enter(season, "Adaline\nBoris")
    names = ("Adalina", *NAMES[1:])
    page = organizer_client.post(address(season), filled(seats("1-1", names, ("426", "294", "189", "91"))))
    assert (page.context["bar"].todo, page.context["bar"].target) == ("Names asked about: 1.", "asks")
    answered = organizer_client.post(address(season), fields_of(page) | {"answer": "name:Adalina=new"})
    assert (answered.context["bar"].todo, answered.context["bar"].target) == ("All sums are right.", "")


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        (("426", "294", "189", ""), ["90,900", "9,100 left for Dmitri", "Dmitri 9,100", "Finish table 1"]),
        (("426", "294", "189", "92"), ["100 too much. Which one is it?", "Ada 42,500", "Dmitri 9,100"]),
        (
            ("42600", "29400", "18900", "9100"),
            ["These look like points: 42600", "Read all of them as points"],
        ),
        (("426", "many", "189", "91"), ["Boris: “many” is not a number."]),
        (("426", "29.4", "189", "91"), ["Boris: A whole number is needed, not 29.4."]),
        (("500", "500", "-0", "0"), ["100,000 ✓"]),
        (("500", "640", "▲140", "0"), ["100,000 ✓"]),
    ],
)
def test_what_is_typed_is_kept_and_said_to_be_wrong(organizer_client, season, game, scores, texts):
    page = organizer_client.post(address(season), filled(seats("1-1", NAMES, scores)))
    for text in texts:
        assert shows(page, text), text
    assert [fields_of(page)[f"1-1-{row}-score"] for row in (1, 2, 3, 4)] == list(scores)
    assert Event.objects.count() == 0


def test_scores_in_points_are_read_as_hundreds(organizer_client, season, game):
    data = filled(seats("1-1", NAMES, ("42600", "29400", "18900", "9100")), do="scale:1-1:down")
    page = organizer_client.post(address(season), data)
    assert shows(page, "100,000 ✓")
    assert fields_of(page)["1-1-1-score"] == "426"


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (("Eve", "Fumi", "ADA", "Hana"), "ADA sits at table 1 and at table 2 of hanchan 1."),
        (("Eve", "Fumi", "Gus", "EVE"), "EVE sits at this table twice."),
        (("Eve", "Fumi", "Gus", ""), "Seat 4 has no name."),
        (("Eve", "Fumi", "Gus", "Ha\x07na"), "invisible control character"),
    ],
)
def test_players_who_cannot_sit_there(organizer_client, season, game, second, message):
    data = filled(seats("1-1", NAMES, HUNDREDS), seats("1-2", second, HUNDREDS), shape="2", save="")
    page = organizer_client.post(address(season), data)
    assert shows(page, message)
    assert shows(page, "Mend table 2")
    assert Event.objects.count() == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"1-1-1-chips": "3"}, "The rules of this game have no chips"),
        ({"1-1-1-chips": "3", "rules-chip_value": "1"}, "Boris has no chips, others do."),
        ({"1-1-1-penalty": "-20"}, "The penalty of Ada must be from 0 to 1,000, not −20."),
        ({"1-1-sticks": "1"}, "1,000 too much"),
        ({"1-1-sticks": "101"}, "The sticks left must be from 0 to 100, not 101."),
        ({"1-1-sticks": "x"}, "Sticks left: “x” is not a number."),
        ({"day": "2026-02-03"}, "This day is still to come"),
        ({"day": ""}, "This field is required."),
        ({"rules-preset": "", "rules-uma": "30, 10"}, "4 numbers are needed, one for each place, not 2."),
        (
            {"rules-preset": "", "rules-uma": "30, 10, -10, -20"},
            "The uma adds up to 10; it must add up to 0.",
        ),
        ({"rules-preset": "none"}, "Select a valid choice."),
        ({"form_token": "x"}, "This form was not sent whole."),
    ],
)
def test_bad_forms_name_the_field_and_save_nothing(organizer_client, season, game, fields, message):
    data = filled(seats("1-1", NAMES, HUNDREDS), save="") | fields
    page = organizer_client.post(address(season), data)
    assert page.status_code == 200
    assert shows(page, message)
    assert fields_of(page)["1-1-1-score"] == "422"
    assert Event.objects.count() == 0


def test_own_rules_chips_and_penalties(organizer_client, season, game):
    data = filled(
        seats("1-1", NAMES, ("422", "223", "205", "140"), sticks="1"),
        save="",
    ) | {
        "rules-preset": "", "rules-start": "25,000", "rules-back": "30,000", "rules-uma": "20, 10, −10, −20",
        "rules-ties": "wind", "rules-sticks": "first", "rules-chip_value": "2",
    }  # fmt: skip
    data |= {f"1-1-{row}-chips": value for row, value in enumerate(("3", "▲1", "-2", "0"), start=1)}
    data["1-1-4-penalty"] = "20"
    assert organizer_client.post(address(season), data).status_code == 302
    entries = Event.objects.get().entries.order_by("seat")
    assert [float(entry.balance) for entry in entries] == [59.2, 0.3, -23.5, -56]
    assert [(entry.chips, entry.penalty) for entry in entries] == [(3, None), (-1, None), (-2, None), (0, 20)]


def test_tables_rounds_and_seats_are_added_and_taken_away(organizer_client, season, game):
    url = address(season)
    page = organizer_client.post(url, filled(seats("1-1", NAMES, HUNDREDS), do="table:1"))
    assert fields_of(page)["shape"] == "2"
    page = organizer_client.post(url, fields_of(page) | {"do": "round"})
    fields = fields_of(page)
    assert (fields["shape"], fields["2-1-1-name"], fields["2-1-1-score"]) == ("2 2", "Ada", "")
    page = organizer_client.post(url, fields | {"do": "drop:1-2"})
    assert fields_of(page)["shape"] == "1 2"
    for nonsense in ("drop:9-9", "set:1-1-9:5", "fly", "set:x"):
        assert fields_of(organizer_client.post(url, fields | {"do": nonsense}))["shape"] == "2 2"


@pytest.mark.parametrize("shape", ["", "0", "13", "x", "1 -1"])
def test_a_shape_that_cannot_be_is_an_empty_sheet(organizer_client, season, game, shape):
    page = organizer_client.post(address(season), filled(seats("1-1", NAMES, HUNDREDS), shape=shape, save=""))
    assert fields_of(page)["shape"] == "1"
    assert Event.objects.count() == 0


def test_pasted_tables_fill_the_sheet(organizer_client, season, game):
    text = "Ada 42200\nBoris 22300\nChie 20500\nDmitri 15000\n\nEve 422\nFumi 223\nGus 205\nHana 150\n"
    page = organizer_client.post(address(season), filled(do="paste", paste=text))
    fields = fields_of(page)
    assert (fields["shape"], fields["unit"]) == ("2", "points")
    hundreds = text.replace("00\n", "\n")
    page = organizer_client.post(address(season), filled(do="paste", paste=hundreds))
    fields = fields_of(page)
    assert (fields["shape"], fields["unit"], fields["1-2-4-score"]) == ("2", "hundreds", "150")
    assert shows(page, "Publish 2 tables")
    five = "Ada 1\nBoris 2\nChie 3\nDmitri 4\nEve 5"
    page = organizer_client.post(
        address(season), filled(seats("1-1", NAMES, HUNDREDS), do="paste", paste=five)
    )
    assert shows(page, "A table of this game has 4 players, not 5.")
    assert five in page.content.decode()
    assert fields_of(page)["shape"] == "1"


def test_pasted_tables_replace_those_without_scores(organizer_client, season, game):
    url = address(season)
    others = ("Eve", "Fumi", "Gus", "Hana")
    typed = filled(seats("1-1", NAMES, HUNDREDS), seats("1-2", others, HUNDREDS), shape="2", do="round")
    fields = fields_of(organizer_client.post(url, typed))
    assert fields["shape"] == "2 2"
    lines = [f"{name} {score}" for name, score in zip(NAMES, HUNDREDS, strict=True)]
    page = organizer_client.post(url, fields | {"do": "paste", "paste": "\n".join(lines)})
    fields = fields_of(page)
    assert (fields["shape"], fields["2-1-1-name"], fields["2-1-1-score"]) == ("2 1", "Ada", "422")
    assert shows(page, "Publish 3 tables")


def test_pasted_points_are_saved_without_scores(organizer_client, season, game):
    text = "Ada +54.9\nBoris +9.8\nChie ▲15.9\nDmitri ▲48.8"
    page = organizer_client.post(address(season), filled(do="paste", paste=text))
    assert fields_of(page)["unit"] == "balance"
    organizer_client.post(address(season), fields_of(page) | {"save": ""})
    assert list(Event.objects.get().entries.order_by("place").values_list("score", "balance", "seat")) == [
        (None, Decimal("54.9"), 1), (None, Decimal("9.8"), 2), (None, Decimal("-15.9"), 3), (None, Decimal("-48.8"), 4),
    ]  # fmt: skip


def test_new_names_are_said_and_a_like_one_is_asked_about(organizer_client, season, game, people):
    enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    fields = filled(seats("1-1", ("Ada", "Boriss", "Chie", "Zoe"), HUNDREDS))
    page = organizer_client.post(address(season), fields | {"save": ""})
    assert shows(page, "Boriss: new guest, or Boris?")
    assert shows(page, "2 new guests: Boriss (like Boris), Zoe.")
    assert Event.objects.count() == 1
    boris = Player.objects.get(name="Boris")
    answered = fields | {"answer": f"name:Boriss={boris.pk}"}
    page = organizer_client.post(address(season), answered)
    assert fields_of(page)["1-1-2-name"] == "Boriss"
    assert organizer_client.post(address(season), answered | {"save": ""}).status_code == 302
    assert Event.objects.last().entries.filter(player=boris).exists()
    assert dict(PlayerAlias.objects.values_list("name", "player_id")) == {"Boriss": boris.pk}


def test_balances_of_a_cash_game_and_more_players(organizer_client, season, club):
    make_cash_game(club)
    page = organizer_client.get(address(season))
    fields = fields_of(page)
    assert (fields["seats"], fields["unit"]) == ("6", "balance")
    page = organizer_client.post(address(season), fields | {"do": "seats"})
    fields = fields_of(page)
    assert fields["seats"] == "10"
    fields |= seats("1-1", ("Ada", "", "Boris", "Chie"), ("+12.5", "", "-20", "2,5")) | {
        "rules-house_per_table": "5"
    }
    page = organizer_client.post(address(season), fields)
    assert shows(page, "−5.0 ✓")
    organizer_client.post(address(season), fields | {"save": ""})
    assert list(Event.objects.get().entries.order_by("place").values_list("player__name", "balance")) == [
        ("Ada", Decimal("12.5")), ("Chie", Decimal("2.5")), ("Boris", Decimal(-20)),
    ]  # fmt: skip


def test_three_players(organizer_client, season, club):
    make_game(club, name="Sanma", kind=GameKind.MAHJONG_3, table_size=3, scoring=None)
    page = organizer_client.get(address(season))
    assert fields_of(page)["seats"] == "3"
    fields = fields_of(page) | seats("1-1", ("Ada", "Boris", "Chie"), ("600", "350", "100")) | {"save": ""}
    assert organizer_client.post(address(season), fields).status_code == 302
    assert [float(entry.balance) for entry in Event.objects.get().entries.order_by("place")] == [50, -5, -45]


def test_a_game_whose_kind_was_changed_has_usual_rules(organizer_client, season, club, people):
    game = make_game(club, scoring=None)
    enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    Game.objects.filter(pk=game.pk).update(kind=GameKind.MAHJONG_3, table_size=3)
    fields = fields_of(organizer_client.get(address(season)))
    assert (fields["seats"], fields["rules-start"]) == ("3", "35000")


def test_games_of_a_shut_pool_are_not_offered(organizer_client, season, club):
    make_cash_game(club)
    shut = make_game(club)
    Game.objects.filter(pk=shut.pk).update(pool=Pool.objects.create(club=club, name="Old", is_shut=True))
    page = organizer_client.get(reverse("entry:enter", args=[club.slug, season.slug]))
    assert shut.name not in [game.name for game, _address in page.context["games"]]
    page = organizer_client.get(f"{address(season)}?game={shut.pk}")
    assert page.context["opened"].game.name == "Cash"


def test_the_form_is_sent_to_the_address_without_the_place_on_the_page(organizer_client, season, game):
    page = organizer_client.get(f"{address(season)}?game={game.pk}")
    assert f'action="{address(season)}?game={game.pk}"' in page.content.decode()


def test_only_organizers_enter_nights(refused_to, season, game, people):
    refused_to(address(season), filled(seats("1-1", NAMES, HUNDREDS), save=""), below="helper")
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    refused_to(edit_address(meet), filled(seats("1-1", NAMES, HUNDREDS), save=""), below="helper")


def test_a_club_without_such_a_game_is_told_so(organizer_client, season, club):
    make_game(club, entry_form=EntryForm.ORDER)
    assert shows(organizer_client.get(address(season)), "The club has no game with scores or balances.")


def test_a_game_without_rules_has_those_of_its_last_night(organizer_client, season, club, people):
    game = make_game(club, scoring=None)
    assert fields_of(organizer_client.get(address(season)))["rules-preset"] == "mleague"
    night = night_of(season, game, rules=replace(PRESETS["ema"], chip_value=Decimal(2)))
    tables = [table(scores=(50_000, 40_000, 20_000, 10_000))]
    meet = enter_night(night, tables, actor=people["organizer"], form_token=uuid.uuid4())
    fields = fields_of(organizer_client.get(address(season)))
    assert (fields["rules-preset"], fields["rules-chip_value"], fields["rules-back"]) == ("ema", "2", "30000")
    assert edit_address(meet) in organizer_client.get(meet.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("typed", "balance"),
    [
        ({"rules-preset": "ema", "rules-uma": "30, 10, -10, -30"}, "27.2"),  # another one is chosen
        ({"rules-preset": "mleague", "rules-uma": "20, 10, -10, -20"}, "52.2"),  # what it says is changed
        ({"rules-preset": "mleague"}, "62.2"),
    ],
)
def test_a_preset_and_what_is_changed_of_it(organizer_client, season, game, typed, balance):
    fields = fields_of(organizer_client.get(address(season))) | seats("1-1", NAMES, HUNDREDS)
    if typed["rules-preset"] == "ema":
        fields |= seats("1-1", NAMES, ("422", "323", "305", "150"))  # 120,000 are at the table
    page = organizer_client.post(address(season), fields | typed)
    assert shows(page, f"+{balance}")


def test_games_like_those_of_the_day_are_asked_about_before_they_count_twice(organizer_client, season, game):
    data = filled(seats("1-1", NAMES, HUNDREDS), save="")
    organizer_client.post(address(season), data)
    again = data | {"form_token": str(uuid.UUID(int=4)), "name": "Late"}
    page = organizer_client.post(address(season), again)
    assert shows(page, "A game like this is already there: Tuesday 1-1.")
    assert Event.objects.count() == 1
    organizer_client.post(address(season), again | {"another": "1"})
    assert Event.objects.count() == 2
