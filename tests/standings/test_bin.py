"""The bin: what is deleted comes back as it was; works, twice, wrong user, bad input."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from entry.services.meets import form_meet
from entry.services.nights import delete_night
from league.models import BinItem, Change, Entry, Event, Meet, Player, Season
from league.services.bin import NeedsOthers, empty_bins, restore
from league.services.deletions import delete_player, delete_season
from league.services.errors import Refused
from league.services.events import delete_event
from league.services.seasons import close_season
from payouts.models import EntryMoney, EventMoney, EventTerms
from payouts.services.terms import TERM_FIELDS, set_event_terms
from ratings.models import RatingSettings
from standings.awards.services import add_award, remove_award, restore_award
from standings.models import Award
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter
from tests.standings.all_rows import all_rows
from tests.storm.rows import wrong_leagues

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(people):
    return people["owner"]


@pytest.fixture
def league(season, owner):
    """A season with three events, two of them a meet, terms, money and an award."""
    events = [
        enter(season, text, day=day, name=f"E{day}")
        for day, text in enumerate(("Ada\nBo x2", "Bo = Cy\nAda", "Cy\nAda"))
    ]
    afternoon = enter(season, "Bo\nAda", day=2, name="E3")
    form_meet(season, name="Double", event_ids=[events[2].pk, afternoon.pk], actor=owner)
    terms = {name: getattr(EventTerms(), name) for name in TERM_FIELDS} | {"multiplier": Decimal("1.5")}
    set_event_terms(events[1], terms=terms, version=0, actor=owner)
    EventMoney.objects.create(event=events[1], buy_in=Decimal("10.5"), result_version=1)
    EntryMoney.objects.create(entry=events[1].entries.first(), rebuys=2, prize=Decimal("12.345"))
    add_award(season, kind="most_wins", title="", min_events=1, player=None, actor=owner)
    recompute(season.pool_id)
    return season


def came_back(season, item, owner):
    restore(season.club, item.pk, actor=owner)
    recompute(season.pool_id)
    assert not wrong_leagues()
    return all_rows()


def test_an_event_comes_back_to_the_bit(league, owner):
    before, event = all_rows(), Event.objects.get(name="E1")
    item = delete_event(event, version=1, actor=owner)
    recompute(league.pool_id)
    assert not Event.objects.filter(pk=event.pk).exists()
    assert (item.kind, item.label) == ("event", "E1")
    assert Change.objects.filter(in_bin=item).count() == 3  # entered, its terms, deleted
    assert came_back(league, item, owner) == before
    assert not Change.objects.exclude(in_bin=None).exists()
    assert event.changes.count() == 3  # entered, its terms, brought back


def test_a_night_comes_back_with_its_meet(league, owner):
    before, meet = all_rows(), Meet.objects.get()
    read = dict(meet.events.values_list("pk", "version"))
    item = delete_night(meet, read=read, actor=owner)
    recompute(league.pool_id)
    assert not Meet.objects.exists()
    assert BinItem.objects.get().facts["n_events"] == 2
    assert came_back(league, item, owner) == before


def test_games_of_a_meet_that_were_deleted_one_by_one_come_back_into_it(league, owner):
    before, games = all_rows(), list(Meet.objects.get().events.all())
    first, last = (delete_event(game, version=1, actor=owner) for game in games)
    with pytest.raises(NeedsOthers, match="is needed"):
        restore(league.club, first.pk, actor=owner)
    assert restore(league.club, first.pk, actor=owner, with_others=True) == first
    recompute(league.pool_id)
    assert restore(league.club, last.pk, actor=owner) is None
    assert all_rows() == before


def test_a_season_comes_back_to_the_bit(league, owner):
    before = all_rows()
    item = delete_season(league, actor=owner)
    recompute(league.pool_id)
    assert {model.objects.count() for model in (Season, Event, Entry, Award, EventMoney)} == {0}
    assert came_back(league, item, owner) == before
    assert delete_season(Season(pk=0, club=league.club), actor=owner) is None


def test_a_player_without_entries_comes_back(league, owner, people):
    event = Event.objects.get(name="E1")
    cy = Player.objects.get(name="Cy")
    Player.objects.filter(pk=cy.pk).update(user=people["member"])
    with pytest.raises(Refused, match="Cy has results"):
        delete_player(cy, actor=owner)
    before = all_rows()
    of_events = [delete_event(each, version=1, actor=owner) for each in (event, Event.objects.get(name="E2"))]
    item = delete_player(cy, actor=owner)
    assert delete_player(cy, actor=owner) is None
    recompute(league.pool_id)
    with pytest.raises(NeedsOthers):
        restore(league.club, of_events[0].pk, actor=owner)
    for each in (item, *reversed(of_events)):
        restore(league.club, each.pk, actor=owner)
    recompute(league.pool_id)
    assert all_rows() == before


def test_an_award_comes_back_below_one_that_took_its_position(league, owner):
    award = Award.objects.get()
    item = remove_award(league, award.pk, actor=owner)
    assert remove_award(league, award.pk, actor=owner) is None
    assert restore_award(league.club, item.pk, actor=owner) == item
    assert Award.objects.get() == award
    item = remove_award(league, award.pk, actor=owner)
    add_award(league, kind="best_profit", title="", min_events=1, player=None, actor=owner)
    restore_award(league.club, item.pk, actor=owner)
    assert list(Award.objects.values_list("kind", "position")) == [("best_profit", 1), ("most_wins", 2)]
    assert restore_award(league.club, item.pk, actor=owner) is None


def test_what_has_been_taken_since_is_said(league, owner):
    season, dee = (
        SeasonFactory(club=league.club, name="Autumn"),
        Player.objects.create(club=league.club, name="Dee", key="dee"),
    )
    items = [delete_season(season, actor=owner), delete_player(dee, actor=owner)]
    SeasonFactory(club=league.club, name="Autumn")
    Player.objects.create(club=league.club, name="DEE", key="dee")
    for item, said in zip(items, ("at the address of Autumn", "has the name Dee"), strict=True):
        with pytest.raises(Refused, match=said):
            restore(league.club, item.pk, actor=owner)
    assert BinItem.objects.count() == 2


def test_a_closed_season_takes_nothing_back_and_rating_settings_keep_their_season(league, owner):
    item = delete_event(Event.objects.get(name="E1"), version=1, actor=owner)
    close_season(league, actor=owner)
    with pytest.raises(Refused, match="is closed"):
        restore(league.club, item.pk, actor=owner)
    RatingSettings.objects.create(pool=league.pool, revision=1, params={}, season=league)
    with pytest.raises(Refused, match="Rating settings take effect"):
        delete_season(league, actor=owner)


def test_an_event_whose_season_is_gone_for_good_is_refused(league, owner):
    with time_machine.travel(timezone.now() + timedelta(days=5)):
        item = delete_event(Event.objects.get(name="E1"), version=1, actor=owner)
    delete_season(league, actor=owner)
    BinItem.objects.filter(kind="season").delete()
    with pytest.raises(Refused, match="what it belonged to is gone"):
        restore(league.club, item.pk, actor=owner)


def test_the_bin_is_emptied_after_30_days(league, owner):
    item = delete_event(Event.objects.get(name="E1"), version=1, actor=owner)
    assert item.days_left == 29
    with time_machine.travel(timezone.now() + timedelta(days=29, hours=23)):
        assert empty_bins() == 0
    with time_machine.travel(timezone.now() + timedelta(days=30, seconds=1)):
        assert empty_bins() == 1
    assert not BinItem.objects.exists()


def url(item):
    return reverse("standings:bin-restore", args=[item.club.slug, item.pk])


def test_deleted_and_undone_on_pages(league, organizer_client):
    event = Event.objects.get(name="E1")
    before = all_rows()
    delete = reverse("entry:event-delete", args=[league.club.slug, event.pk])
    page = organizer_client.post(delete, {"version": 1}, follow=True).content.decode()
    item = BinItem.objects.get()
    assert "Deleted: E1." in page
    assert f'action="{url(item)}"' in page
    shown = organizer_client.get(reverse("standings:bin", args=[league.club.slug])).content.decode()
    for text in ("E1", "29 days left", "3 entries, won by Bo, Cy", "by organizer"):
        assert text in shown
    answer = organizer_client.post(url(item))
    assert answer.url == event.get_absolute_url()
    recompute(league.pool_id)
    assert all_rows() == before
    again = organizer_client.post(url(item), follow=True).content.decode()
    assert "not in the bin any more" in again


def test_one_button_brings_an_event_and_its_season_back(league, organizer_client, owner):
    item = delete_event(Event.objects.get(name="E1"), version=1, actor=owner)
    delete_season(league, actor=owner)
    page = organizer_client.post(url(item)).content.decode()
    assert f"{league.name} is in the bin as well, and is needed." in page
    assert organizer_client.post(url(item), {"others": "1"}).status_code == 302
    assert Event.objects.count() == 4


def test_only_organizers_bring_back(league, owner, refused_to):
    item = delete_event(Event.objects.get(name="E1"), version=1, actor=owner)
    refused_to(url(item), is_page=False)
    refused_to(reverse("league:season-delete", args=[league.club.slug, league.slug]), {"name": league.name})
    refused_to(reverse("league:player-delete", args=[league.club.slug, Player.objects.first().pk]))
    assert BinItem.objects.get() == item


def test_deleting_a_season_asks_for_its_name(league, organizer_client):
    delete = reverse("league:season-delete", args=[league.club.slug, league.slug])
    page = organizer_client.post(delete, {"name": "Winter"}).content.decode()
    assert f"The name is “{league.name}”." in page
    assert 'value="Winter"' in page
    assert Season.objects.exists()
    assert organizer_client.post(delete, {"name": league.name}).url == league.club.get_absolute_url()
    assert organizer_client.post(delete, {"name": league.name}).status_code == 404
    assert BinItem.objects.get().kind == "season"


def test_a_player_is_deleted_on_a_page(league, organizer_client):
    ada, dee = Player.objects.get(name="Ada"), Player.objects.create(club=league.club, name="Dee", key="dee")
    addresses = [reverse("league:player-delete", args=[league.club.slug, player.pk]) for player in (ada, dee)]
    assert "has played in 4 events" in organizer_client.get(addresses[0]).content.decode()
    assert "Ada has results" in organizer_client.post(addresses[0]).content.decode()
    assert organizer_client.post(addresses[1]).status_code == 302
    assert organizer_client.post(addresses[1]).status_code == 404
    assert not Player.objects.filter(pk=dee.pk).exists()


@pytest.mark.parametrize("n", [1, 3])
def test_the_page_takes_the_same_queries_for_one_and_three(
    league, organizer_client, owner, django_assert_num_queries, n
):
    for event in Event.objects.order_by("pk")[:n]:
        delete_event(event, version=1, actor=owner)
    organizer_client.get(reverse("standings:bin", args=[league.club.slug]))
    with django_assert_num_queries(9):
        organizer_client.get(reverse("standings:bin", args=[league.club.slug]))
