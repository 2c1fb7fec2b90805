"""No setting of a form is saved, shown and ignored: each is changed through its form and found again elsewhere.

Those of ratings are in tests/ratings/test_settings_have_effects.py.
"""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.forms.games import GameForm, PoolForm
from league.models import EntryForm, Game, GameKind, Pool, PoolKind, Role
from league.services.pools import open_pool
from payouts.engine.structures.settings import STRUCTURE_SETTINGS, settings_of
from payouts.forms.money import ClubMoneyForm
from payouts.forms.rules import RulesForm
from payouts.forms.seasons import OF_SEASON
from payouts.forms.terms import TermsForm
from payouts.models import EntryMoney, EventMoney
from payouts.services.rules import RULE_FIELDS
from payouts.services.terms import TABLE_FIELDS
from people.forms.clubs import ClubSettingsForm
from people.services.mails import compose
from people.services.members import set_member
from ratings.models import RatedEntry
from standings.recomputation.service import recompute
from tests.factories import RULES, ClubFactory, SeasonFactory, UserFactory, enter, names
from tests.people.accounts.people import add_app

pytestmark = [pytest.mark.django_db, pytest.mark.rest]
PEOPLE = names(9)
# What each request or recomputation makes anew: tokens, versions, digests of files, and the time of computation.
CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|nonce-[^\'"]*|"[^"]*[?&]v=[^"]*"|[?&]v=[\w.]+|'
    r"(?:computed|Computed)[^<]*|DTSTAMP:\S+|LAST-MODIFIED:\S+|SEQUENCE:\d+|<updated>[^<]*</updated>|"
    r'name="(?:version|form_token)" value="[^"]*"'
)


@pytest.fixture
def season():
    """Nine players who come at times, over two months, with re-entries and equal totals."""
    club = ClubFactory()
    season = SeasonFactory(club=club, ends_on=date(2026, 3, 31), rules=RULES | {"inactive_after": None})
    for week in range(8):
        here = PEOPLE[week % 4 :] + PEOPLE[: max(week % 4 - 1, 0)]
        order = [here[(3 * place + week) % len(here)] for place in range(len(here))]
        order = list(dict.fromkeys(order)) + [name for name in here if name not in order]
        enter(season, "\n".join([*order, f"{order[0]} #1"]), day=7 * week)
    open_pool(club, name="Other", kind=PoolKind.TIER, actor=None)
    Game.objects.create(
        club=club, pool=season.pool, name="Stud", kind=GameKind.POKER, entry_form=EntryForm.ORDER
    )
    recompute(season.pool_id)
    return season


@pytest.fixture
def owner(season):
    """The owner, who has set up a second factor."""
    user = season.club.memberships.get(role=Role.OWNER).user
    add_app(user)
    return signed_in(user)


@pytest.fixture
def helper(season):
    """A helper without a second factor."""
    user = UserFactory()
    set_member(season.club, user=user, role=Role.HELPER, actor=None)
    return signed_in(user)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def downstream(season, *organizers):
    """Yield page by page what members, guests and organizers see of a season, without the forms of settings."""
    season.refresh_from_db()
    club, event = season.club, season.events.order_by("pk").last()
    club.refresh_from_db()
    game = club.games.order_by("pk").first()
    player = event.entries.order_by("place").first().player
    of_season, of_club = [club.slug, season.slug], [club.slug]
    addresses = [
        reverse("standings:leaderboard", args=of_season),
        reverse("standings:leaderboard", args=of_season) + "?by=profit",
        reverse("standings:leaderboard", args=of_season) + "?by=tier",
        reverse("standings:season-table", args=of_season),
        reverse("standings:awards", args=of_season),
        reverse("standings:event", args=[club.slug, event.pk]),
        reverse("standings:player", args=[club.slug, player.pk]),
        reverse("standings:club", args=of_club),
        reverse("standings:how-it-works", args=of_club),
        reverse("noticeboard:embed", args=of_club),
        reverse("api:standings", args=[season.pk]),
    ]
    for_organizers = [
        *addresses,
        reverse("entry:enter", args=of_season),
        reverse("entry:event-create", args=of_season) + f"?game={game.pk}",
        reverse("entry:night-create", args=of_season) + f"?game={game.pk}",
        reverse("payouts:money-edit", args=[club.slug, event.pk]),
        reverse("payouts:money-door", args=[club.slug, event.pk]),
    ]
    readers = [(Client(), addresses), *((organizer, for_organizers) for organizer in organizers)]
    for client, of_reader in readers:
        for address in of_reader:
            yield seen(client, address)
    yield 0, compose(club, "member@example.com", "Result", "A mail.").body


def seen(client, address):
    answer = client.get(address)
    head = [
        answer.headers.get(name, "") for name in ("Content-Security-Policy", "X-Frame-Options", "Location")
    ]
    return answer.status_code, CHANGING.sub("", " ".join([*head, answer.content.decode()]))


def post(owner, address, **changes):
    """Open a form, change some fields, and send it as a browser would."""
    form = owner.get(address).context["form"]
    typed = {field.html_name: browser_value(field) for field in form}
    sent = {name: value for name, value in (typed | changes).items() if value is not None}
    # The page that follows shows the message "Saved.", so that no other does.
    answer = owner.post(address, sent, follow=True)
    assert answer.redirect_chain, answer.context["form"].errors


def browser_value(field):
    value = field.value()
    if field.widget_type == "checkbox":
        return "on" if value else None
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


def assert_has_effect(season, owner, address, *others, before=None, **changes):
    if before:
        post(owner, address, **before)
        recompute(season.pool_id)
    then = list(downstream(season, owner, *others))
    post(owner, address, **changes)
    recompute(season.pool_id)
    now = downstream(season, owner, *others)
    assert any(page != before for page, before in zip(now, then, strict=True)), "no page shows the change"


# Another value of each field, and what makes a field felt that has no effect of its own.
CLUB = {
    "name": "Another Club", "slug": "another-club", "time_zone": "Asia/Tokyo", "language": "ja", "is_public": None,
    "event_word": "hanchan", "night_word": "evening", "out_word": "exit", "contact": "after@example.com", "embed_hosts": "https://example.org",
    "requires_two_factor": "on",
}  # fmt: skip
RULES_TYPED = {
    "structure": {"structure": "linear"},
    "ties": {"ties": "worse"},
    "cap": {"cap": "4"},
    "alpha": {"alpha": "2"},
    "votes": {"votes": "60, 30, 10"},
    "tail": {"tail": "100/n"},
    "per_entry": {"per_entry": "3"},
    "per_balance": {"per_balance": "2"},
    "expression": {"expression": "n - k + 7"},
    "attendance_points": {"attendance_points": "5"},
    "best_n": {"best_n": "2"},
    "best_n_per_month": {"best_n_per_month": "1"},
    "drop_worst": {"drop_worst": "2"},
    "missed_count_as_zero": {"missed_count_as_zero": "on"},
    "min_events": {"min_events": "8"},
    "inactive_after": {"inactive_after": "1"},
    "tie_breaks": {"tie_breaks": "events,wins"},
}
RULES_BEFORE = {
    "alpha": {"structure": "vp_kid_alpha", "alpha": "1.05"},
    "votes": {"structure": "fixed", "votes": "50, 30, 20"},
    "tail": {"structure": "custom", "votes": "100, 60, 40"},
    "per_entry": {"structure": "percentage_pool", "votes": "50, 30, 20"},
    "expression": {"structure": "expression", "expression": "n - k + 1"},
    "missed_count_as_zero": {"drop_worst": "2"},
}
TABLES = {"table_size": "4", "final_table_size": "2"}
TERMS = {"multiplier": "3", "is_final": "on", "total": "40", "buy_in": "9", "paid": "2"}
TERMS_BEFORE = {
    "is_final": {"drop_worst": "3"},
    "buy_in": {"structure": "expression", "expression": "n - k + buy_in"},
    "paid": {"structure": "expression", "expression": "n - k + paid"},
}
MONEY = {"currency": "€", "decimals": "2", "shows_net": "on", "helpers_take": "on"}


def test_saving_forms_as_they_are_changes_nothing(season, owner):
    """The comparison is of what settings mean: versions, tokens and times of computation are left out."""
    then = list(downstream(season, owner))
    Pool.objects.filter(pk=season.pool_id).update(data_version=season.pool.data_version + 7)
    recompute(season.pool_id)
    post(owner, reverse("people:club-edit", args=[season.club.slug]))
    post(owner, season_edit(season))
    recompute(season.pool_id)
    assert list(downstream(season, owner)) == then


def season_edit(season):
    return reverse("payouts:season-edit", args=[season.club.slug, season.slug])


@pytest.mark.parametrize("name", CLUB)
def test_each_setting_of_a_club_has_an_effect(season, owner, helper, name):
    address = reverse("people:club-edit", args=[season.club.slug])
    assert_has_effect(season, owner, address, helper, **{name: CLUB[name]})


@pytest.mark.parametrize("name", RULES_TYPED)
def test_each_rule_of_a_season_has_an_effect(season, owner, name):
    if name == "per_balance":
        season.club.games.update(entry_form=EntryForm.BALANCES)
        season = SeasonFactory(club=season.club)
        enter(season, "\n".join(PEOPLE), day=70, balance=lambda entry: Decimal(10 - 2 * entry.place))
        recompute(season.pool_id)
    changes = RULES_TYPED[name] | {"settle_again": "on"}
    before = RULES_BEFORE.get(name)
    if before:
        before = before | {"settle_again": "on"}
        changes = before | changes
    assert_has_effect(season, owner, season_edit(season), before=before, **changes)


@pytest.mark.parametrize(
    ("name", "value"),
    [("name", "Another"), ("slug", "another"), ("starts_on", "2025-12-01"), ("ends_on", "2026-04-30")],
)
def test_each_field_of_a_season_has_an_effect(season, owner, name, value):
    assert_has_effect(season, owner, season_edit(season), **{name: value})


@pytest.mark.parametrize("name", [*TERMS, *TABLES])
def test_each_term_of_an_event_has_an_effect(season, owner, name):
    if before := TERMS_BEFORE.get(name):
        post(owner, season_edit(season), **before, settle_again="on")
        recompute(season.pool_id)
    event = season.events.order_by("pk").last()
    address = reverse("payouts:terms-edit", args=[season.club.slug, event.pk])
    assert_has_effect(season, owner, address, **{name: (TERMS | TABLES)[name]})


def game_edit(season):
    return reverse("league:game-edit", args=[season.club.slug, season.club.games.order_by("pk").first().pk])


@pytest.mark.parametrize("name", MONEY)
def test_each_setting_of_the_clubs_money_has_an_effect(season, owner, helper, name):
    event = season.events.order_by("pk").last()
    EventMoney.objects.create(event=event, buy_in=Decimal(12), result_version=event.version)
    EntryMoney.objects.create(entry=event.entries.get(place=1, is_last=True), prize=Decimal(24))
    address = reverse("payouts:club-money", args=[season.club.slug])
    assert_has_effect(season, owner, address, helper, **{name: MONEY[name]})


@pytest.mark.parametrize("name", ["name", "kind", "entry_form", "pool", "table_size", "is_shut"])
def test_each_setting_of_a_game_has_an_effect(season, owner, name):
    other = season.club.pools.get(name="Other")
    values = {
        "name": "Hold'em", "kind": GameKind.MAHJONG_4, "entry_form": EntryForm.BALANCES, "pool": str(other.pk),
        "table_size": "6", "is_shut": "on",
    }  # fmt: skip
    assert set(values) == set(GameForm.Meta.fields)
    assert_has_effect(season, owner, game_edit(season), **{name: values[name]})


@pytest.mark.parametrize(("name", "value"), [("name", "Other name"), ("is_shut", "on")])
def test_each_setting_of_a_pool_has_an_effect(season, owner, name, value):
    address = reverse("league:pool-edit", args=[season.club.slug, season.pool_id])
    assert_has_effect(season, owner, address, **{name: value})


def test_the_kind_of_a_pool_says_how_its_events_are_rated(season, owner):
    """It can change until there are any."""
    pool = season.club.pools.get(name="Other")
    post(owner, reverse("league:pool-edit", args=[season.club.slug, pool.pk]), kind=PoolKind.NONE)
    season.club.games.update(pool=pool)
    post(owner, game_edit(season), pool=str(pool.pk))
    other = SeasonFactory(club=season.club)
    enter(other, "\n".join(PEOPLE), day=80, pool_id=pool.pk)
    recompute(pool.pk)
    assert not RatedEntry.objects.filter(pool=pool).exists()


def test_every_field_of_every_form_is_among_them(season):
    assert set(CLUB) == set(ClubSettingsForm.Meta.fields)
    assert set(RULES_TYPED) == set(RulesForm(club=season.club).fields)
    assert set(RULES_TYPED) == {"structure", *STRUCTURE_SETTINGS} | set(RULE_FIELDS)
    assert set(TERMS) == set(TermsForm.Meta.fields)
    assert set(TABLES) == set(TABLE_FIELDS)
    assert set(MONEY) == set(ClubMoneyForm.Meta.fields)
    assert set(PoolForm.Meta.fields) == {"name", "kind", "is_shut"}
    assert set(OF_SEASON) == {"name", "slug", "starts_on", "ends_on"}
    for name, before in RULES_BEFORE.items():
        assert name in {*settings_of(before.get("structure", "vp_kid")), "missed_count_as_zero"}
