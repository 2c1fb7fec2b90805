"""Changes of rights in the history of a club, which its owners see and nobody else."""

from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api.services import make_key, revoke_key
from league.models import AccessChange, Pool, Role
from people.services.clubs import update_club
from people.services.members import remove_member, set_member
from standings.pages.history.access_history import WORDS, access_line
from tests.factories import ClubFactory, UserFactory, enter
from tests.people.accounts.people import add_app
from tests.people.admin.pages import ONLY_READ

pytestmark = pytest.mark.django_db
Kind = AccessChange.Kind


@pytest.fixture
def rows(club, people):
    """Return what was recorded in the club since its people came: what, who, by whom, in words."""
    begin = AccessChange.objects.latest("pk").pk

    def rows(club=club):
        return [
            (row.kind, row.person, str(row.actor), access_line(row).descriptions)
            for row in AccessChange.objects.filter(club=club, pk__gt=begin).order_by("pk")
        ]

    return rows


def test_members_added_changed_and_removed(club, people, rows):
    user, owner = UserFactory(username="new"), people["owner"]
    for role in (Role.MEMBER, Role.MEMBER, Role.ORGANIZER):
        set_member(club, user=user, role=role, actor=owner)
    for _again in range(2):
        remove_member(club, user=user, actor=owner)
    assert rows() == [
        (Kind.MEMBER_ADDED, "new", "owner", ["Role: – → member"]),
        (Kind.ROLE_CHANGED, "new", "owner", ["Role: member → organizer"]),
        (Kind.MEMBER_REMOVED, "new", "owner", ["Role: organizer → –"]),
    ]


def test_a_club_begins_with_its_owner():
    club = ClubFactory()
    change = AccessChange.objects.get(club=club)
    assert (change.kind, change.person, change.actor) == (
        Kind.MEMBER_ADDED,
        str(change.actor),
        club.memberships.get().user,
    )


def test_the_admin_records_members_too(client, club, people, rows):
    client.force_login(UserFactory(username="root", is_staff=True, is_superuser=True))
    memberships = list(club.memberships.order_by("pk"))
    prefix = "memberships"
    sent = {
        f"{prefix}-TOTAL_FORMS": 6,
        f"{prefix}-INITIAL_FORMS": 5,
        f"{prefix}-5-user": people["stranger"].pk,
        f"{prefix}-5-role": 10,
        f"{prefix}-5-club": club.pk,
        **ONLY_READ,
    }
    for n, membership in enumerate(memberships):
        sent |= {
            f"{prefix}-{n}-id": membership.pk,
            f"{prefix}-{n}-club": club.pk,
            f"{prefix}-{n}-user": membership.user_id,
            f"{prefix}-{n}-role": membership.role,
        }
        if membership.user == people["member"]:
            sent[f"{prefix}-{n}-DELETE"] = "on"
    assert client.post(f"/admin/league/club/{club.pk}/change/", sent).status_code == 302
    assert [row[:3] for row in rows()] == [
        (Kind.MEMBER_ADDED, "stranger", "root"),
        (Kind.MEMBER_REMOVED, "member", "root"),
    ]


def test_the_admin_puts_nobody_in_the_place_of_a_member(client, club, people, rows):
    client.force_login(UserFactory(username="root", is_staff=True, is_superuser=True))
    row = club.memberships.get(user=people["member"])
    fields = {"id": row.pk, "club": club.pk, "user": people["stranger"].pk, "role": Role.ORGANIZER}
    sent = {f"memberships-0-{name}": value for name, value in fields.items()}
    sent |= {"memberships-TOTAL_FORMS": 1, "memberships-INITIAL_FORMS": 1} | ONLY_READ
    assert client.post(f"/admin/league/club/{club.pk}/change/", sent).status_code == 302
    assert [row[:3] for row in rows()] == [(Kind.ROLE_CHANGED, "member", "root")]
    assert not club.memberships.filter(user=people["stranger"]).exists()


def test_keys_of_organizers_without_their_secret(club, people, rows):
    other = ClubFactory()
    set_member(other, user=people["organizer"], role=Role.MEMBER, actor=None)
    key = make_key(people["organizer"], label="script")
    for _again in range(2):
        revoke_key(people["organizer"], token_key=key[:15])
    make_key(people["member"], label="script")
    assert rows() == [
        (Kind.KEY_MADE, "organizer", "organizer", ["Key “script”, read and write"]),
        (Kind.KEY_REVOKED, "organizer", "organizer", ["Key “script”, read and write"]),
    ]
    assert rows(other)[1:] == [(Kind.MEMBER_ADDED, "organizer", "None", ["Role: – → member"])]
    assert key[:15] not in str(list(AccessChange.objects.values()))


def test_passwords_of_organizers_whoever_changes_them(client, people, rows):
    new = {"password1": "another-passphrase", "password2": "another-passphrase"}
    client.force_login(people["organizer"])
    client.post("/accounts/password/change/", {"oldpassword": "a-good-passphrase", **new})
    client.force_login(UserFactory(username="root", is_staff=True, is_superuser=True))
    client.post(f"/admin/auth/user/{people['organizer'].pk}/password/", {"usable_password": "true", **new})
    people["organizer"].set_password("a third passphrase")
    people["organizer"].save()
    people["member"].set_password("a third passphrase")
    people["member"].save()
    assert rows() == [
        (Kind.PASSWORD_CHANGED, "organizer", "organizer", []),
        (Kind.PASSWORD_CHANGED, "organizer", "root", []),
        (Kind.PASSWORD_CHANGED, "organizer", "None", []),
    ]


def test_disabled_passwords_and_only_passwords_that_change(client, people, rows):
    client.force_login(UserFactory(username="root", is_staff=True, is_superuser=True))
    address = f"/admin/auth/user/{people['organizer'].pk}/password/"
    sent = {"usable_password": "false", "unset-password": "on"}
    assert client.post(address, sent).status_code == 302
    for _again in range(2):
        people["owner"].set_unusable_password()
        people["owner"].save(update_fields=["password"])
        people["owner"].save()
    people["owner"].password = "not saved"
    people["owner"].save(update_fields=["email"])
    assert rows() == [
        (Kind.PASSWORD_CHANGED, "organizer", "root", []),
        *[(Kind.PASSWORD_CHANGED, "owner", "None", [])] * 2,
    ]


def test_second_factors_and_the_rule_that_requires_them(club, people, rows):
    add_app(people["owner"])
    fields = {"name": club.name, "time_zone": "UTC", "is_public": True, "actor": people["owner"]}
    for _again in range(2):
        update_club(club, requires_two_factor=True, **fields)
    people["owner"].authenticator_set.all().delete()
    assert rows() == [
        (Kind.TWO_FACTOR_ADDED, "owner", "None", ["Authenticator app"]),
        (Kind.RULES_OF_ACCESS, "", "owner", ["Two-factor sign-in for organizers: no → yes"]),
        (Kind.TWO_FACTOR_REMOVED, "owner", "None", ["Authenticator app"]),
    ]


def test_the_operator_removes_a_lost_factor_and_never_sees_its_secret(client, people, rows):
    add_app(people["owner"])
    client.force_login(UserFactory(username="root", is_staff=True, is_superuser=True))
    factor = people["owner"].authenticator_set.get()
    page = client.get(f"/admin/mfa/authenticator/{factor.pk}/change/").content.decode()
    assert "owner" in page
    assert factor.data["secret"] not in page
    assert client.post(f"/admin/mfa/authenticator/{factor.pk}/delete/", {"post": "yes"}).status_code == 302
    assert rows()[1:] == [(Kind.TWO_FACTOR_REMOVED, "owner", "root", ["Authenticator app"])]


def test_a_deleted_account_leaves_its_name_in_the_history(people, rows):
    User.objects.get(username="organizer").delete()
    assert rows() == [(Kind.MEMBER_REMOVED, "organizer", "None", ["Role: organizer → –"])]


def test_rights_compute_nothing_again(season, people, published):
    before = list(Pool.objects.values_list("data_version", flat=True))
    set_member(season.club, user=UserFactory(), role=Role.MEMBER, actor=people["owner"])
    make_key(people["owner"], label="script")
    assert list(Pool.objects.values_list("data_version", flat=True)) == before
    assert published == []


def test_only_owners_see_them_on_the_page(season, people, client_of):
    enter(season, "Ada\nBoris")
    set_member(season.club, user=UserFactory(username="newcomer"), role=Role.ORGANIZER, actor=people["owner"])
    enter(season, "Boris\nAda", day=1)
    url = reverse("standings:changes", args=[season.club.slug])
    pages = {
        who: client_of(who).get(url) for who in ("anonymous", "stranger", "member", "organizer", "owner")
    }
    counts = {who: page.context["page"].paginator.count for who, page in pages.items()}
    owner = counts.pop("owner")
    assert set(counts.values()) == {2}
    assert owner == 2 + AccessChange.objects.filter(club=season.club).count()
    for who, page in pages.items():
        assert ("newcomer" in page.content.decode()) == (who == "owner"), who
    text = unescape(pages["owner"].content.decode())
    first, _added, later = text.partition("newcomer")
    assert "won by Boris" in first
    assert "won by Ada" in later


def test_the_page_takes_as_many_queries_for_many_lines(season, people, client_of):
    url, client, counts = reverse("standings:changes", args=[season.club.slug]), client_of("owner"), []
    for _round in range(3):
        enter(season, "Ada\nBoris", day=_round)
        set_member(season.club, user=UserFactory(), role=Role.MEMBER, actor=people["owner"])
        with CaptureQueriesContext(connection) as queries:
            client.get(url)
        counts.append(len(queries))
    assert counts[0] == counts[2]


def test_every_kind_has_words():
    assert set(WORDS) == set(Kind)
