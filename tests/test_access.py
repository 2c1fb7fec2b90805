"""Each address requested by each role in each state of a club, and each act asked for; expected is what tests/access.py says."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from league import rights
from league.access import ClubDeleted, admitted
from league.models import Change, Club, Role
from league.rights import Act
from tests import access
from tests.access import ACTS, PAGES, STATES, WHO, may
from tests.addresses import (
    API_QUERIES,
    API_REFUSED,
    CLUB_PAGES,
    PATTERNS,
    SITE,
    address,
    api_address,
    clubs,
)
from tests.factories import UserFactory

__all__ = ["clubs"]

pytestmark = pytest.mark.django_db
# Removing something that is gone already succeeds.
GONE_IS_REMOVED = {
    "standings:bin-restore", "people:claim-answer", "people:member-remove", "entry:meet-dissolve", "standings:award-move",
    "standings:award-remove", "noticeboard:plan-cancel", "webhooks:hook-delete",
}  # fmt: skip
# Who is asked in the other states: the roles at both ends, and the one that a private or closed club treats differently.
AT_THE_ENDS = ("anonymous", "member", "owner")
SENT = {"save": "", "closed": "0"}  # closing a closed season changes nothing


def put_into(state, club):
    """Give the club the state; the transaction of the test takes it back."""
    now = timezone.now()
    changes = {
        "closed": {"closed_at": now},
        "deleted": {"deleted_at": now},
        "two-factor": {"requires_two_factor": True},
    }
    Club.objects.filter(slug=club["club_slug"]).update(**changes.get(state, {}))


def of_state(clubs, state):
    club = clubs["private" if state == "private" else "public"]
    put_into(state, club)
    return {**club, "season_slug": "sealed"} if state == "sealed" else club


def refusal(who, state):
    """Name the answer that somebody gets who may not do an act."""
    if state == "private" and WHO[who] == "everybody":
        return "not found"
    if state == "deleted":
        return "gone"
    return "sign in" if who == "anonymous" else "refused"


def expected(who, act, state):
    return "admitted" if may(who, act, state) else refusal(who, state)


def met(answer):
    """Name what an answer of a page means."""
    if answer.status_code == 302:
        return "sign in" if answer.url.startswith("/accounts/login/?next=/c/") else "admitted"
    return {200: "admitted", 403: "refused", 404: "not found", 410: "gone"}[answer.status_code]


def test_every_address_is_in_the_table():
    """A new address belongs into tests/access.py."""
    others = (
        access.FOR_EVERYBODY, access.FOR_WHOEVER_HAS_THE_LINK, access.FOR_ACCOUNTS, access.FOR_ACCOUNTS_POST,
        access.FOR_ACCOUNTS_WITH_PASSWORD, access.FOR_DEVICES, access.FOR_WHO_UPLOADED,
        access.FOR_OPERATORS, access.FOR_OPERATORS_POST, access.FOR_WHO_HAS_THE_TOKEN,
    )  # fmt: skip
    listed = sorted([*PAGES, *access.API, *(name for names in others for name in names)])
    assert sorted(PATTERNS) == listed
    assert all("<slug:club_slug>" in str(PATTERNS[name].pattern) for name in PAGES)


def test_every_act_is_in_the_table():
    assert {str(act) for act in Act} == set(ACTS)


@pytest.mark.parametrize("act", ACTS)
def test_what_pages_offer_is_what_a_role_may_do(act):
    least = access.ROLES.index(ACTS[act].usual)
    roles = {"everybody": Role.PUBLIC} | {role.name.lower(): role for role in Role if role > Role.PUBLIC}
    offered = {name for name, role in roles.items() if rights.may(role, Act(act))}
    assert offered == set(access.ROLES[least:])


def test_whom_each_role_may_invite():
    invitable = {role.name.lower(): [other.name.lower() for other in rights.invitable(role)] for role in Role}
    assert invitable == {
        "public": [],
        "member": [],
        "helper": [],
        "organizer": ["member", "helper"],
        "owner": ["member", "helper", "organizer", "owner"],
    }


def asked_of_the_code(club, user, act):
    """Name what the site answers to somebody who wants to do an act."""
    try:
        admitted(Club.objects.get(slug=club["club_slug"]), user, Act(act))
    except ClubDeleted:
        return "gone"
    except Http404:
        return "not found"
    except PermissionDenied:
        return "sign in" if user.is_anonymous else "refused"
    return "admitted"


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("act", ACTS)
def test_each_act_by_each_role_in_each_state(clubs, act, state):
    club = of_state(clubs, state)
    users = {who: getattr(client, "user", AnonymousUser()) for who, client in club["clients"].items()}
    found = {who: asked_of_the_code(club, user, act) for who, user in users.items()}
    assert found == {who: expected(who, act, state) for who in WHO}


@pytest.mark.each_case
@pytest.mark.parametrize("name", CLUB_PAGES)
def test_each_page_by_each_role(clubs, name):
    page, club = PAGES[name], clubs["public"]
    found = {}
    for who, client in club["clients"].items():
        url = address(name, club, client)
        answer = client.get(url) if page.takes_get else client.post(url, SENT)
        found[who] = met(answer)
        if found[who] == "admitted":
            assert answer.status_code == 200 or answer.url.startswith(f"/c/{club['club_slug']}/"), who
        if found[who] != "admitted":
            assert not page.takes_post or met(client.post(url, SENT)) == found[who], who
        elif not page.takes_get:
            assert client.get(url).status_code == 405, who
        elif not page.takes_post:
            assert client.post(url).status_code == 405, who
    assert found == {who: expected(who, page.act, "open") for who in WHO}


@pytest.mark.parametrize("state", ["private", "closed", "two-factor", "deleted"])
@pytest.mark.parametrize("name", CLUB_PAGES)
def test_each_page_in_each_state_of_the_club(clubs, name, state):
    page, club = PAGES[name], of_state(clubs, state)
    found = {}
    for who in AT_THE_ENDS:
        client = club["clients"][who]
        url = address(name, club, client)
        answer = client.get(url) if page.takes_get else client.post(url, SENT)
        found[who] = met(answer)
        if state == "two-factor" and who == "owner" and found[who] == "refused":
            assert "requires two-factor sign-in" in answer.content.decode()
    assert found == {who: expected(who, page.act, state) for who in AT_THE_ENDS}


OF_A_SEASON = [
    name for name in CLUB_PAGES if set(PATTERNS[name].pattern.converters) == {"club_slug", "season_slug"}
]


@pytest.mark.parametrize("name", OF_A_SEASON)
def test_each_page_of_a_sealed_season(clubs, name):
    """As many reach it as before, and what they send changes nothing; breaking the seal is tested where seals are."""
    page, club = PAGES[name], of_state(clubs, "sealed")
    n_changes = Change.objects.count()
    for who in AT_THE_ENDS:
        client = club["clients"][who]
        url = address(name, club, client)
        answer = client.get(url) if page.takes_get else client.post(url, SENT)
        assert met(answer) == expected(who, page.act, "sealed"), who
        if page.takes_post and page.act != "seal":
            client.post(url, SENT)
    assert Change.objects.count() == n_changes


@pytest.mark.parametrize("name", SITE)
def test_pages_of_the_site_are_open_to_all(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        assert client.get(reverse(name, args=SITE[name])).status_code in {200, 302}, who


@pytest.mark.parametrize("name", sorted(access.FOR_ACCOUNTS))
def test_pages_for_any_account_send_others_to_the_log_in(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        assert client.get(reverse(name)).status_code == (302 if who == "anonymous" else 200)


@pytest.mark.parametrize("name", sorted(access.FOR_ACCOUNTS_WITH_PASSWORD))
def test_pages_that_ask_for_the_password_again(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        page = "login" if who == "anonymous" else "reauthenticate"
        assert client.get(reverse(name)).url.startswith(f"/accounts/{page}/?next="), who


@pytest.mark.parametrize("name", sorted(access.FOR_ACCOUNTS_POST))
def test_posts_of_any_account_send_others_to_the_log_in(clubs, name):
    url = reverse(name, args=["tb_none"] if PATTERNS[name].pattern.converters else [])
    for who, client in clubs["public"]["clients"].items():
        assert client.get(url).status_code == 405
        answer = client.post(url)
        assert answer.url.startswith("/accounts/login/?next=") == (who == "anonymous"), who


@pytest.mark.parametrize("name", API_QUERIES)
def test_what_the_api_tells_everybody(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        assert client.get(f"{reverse(name)}?{API_QUERIES[name]}").status_code == 200, who
        for method in (client.post, client.put, client.patch, client.delete):
            assert method(reverse(name)).status_code == 405, who


def test_elsewhere_in_the_api_there_is_nothing_for_anybody(clubs):
    for client in clubs["public"]["clients"].values():
        assert client.get("/api/").status_code == client.post("/api/v1/leagues/").status_code == 404


def api_met(answer, name):
    """Name what an answer of the API means; one to an empty body or to a method that it does not take is admitted."""
    codes = {
        200: "admitted",
        204: "admitted",
        400: "admitted",
        405: "admitted",
        401: "sign in",
        403: "refused",
        404: "not found",
    }
    if name in API_REFUSED:
        codes[409] = "admitted"
    return codes[answer.status_code]


def api_expected(who, act, state):
    return "not found" if (found := expected(who, act, state)) == "gone" else found


@pytest.mark.parametrize("state", ["open", "private", "closed", "two-factor", "deleted"])
@pytest.mark.parametrize("name", access.API)
def test_each_address_of_the_api_by_each_role(clubs, name, state):
    club, (reading, writing) = of_state(clubs, state), access.API[name]
    url = api_address(name, club)
    for who in WHO if state == "open" else AT_THE_ENDS:
        client = club["clients"][who]
        assert api_met(client.get(url), name) == api_expected(who, reading, state), who
        deleting = access.API_DELETING.get(name, writing)
        for method, act in ((client.put, writing), (client.delete, deleting)):
            with transaction.atomic():  # whatever is deleted is there again for the next one
                answer = method(url, "{}", content_type="application/json")
                transaction.set_rollback(True)
            assert api_met(answer, name) == api_expected(who, act, state), who


@pytest.mark.parametrize("number", [0, 999_999, 9**25])
@pytest.mark.parametrize(
    "name", [name for name in sorted(access.API) if "_id" in str(PATTERNS[name].pattern)]
)
def test_a_number_of_nothing_is_not_found_by_the_api(clubs, name, number):
    club = clubs["public"]
    keys = PATTERNS[name].pattern.converters
    url = reverse(name, kwargs={key: number if key.endswith("_id") else club[key] for key in keys})
    client = club["clients"]["owner"]
    assert client.get(url).status_code == client.put(url).status_code == 404


def test_the_list_of_clubs_shows_a_private_one_to_its_members_alone(clubs):
    private = clubs["private"]
    listed = {
        who
        for who, client in private["clients"].items()
        if f"/c/{private['club_slug']}/" in client.get("/").content.decode()
    }
    # Superusers find every club on the operator's page (tests/directory/test_operator.py).
    assert listed == {who for who in WHO if may(who, "read", "private")} - {"superuser"}


@pytest.mark.parametrize("number", [0, 999_999, 9**25])
@pytest.mark.parametrize("name", [name for name in CLUB_PAGES if "<int:" in str(PATTERNS[name].pattern)])
def test_a_number_of_nothing_is_not_found(clubs, name, number):
    club = clubs["public"]
    client = club["clients"]["owner"]
    converters = PATTERNS[name].pattern.converters
    arguments = {key: number if key.endswith("_id") else club[key] for key in converters}
    url = reverse(name.removesuffix(" 2"), kwargs=arguments)
    answer = client.get(url)
    if answer.status_code == 405:
        answer = client.post(url)
    assert answer.status_code == (302 if name in GONE_IS_REMOVED else 404)


@pytest.mark.parametrize("who", ["anonymous", "stranger", "owner", "superuser"])
def test_the_admin_is_for_staff(clubs, who):
    answer = clubs["public"]["clients"][who].get("/admin/")
    assert answer.status_code in {302, 403}


def test_staff_read_results_in_the_admin_and_cannot_change_them(clubs, client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    event_id = clubs["public"]["event_id"]
    for model in ("club", "season", "event", "player", "pool", "change"):
        assert client.get(f"/admin/league/{model}/").status_code == 200
        assert client.get(f"/admin/league/{model}/add/").status_code == 403
    assert client.get(f"/admin/league/event/{event_id}/change/").status_code == 200
    assert client.post(f"/admin/league/event/{event_id}/delete/", {"post": "yes"}).status_code == 403
    assert client.post(f"/admin/league/event/{event_id}/change/", {"name": "x"}).status_code == 403
