"""Each address of the project requested with each role; the addresses come from the URL configuration."""

import itertools

import pytest
from django.urls import reverse

from league.models import Club, Role
from league.rights import RIGHTS
from tests.addresses import (
    API,
    API_NOWHERE,
    API_OF_CLUBS,
    API_OPEN,
    API_REFUSED,
    API_WRITES,
    CLUB_PAGES,
    LEADS_ON,
    PATTERNS,
    POST_ONLY,
    POST_SHOWN_AGAIN,
    SITE,
    SITE_WITH_ACCOUNT,
    SITE_WITH_ACCOUNT_POST,
    WHO,
    WITH_PASSWORD,
    WRITES,
    address,
    api_address,
    clubs,
)
from tests.factories import UserFactory

__all__ = ["clubs"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
# Removing something that is gone already succeeds.
GONE_IS_REMOVED = {
    "standings:bin-restore",
    "league:claim-answer",
    "league:member-remove",
    "league:meet-dissolve",
    "standings:award-move",
    "standings:award-remove",
    "noticeboard:plan-cancel",
}
# Addresses of standings that write.
STANDINGS_WRITES = {
    "standings:club-data",
    "standings:club-archive",
    "standings:club-close",
    "standings:club-delete",
    "standings:club-restore",
    "standings:correction",
    "standings:night-correction",
    "standings:bin",
    "standings:bin-restore",
    "standings:merge",
    "standings:unmerge",
    "standings:award-edit",
    "standings:award-change",
    "standings:award-move",
    "standings:award-remove",
    "standings:seal-edit",
}
LAB_READS = {"lab:runs", "lab:run", "lab:run-progress", "lab:run-file"}  # by members
# That a club is private changes something for outsiders and for the least of its members; the owner sees the whole of a page.
OF_PRIVATE = ("anonymous", "stranger", "foreign", "member", "owner")


def has_role(callback):
    return hasattr(getattr(callback, "cls", None), "reads") or hasattr(callback, "required_role")


def test_every_address_has_a_declared_role_or_is_a_page_of_the_site():
    undeclared = {name for name, pattern in PATTERNS.items() if not has_role(pattern.callback)}
    assert undeclared == set(SITE) | set(API_OPEN) | API_NOWHERE
    assert set(SITE) | SITE_WITH_ACCOUNT | set(SITE_WITH_ACCOUNT_POST) | WITH_PASSWORD | API <= set(PATTERNS)
    assert {name for name in API if hasattr(PATTERNS[name].callback.cls, "put")} == API_WRITES
    assert len(CLUB_PAGES) >= 29


def test_every_address_of_a_club_names_the_club():
    assert all("<slug:club_slug>" in str(PATTERNS[name].pattern) for name in CLUB_PAGES)


# Pages on which members write what belongs to themselves alone.
OF_MEMBERS = {
    "lab:club-practice",
    "league:leave",
    "league:people",
    "league:player-claim",
    "league:player-unclaim",
    "noticeboard:come",
    "noticeboard:follow-key",
    "noticeboard:follow-mails",
}
OTHER_READS = {
    "forecasts:opponents", "forecasts:quality", "forecasts:title", "noticeboard:schedule", "noticeboard:planned-file", "noticeboard:calendar", "noticeboard:events-atom",
    "noticeboard:corrections-atom", "noticeboard:follow", "noticeboard:embed",
    "sharing:event-picture", "sharing:event-share", "sharing:result-text", "sharing:player-picture", "sharing:badge-picture",
    "sharing:badge", "sharing:season-picture", "sharing:certificate",
}  # fmt: skip
OF_HELPERS = {
    "league:enter", "league:event-create", "league:event-edit", "league:import-preview", "league:import-upload",
    "league:import-saved", "league:imports", "standings:results-file",
    "league:meet-create", "league:meet-dissolve", "league:meet-edit", "league:night-create", "league:night-edit",
    "league:version-restore", "standings:correction", "standings:night-correction",
    "noticeboard:plan-create", "noticeboard:plan-edit", "noticeboard:plan-cancel",
}  # fmt: skip


def test_what_writes_asks_for_an_organizer_or_for_a_helper_where_results_are_entered():
    reads = {"changes", "settings", "settings 2", "seat-table", "seat-file"}
    for name in CLUB_PAGES:
        app, _colon, page = name.partition(":")
        if name in OF_HELPERS:
            assert PATTERNS[name].callback.required_role == Role.HELPER, name
        elif name not in STANDINGS_WRITES and (app == "standings" or page in reads or name in OTHER_READS):
            assert PATTERNS[name].callback.required_role == Role.PUBLIC, name
        elif name in LAB_READS | OF_MEMBERS:
            assert PATTERNS[name].callback.required_role == Role.MEMBER, name
        else:
            assert PATTERNS[name].callback.required_role >= Role.ORGANIZER, name


def expected(required, who, visibility):
    if visibility == "private" and WHO[who] == Role.PUBLIC:
        return 404
    if WHO[who] >= required:
        return 200
    return 302 if who == "anonymous" else 403


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("name", CLUB_PAGES)
def test_each_page_by_each_role(clubs, name, visibility):
    required = PATTERNS[name].callback.required_role
    club = clubs[visibility]
    for who in WHO if visibility == "public" else OF_PRIVATE:
        client = club["clients"][who]
        url = address(name, club, client)
        # Closing a closed season changes nothing.
        takes_posts_only = name in POST_ONLY | POST_SHOWN_AGAIN
        answer = client.post(url, {"closed": "0"}) if takes_posts_only else client.get(url)
        status = expected(required, who, visibility)
        if status == 200 and name in POST_ONLY:
            assert (answer.status_code, answer.url.startswith(f"/c/{club['club_slug']}/")) == (302, True), who
            assert client.get(url).status_code == 405
        elif status == 200 and name in POST_SHOWN_AGAIN:
            assert (answer.status_code, client.get(url).status_code) == (200, 405), who
        elif status == 200 and name in LEADS_ON:
            assert (answer.status_code, answer.url.startswith(f"/c/{club['club_slug']}/")) == (302, True), who
        elif status == 200:
            assert answer.status_code == 200, (who, answer.status_code)
        else:
            assert answer.status_code == status, (who, answer.status_code)
        if status == 302:
            assert answer.url.startswith("/accounts/login/?next=/c/"), who


@pytest.mark.parametrize("name", CLUB_PAGES)
def test_each_page_of_a_club_that_requires_a_second_factor(clubs, name):
    """Without one, an organizer and an owner may do what members may, and a page says why."""
    club, required = clubs["two-factor"], PATTERNS[name].callback.required_role
    Club.objects.filter(slug=club["club_slug"]).update(requires_two_factor=True)
    for who in ("organizer", "owner", "superuser"):
        client = club["clients"][who]
        url = address(name, club, client)
        answer = client.post(url) if name in POST_ONLY | POST_SHOWN_AGAIN else client.get(url)
        allowed = 302 if name in POST_ONLY | LEADS_ON else 200
        assert answer.status_code == (allowed if required <= Role.MEMBER else 403), who
        if required <= Role(WHO[who]) and required > Role.MEMBER:
            assert "requires two-factor sign-in" in answer.content.decode(), who


@pytest.mark.parametrize("name", sorted(set(CLUB_PAGES) - set(WRITES) - POST_ONLY))
def test_a_page_to_read_takes_no_post_from_anybody(clubs, name):
    for who, client in clubs["private"]["clients"].items():
        assert client.post(address(name, clubs["private"], client)).status_code == 405, who


@pytest.mark.parametrize("name", WRITES)
def test_a_post_of_anything_by_those_below_the_role(clubs, name):
    required = PATTERNS[name].callback.required_role
    for visibility, who in itertools.product(("public", "private"), WHO):
        club = clubs[visibility]
        status = expected(required, who, visibility)
        if status == 200:
            continue
        client = club["clients"][who]
        assert client.post(address(name, club, client), {"save": ""}).status_code == status, (visibility, who)


@pytest.mark.parametrize("name", SITE)
def test_pages_of_the_site_are_open_to_all(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        assert client.get(reverse(name, args=SITE[name])).status_code in {200, 302}, who


@pytest.mark.parametrize("name", sorted(SITE_WITH_ACCOUNT))
def test_pages_for_any_account_send_others_to_the_log_in(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        assert client.get(reverse(name)).status_code == (302 if who == "anonymous" else 200)


@pytest.mark.parametrize("name", sorted(WITH_PASSWORD))
def test_pages_that_ask_for_the_password_again(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        page = "login" if who == "anonymous" else "reauthenticate"
        assert client.get(reverse(name)).url.startswith(f"/accounts/{page}/?next="), who


@pytest.mark.parametrize("name", SITE_WITH_ACCOUNT_POST)
def test_posts_of_any_account_send_others_to_the_log_in(clubs, name):
    url = reverse(name, args=SITE_WITH_ACCOUNT_POST[name])
    for who, client in clubs["public"]["clients"].items():
        assert client.get(url).status_code == 405
        answer = client.post(url)
        assert answer.url.startswith("/accounts/login/?next=") == (who == "anonymous"), who


@pytest.mark.parametrize("name", API_OPEN)
def test_what_the_api_tells_everybody(clubs, name):
    for who, client in clubs["public"]["clients"].items():
        assert client.get(f"{reverse(name)}?{API_OPEN[name]}").status_code == 200, who
        for method in (client.post, client.put, client.patch, client.delete):
            assert method(reverse(name)).status_code == 405, who


def test_elsewhere_in_the_api_there_is_nothing_for_anybody(clubs):
    for who, client in clubs["public"]["clients"].items():
        assert [
            response.status_code for response in (client.get("/api/"), client.post("/api/v1/clubs/"))
        ] == [
            404,
            404,
        ], who


def api_expected(required, who, visibility):
    return {302: 401}.get(code := expected(required, who, visibility), code)


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("name", sorted(API_OF_CLUBS))
def test_each_address_of_the_api_by_each_role(clubs, name, visibility):
    url, to_read = api_address(name, clubs[visibility]), RIGHTS[PATTERNS[name].callback.cls.reads]
    for who, client in clubs[visibility]["clients"].items():
        status = api_expected(to_read, who, visibility)
        assert client.get(url).status_code == (409 if status == 200 and name in API_REFUSED else status), who
        status = api_expected(RIGHTS[PATTERNS[name].callback.cls.writes], who, visibility)
        if status == 200:  # the role suffices: 400 for the empty body, or 405 if nothing can be written
            status = 400 if name in API_WRITES else 405
        assert client.put(url, "{}", content_type="application/json").status_code == status, who
        assert client.delete(url).status_code == (405 if status in {400, 405} else status), who


@pytest.mark.parametrize("number", [0, 999_999, 9**25])
@pytest.mark.parametrize("name", sorted(API_OF_CLUBS - {"api:seasons"}))
def test_a_number_of_nothing_is_not_found_by_the_api(clubs, name, number):
    key = next(iter(PATTERNS[name].pattern.converters))
    url = reverse(name, kwargs={key: number})
    client = clubs["public"]["clients"]["owner"]
    assert client.get(url).status_code == client.put(url).status_code == 404


def test_the_list_of_clubs_shows_a_private_one_to_its_members_alone(clubs):
    slug = clubs["private"]["club_slug"]
    seen = {
        who: f"/c/{slug}/" in client.get("/").content.decode()
        for who, client in clubs["private"]["clients"].items()
    }
    assert {who for who, is_seen in seen.items() if is_seen} == {
        "member",
        "helper",
        "organizer",
        "owner",
        "superuser",
    }


@pytest.mark.parametrize("number", [0, 999_999, 9**25])
@pytest.mark.parametrize("name", [name for name in CLUB_PAGES if "<int:" in str(PATTERNS[name].pattern)])
def test_a_number_of_nothing_is_not_found(clubs, name, number):
    club = clubs["public"]
    client = club["clients"]["owner"]
    converters = PATTERNS[name].pattern.converters
    arguments = {key: number if key.endswith("_id") else club[key] for key in converters}
    url = reverse(name.removesuffix(" 2"), kwargs=arguments)
    answer = client.post(url) if name in POST_ONLY else client.get(url)
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
