"""Who has paid in, bounties, the box, and the year of a player."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from league.models import Change, Event, Player, Season
from payouts.models import ClubMoney, EntryMoney, EventMoney
from tests.factories import enter
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(season):
    """Three entries of 27 each: buy-in 20, fee 2, bounty 5. Ada knocked both others out and won the pool of 60."""
    Season.objects.filter(pk=season.pk).update(
        name="Spring"
    )  # a factory's name has a number, 60 once in a while
    season.refresh_from_db()
    event = enter(season, "Ada ko 2\nBoris\nCleo")
    EventMoney.objects.create(
        event=event, buy_in=20, fee=2, rebuy=20, bounty=5, payouts=["100"], version=1, result_version=1
    )
    for entry in event.entries.all():
        EntryMoney.objects.create(entry=entry, prize=60 if entry.place == 1 else 0)
    return event


def page_of(event, name="money-door"):
    return reverse(f"payouts:{name}", args=[event.season.club.slug, event.pk])


def entry_of(event, name):
    return event.entries.get(player__name=name)


def given(event, name):
    return EntryMoney.objects.get(entry=entry_of(event, name)).given


@pytest.fixture
def helper(event, client_of):
    ClubMoney.objects.create(club=event.season.club, helpers_take=True)
    return client_of("helper")


def note(event, name, amount, was="", **more):
    return {"entry": entry_of(event, name).pk, "given": amount, "was": was} | more


def test_a_helper_takes_money_and_takes_it_back(event, helper, people):
    page = markup_of(helper.get(page_of(event)))
    assert "Take 27" in page
    assert "<dt>To come in</dt><dd>81" in page
    said = helper.post(page_of(event), note(event, "Boris", "27"), follow=True)
    assert given(event, "Boris") == 27
    page = markup_of(said)
    assert "Boris has given 27." in page
    assert "<dt>In the box now</dt><dd>27" in page
    assert "<dt>Still to come in</dt><dd>54</dd>" in page
    change = Change.objects.filter(kind=Change.Kind.MONEY_CHANGED).get()
    assert (change.event, change.actor) == (event, people["helper"])
    undo = said.content.decode().partition('class="stamp" method="post" action="')[2].partition('"')[0]
    helper.post(undo.replace("&amp;", "&"))
    assert given(event, "Boris") is None


def test_the_same_press_twice_is_one_note_and_another_amount_is_not_overwritten(event, helper):
    for _press in range(2):
        helper.post(page_of(event), note(event, "Boris", "27"))
    assert Change.objects.filter(kind=Change.Kind.MONEY_CHANGED).count() == 1
    assert EventMoney.objects.get().version == 2
    said = helper.post(page_of(event), note(event, "Boris", "20"), follow=True)
    assert "Somebody else has changed this" in said.content.decode()
    assert given(event, "Boris") == 27


@pytest.mark.parametrize("amount", ["-1", "NaN", "1e99", "0.0001", "much"])
def test_what_is_no_amount_is_refused(event, helper, amount):
    said = helper.post(page_of(event), note(event, "Boris", amount), follow=True)
    assert "is no amount of money" in said.content.decode()
    assert given(event, "Boris") is None


def test_a_helper_sees_no_prizes_and_pays_nothing_out(event, helper):
    page = markup_of(helper.get(page_of(event)))
    main = page.partition("<main")[2].partition("</main>")[0]
    text = re.sub(r"<[^>]+>", " ", main)  # without ids in addresses
    assert "Ada" in text
    assert "60" not in text
    answer = helper.post(page_of(event), {"entry": entry_of(event, "Ada").pk, "paid": "60", "was": ""})
    assert answer.status_code == 403
    assert EntryMoney.objects.get(entry=entry_of(event, "Ada")).paid is None
    assert helper.get(page_of(event, "money-edit")).status_code == 403


def test_where_the_club_does_not_say_so_helpers_take_no_money(event, client_of, organizer_client):
    answer = client_of("helper").post(page_of(event), note(event, "Boris", "27"))
    assert (answer.status_code, given(event, "Boris")) == (403, None)
    assert "does not let helpers take money" in answer.content.decode()
    organizer_client.post(page_of(event), note(event, "Boris", "27"))
    assert given(event, "Boris") == 27


def test_the_event_page_leads_helpers_to_the_door_where_it_is_open(event, helper):
    assert page_of(event) in helper.get(event.get_absolute_url()).content.decode()
    ClubMoney.objects.update(helpers_take=False)
    assert page_of(event) not in helper.get(event.get_absolute_url()).content.decode()


def test_a_closed_season_and_an_event_without_prices_take_nothing(event, helper, season):
    other = enter(season, "Ada\nBoris", day=7)
    said = helper.post(page_of(other), note(other, "Boris", "27"), follow=True).content.decode()
    assert "This event has no prices yet" in said
    assert not EntryMoney.objects.filter(entry__event=other).exists()
    Season.objects.update(is_closed=True)
    assert "Take 27" not in helper.get(page_of(event)).content.decode()
    assert (
        "is closed" in helper.post(page_of(event), note(event, "Boris", "27"), follow=True).content.decode()
    )


def typed(event, **more):
    fields = {
        "buy_in": "20", "fee": "2", "rebuy": "20", "add_on": "", "bounty": "5", "payout_kind": "percentages",
        "payouts": "100", "round_to": "1", "version": "1", "result_version": "1",
    }  # fmt: skip
    return fields | more


def test_one_table_shows_what_each_pays_in_and_gets(event, organizer_client):
    """Ada: 60 of the pool and three bounties of 5, her own among them, less 27 is +48. The fees of 6 stay."""
    page = markup_of(organizer_client.get(page_of(event, "money-edit")))
    assert '<td class="n net key">+48</td>' in page
    assert page.count('<td class="n net key">−27</td>') == 2
    assert "<dt>Stays with the club</dt><dd>6</dd>" in page
    assert "disagree" not in page


def test_a_row_is_taken_and_paid_with_one_button_each(event, organizer_client):
    ada = entry_of(event, "Ada")
    address = page_of(event, "money-edit")
    said = organizer_client.post(address, typed(event, take=ada.pk), follow=True).content.decode()
    assert "Ada has given 27." in said
    assert "Pay 75" in said
    said = organizer_client.post(
        address, typed(event, pay=ada.pk, version="2") | {f"e{ada.pk}-given": "27"}, follow=True
    )
    assert "Ada was paid 75." in said.content.decode()
    row = EntryMoney.objects.get(entry=ada)
    assert (row.given, row.paid) == (27, 75)


def test_all_others_have_paid_fills_in_the_rest_without_saving(event, organizer_client):
    first, *_others = (f"e{entry.pk}-given" for entry in event.entries.order_by("place"))
    sent = typed(event, take_all="1") | {first: "20"}
    rows = organizer_client.post(page_of(event, "money-edit"), sent).context["form"].rows
    assert [row["given"].value() for row in rows] == ["20", "27", "27"]
    assert not EntryMoney.objects.filter(given__isnull=False).exists()


def test_a_knock_out_that_is_missing_is_said(event, organizer_client):
    event.entries.filter(place=1).update(knockouts=1)
    page = markup_of(organizer_client.get(page_of(event, "money-edit")))
    assert "1 bounty belongs to nobody" in page
    event.entries.filter(place=1).update(knockouts=3)
    page = markup_of(organizer_client.get(page_of(event, "money-edit")))
    assert "counts more knock-outs than players went out" in page


def test_a_cost_of_the_result_that_differs_is_said_and_taken_over_with_a_button(event, organizer_client):
    """Boris' 67 are 27 and two rebuys of 20; Cleo's 30 are nothing that these prices make."""
    event.entries.filter(player__name="Boris").update(cost=67)
    event.entries.filter(player__name="Cleo").update(cost=30)
    page = markup_of(organizer_client.get(page_of(event, "money-edit")))
    assert "Boris: the result says 67, the prices make 27" in page
    assert "Cleo: the result says 30, the prices make 27" in page
    boris = entry_of(event, "Boris").pk
    assert page.count('name="as_result"') == 1
    form = organizer_client.post(page_of(event, "money-edit"), typed(event, as_result=boris)).context["form"]
    assert [row["rebuys"].value() for row in form.rows] == [None, "2", None]
    assert [purse.cost for _row, purse in form.lines] == [27, 67, 27]


def test_a_year_is_a_balance_for_the_player_and_the_organizers(
    event, season, client_of, organizer_client, people
):
    """Ada: +48, then 10 paid in and nothing won: +38. Boris owes 27 on the evening on which payments are noted."""
    later = enter(season, "Boris\nAda", day=7)
    EventMoney.objects.create(event=later, buy_in=10, version=1, result_version=1)
    EntryMoney.objects.bulk_create(EntryMoney(entry=entry) for entry in later.entries.all())
    EntryMoney.objects.filter(entry=entry_of(event, "Ada")).update(given=27, paid=70)
    ada = Player.objects.get(name="Ada")
    club = season.club.slug
    page = markup_of(organizer_client.get(reverse("payouts:player-money", args=[club, ada.pk])))
    assert "Ada: 38 ahead" in page
    assert "<dt>Paid in</dt><dd>37</dd>" in page
    assert "<dt>Bounties</dt><dd>15</dd>" in page
    assert "5<small>to be paid to Ada</small>" in page
    listed = markup_of(organizer_client.get(reverse("payouts:balances", args=[club])))
    assert listed.index("Ada") < listed.index("Cleo") < listed.index("Boris")  # +38, −27, −37
    assert "27 still to come in" in listed
    member = client_of("member")
    mine = reverse("payouts:my-money", args=[club])
    assert "Which player are you?" in member.get(mine).content.decode()
    Player.objects.filter(pk=ada.pk).update(user=people["member"])
    assert "Ada: 38 ahead" in markup_of(member.get(mine))
    assert mine in member.get(ada.get_absolute_url()).content.decode()
    assert member.get(reverse("payouts:player-money", args=[club, ada.pk])).status_code == 403


def test_a_year_is_read_with_the_same_queries_for_any_number_of_events(
    event, season, organizer_client, django_assert_num_queries
):
    address = reverse("payouts:balances", args=[season.club.slug])
    organizer_client.get(address)
    for _times in range(2):
        # Session, user, club, role, its season, its money, years, rows, noted events; tray and notices.
        with django_assert_num_queries(11):
            organizer_client.get(address)
        other = enter(season, "Ada\nBoris\nDana", day=8)
        EventMoney.objects.create(event=other, buy_in=Decimal(10), result_version=1)
        EntryMoney.objects.bulk_create(EntryMoney(entry=entry) for entry in other.entries.all())


def test_a_year_without_money_says_so_and_one_that_cannot_be_is_not_found(season, organizer_client):
    address = reverse("payouts:balances", args=[season.club.slug])
    assert not Event.objects.exists()
    assert "No money of this year is recorded." in organizer_client.get(address).content.decode()
    assert organizer_client.get(f"{address}?year=9999").status_code == 404
