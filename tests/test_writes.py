"""Every address that writes, posted nothing and nonsense by an owner, twice: an answer each time, and one write at most."""

import re

import pytest
from django.db import transaction

from league.models import AccessChange, BinItem, Change, Event, Invitation, Player, Season
from tests.addresses import FORMS, address, clubs

pytestmark = pytest.mark.django_db
__all__ = ["clubs"]
ANSWERS = {200, 302, 400, 403, 404, 405, 409}
COUNTED = (AccessChange, BinItem, Change, Event, Invitation, Player, Season)
NONSENSE = ("", "\0", "9" * 30, "ä" * 5_001, "-1")
FIELD = re.compile(r'<(?:input|select|textarea|button)\b[^>]*\bname="([^"]+)"')


def fields_of(page):
    """The names of the fields and buttons of the forms on a page, and of what any form may have."""
    is_page = page.status_code == 200 and page["Content-Type"].startswith("text/html")
    names = FIELD.findall(page.content.decode()) if is_page else []
    return {*names, "save", "name", "version"} - {"csrfmiddlewaretoken"}


def counts():
    return [model.objects.count() for model in COUNTED]


@pytest.mark.rest
@pytest.mark.parametrize("name", FORMS)
def test_nothing_and_nonsense_twice(clubs, name):
    club = clubs["public"]
    owner = club["clients"]["owner"]
    with transaction.atomic():
        url = address(name, club, owner)
        fields = fields_of(owner.get(url))
        for text in NONSENSE:
            with transaction.atomic():
                found = []
                for _press in range(2):
                    answer = owner.post(url, dict.fromkeys(fields, text))
                    assert answer.status_code in ANSWERS, text[:9]
                    found.append(counts())
                assert found[0] == found[1], text[:9]
                transaction.set_rollback(True)
        transaction.set_rollback(True)
