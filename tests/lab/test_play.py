"""The sit-and-go in its pages: played to the end, sent twice, resumed, and nothing shown that a player may not see."""

import re
import uuid
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from lab.engine.holdem.sit_and_go import Game
from lab.engine.holdem.styles import RANDOM, RANGES, style_of
from lab.holdem import play
from lab.models import SitAndGo
from lab.services import sit_and_go
from lab.tasks import purge_games
from league.services.errors import Refused, Stale

pytestmark = pytest.mark.django_db
BEGIN = reverse("lab:play")


def begin(client, *styles):
    names = [f"player_{number}" for number in range(1, 6)]
    data = dict(zip(names, [*styles, "", "", "", ""], strict=False))
    answer = client.post(BEGIN, data)
    assert answer.status_code == 302
    return SitAndGo.objects.get(pk=answer.url.split("/")[-2])


def state_of(row):
    row.refresh_from_db()
    return Game.of_json(row.state)


def url_of(row):
    return reverse("lab:play-game", args=[row.pk])


def post(client, row, action, **data):
    row.refresh_from_db()
    return client.post(url_of(row), {"version": row.version, "action": action, **data})


def a_row(seed=1, styles=("careful", "bold")):
    from lab.engine.holdem.sit_and_go import start

    return SitAndGo.objects.create(state=start(list(styles), seed).to_json(), played_at=timezone.now())


@pytest.mark.parametrize("styles", [("bold",), ("rock", "careful", "kelly", "moody", "dreamer")])
def test_a_game_is_played_to_its_end_without_an_account(client, styles):
    row = begin(client, *styles)
    for _post in range(400):
        game = state_of(row)
        if game.is_finished:
            break
        assert sum(game.stacks) == 1_500 * (len(styles) + 1)
        hand = game.hand()
        if hand.is_over:
            assert post(client, row, "next").url == url_of(row)
        elif hand.options().high:
            assert post(client, row, "raise", to=hand.options().high).status_code == 302
        else:
            assert post(client, row, "call").status_code == 302
    assert game.is_finished
    page = client.get(url_of(row)).content.decode()
    place = game.places[0]
    assert f"Place {place} of {len(styles) + 1} after" in page
    assert page.count("<polyline") == 1
    assert sum(game.stacks) == 1_500 * (len(styles) + 1)


@pytest.mark.rest
def test_nobody_else_s_cards_are_in_the_page_before_the_showdown(client):
    row = a_row(77_777_777_777, ("rock", "careful", "kelly", "moody", "dreamer"))
    for _post in range(60):
        game = state_of(row)
        if game.is_finished:
            break
        hand, page = game.hand(), client.get(url_of(row)).content.decode()
        shown = [seat for seat in hand.live() if hand.is_showdown]
        own = game.players().index(0)
        allowed = [*hand.board, *(card for seat in {own, *shown} for card in hand.hole(seat))]
        names = re.findall(r'aria-label="(\w+ of \w+)"', page)
        assert sorted(names) == sorted(play.face(card).name for card in allowed)
        assert str(game.seed) not in page
        post(client, row, "next" if hand.is_over else "call")


def test_a_post_sent_twice_is_taken_once(client):
    row = a_row()
    assert not state_of(row).hand().is_over
    version = row.version
    for _post in range(2):
        client.post(url_of(row), {"version": version, "action": "fold"})
    row.refresh_from_db()
    assert row.version == version + 1
    assert len(state_of(row).choices) == 1
    page = client.get(url_of(row)).content.decode()
    assert "The game has gone on since you opened this page." in page


def test_the_services_refuse_what_is_not_possible():
    row = a_row()
    with pytest.raises(Refused, match="not possible at this moment"):
        sit_and_go.begin_next_hand(row.pk, version=0)
    with pytest.raises(Stale):
        sit_and_go.take_decision(row.pk, version=7, action="fold")
    sit_and_go.take_decision(row.pk, version=0, action="fold")
    with pytest.raises(Refused, match="not possible at this moment"):
        sit_and_go.take_decision(row.pk, version=1, action="call")
    row.refresh_from_db()
    assert row.version == 1


@pytest.mark.parametrize("to", ["1", "99999", "", "many"])
def test_an_impossible_raise_is_refused_and_kept(client, to):
    row = a_row()
    answer = post(client, row, "raise", to=to)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert f'value="{to}"' in page if to else True
    assert 'aria-invalid="true"' in page
    allowed = state_of(row).hand().options()
    expected = (
        "Enter a whole number" if to == "many" else f"Raise to between {allowed.low} and {allowed.high}."
    )
    assert expected in page
    row.refresh_from_db()
    assert row.version == 0


def test_after_a_hand_the_page_weighs_each_decision(client):
    row = a_row()
    post(client, row, "fold")
    page = client.get(url_of(row)).content.decode()
    choice = state_of(row).choices[0]
    assert "What would they have done in your seat?" in page
    assert f"your chance was {100 * choice.chance:.0f}" in page
    for value in (choice.fold, choice.call, choice.raise_):
        assert re.search(rf'<td class="n[^"]*">{value:.0f}</td>', page)


def test_a_fold_costs_what_the_best_decision_was_worth_more():
    row = a_row()
    sit_and_go.take_decision(row.pk, version=0, action="fold")
    choice = state_of(row).choices[0]
    assert choice.cost == pytest.approx(max(choice.fold, choice.call, choice.raise_) - choice.fold)
    # Folding before a chip is in leaves the stack as it is, counted two percent too large for an all-in.
    paid = state_of(row).fresh_hand().paid[state_of(row).players().index(0)]
    assert choice.fold == pytest.approx(1_500 * (1 - paid / 1_530))


def test_a_game_is_found_again_in_the_same_browser_and_only_there(client, django_user_model):
    row = begin(client, "rock")
    assert url_of(row) in client.get(BEGIN).content.decode()
    other = type(client)()
    assert url_of(row) not in other.get(BEGIN).content.decode()
    # Whoever was given the address may look and play.
    assert other.get(url_of(row)).status_code == 200


@pytest.mark.parametrize(
    ("data", "message"),
    [({}, "Choose at least one player."), ({"player_1": "shark"}, "Select a valid choice.")],
)
def test_a_game_needs_players_there_are(client, data, message):
    answer = client.post(BEGIN, data)
    assert answer.status_code == 200
    assert message in answer.content.decode()
    assert not SitAndGo.objects.exists()


def test_games_cannot_be_begun_without_end(client):
    cache.clear()
    statuses = [client.post(BEGIN, {"player_1": "rock"}).status_code for _game in range(11)]
    assert statuses == [302] * 10 + [429]
    cache.clear()


def test_an_unknown_game_is_not_found(client):
    assert client.get(reverse("lab:play-game", args=[uuid.uuid4()])).status_code == 404
    assert client.post(reverse("lab:play-game", args=[uuid.uuid4()])).status_code == 404


def test_old_games_are_deleted():
    old, young = a_row(), a_row()
    SitAndGo.objects.filter(pk=old.pk).update(played_at=timezone.now() - timedelta(days=31))
    purge_games()
    assert list(SitAndGo.objects.all()) == [young]


@pytest.mark.parametrize("n_played", [0, 5])
def test_a_page_takes_one_query_however_long_the_game(client, django_assert_num_queries, n_played):
    row = a_row()
    for _post in range(n_played):
        post(client, row, "next" if state_of(row).hand().is_over else "call")
    with django_assert_num_queries(1):
        client.get(url_of(row))


def test_opponents_by_strength_and_at_random(client):
    """The shares are those of the counted duels: 1768, 3681 and 4945 of 10,000."""
    page = client.get("/lab/play/").content.decode().replace("\u00a0", " ")
    for text in (
        "Easy: wins 18 of 100 duels",
        "Even: wins 37 of 100 duels",
        "Hard: wins 49 of 100 duels",
        "At random: ",
    ):
        assert text in page
    row = begin(client, "easy", "random", "random")
    styles = Game.of_json(row.state).styles
    assert styles[0] == "easy"
    assert len({style_of(style) for style in styles[1:]}) == 2
    page = client.get(f"/lab/play/{row.pk}/").content.decode()
    assert "At random 1" in page
    assert "At random 2" in page


def test_players_at_random_stay_within_the_stated_ranges():
    drawn = [style_of(f"{RANDOM}-{seed}") for seed in range(200)]
    for name, (least, most) in RANGES.items():
        values = [getattr(style, name) for style in drawn]
        assert least <= min(values) < least + 0.05 * (most - least)
        assert most >= max(values) > most - 0.05 * (most - least)
    assert style_of(f"{RANDOM}-7") == drawn[7]
