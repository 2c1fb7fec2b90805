"""The pages of a club's data: download, import, close, delete, bring back."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from league.models import Club, Event, Membership, Player, Role
from standings.archive.services import make_asked_club
from standings.models import ArchiveDraft
from standings.tasks import ASKED_AGAIN, make_club, purge, sweep
from standings.views import club_data
from tests.factories import ClubFactory, UserFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner_client(client_of):
    return client_of("owner")


@pytest.fixture
def page(season):
    return lambda name, **fields: reverse(f"standings:{name}", args=[season.club.slug])


def archive(client, page):
    answer = client.get(page("club-archive"))
    assert re.search(r'attachment; filename="[\w-]+\.zip"', answer["Content-Disposition"])
    return SimpleUploadedFile("club.zip", answer.content)


def test_a_club_moves_by_download_and_upload(season, owner_client, page, client):
    enter(season, "Ada\nBoris")
    file = archive(owner_client, page)
    newcomer = UserFactory()
    client.force_login(newcomer)
    answer = client.post(reverse("standings:club-import"), {"archive": file})
    draft = ArchiveDraft.objects.get(user=newcomer)
    confirm = reverse("standings:club-import-confirm", args=[draft.pk])
    assert answer["Location"] == confirm
    assert "1 event" in client.get(confirm).content.decode()
    taken = client.post(confirm, {"name": "Moved", "slug": season.club.slug})
    assert "slug" in taken.context["form"].errors
    assert 'value="Moved"' in taken.content.decode()
    for _press in range(2):
        answer = client.post(confirm, {"name": "Moved", "slug": "moved"})
        assert answer["Location"] == Club.objects.get(slug="moved").get_absolute_url()
    club = Club.objects.get(slug="moved")
    assert Membership.objects.get(club=club).user == newcomer
    assert Event.objects.filter(season__club=club).count() == 1


def test_a_bad_archive_is_refused_at_its_field_and_another_ones_upload_is_not_found(
    season, owner_client, page, client_of
):
    url = reverse("standings:club-import")
    answer = owner_client.post(url, {"archive": SimpleUploadedFile("x.zip", b"x")})
    assert "no archive of a club" in str(answer.context["form"].errors["archive"])
    assert not ArchiveDraft.objects.exists()
    owner_client.post(url, {"archive": archive(owner_client, page)})
    confirm = reverse("standings:club-import-confirm", args=[ArchiveDraft.objects.get().pk])
    assert client_of("organizer").get(confirm).status_code == 404


def test_a_visitor_uploads_five_archives_a_minute(owner_client):
    url = reverse("standings:club-import")
    answers = [owner_client.post(url, {"archive": SimpleUploadedFile("x.zip", b"x")}) for _n in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]


def test_an_upload_that_this_version_cannot_read_any_more_leads_back(owner_client, people):
    draft = ArchiveDraft.objects.create(user=people["owner"], data=b"of an earlier version")
    answer = owner_client.get(reverse("standings:club-import-confirm", args=[draft.pk]), follow=True)
    assert "Upload the archive again." in answer.content.decode()


def test_an_upload_is_read_once_and_then_only_to_make_the_club(owner_client, page, monkeypatch):
    """Finding H4: every look at the page unpacked the file again, 740 MB of a file of 40 kB."""
    owner_client.post(reverse("standings:club-import"), {"archive": archive(owner_client, page)})
    confirm = reverse("standings:club-import-confirm", args=[ArchiveDraft.objects.get().pk])
    monkeypatch.setattr(club_data, "read_archive", None)
    assert "1 season" in owner_client.get(confirm).content.decode()


@pytest.fixture
def large(owner_client, page, monkeypatch, published):
    """An uploaded archive that counts as large, its page, and the drafts that the worker is told of."""
    monkeypatch.setattr(club_data, "MOST_AT_ONCE", 10)
    told = []
    monkeypatch.setattr(make_club, "delay", told.append)
    owner_client.post(reverse("standings:club-import"), {"archive": archive(owner_client, page)})
    draft = ArchiveDraft.objects.get()
    return draft, reverse("standings:club-import-confirm", args=[draft.pk]), told


def test_a_large_archive_becomes_a_club_in_the_worker(
    season, owner_client, large, django_capture_on_commit_callbacks
):
    draft, confirm, told = large
    typed = {"name": "Moved", "slug": "moved"}
    with django_capture_on_commit_callbacks(execute=True):
        for _press in range(2):
            assert owner_client.post(confirm, typed).status_code in {200, 302}
    assert told == [draft.pk]
    assert not Club.objects.filter(slug="moved").exists()
    assert "The club is being made" in owner_client.get(confirm).content.decode()
    part = owner_client.get(confirm, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    for _message in range(2):
        make_asked_club(draft.pk)
    club = Club.objects.get(slug="moved")
    assert owner_client.get(confirm).url == club.get_absolute_url()
    poll = owner_client.get(confirm, headers={"HX-Request": "true"})
    assert poll.headers["HX-Redirect"] == club.get_absolute_url()


def test_what_the_worker_cannot_make_is_said_and_can_be_asked_for_again(owner_client, large):
    draft, confirm, _told = large
    assert (
        "slug"
        in owner_client.post(confirm, {"name": "X", "slug": Club.objects.get().slug}).context["form"].errors
    )
    owner_client.post(confirm, {"name": "Moved", "slug": "moved"})
    ClubFactory(slug="moved")  # somebody was faster
    make_asked_club(draft.pk)
    page = owner_client.get(confirm).content.decode()
    assert "“moved” is taken" in page
    owner_client.post(confirm, {"name": "Moved", "slug": "moved-2"})
    make_asked_club(draft.pk)
    assert Club.objects.filter(slug="moved-2").exists()


def test_the_sweep_finds_archives_whose_message_was_lost(owner_client, large):
    draft, confirm, told = large
    owner_client.post(confirm, {"name": "Moved", "slug": "moved"})
    told.clear()
    sweep()
    assert told == []
    ArchiveDraft.objects.update(asked_at=timezone.now() - ASKED_AGAIN - timedelta(seconds=1))
    sweep()
    assert told == [draft.pk]


def test_a_closed_club_is_read_and_not_changed(season, owner_client, client_of, page, client):
    enter(season, "Ada\nBoris")
    new = reverse("entry:event-create", args=[season.club.slug, season.slug])
    for _press in range(2):
        owner_client.post(page("club-close"), {"closed": "1"})
    for each in (owner_client, client_of("organizer")):
        answer = each.post(new, {"order": "Cleo\nDora"})
        assert answer.status_code == 403
        assert "closed" in answer.content.decode()
    assert Event.objects.count() == 1
    assert client.get(season.get_absolute_url()).status_code == 200
    for _press in range(2):
        owner_client.post(page("club-close"), {"closed": "0"})
    assert client_of("organizer").get(new).status_code == 200
    kinds = list(season.club.access_changes.order_by("pk").values_list("kind", flat=True))
    assert [kind for kind in kinds if kind.startswith("club-")] == ["club-closed", "club-reopened"]


def test_the_api_changes_nothing_in_a_closed_club(season, owner_client, client_of, page):
    owner_client.post(page("club-close"), {"closed": "1"})
    url = f"/api/v1/seasons/{season.pk}/rules/"
    writer = client_of("organizer")
    assert writer.get(url).status_code == 200
    answer = writer.patch(url, {"min_events": 2}, content_type="application/json")
    assert answer.status_code == 403
    assert "closed" in answer.json()["detail"]


def test_a_deleted_club_is_gone_and_comes_back(season, owner_client, client_of, client, page):
    enter(season, "Ada\nBoris")
    wrong = owner_client.post(page("club-delete"), {"name": "another"})
    assert "name" in wrong.context["form"].errors
    for _press in range(2):
        answer = owner_client.post(page("club-delete"), {"name": season.club.name})
        assert answer.status_code == 302
    for each in (client, client_of("organizer"), owner_client):
        assert each.get(season.get_absolute_url()).status_code == 410
    assert season.club.name not in client.get(reverse("directory:home")).content.decode()
    assert client_of("organizer").get(page("club-data")).status_code == 410
    assert "Bring the club back" in owner_client.get(page("club-data")).content.decode()
    for _press in range(2):
        owner_client.post(page("club-restore"))
    assert client.get(season.get_absolute_url()).status_code == 200


def test_a_deleted_private_club_is_not_found_by_strangers(season, owner_client, client, page):
    Club.objects.update(is_public=False)
    owner_client.post(page("club-delete"), {"name": season.club.name})
    assert client.get(season.get_absolute_url()).status_code == 404


def test_after_thirty_days_everything_is_erased(season, owner_client, page):
    enter(season, "Ada\nBoris")
    owner_client.post(page("club-delete"), {"name": season.club.name})
    purge()
    assert Club.objects.exists()
    Club.objects.update(deleted_at=timezone.now() - timedelta(days=31))
    purge()
    assert not any(model.objects.exists() for model in (Club, Event, Player, Membership))


def test_only_owners_have_the_data(season, refused_to, client_of, page):
    assert client_of("organizer").get(page("club-archive")).status_code == 403
    for name in ("club-data", "club-delete"):
        assert client_of("organizer").get(page(name)).status_code == 403
    for name in ("club-close", "club-delete", "club-restore"):
        refused_to(page(name), {"closed": "1", "name": season.club.name}, below="owner", is_page=False)
    season.club.refresh_from_db()
    assert (season.club.closed_at, season.club.deleted_at) == (None, None)


def test_the_commands_move_a_club(season, people, tmp_path, capsys):
    enter(season, "Ada\nBoris")
    file = tmp_path / "club.zip"
    call_command("export_club", str(file), club=season.club.slug)
    with pytest.raises(CommandError, match="is taken"):
        call_command("import_club", str(file), owner="owner")
    call_command("import_club", str(file), owner="owner", slug="copy")
    assert "/c/copy/" in capsys.readouterr().out
    assert Membership.objects.get(club__slug="copy").role == Role.OWNER
    with pytest.raises(CommandError, match="no account"):
        call_command("import_club", str(file), owner="nobody")
    with pytest.raises(CommandError, match="no club"):
        call_command("export_club", str(file), club="nowhere")
