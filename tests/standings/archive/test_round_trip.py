"""An archive of a club makes the same club again, with the same rows, ratings and seals."""

import io
import zipfile

import pytest
from django.apps import apps
from django.db import connection

from league.models import (
    BinItem,
    Change,
    Club,
    Entry,
    Membership,
    Player,
    PlayerMerge,
    Role,
)
from league.services.bin import restore
from league.services.versions import restore_version
from people.services.merges import unmerge
from ratings.models import PlayerRating
from standings.archive.erasing import erase_club
from standings.archive.parts import LEFT_OUT, PARTS
from standings.archive.reading import read_archive
from standings.archive.services import import_archive
from standings.archive.writing import write_archive
from standings.models import SeasonSeal, Standing
from standings.recomputation.service import recompute
from standings.seals.queries import broken_by
from tests.addresses import a_club
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def archive_of(club):
    file = io.BytesIO()
    write_archive(club, file)
    return file


def imported(file, **fields):
    archive = read_archive(file)
    club = import_archive(
        archive, **{"owner": UserFactory(), "name": archive.name, "slug": archive.slug} | fields
    )
    for pool in club.pools.all():
        recompute(pool.pk)
    return club


def empty_the_site():
    """Delete every club and give ids from 1 on again, as in a site that has just been made."""
    for club in Club.objects.all():
        erase_club(club)
    with connection.cursor() as cursor:
        for part in PARTS:
            table = part.model._meta.db_table
            if connection.vendor == "postgresql":
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 1, false)")
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])


def rows_of(club):
    """The files of rows in the club's archive; joining made a line about access for its owner."""
    with zipfile.ZipFile(archive_of(club)) as archive:
        return {
            name: archive.read(name)
            for name in archive.namelist()
            if name.startswith("rows/") and name != "rows/league.accesschange.jsonl"
        }


def computed_rows():
    return {
        model._meta.label: list(model.objects.order_by("pk").values_list())
        for model in (PlayerRating, Standing)
    }


@pytest.fixture
def league():
    """A club with one of everything, and its owner."""
    club = a_club(is_public=True)
    recompute(club["season"].pool_id)
    return club


@pytest.mark.rest
def test_into_an_empty_site_every_row_has_even_its_id(league):
    club = league["season"].club
    rows, computed = rows_of(club), computed_rows()
    access = list(club.access_changes.values_list("kind", "person", "before"))
    file = archive_of(club)
    empty_the_site()
    again = imported(file)
    assert rows_of(again) == rows
    without_ids = lambda found: {model: sorted(row[1:] for row in found[model]) for model in found}  # noqa: E731
    assert without_ids(computed_rows()) == without_ids(computed)
    assert list(again.access_changes.values_list("kind", "person", "before"))[2:] == access


def test_a_copy_beside_the_club_has_its_own_rows_and_everything_works(league):
    club, owner = league["season"].club, league["clients"]["owner"].user
    before = rows_of(club)
    copy = imported(archive_of(club), slug="copy", name="Copy", owner=owner)
    assert rows_of(club) == before
    by_name = [
        {(season, name): tuple(values) for season, name, *values in rows}
        for rows in (
            Standing.objects.filter(season__club=each)
            .order_by("pk")
            .values_list("season__name", "player__name", "rate", "total", "profit", "badge")
            for each in (club, copy)
        )
    ]
    assert by_name[0] == by_name[1]
    assert by_name[0]
    seal = SeasonSeal.objects.get(season__club=copy)
    assert broken_by(seal.season) == ""
    item = BinItem.objects.get(club=copy)
    restored = restore(copy, item.pk, actor=owner)
    assert restored is not None
    assert copy.seasons.get(slug=league["season_slug"]).events.count() == 3
    merge = PlayerMerge.objects.get(club=copy)
    assert unmerge(copy, merge.pk, actor=owner).club == copy
    change = Change.objects.filter(pool__club=copy, kind="result-corrected").first()
    assert restore_version(change, actor=owner)
    first = Entry.objects.filter(event=change.event, place=1).get()
    assert (first.player.name, first.player.club) == ("Ada", copy)
    assert rows_of(club) == before


@pytest.mark.rest
def test_who_imports_is_the_owner_and_nobody_else_comes_along(league):
    owner = UserFactory()
    copy = imported(archive_of(league["season"].club), slug="copy", owner=owner)
    assert [(m.user, m.role) for m in Membership.objects.filter(club=copy)] == [(owner, Role.OWNER)]
    assert not Player.objects.filter(club=copy).exclude(user=None).exists()


def test_every_model_of_a_club_is_in_the_archive_or_left_out_for_a_reason():
    belonging = {Club}
    while True:
        more = {
            model
            for model in apps.get_models()
            for field in model._meta.concrete_fields
            if field.is_relation and field.related_model in belonging
        } - belonging
        if not more:
            break
        belonging |= more
    stored = {model._meta.label_lower for model in belonging if not getattr(model, "is_computed", False)}
    assert stored == {part.label for part in PARTS} | LEFT_OUT.keys()
