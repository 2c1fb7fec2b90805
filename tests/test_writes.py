"""Every address that writes, posted nothing and nonsense by an owner, twice: an answer each time, and one write at most."""

import ast
import re
from pathlib import Path

import pytest
from django.db import transaction

from league.models import AccessChange, BinItem, Change, Event, Invitation, Player, Season
from tests.addresses import (
    API_WRITES,
    OF_AN_UPLOAD,
    PATTERNS,
    POST_ONLY,
    SITE_WITH_ACCOUNT,
    SITE_WITH_ACCOUNT_POST,
    WRITES,
    address,
    clubs,
)
from tests.each_write import WORKS

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
__all__ = ["clubs"]
ANSWERS = {200, 302, 400, 403, 404, 405, 409}
COUNTED = (AccessChange, BinItem, Change, Event, Invitation, Player, Season)
NONSENSE = ("", "\0", "9" * 30, "ä" * 5_001, "-1")
OF_LINKS = {"league:join", "league:mail-stop"}  # Whoever has the link may write.
# Pages to read, and forms to ask; none of them writes.
ONLY_READ = {
    "league:import-saved", "league:imports", "league:invitation", "league:people", "privacy:own-data",
    "standings:results-file",
}  # fmt: skip
TESTS = Path(__file__).parent
FIELD = re.compile(r'<(?:input|select|textarea|button)\b[^>]*\bname="([^"]+)"')


def fields_of(page):
    """The names of the fields and buttons of the forms on a page, and of what any form may have."""
    is_page = page.status_code == 200 and page["Content-Type"].startswith("text/html")
    names = FIELD.findall(page.content.decode()) if is_page else []
    return {*names, "save", "name", "version"} - {"csrfmiddlewaretoken"}


def counts():
    return [model.objects.count() for model in COUNTED]


@pytest.mark.parametrize("name", WRITES)
def test_nothing_and_nonsense_twice(clubs, name):
    club = clubs["public"]
    owner = club["clients"]["owner"]
    required = PATTERNS[name].callback.required_role
    with transaction.atomic():
        url = address(name, club, owner)
        fields = fields_of(owner.get(url))
        for text in NONSENSE:
            with transaction.atomic():
                found = []
                for _press in range(2):
                    answer = owner.post(url, dict.fromkeys(fields, text))
                    assert answer.status_code in ANSWERS, (text[:9], required)
                    found.append(counts())
                assert found[0] == found[1], text[:9]
                transaction.set_rollback(True)
        transaction.set_rollback(True)


def test_each_address_that_writes_names_the_test_that_it_works(clubs):
    """A new address belongs into WORKS or, if a post to it writes nothing, into ONLY_READ."""
    club = clubs["public"]
    owner = club["clients"]["owner"]
    writing = {*SITE_WITH_ACCOUNT, *SITE_WITH_ACCOUNT_POST, *OF_AN_UPLOAD, *API_WRITES, *OF_LINKS}
    for name in {*WRITES, *POST_ONLY}:
        with transaction.atomic():
            if owner.post(address(name, club, owner), {}).status_code != 405:
                writing.add(name)
            transaction.set_rollback(True)
    assert set(WORKS) == writing - ONLY_READ


@pytest.mark.parametrize("test", sorted(set(WORKS.values())))
def test_the_named_test_is_there(test):
    file, _colons, function = test.partition("::")
    tree = ast.parse((TESTS / file).read_text())
    assert function in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
