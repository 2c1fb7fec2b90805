"""The home page of a club: the last event in a sentence, its podium, the top, records, champions, the reader's place."""

from datetime import date, timedelta

import pytest
import time_machine
from django.test import Client

from entry.services.meets import form_meet
from league.models import Player, Role
from league.services.seasons import close_season
from people.services.hidden_names import hide_name
from people.services.members import set_member
from standings.home.queries import last_night, last_nights, season_lines
from standings.home.records import records_of
from standings.home.sentences import sentence_of, steps_of
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import START, ClubFactory, SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db
FIRST = "Ada\nBoris\nCleo\nDora"


@pytest.fixture
def season():
    return SeasonFactory(name="Winter")


def played(season, *orders):
    for day, order in enumerate(orders):
        enter(season, order, day=day)
    recompute(season.pool_id)
    return season


def words(season):
    night = last_night(season)
    return sentence_of(night), {step.finisher.name: step.words for step in steps_of(night)}


def test_the_last_event_says_who_beat_what_was_expected_and_what_it_meant(season):
    played(season, FIRST, FIRST, "Dora\nAda\nBoris\nCleo")
    sentence, meaning = words(season)
    expected = last_night(season).podium[0].expected
    assert expected > 2
    assert sentence == f"Dora, expected in place {expected:.1f}, outlasted 3 others."
    assert list(meaning) == ["Dora", "Ada", "Boris"]
    ranks = {row.player.name: row for row in Standing.objects.select_related("player")}
    assert meaning["Dora"].startswith("First win of the season, up ")
    assert ranks["Dora"].points_moved > 0
    assert meaning["Ada"].startswith("Leads the season")


def test_the_home_of_an_ended_season_says_that_it_was_won(client, season):
    club = season.club.get_absolute_url()
    assert f"<h1>{season.club.name}</h1>" in client.get(club).content.decode()  # nobody leads yet
    played(season, FIRST, FIRST)
    assert "<h1>Ada leads, " in client.get(club).content.decode()
    close_season(season, actor=None)
    assert "<h1>Ada won, " in client.get(club).content.decode()


def test_if_another_one_surprised_more_the_sentence_names_both(season):
    played(season, FIRST, FIRST)
    night = last_night(season)
    first, *others, third = night.podium
    podium = [first._replace(expected=1.4), *others, third._replace(expected=4.5)]
    assert sentence_of(night._replace(podium=podium)) == (
        "Ada outlasted 3 others. Cleo, 3rd, was expected in place 4.5."
    )
    podium[-1] = third._replace(expected=3.9)
    assert sentence_of(night._replace(podium=podium)) == "Ada outlasted 3 others."
    assert steps_of(night)[0].words.startswith("Win number 2 of the season")


def test_winners_who_tie_share_the_sentence_and_the_podium(season):
    played(season, "Ada = Boris\nCleo")
    sentence, meaning = words(season)
    assert sentence == "Ada and Boris shared the win among 3 players."
    assert len(meaning) == 3


def test_the_last_night_is_told_as_one(season):
    games = [enter(season, "Ada\nBoris\nCleo", day=i / 50) for i in range(2)]
    form_meet(season, name="Night", event_ids=[game.pk for game in games], actor=UserFactory())
    recompute(season.pool_id)
    night = last_night(season)
    assert night.address == season.meets.get().get_absolute_url()
    assert sentence_of(night) == "Ada came first among 3 players in 2 games."
    assert steps_of(night)[0].words.endswith("points, leads the season")


def test_who_is_first_leads_until_the_season_is_over_and_is_champion_then(season):
    played(season, FIRST)
    (line,) = season_lines([season], date(2026, 1, 10))
    assert (line.is_over, [row.player.name for row in line.first]) == (False, ["Ada"])
    page = Client().get(season.club.get_absolute_url()).content.decode()
    assert "Ada leads" in page
    close_season(season, actor=UserFactory())
    (line,) = season_lines([season], date(2026, 1, 10))
    assert line.is_over
    assert "<b>Ada</b>" in Client().get(season.club.get_absolute_url()).content.decode()


def test_records_are_those_of_all_rows_and_follow_the_data(season):
    played(season, *[FIRST] * 5)
    found = records_of(season.club, season.pool)
    best = max(Standing.objects.all(), key=lambda row: row.rate)
    assert ([holder.player_id for holder in found.highest_rate.holders], found.highest_rate.value) == (
        [best.player_id],
        best.rate,
    )
    (winner,) = found.most_wins.holders
    assert (winner.name, found.most_wins.value, winner.season) == ("Ada", 5, "Winter")
    assert found.biggest_gain.value == pytest.approx(
        max(
            entry.posterior_rate - entry.prior_rate
            for entry in season.pool.rated_entries.filter(is_provisional=False)
        )
    )
    hide_name(Player.objects.get(name="Ada"), actor=UserFactory())
    recompute(season.pool_id)
    _kind, *after = records_of(season.club, season.pool)
    assert "Ada" not in {holder.name for record in after for holder in record.holders}


def test_a_record_names_all_who_hold_it(season):
    played(season, FIRST, "\n".join(FIRST.split("\n")[::-1]))
    record = records_of(season.club, season.pool).most_wins
    assert (record.value, len(record.holders)) == (1, 2)


def test_the_reader_sees_the_own_place_and_others_are_asked_who_they_are(season):
    played(season, FIRST)
    address, reader = season.club.get_absolute_url(), Client()
    assert "Which player are you?" in reader.get(address).content.decode()
    boris = Player.objects.get(name="Boris")
    reader.post(f"{address}players/{boris.pk}/remember/", {"as": "me"})
    page = reader.get(address).content.decode()
    assert '<h2 id="receipt">2nd of 4</h2>' in page
    assert "Which player are you?" not in page


def test_a_club_without_events_and_one_without_seasons_have_a_home(season):
    owner = Client()
    empty = ClubFactory()
    for club in (season.club, empty):
        owner.force_login(club.memberships.get(role=Role.OWNER).user)
        assert owner.get(club.get_absolute_url()).status_code == 200
    assert "No event has been entered yet." in Client().get(season.club.get_absolute_url()).content.decode()


def test_only_who_may_plan_is_offered_to(season):
    helper = UserFactory()
    set_member(season.club, user=helper, role=Role.HELPER, actor=None)
    client = Client()
    client.force_login(helper)
    with time_machine.travel(START + timedelta(days=1)):
        assert "/schedule/new/" in client.get(season.club.get_absolute_url()).content.decode()
        assert "/schedule/new/" not in Client().get(season.club.get_absolute_url()).content.decode()


def test_the_last_events_are_nights_with_their_winners_in_few_queries(season, django_assert_max_num_queries):
    for day in (1, 2):
        games = [enter(season, "Boris\nAda\nCleo", day=day + i / 50) for i in range(3)]
        form_meet(season, name=f"Night {day}", event_ids=[game.pk for game in games], actor=UserFactory())
    alone = enter(season, "Cleo = Ada\nBoris", day=3, name="Alone")
    recompute(season.pool_id)
    with django_assert_max_num_queries(6):
        lines = last_nights(season.club, 5)
    assert [(line.title, line.winners, line.n_players, len(line.events)) for line in lines] == [
        ("Alone", ["Cleo", "Ada"], 3, 1), ("Night 2", ["Boris"], 3, 3), ("Night 1", ["Boris"], 3, 3),
    ]  # fmt: skip
    assert lines[0].address == alone.get_absolute_url()
    assert [line.title for line in last_nights(season.club, 2)] == ["Alone", "Night 2"]


def test_of_many_seasons_the_newest_are_listed(season):
    for year in range(8):
        SeasonFactory(club=season.club, name=f"Season of {2010 + year}", starts_on=date(2010 + year, 1, 1))
    page = Client().get(season.club.get_absolute_url()).content.decode()
    assert "Season of 2013" in page
    assert "Season of 2012" not in page
    assert "All 9 seasons" in page
