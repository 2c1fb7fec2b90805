"""Who may make an account is a rule of the operator, and how much an account may do."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from league.models import Invitation, Notice, Role, SignUp, SiteRules, Use, UseOfDay
from league.services.quotas import QuotaUsed, count_use, forget_old_uses
from people.services.clubs import open_club
from people.services.invitations import invite
from people.services.members import hand_over, set_member
from tests.factories import ClubFactory, UserFactory, enter

pytestmark = pytest.mark.django_db
TYPED = {"username": "newcomer", "email": "newcomer@example.com"} | dict.fromkeys(
    ("password1", "password2"), "a-good-passphrase"
)


def rules(**values):
    return SiteRules.objects.create(pk=1, **values)


def sign_up(client):
    client.post(reverse("account_signup"), TYPED)
    return User.objects.filter(username="newcomer").exists()


@pytest.fixture
def invitation(club, people):
    return invite(
        club,
        role=Role.MEMBER,
        lasts=timedelta(days=1),
        most_uses=5,
        actor=people["owner"],
        actor_role=Role.OWNER,
    )


@pytest.mark.parametrize(
    ("rule", "is_open"), [(SignUp.ANYBODY, True), (SignUp.INVITED, False), (SignUp.NOBODY, False)]
)
def test_without_an_invitation(client, rule, is_open):
    rules(sign_up=rule)
    assert (reverse("account_signup") in client.get("/").content.decode()) == is_open
    assert sign_up(client) == is_open


@pytest.mark.parametrize(
    ("rule", "is_open"), [(SignUp.ANYBODY, True), (SignUp.INVITED, True), (SignUp.NOBODY, False)]
)
def test_with_an_invitation(client, invitation, rule, is_open):
    rules(sign_up=rule)
    client.post(invitation.get_absolute_url(), {"signup": ""})
    assert sign_up(client) == is_open
    assert invitation.club.memberships.filter(user__username="newcomer").exists() == is_open


def test_an_invitation_that_has_ended_opens_nothing(client, invitation):
    rules(sign_up=SignUp.INVITED)
    client.post(invitation.get_absolute_url(), {"signup": ""})
    Invitation.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert not sign_up(client)


def test_one_account_owns_so_many_clubs(client):
    rules(clubs=2)
    owner = UserFactory()
    client.force_login(owner)
    typed = {"plays": "poker", "time_zone": "UTC"}
    for n in range(3):
        answer = client.post(
            reverse("people:club-create"), typed | {"name": f"Club {n}", "slug": f"club-of-{n}"}
        )
    assert "One account may own 2 clubs" in answer.context["form"].errors["name"][0]
    assert owner.memberships.count() == 2
    chief = UserFactory(is_superuser=True)
    for n in range(3):
        open_club(chief, name=f"Of the chief {n}", time_zone="UTC", is_public=False)


def test_a_club_has_so_many_players(season):
    rules(players=3)
    enter(season, "Ada\nBoris")
    with pytest.raises(QuotaUsed, match="A club may have 3 players"):
        enter(season, "Cleo\nDora", day=1)
    enter(season, "Ada\nCleo", day=1)
    assert season.club.players.count() == 3


def test_one_account_sends_so_many_files_a_day(client_of, season):
    rules(uploads=2)
    page = reverse("entry:import-upload", args=[season.club.slug, season.slug])

    def send():
        return client_of("owner").post(
            page, {"file": SimpleUploadedFile("a.csv", b"place,name\n1,Ada\n2,Boris\n")}
        )

    assert [send().status_code for _file in range(2)] == [302, 302]
    assert "One account may send 2 files a day" in send().context["form"].errors["file"][0]


def test_one_account_mails_so_many_invitations_a_day(
    club, people, mailoutbox, django_capture_on_commit_callbacks
):
    rules(mails=1)

    def mailed(email):
        with django_capture_on_commit_callbacks(execute=True):
            return invite(
                club,
                role=Role.MEMBER,
                lasts=timedelta(days=1),
                most_uses=1,
                actor=people["owner"],
                actor_role=Role.OWNER,
                email=email,
            )

    mailed("ada@example.com")
    with pytest.raises(QuotaUsed, match="may mail 1 invitation"):
        mailed("boris@example.com")
    mailed("")
    assert [mail.to for mail in mailoutbox] == [["ada@example.com"]]


def test_uses_are_counted_by_day_and_forgotten():
    user, chief = UserFactory(), UserFactory(is_superuser=True)
    rules(runs=3)
    count_use(user, Use.RUNS, 3)
    with pytest.raises(QuotaUsed, match="may start 3 runs"):
        count_use(user, Use.RUNS)
    count_use(chief, Use.RUNS, 100)
    UseOfDay.objects.update(day=timezone.now().date() - timedelta(days=1))
    count_use(user, Use.RUNS, 3)
    UseOfDay.objects.filter(day=timezone.now().date()).update(day=timezone.now().date() - timedelta(days=8))
    forget_old_uses()
    assert UseOfDay.objects.count() == 1


def test_nobody_becomes_the_owner_of_more_clubs_than_one_may_own(people):
    rules(clubs=1)
    mine, other = ClubFactory(owner=people["stranger"]), ClubFactory()
    giver = other.memberships.get().user
    with pytest.raises(QuotaUsed):
        set_member(other, user=people["stranger"], role=Role.OWNER, actor=giver)
    set_member(other, user=people["stranger"], role=Role.MEMBER, actor=giver)
    with pytest.raises(QuotaUsed):
        hand_over(other, user=people["stranger"], actor=giver)
    set_member(mine, user=people["stranger"], role=Role.OWNER, actor=None)  # changes nothing


def test_notices_that_one_account_causes_are_mailed_so_often_a_day(
    club, people, mailoutbox, django_capture_on_commit_callbacks
):
    rules(mails=2)
    EmailAddress.objects.create(user=people["stranger"], email="s@example.com", verified=True)
    with django_capture_on_commit_callbacks(execute=True):
        for n in range(6):
            role = Role.MEMBER if n % 2 else Role.HELPER
            set_member(club, user=people["stranger"], role=role, actor=people["owner"])
    assert len(mailoutbox) == 2
    assert Notice.objects.filter(user=people["stranger"]).count() == 6


def test_a_full_club_says_so_on_the_list_of_members(client_of, club):
    rules(players=1)
    page = reverse("league:roster", args=[club.slug])
    client = client_of("owner")
    seen = client.post(page, {"names": "Ada\nBoris"}).context["digest"]
    answer = client.post(page, {"names": "Ada\nBoris", "seen": seen, "save": ""})
    assert "A club may have 1 player" in answer.context["form"].non_field_errors()[0]
    assert "A club may have 1 player" in answer.content.decode()
    assert not club.players.exists()
