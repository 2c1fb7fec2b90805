"""Money of an event: saved once, refused when stale or wrong, shown to organizers only."""

from decimal import Decimal

import pytest
from django.urls import reverse

from league.models import Change, Season
from payouts.models import ClubMoney, EntryMoney, EventMoney, EventTerms
from tests.factories import correct, enter, names
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
PRICES = {
    "buy_in": "20", "fee": "2", "rebuy": "20", "add_on": "10", "stated_pool": "", "guarantee": "",
    "payout_kind": "percentages", "payouts": "50, 30, 20", "round_to": "5", "version": "0", "result_version": "1",
}  # fmt: skip


@pytest.fixture
def event(season):
    return enter(season, "Ada\nBoris = Cleo\nDana")


@pytest.fixture
def address(event):
    return address_of(event)


def address_of(event):
    return reverse("payouts:money-edit", args=[event.season.club.slug, event.pk])


def key(event, name, field):
    return f"e{event.entries.get(player__name=name).pk}-{field}"


def typed(event, **fields):
    """The form of four entries, with 3 rebuys and 2 add-ons of Boris: 4 * 20 + 3 * 20 + 2 * 10 = 160."""
    of_boris = {key(event, "Boris", "rebuys"): "3", key(event, "Boris", "add_ons"): "2"}
    return PRICES | of_boris | {"save": "1"} | fields


def stored(event):
    return {
        row.entry.player.name: (row.rebuys, row.add_ons, row.prize, row.paid)
        for row in EntryMoney.objects.filter(entry__event=event).select_related("entry__player")
    }


def test_prizes_follow_from_the_pool_and_the_places(event, address, organizer_client, people):
    """160 by 50, 30, 20 % in fives is 80, 45, 30 with 5 left over: 85, 45, 30. Places 2 and 3 share 75."""
    sent = typed(event) | {key(event, "Ada", "paid"): "85"}
    assert organizer_client.post(address, sent).url == address
    assert stored(event) == {
        "Ada": (0, 0, 85, 85),
        "Boris": (3, 2, 38, None),
        "Cleo": (0, 0, 37, None),
        "Dana": (0, 0, 0, None),
    }
    change = Change.objects.get(kind=Change.Kind.MONEY_CHANGED)
    assert (change.event, change.actor) == (event, people["organizer"])
    page = markup_of(organizer_client.get(address))
    assert "<dt>Prize pool</dt><dd>160</dd>" in page
    assert 'value="3"' in page


def test_cents_are_split_where_the_club_has_cents(event, address, organizer_client):
    ClubMoney.objects.create(club=event.season.club, currency="€", decimals=2)
    organizer_client.post(address, typed(event))
    assert [row[2] for row in stored(event).values()] == [85, Decimal("37.5"), Decimal("37.5"), 0]
    assert "37.50\u00a0€" in organizer_client.get(address).content.decode()


def test_prizes_as_agreed_must_sum_to_the_prize_pool(event, address, organizer_client):
    agreed = {key(event, "Ada", "prize"): "90", key(event, "Boris", "prize"): "69"}
    answer = organizer_client.post(address, typed(event, payout_kind="agreed") | agreed)
    assert "The payouts sum to 159, but the prize pool is 160." in answer.context["form"].non_field_errors()
    organizer_client.post(
        address, typed(event, payout_kind="agreed") | agreed | {key(event, "Boris", "prize"): "70"}
    )
    assert [row[2] for row in stored(event).values()] == [90, 70, 0, 0]


def test_a_guarantee_adds_what_is_missing_and_a_stated_pool_is_what_it_is(event, address, organizer_client):
    page = markup_of(organizer_client.post(address, typed(event, guarantee="200") | {"save": ""}))
    assert "<dt>Prize pool</dt><dd>160</dd>" not in page
    organizer_client.post(address, typed(event, guarantee="200"))
    assert sum(row[2] for row in stored(event).values()) == 200
    page = markup_of(organizer_client.get(address))
    assert "<dt>Added by the club</dt><dd>40</dd>" in page
    organizer_client.post(address, typed(event, stated_pool="150", version="1"))
    assert sum(row[2] for row in stored(event).values()) == 150
    assert "<dt>Kept by the club</dt><dd>10</dd>" in markup_of(organizer_client.get(address))


def test_saving_the_same_money_twice_is_one_change(event, address, organizer_client):
    for _press in range(2):
        organizer_client.post(address, typed(event))
    assert Change.objects.filter(kind=Change.Kind.MONEY_CHANGED).count() == 1
    assert EventMoney.objects.get().version == 1
    paid = {key(event, "Ada", "paid"): "85", "version": "1"}
    for _press in range(2):
        organizer_client.post(address, typed(event) | paid)
    assert Change.objects.filter(kind=Change.Kind.MONEY_CHANGED).count() == 2
    assert EventMoney.objects.get().version == 2


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("buy_in", "-1", "greater than or equal to 0"),
        ("buy_in", "two", "Enter a number."),
        ("rebuy", "1.5", "no more than 0 decimal places"),
        ("stated_pool", "1000000000", "no more than 9 digits"),
        ("payouts", "60, 30", "The percentages sum to 90; they must sum to 100."),
        ("payouts", "60, x", "Place 2: “x” is not a number."),
        ("round_to", "0", "It must be positive, not 0."),
        ("payout_kind", "best", "Select a valid choice."),
        ("version", "", "This field is required."),
    ],
)
def test_bad_money_is_reported_beside_the_field_and_kept(
    event, address, organizer_client, field, value, message
):
    answer = organizer_client.post(address, typed(event, **{field: value}))
    form = answer.context["form"]
    assert message in form.errors[field][0]
    assert form[field].value() == value
    assert not EventMoney.objects.exists()


def test_a_bad_count_is_reported_beside_the_player(event, address, organizer_client):
    name = key(event, "Boris", "rebuys")
    answer = organizer_client.post(address, typed(event) | {name: "1000"})
    page = answer.content.decode()
    assert "Something is wrong with the money of a player" in page
    assert "less than or equal to 999" in page
    assert not EventMoney.objects.exists()


def test_amounts_must_sum_to_the_prize_pool(event, address, organizer_client):
    answer = organizer_client.post(address, typed(event, payout_kind="amounts", payouts="100, 50"))
    assert answer.context["form"].errors["payouts"] == ["The payouts sum to 150, but the prize pool is 160."]
    organizer_client.post(address, typed(event, payout_kind="amounts", payouts="110, 50"))
    assert [row[2] for row in stored(event).values()] == [110, 25, 25, 0]


def test_a_stated_pool_has_no_guarantee(event, address, organizer_client):
    answer = organizer_client.post(address, typed(event, stated_pool="100", guarantee="100"))
    assert list(answer.context["form"].errors) == ["guarantee"]


def test_buttons_count_up_and_down_without_saving(event, address, organizer_client):
    name = key(event, "Boris", "rebuys")
    for value, step, shown in (
        ("3", "+1", "4"),
        ("3", "-1", "2"),
        ("0", "-1", "0"),
        ("", "+1", "1"),
        ("x", "+1", "x"),
    ):
        sent = typed(event) | {name: value, "save": "", "step": f"{name}:{step}"}
        del sent["save"]
        row = organizer_client.post(address, sent).context["form"].rows[1]
        assert row["rebuys"].value() == shown
    assert not EventMoney.objects.exists()


def test_a_button_fills_in_what_is_not_paid_yet(event, address, organizer_client):
    sent = typed(event) | {key(event, "Ada", "paid"): "80", "pay_all": "1"}
    del sent["save"]
    rows = organizer_client.post(address, sent).context["form"].rows
    assert [row["paid"].value() for row in rows] == ["80", "38", "37", None]
    assert not EventMoney.objects.exists()


def test_an_outdated_page_is_refused_and_keeps_what_was_typed(event, address, organizer_client):
    organizer_client.post(address, typed(event))
    answer = organizer_client.post(address, typed(event, buy_in="30"))
    form = answer.context["form"]
    assert "Somebody else has changed this" in form.non_field_errors()[0]
    assert (form["buy_in"].value(), form["version"].value()) == ("30", "1")
    organizer_client.post(address, typed(event, buy_in="30", version="1"))
    assert EventMoney.objects.get().buy_in == 30


def test_a_corrected_result_is_marked_and_needs_to_be_looked_at(event, address, organizer_client):
    organizer_client.post(address, typed(event))
    correct(event, "Boris\nAda = Cleo\nDana")
    page = organizer_client.get(address).content.decode()
    assert "The result has been corrected since these prizes were saved." in page
    answer = organizer_client.post(address, typed(event, version="1"))
    assert "Somebody else has changed this" in answer.context["form"].non_field_errors()[0]
    organizer_client.post(address, typed(event, version="1", result_version="2"))
    assert stored(event)["Boris"] == (3, 2, 85, None)


def test_only_organizers_see_or_save_money(event, address, refused_to):
    refused_to(address, typed(event))
    assert not EventMoney.objects.exists()


def test_a_closed_season_keeps_its_money(event, address, organizer_client):
    Season.objects.update(is_closed=True)
    answer = organizer_client.post(address, typed(event))
    assert "is closed" in answer.context["form"].non_field_errors()[0]
    assert not EventMoney.objects.exists()


def test_the_prices_of_the_event_before_are_suggested_else_the_buy_in_of_the_terms(
    season, event, address, organizer_client
):
    EventTerms.objects.create(event=event, buy_in=Decimal(15))
    assert organizer_client.get(address).context["form"]["buy_in"].value() == 15
    organizer_client.post(address, typed(event))
    later = enter(season, "Ada cost 62\nBoris cost 32\nCleo cost 25", day=7)
    form = organizer_client.get(address_of(later)).context["form"]
    assert [form[name].value() for name in ("buy_in", "fee", "payouts", "version")] == [
        20,
        2,
        "50, 30, 20",
        0,
    ]
    # 62 is 22 and two rebuys, 32 is 22 and an add-on, and 25 is neither.
    assert [(row["rebuys"].value(), row["add_ons"].value()) for row in form.rows] == [(2, 0), (0, 1), (0, 0)]


@pytest.mark.parametrize("n", [1, 3])
def test_the_page_reads_as_often_for_one_entry_as_for_three(
    season, organizer_client, django_assert_num_queries, n
):
    event = enter(season, "\n".join(names(n + 1)))
    with django_assert_num_queries(8):  # session, user, event, role, entries, event before, tray, notices
        organizer_client.get(address_of(event))


def test_an_event_of_too_many_entries_has_no_form(event, address, organizer_client, monkeypatch):
    monkeypatch.setattr("payouts.views.money.MOST_ENTRIES", 3)
    page = organizer_client.get(address).content.decode()
    assert "more than 3 entries" in page
    assert organizer_client.post(address, typed(event)).status_code == 200
    assert not EventMoney.objects.exists()


def test_the_history_counts_what_was_changed_and_names_no_amount(event, address, organizer_client):
    organizer_client.post(address, typed(event) | {key(event, "Ada", "paid"): "98765"})
    page = organizer_client.get(reverse("standings:changes", args=[event.season.club.slug])).content.decode()
    assert "Prices, prize pool or payouts" in page
    assert "The money of 3 entries" in page
    assert "Prizes paid out: 0 → 1" in page
    assert "98765" not in page


def test_counts_that_are_typed_as_2_0_are_counts(season, organizer_client):
    event = enter(season, "Ada cost 60\nBoris cost 60")
    sent = PRICES | {key(event, "Ada", "rebuys"): "2.0", key(event, "Boris", "rebuys"): "x", "show": "1"}
    page = organizer_client.post(address_of(event), sent)
    assert page.status_code == 200
    assert "Enter a whole number" in page.content.decode()


def test_what_a_helper_has_noted_meanwhile_stays_noted(event, address, organizer_client):
    organizer_client.post(address, typed(event))
    opened = organizer_client.get(address).context["form"]
    shown = {"version": "1", "noted": opened["noted"].value()}
    of_ada, of_boris = key(event, "Ada", "given"), key(event, "Boris", "given")
    organizer_client.post(address, typed(event, **shown) | {of_ada: "22"})  # the helper at the door
    pressed = typed(event, **shown) | {of_boris: "102"}
    page = organizer_client.post(address, pressed)
    form = page.context["form"]
    assert "Somebody else has changed this" in page.content.decode()
    again = {"version": form["version"].value(), "noted": form["noted"].value()}
    values = {row["given"].html_name: row["given"].value() for row in form.rows}
    assert (values[of_ada], values[of_boris]) == ("22", "102")
    organizer_client.post(
        address, typed(event, **again) | {name: value or "" for name, value in values.items()}
    )
    noted = EntryMoney.objects.exclude(given=None).values_list("entry__player__name", "given")
    assert dict(noted) == {"Ada": 22, "Boris": 102}
