"""Limits of the what-if page: by address and by account, for all processes together, with what was typed kept."""

import time

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse

from league.site import limits
from payouts.models import SeasonRules
from payouts.services.rules import set_rules
from standings.points import what_if as what_if_module
from standings.recomputation.service import recompute
from standings.views import points as view
from tests.factories import RULES, SeasonFactory, UserFactory, enter

LONG = " + ".join(["n"] * 30) + " - k"

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(season):
    enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    return reverse("standings:what-if", args=[season.club.slug, season.slug])


@pytest.fixture(autouse=True)
def few_turns(monkeypatch):
    monkeypatch.setattr(view, "MOST_COMPARISONS", 2)


def compare(client, address, attendance, **headers):
    return client.get(address, {"structure": "linear", "attendance_points": attendance}, **headers)


def statuses(client, address, n, **headers):
    return [compare(client, address, i, **headers).status_code for i in range(n)]


def test_more_comparisons_are_refused_with_what_was_chosen_kept(client, address, monkeypatch):
    assert statuses(client, address, 2) == [200, 200]

    def fail(*_args, **_kwargs):
        raise AssertionError("compared")

    monkeypatch.setattr(view, "what_if", fail)
    monkeypatch.setattr("payouts.engine.structures.structure.check_expression", fail)
    typed = {"structure": "expression", "expression": "ln(n)/k", "min_events": "7", "tie_breaks": "events"}
    answer = client.get(address, typed)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    form = answer.context["form"]
    assert [form[name].value() for name in ("structure", "expression", "min_events")] == [
        "expression",
        "ln(n)/k",
        "7",
    ]
    html = answer.content.decode()
    assert 'value="ln(n)/k"' in html
    assert 'name="tie_breaks" value="events"' in html
    assert "wait a minute" in html


def test_looking_again_and_opening_the_page_cost_no_turn(client, address):
    assert statuses(client, address, 1) == [200]
    # The page comes from the cache.
    assert {compare(client, address, 0).status_code for _again in range(4)} == {200}
    assert {client.get(address).status_code for _again in range(4)} == {200}
    assert statuses(Client(), address, 3) == [200, 200, 429]


def test_the_pages_of_a_comparison_are_one_turn(client, address):
    def look(attendance, page):
        asked = {"structure": "linear", "attendance_points": attendance, "page": page}
        return client.get(address, asked).status_code

    assert [look(0, page) for page in (1, 2, 3)] == [200] * 3
    assert look(1, 1) == 200
    assert look(2, 1) == 429  # other rules on the same page are another comparison
    # Each page is computed, so their number has a bound too: LOOKS for each of two turns.
    assert [look(0, page) for page in (4, 5, 6)] == [200, 200, 429]


def test_the_same_rules_of_another_season_are_another_comparison(client, season, address):
    other = SeasonFactory(club=season.club, starts_on="2026-03-01")
    enter(other, "Ada\nBoris", day=60)
    recompute(season.pool_id)
    addresses = [address, reverse("standings:what-if", args=[season.club.slug, other.slug])]
    assert [compare(client, each, 0).status_code for each in addresses] == [200, 200]
    assert compare(client, address, 1).status_code == 429


def test_the_minute_passes(client, address, monkeypatch):
    now = time.time()
    monkeypatch.setattr(limits.time, "time", lambda: now)
    assert statuses(client, address, 3) == [200, 200, 429]
    monkeypatch.setattr(limits.time, "time", lambda: now + 59)
    assert statuses(client, address, 3)[2] == 429
    monkeypatch.setattr(limits.time, "time", lambda: now + 61)
    assert compare(client, address, 9).status_code == 200


def test_a_forged_address_does_not_help(address, settings):
    forged = [
        compare(Client(), address, i, headers={"x-forwarded-for": f"203.0.113.{i}"}).status_code
        for i in range(3)
    ]
    assert forged == [200, 200, 429]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    behind_proxy = [
        compare(Client(), address, i, headers={"x-forwarded-for": f"203.0.113.{i}, 198.51.100.7"}).status_code
        for i in range(4, 7)
    ]
    assert behind_proxy == [200, 200, 429]
    assert compare(Client(), address, 3, headers={"x-forwarded-for": "198.51.100.8"}).status_code == 200


def test_one_network_of_ipv6_is_one_visitor(address):
    answers = [compare(Client(REMOTE_ADDR=f"2001:db8::{i:x}:1"), address, i).status_code for i in range(3)]
    assert answers == [200, 200, 429]
    assert compare(Client(REMOTE_ADDR="2001:db8:0:1::1"), address, 3).status_code == 200


def test_an_account_is_limited_from_any_address(address):
    user = UserFactory()
    answers = []
    for i in range(3):
        client = Client(REMOTE_ADDR=f"203.0.113.{i}")
        client.force_login(user)
        answers.append(compare(client, address, i).status_code)
    assert answers == [200, 200, 429]


def test_turns_are_kept_in_the_database_that_all_processes_share(client, address, settings):
    assert settings.CACHES["default"]["BACKEND"] == "django.core.cache.backends.db.DatabaseCache"
    assert statuses(client, address, 2) == [200, 200]
    other_process = caches.create_connection("default")
    key = "turns:what-if:127.0.0.1"
    assert len(other_process.get(key)) == 2
    other_process.delete(key)
    assert compare(client, address, 9).status_code == 200


def test_ipv4_addresses_written_as_ipv6_are_different_visitors():
    requests = [RequestFactory(REMOTE_ADDR=f"::ffff:203.0.113.{n}").get("/") for n in (1, 1, 2)]
    turns = [limits.consume_quota(request, "x", user=AnonymousUser(), limit=1) for request in requests]
    assert turns == [True, False, True]


def test_a_turn_refused_to_an_address_costs_its_account_none(settings):
    request = RequestFactory().get("/")
    user = UserFactory()
    turns = [limits.consume_quota(request, "x", user=user, limit=most) for most in (1, 1, 1, 2, 2)]
    assert turns == [True, False, False, True, False]


def test_a_stored_formula_of_more_than_40_parts_is_still_computed_and_kept(client, season, address, people):
    structure = {"name": "expression", "expression": LONG}
    SeasonRules.objects.filter(season=season).update(structure=structure)
    season.refresh_from_db()
    rules = RULES | {"structure": structure}
    set_rules(season, rules=rules | {"attendance_points": 3}, settle_again=True, actor=people["organizer"])
    recompute(season.pool_id)
    assert [row.total for row in season.standings.order_by("points_position")] == [92, 91, 90]
    answer = client.get(address, {"structure": "expression", "attendance_points": 0})
    assert [named.row.other_total for named in answer.context["result"].rows] == [89, 88, 87]
    with pytest.raises(ValueError, match="at most 40 numbers, names and signs, got 65"):
        set_rules(
            season,
            rules=rules | {"structure": structure | {"expression": f"{LONG}+1-1"}},
            settle_again=False,
            actor=None,
        )
    answer = client.get(address, {"structure": "expression", "expression": f"{LONG}+1-1"})
    assert "At most 40 numbers, names and signs" in answer.context["form"].errors["expression"][0]


def test_a_season_is_settled_again_in_columns(client, season, address, monkeypatch):
    """One evaluation for each event, whatever the number of its entries."""
    from payouts.engine.structures import expression

    evaluated = []
    evaluation = expression.Evaluation
    monkeypatch.setattr(expression, "Evaluation", lambda *args: evaluated.append(1) or evaluation(*args))
    enter(season, "\n".join(f"Player {'ABCDEFGHIJKLMNOPQRST'[i]}" for i in range(20)), day=1)
    recompute(season.pool_id)
    rules = SeasonRules(season=season, structure={"name": "expression", "expression": "n/k+knockouts"})
    what_if_module.what_if(season, rules, is_organizer=False)
    assert len(evaluated) == 2
