"""The cache in Redis: all processes count together, and pages are answered without it."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from api.throttles import KeylessThrottle
from league.site.redis_cache import PlainSerializer, SharedCache
from tests.servers import find, free_port, redis_server

ROOT = Path(__file__).parents[2]
COUNT = """
import sys
from league.site.redis_cache import SharedCache
cache = SharedCache(sys.argv[1], {"KEY_PREFIX": "test"})
cache.set("asked", [*cache.get("asked", []), 1], 60)
"""
SETTINGS = """
import sys
from django.conf import settings
print({name: cache["BACKEND"].rpartition(".")[2] for name, cache in settings.CACHES.items()})
"""


def run(program, *arguments, **environment):
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True
    ).stdout


@pytest.mark.rest
def test_processes_count_together():
    if not find("redis-server"):
        pytest.skip("needs the program redis-server")
    with redis_server() as redis:
        for _process in range(3):
            run(COUNT, redis.url)
        cache = SharedCache(redis.url, {"KEY_PREFIX": "test"})
        assert cache.get("asked") == [1, 1, 1]
        cache.set("picture", b"\x89PNG")
        assert cache.get("picture") == b"\x89PNG"
        redis.kill()
        assert cache.get("asked", "nothing") == "nothing"
        cache.set("asked", [])


def test_what_redis_holds_is_data_and_never_code():
    class Payload:
        def __reduce__(self):
            return (pytest.fail, ("code of the cache was run",))

    serializer = PlainSerializer()
    with pytest.raises(UnicodeDecodeError):
        serializer.loads(pickle.dumps(Payload()))
    assert [serializer.loads(serializer.dumps(value)) for value in ([1.5], b"{}")] == [[1.5], b"{}"]


def test_it_is_empty_while_its_server_does_not_answer(caplog):
    cache = SharedCache(f"redis://127.0.0.1:{free_port()}/0", {})
    cache.set("asked", [1])
    assert cache.get("asked", []) == []
    assert "the cache in Redis does not answer" in caplog.text


def test_requests_are_answered_while_it_is_down(rf, monkeypatch):
    monkeypatch.setattr(KeylessThrottle, "cache", SharedCache(f"redis://127.0.0.1:{free_port()}/0", {}))
    request = rf.get("/api/v1/seats/")
    request._request, request.user = request, None
    assert KeylessThrottle().allow_request(request, None)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("broker", "shared"),
    [("embedded://localhost", "LocMemCache"), ("redis://localhost:6379/0", "SharedCache")],
)
def test_where_redis_is_the_broker_it_holds_what_processes_share(tmp_path, broker, shared):
    found = run(SETTINGS, DJANGO_SETTINGS_MODULE="league.settings", VAR_DIR=str(tmp_path), BROKER_URL=broker)
    local = {"default": "DatabaseCache", "pages": "LocMemCache", "goals": "LocMemCache"}
    assert found.strip() == str(local | {"pictures": shared, "api": shared})
