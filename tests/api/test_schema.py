"""The description of the API: whole, valid, and the tour in docs/api.md, which is run."""

import re
from pathlib import Path

import pytest
from django.urls import get_resolver
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from api.services import make_key
from standings.recomputation.service import recompute
from tests import access
from tests.api.described import schema

DOC, PAGES_DOC = (
    (Path(__file__).parents[2] / "docs" / name).read_text(encoding="utf-8")
    for name in ("api.md", "api-pages.md")
)
UNDESCRIBED = {"api:nowhere", "api:schema", "api:reference", "api:keys", "api:key-revoke"}


def test_it_is_valid_openapi_and_made_without_a_warning():
    GENERATOR_STATS.reset()
    validate_schema(SchemaGenerator().get_schema(public=True))
    assert not GENERATOR_STATS  # neither warnings nor errors


def test_every_component_is_a_valid_schema():
    components = schema()["components"]["schemas"]
    assert len(components) > 30
    for component in components.values():
        Draft202012Validator.check_schema(component)


def test_every_address_is_described():
    routes = {
        f"api:{pattern.name}": "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in get_resolver("api.urls").url_patterns
    }
    assert {name for name, route in routes.items() if route not in schema()["paths"]} == UNDESCRIBED
    assert set(access.API) <= set(routes)


def test_the_table_of_acts_has_every_act_and_every_address():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", DOC, re.MULTILINE)
    told = {act: (role, set(re.findall(r"`([^`]+)`", addresses))) for act, role, addresses in rows}
    assert {act: role for act, (role, _addresses) in told.items()} == {
        name: act.usual for name, act in access.ACTS.items()
    }
    routes = {
        f"api:{pattern.name}": str(pattern.pattern) for pattern in get_resolver("api.urls").url_patterns
    }
    expected = {name: set() for name in access.ACTS}
    for name, (reading, writing) in access.API.items():
        route = routes[name].removeprefix("api/v1/")
        address = re.sub(r"<int:\w+>", "ID", route).replace("<slug:club_slug>", "SLUG")
        path = "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", routes[name])
        methods = set(schema()["paths"][path])
        if "get" in methods:
            expected[reading].add(address)
        if methods & {"post", "put", "patch"} or methods == {"delete"}:
            expected[writing].add(address)
        if "delete" in methods and name in access.API_DELETING:
            expected[access.API_DELETING[name]].add(address)
    assert {act: addresses for act, (_role, addresses) in told.items()} == expected
    assert all("none: " in addresses for _act, _role, addresses in rows if "`" not in addresses)


def test_every_operation_says_what_it_does_and_how_it_is_refused():
    for path, operations in schema()["paths"].items():
        told = [operation["description"] for operation in operations.values()]
        assert len(set(told)) == len(told), path
        for method, operation in operations.items():
            assert "snapshot" not in operation["description"], (method, path)
            assert {"401", "404", "429"} <= set(operation["responses"]), (method, path)


@pytest.mark.django_db
def test_everybody_reads_it(client):
    answer = client.get("/api/v1/schema/")
    assert answer.json() == schema()
    page = client.get("/api/v1/reference/").content.decode()
    assert 'data-schema="/api/v1/schema/"' in page
    assert "http" not in re.sub(r'xmlns="[^"]+"', "", page.partition("<main")[2])  # nothing from another host


class Waiting:
    """The clock of the tour, whose pauses let the worker of this test compute."""

    def __init__(self, club):
        self.club = club

    def sleep(self, _seconds):
        for pool in self.club.pools.all():
            recompute(pool.pk)


@pytest.mark.rest
@pytest.mark.django_db(transaction=True)
def test_the_tour_goes_from_nothing_to_awards(live_server, club, people, capsys):
    tour = re.search(r"```python\n(.*?)```", DOC, re.DOTALL)[1]
    tour = tour.replace("https://league.example", live_server.url).replace(
        "tb_...", make_key(people["organizer"], label="tour")
    )
    tour = tour.replace("import time\n", "")
    names = {"time": Waiting(club)}
    exec(compile(tour, "docs/api.md", "exec"), names)
    names["api"].close()
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("1 Ada ")
    assert [line.split()[:2] for line in told[1:4]] == [["2", "Boris"], ["2", "Cleo"], ["4", "Dora"]]
    assert told[-1] == "First three on points: Ada: Boris: Cleo"


def test_each_page_has_its_address_or_a_reason():
    """A page that is sent leads to an address that is written, unless the table says that it is to read."""
    rows = re.findall(r"^\| `(\w+)` \| `([\w:-]+)`: `[^`]+` \| (.*) \|$", PAGES_DOC, re.MULTILINE)
    listed = {name: act for act, name, _told in rows}
    expected = {name: page for name, page in access.PAGES.items() if not name.endswith(" 2")}
    assert listed == {name: page.act for name, page in expected.items()}
    assert len(rows) == len(listed)
    methods = {
        re.sub(r"\{club_slug\}", "SLUG", re.sub(r"\{\w+_id\}", "ID", path)).removeprefix("/api/v1/"): set(
            found
        )
        for path, found in schema()["paths"].items()
    }
    for _act, name, told in rows:
        if told.startswith("none: "):
            continue
        addresses = re.findall(r"`([^`]+)`", told)
        assert addresses, name
        assert set(addresses) <= set(methods), name
        is_read = told.endswith(", to read") or not expected[name].takes_post
        assert is_read or any(methods[address] - {"get"} for address in addresses), name
