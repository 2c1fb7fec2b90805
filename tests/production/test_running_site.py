"""The commands of docker-compose.yml run the site behind a proxy, with PostgreSQL and Redis."""

import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import ExitStack, contextmanager, suppress

import pytest
import redis

from tests.people.accounts.people import code
from tests.production.compose import HOST, SERVICES, command_of, filled_in, production, redis_command
from tests.production.conftest import IS_POSTGRESQL, ROOT, connect, manage, run
from tests.servers import free_port, wait_for_port


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args):
        return None


class Browser:
    """Speaks as a reverse proxy does that ends TLS."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"
        self.cookies = {}
        self.opener = urllib.request.build_opener(NoRedirect)

    def get(self, path, **headers):
        return self._ask(path, None, headers)

    def post(self, path, fields):
        return self._ask(path, urllib.parse.urlencode(fields).encode(), {"Origin": f"https://{HOST}"})

    def _ask(self, path, data, headers):
        own = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        request = urllib.request.Request(self.url + path, data, own | cookie | headers)
        try:
            response = self.opener.open(request, timeout=30)
        except urllib.error.HTTPError as error:
            response = error
        response.text = response.read().decode()
        for line in response.headers.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return response


@contextmanager
def service(name, environment, port=0):
    process = subprocess.Popen(command_of(name, port), cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(timeout=120) is not None
        finally:
            with suppress(ProcessLookupError):
                process.kill()


def healthy(name, environment, port=8000):
    _kind, program, *rest = SERVICES[name]["healthcheck"]["test"]
    assert program == "python"
    rest = [part.replace(":8000/", f":{port}/") for part in rest]
    return run(sys.executable, *rest, environment=environment, check=False).returncode == 0


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not (done := condition()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return done


@pytest.mark.storm
@pytest.mark.skipif(not IS_POSTGRESQL, reason="needs PostgreSQL and Redis")
def test_the_services_of_compose_run_the_site(new_database, tmp_path):
    url, port = new_database(), free_port()
    with redis_of_compose(tmp_path) as broker:
        _run_the_site(url, port, production(tmp_path, DATABASE_URL=url, BROKER_URL=broker))
    with connect(url) as connection:
        (demo,) = connection.execute("SELECT count(*) FROM auth_user WHERE username = 'demo'").fetchone()
    assert demo == 0
    assert not (tmp_path / "var" / "demo_login").exists()


@contextmanager
def redis_of_compose(tmp_path):
    """Run Redis as Compose does, with the rights that the site has there; yield its address."""
    port, values = free_port(), filled_in()
    folder = tmp_path / "redis"
    folder.mkdir()
    own = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--loglevel", "warning"]
    with subprocess.Popen([*redis_command(values), *own], stdout=subprocess.DEVNULL) as server:
        try:
            wait_for_port(port)
            yield f"redis://:{values['REDIS_PASSWORD']}@127.0.0.1:{port}/0"
        finally:
            server.kill()


@pytest.mark.storm
@pytest.mark.skipif(not IS_POSTGRESQL, reason="needs PostgreSQL and Redis")
def test_the_site_may_neither_change_redis_nor_empty_it(tmp_path):
    with redis_of_compose(tmp_path) as broker:
        client = redis.Redis.from_url(broker)
        assert client.ping()
        for command in ("FLUSHALL", "FLUSHDB", "CONFIG GET *", "KEYS *", "SHUTDOWN NOSAVE", "ACL LIST"):
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command.split())
        for address in (broker.replace("beef", "feed"), broker.replace(f":{broker.split(':')[2]}", "@", 1)):
            with pytest.raises(redis.exceptions.AuthenticationError):
                redis.Redis.from_url(address).ping()


def _run_the_site(url, port, environment):
    steps = SERVICES["migrate"]["command"][2].split(" && ")
    for step in [*steps, "python manage.py collectstatic --no-input"]:
        run(sys.executable, *step.split()[1:], environment=environment)
    script = "from django.contrib.auth.models import User; from tests.people.accounts.people import add_app; add_app(User.objects.create_superuser('operator', 'o@example.com', 'a-good-passphrase'))"
    manage("shell", "-c", script, environment=environment)
    assert not healthy("web", environment, port)
    with ExitStack() as running:
        processes = [
            running.enter_context(service(name, environment, port)) for name in ("web", "worker", "beat")
        ]
        # Another worker, as with --scale: nothing is fixed to one.
        processes.append(running.enter_context(service("worker", environment)))
        wait_for_port(port)
        assert wait_until(lambda: healthy("web", environment, port), 120)
        _check_front_door(Browser(port))
        browser = Browser(port)
        _log_in(browser)
        _enter_an_event(environment)
        assert wait_until(lambda: _standings(url), 240), "the worker has computed nothing"
        assert healthy("worker", environment)
        assert healthy("beat", environment)
        assert all(process.poll() is None for process in processes)


def _check_front_door(browser):
    home = browser.get("/")
    assert home.status == 200
    policy = home.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert home.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert home.headers["X-Frame-Options"] == "DENY"
    style = re.search(r'href="(/static/[^"]+\.css)"', home.text)[1]
    sheet = browser.get(style)
    assert sheet.status == 200
    assert "immutable" in sheet.headers["Cache-Control"]
    assert sheet.headers["Content-Security-Policy"] == policy
    health = browser.get("/healthz")
    assert (health.status, health.text) == (200, "ok")
    plain = browser.get("/", **{"X-Forwarded-Proto": "http"})
    assert (plain.status, plain.headers["Location"]) == (301, f"https://{HOST}/")
    program = browser.get("/api/v1/seats/?structure=inverse&seats=3", **{"X-Forwarded-Proto": "http"})
    assert (program.status, "https://" in program.text) == (
        403,
        True,
    )  # its key was seen: a redirect would hide that
    mark = re.search(r'href="(/static/[^"]+\.svg)"', home.text)[1]
    assert browser.get(mark).headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert browser.get("/", Host="elsewhere.example").status == 400


def _log_in(browser):
    form = browser.get("/accounts/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form.text)[1]
    done = browser.post(
        "/accounts/login/",
        {"csrfmiddlewaretoken": token, "login": "operator", "password": "a-good-passphrase"},
    )
    assert done.status == 302, done.text
    token = re.search(r'value="([^"]+)"', browser.get("/accounts/2fa/authenticate/").text)[1]
    done = browser.post("/accounts/2fa/authenticate/", {"csrfmiddlewaretoken": token, "code": code()})
    assert done.status == 302, done.text
    set_cookies = done.headers.get_all("Set-Cookie")
    assert {line.split("=")[0] for line in set_cookies} >= {"__Host-sessionid", "__Host-csrftoken"}
    for path in ("/language/ja/", "/theme/dark/", "/clubs/new/"):
        set_cookies += browser.get(path).headers.get_all("Set-Cookie") or []
    assert len({line.split("=")[0] for line in set_cookies}) >= 4
    for line in set_cookies:
        assert line.startswith(("__Host-", "__Secure-"))
        assert "Secure" in line
        assert ("Path=/;" in line) is line.startswith("__Host-")
        assert "Domain" not in line
        assert "SameSite=Lax" in line
    admin = browser.get("/admin/standings/recomputation/")
    assert admin.status == 200


def _enter_an_event(environment):
    script = (
        "from tests.factories import SeasonFactory, enter, names; "
        "enter(SeasonFactory(), chr(10).join(names(10)))"
    )
    manage("shell", "-c", script, environment=environment)


def _standings(url):
    with connect(url) as connection:
        return connection.execute("SELECT count(*) FROM standings_standing").fetchone()[0] == 10
