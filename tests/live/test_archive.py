"""Nights in archives of a club: the same log in a copy with other ids; an archive from before there were nights."""

import io
import json
import zipfile

import pytest

from league.models import Player
from live.engine.summary import summary
from live.models import Device, Night
from live.stored_log import state_of
from people.services.hidden_names import forget_name
from standings.archive.reading import read_archive
from standings.archive.services import import_archive
from standings.archive.writing import MANIFEST, write_archive
from tests.factories import UserFactory
from tests.live.nights import LiveNight

pytestmark = pytest.mark.django_db


@pytest.fixture
def live():
    """A night with a member, a guest and a tap that is held."""
    found = LiveNight(cost=20)
    found.member = Player.objects.create(club=found.season.club, name="Edda", key="edda")
    (edda,) = found.enter("Edda", player=found.member.pk)
    found.enter("Zoe", "Boris")
    found.out(edda, minute=10)
    found.record("bust", minute=20, phone="door", player=found.member.pk)
    return found


def archive_of(club):
    file = io.BytesIO()
    write_archive(club, file)
    return file


def copy_of(file):
    return import_archive(read_archive(file), owner=UserFactory(), name="Copy", slug="copy")


def test_a_copy_says_the_same_with_the_players_of_its_own(live):
    club = copy_of(archive_of(live.season.club))
    night, member = Night.objects.get(club=club), club.players.get(name="Edda")
    assert member.pk != live.member.pk
    expected = summary(state_of(live.night))
    expected["entries"][0]["player"] = member.pk
    assert summary(state_of(night)) == expected
    assert night.held.get().raw["body"]["player"] == member.pk
    devices = Device.objects.filter(night=night)
    assert {(device.key_sha256, device.joined_by, device.user) for device in devices} == {(None, None, None)}
    assert night.passes.count() == 0


def test_an_archive_from_before_there_were_nights_is_read(live):
    with zipfile.ZipFile(archive_of(live.season.club)) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if "live." not in name}
    manifest = json.loads(files[MANIFEST])
    manifest["files"] = {name: value for name, value in manifest["files"].items() if "live." not in name}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in (files | {MANIFEST: json.dumps(manifest).encode()}).items():
            archive.writestr(name, data)
    club = copy_of(file)
    assert (club.nights.count(), club.players.count()) == (0, 1)


def test_a_forgotten_name_is_in_no_log(live):
    hidden = forget_name(live.member, actor=live.actor)
    state = state_of(live.night)
    assert [entry.name for entry in state.entries.values()] == [hidden.name, "Zoe", "Boris"]
    assert "Edda" not in str(list(live.night.actions.values()))
