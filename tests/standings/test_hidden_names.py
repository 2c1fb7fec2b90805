"""Hiding the name of a player, showing it again, and leaving for good; tests/test_hidden_names.py looks for it everywhere."""

import pytest
from django.urls import reverse

from league.models import BinItem, Change, ImportDraft, Player, PlayerAlias, PlayerMerge
from league.services.errors import Refused
from league.services.events import delete_event
from payouts.models import BroughtTotals
from people.services.claims import claim_player
from people.services.hidden_names import forget_name, hide_name, show_name
from people.services.merges import merge_players
from standings.models import Award, SeasonSeal, Standing
from standings.recomputation.service import recompute
from standings.seals.services import seal_season
from tests.factories import SeasonFactory, enter
from tests.storm.rows import computed_rows

pytestmark = pytest.mark.django_db


def named(name):
    return Player.objects.select_related("club").get(name=name)


@pytest.fixture
def evening(season):
    event = enter(season, "Zebulon\nIris\nMoss")
    recompute(season.pool_id)
    return event


def test_results_and_ratings_stay_and_the_name_comes_back(season, evening, people, client_of):
    player, rows = named("Zebulon"), computed_rows()
    rates = dict(Standing.objects.values_list("player", "rate"))
    url = reverse("people:player-hide", args=[season.club.slug, player.pk])
    for _press in range(2):
        client_of("organizer").post(url, {"hide": "1"})
    hidden = named(f"Player {player.pk}")
    recompute(season.pool_id)
    assert dict(Standing.objects.values_list("player", "rate")) == rates
    assert (hidden.pk, hidden.real_name) == (player.pk, "Zebulon")
    again = enter(season, "Zebulon\nIris", day=1)
    assert again.entries.get(place=1).player == hidden
    again.delete()
    for _press in range(2):
        client_of("organizer").post(url, {"show": "1"})
    shown = named("Zebulon")
    assert (shown.pk, shown.real_name, shown.aliases.count()) == (player.pk, "", 0)
    recompute(season.pool_id)
    assert computed_rows() == rows


def test_only_organizers_hide_names(season, evening, refused_to):
    player = named("Zebulon")
    for page in ("player-hide", "player-forget"):
        refused_to(
            reverse(f"people:{page}", args=[season.club.slug, player.pk]), is_page=page != "player-hide"
        )
    assert named("Zebulon") == player


def test_a_name_in_a_sealed_file_is_not_hidden(season, evening, people, client_of):
    type(season).objects.filter(pk=season.pk).update(is_closed=True)
    season.refresh_from_db()
    seal_season(season, actor=people["owner"])
    with pytest.raises(Refused, match="Break the seal first"):
        hide_name(named("Zebulon"), actor=people["owner"])
    url = reverse("people:player-forget", args=[season.club.slug, named("Zebulon").pk])
    assert "Break the seal first" in client_of("organizer").post(url).content.decode()
    assert named("Zebulon").real_name == ""


@pytest.mark.parametrize(
    "of_season",
    [
        lambda season, player: Award.objects.create(
            season=season, position=99, kind="chosen", title="Best hat", player=player
        ),
        lambda season, player: BroughtTotals.objects.create(
            season=season, player=player, numerator=3, n_events=1, n_entries=1
        ),
    ],
    ids=["award", "totals brought forward"],
)
def test_who_played_no_event_of_a_sealed_season_may_be_named_in_its_file(season, evening, people, of_season):
    sealed = SeasonFactory(club=season.club, name="Sealed")
    of_season(sealed, named("Zebulon"))
    enter(sealed, "Iris\nMoss")
    recompute(sealed.pool_id)
    type(sealed).objects.filter(pk=sealed.pk).update(is_closed=True)
    sealed.refresh_from_db()
    seal_season(sealed, actor=people["owner"])
    assert "Zebulon" in SeasonSeal.objects.get(season=sealed).text
    with pytest.raises(Refused, match="The sealed season Sealed names Zebulon"):
        hide_name(named("Zebulon"), actor=people["owner"])


def test_who_leaves_for_good_is_named_nowhere_in_the_database(season, evening, people, client_of):
    player, owner = named("Zebulon"), people["owner"]
    enter(season, "Zebulonn (new)\nMoss", day=1)
    merge_players(player, named("Zebulonn"), actor=owner)
    claim_player(player, user=people["member"], actor=owner)
    ImportDraft.objects.create(season=season, user=owner)
    delete_event(enter(season, "Moss\nZebulon", day=2), version=1, actor=owner)
    recompute(season.pool_id)
    rates = dict(Standing.objects.values_list("player", "rate"))
    url = reverse("people:player-forget", args=[season.club.slug, player.pk])
    assert "What stays: results" in client_of("organizer").get(url).content.decode()
    for _press in range(2):
        client_of("organizer").post(url)
    recompute(season.pool_id)
    gone = Player.objects.get(pk=player.pk)
    assert (gone.name, gone.real_name, gone.user) == (f"Player {player.pk}", "", None)
    assert dict(Standing.objects.values_list("player", "rate")) == rates
    stored = [
        *Change.objects.values_list("before", "after"),
        *season.club.access_changes.values_list("before", "after"),
        *PlayerAlias.objects.values_list("name"),
        *PlayerMerge.objects.values_list("data"),
        *BinItem.objects.values_list("facts", "data"),
    ]
    assert "zebulon" not in str(stored).lower()
    assert not ImportDraft.objects.exists()


def test_showing_what_is_not_hidden_changes_nothing(season, evening, people):
    n = Change.objects.count()
    assert show_name(named("Zebulon"), actor=people["owner"]).name == "Zebulon"
    assert Change.objects.count() == n


def test_the_names_of_others_stay_when_somebody_leaves(season, evening, people):
    forget_name(named("Zebulon"), actor=people["owner"])
    entries = Change.objects.filter(kind="result-entered").get().after["entries"]
    assert [row[1] for row in entries][1:] == ["Iris", "Moss"]
