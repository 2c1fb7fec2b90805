"""What docker-compose.yml, .env.example and Dockerfile say is what the code expects. No Docker engine is needed:
the files are read, and their commands run here."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import yaml

from tests.production.conftest import IS_POSTGRESQL, ROOT, clean_environment, connect, manage, run
from tests.servers import free_port, wait_for_port

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = ("migrate", "web", "worker", "beat")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
# Read by docker-compose.yml itself, and by numba.
NOT_OF_THE_SITE = {"POSTGRES_PASSWORD", "WEB_PUBLISH", "NUMBA_CACHE_DIR"}
REQUIRED = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "BROKER_URL")
HOST = "league.example"


def read_by_the_site():
    text = (ROOT / "league" / "settings.py").read_text(encoding="utf-8")
    return set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", text))


def example_variables():
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))


def filled_in():
    """.env as an operator would write it: what is required, and every other line as it stands in the example."""
    values = example_variables()
    given = {
        "SECRET_KEY": "s3cret-" * 10,
        "ALLOWED_HOSTS": f"{HOST},www.{HOST}",
        "POSTGRES_PASSWORD": "f00d" * 8,
    }
    assert all(values[name] == "" for name in given), "no secret has a default"
    return values | given


def interpolate(value, values):
    """The forms of interpolation that the file uses."""

    def replace(found):
        name, operator, rest = found.groups()
        if values.get(name):
            return values[name]
        assert operator != ":?", f"{name} {rest}"
        return rest or ""

    return re.sub(r"\$\{([A-Z_]+)(:[?-])?([^}]*)\}", replace, str(value))


def environment_of(service, values):
    """The environment a container gets; a name without a value is handed on if it is in .env."""
    declared = SERVICES[service]["environment"]
    given = {
        name: values.get(name) if value is None else interpolate(value, values)
        for name, value in declared.items()
    }
    return {name: value for name, value in given.items() if value is not None}


def image_environment():
    return dict(
        re.findall(r"\b([A-Z_]+)=(/[\w/]+|production)", DOCKERFILE.split("\nENV ")[1].split("\n#")[0])
    )


def production(tmp_path, **own):
    folder = {"VAR_DIR": str(tmp_path / "var"), "STATIC_ROOT": str(tmp_path / "static")}
    return clean_environment(**(environment_of("web", filled_in()) | folder | own))


# --- the variables -------------------------------------------------------------------------------------------------


def test_every_variable_named_is_read_and_every_one_read_is_documented():
    read = read_by_the_site()
    assert {*REQUIRED, "ENVIRONMENT", "TRUSTED_PROXY_COUNT", "LOG_LEVEL"} <= read
    named = set(example_variables()) | set(image_environment()) - {"PATH"}
    for service in OURS:
        named |= set(SERVICES[service]["environment"])
    assert named - NOT_OF_THE_SITE <= read
    interpolated = set(
        re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    )
    assert interpolated <= set(example_variables())
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", OPERATIONS, re.MULTILINE))
    assert documented == read | NOT_OF_THE_SITE


def test_what_is_in_env_example_reaches_the_site():
    handed_on = set(SERVICES["web"]["environment"])
    assert set(example_variables()) - handed_on == {"POSTGRES_PASSWORD", "WEB_PUBLISH"}


def test_the_defaults_shown_are_the_defaults(tmp_path):
    """With every optional line of .env.example taken in, the settings are those without them."""
    script = "from django.conf import settings as s; import json; print(json.dumps([s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_USE_TLS, s.DEFAULT_FROM_EMAIL, s.CSRF_TRUSTED_ORIGINS, s.LOGGING['root']['level'], s.ALLAUTH_TRUSTED_PROXY_COUNT, s.SECURE_PROXY_SSL_HEADER]))"
    with_all = manage("shell", "-v0", "-c", script, environment=production(tmp_path)).stdout
    required = {name: filled_in()[name] for name in ("SECRET_KEY", "ALLOWED_HOSTS", "POSTGRES_PASSWORD")}
    bare = clean_environment(**environment_of("web", required), VAR_DIR=str(tmp_path))
    assert json.loads(manage("shell", "-v0", "-c", script, environment=bare).stdout) == json.loads(with_all)


@pytest.mark.parametrize("service", OURS)
def test_check_deploy_has_nothing_to_say(service, tmp_path):
    environment = production(tmp_path) | environment_of(service, filled_in())
    done = manage("check", "--deploy", "--fail-level", "WARNING", environment=environment)
    assert "no issues" in done.stdout
    assert "WARNING" not in done.stdout + done.stderr


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_variable_is_named(name, value, tmp_path):
    environment = production(tmp_path)
    del environment[name]
    if value is not None:
        environment[name] = value
    done = manage("check", environment=environment, check=False)
    assert done.returncode != 0
    assert f"ImproperlyConfigured: the environment variable {name} is required" in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://u:hidden@db/n"), ("DATABASE_URL", "postgres://u:hidden@db:x/n"),
        ("BROKER_URL", "http://u:hidden@redis"), ("ALLOWED_HOSTS", ","), ("ENVIRONMENT", "staging"), ("DEBUG", "maybe"),
        ("TRUSTED_PROXY_COUNT", "-1"), ("EMAIL_PORT", "smtp"), ("EMAIL_USE_TLS", "maybe"),
    ],
)  # fmt: skip
def test_a_malformed_variable_is_named_and_no_password_shown(name, value, tmp_path):
    done = manage("check", environment=production(tmp_path, **{name: value}), check=False)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert "ImproperlyConfigured" in last
    assert name in last
    assert "hidden" not in done.stderr


# --- the services --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["web", "worker", "beat", "db", "redis"])
def test_each_running_service_is_watched_and_comes_back(name):
    service = SERVICES[name]
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert service["restart"] == "unless-stopped"
    assert service["read_only"] is True
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_the_site_starts_after_its_tables_are_there(name):
    wanted = SERVICES[name]["depends_on"]
    assert wanted["migrate"]["condition"] == "service_completed_successfully"
    assert wanted["db"]["condition"] == "service_healthy"
    assert "migrate" not in " ".join(SERVICES[name].get("command", []))


@pytest.mark.parametrize("name", OURS)
def test_the_site_has_no_rights_it_does_not_need(name):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service
    assert "container_name" not in service  # a fixed name could not be scaled
    assert service["volumes"] == [f"var:{image_environment()['VAR_DIR']}"]
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["tierboard"]


def test_data_is_in_named_volumes_and_redis_writes_everything_down():
    assert set(COMPOSE["volumes"]) == {"var", "database", "queue"}
    assert SERVICES["db"]["volumes"] == ["database:/var/lib/postgresql/data"]
    assert SERVICES["redis"]["volumes"] == ["queue:/data"]
    command = SERVICES["redis"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"


def test_only_web_can_be_reached_and_only_from_this_machine():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    assert interpolate(SERVICES["web"]["ports"][0], {}) == "127.0.0.1:8000:8000"
    assert [name for name, service in SERVICES.items() if "outside" in service["networks"]] == ["web"]
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_backup_and_restore_use_the_servers_own_programs():
    for name in ("backup", "restore"):
        assert SERVICES[name]["image"] == SERVICES["db"]["image"]
        assert SERVICES[name]["profiles"] == ["tools"]
        script = ROOT / SERVICES[name]["entrypoint"][0].lstrip("/")
        assert script.stat().st_mode & 0o111
        assert "set -euo pipefail" in script.read_text(encoding="utf-8")


# --- the image -----------------------------------------------------------------------------------------------------


def test_the_image_is_built_from_the_lock_file_without_compilers():
    final = DOCKERFILE.split("\nFROM ")[-1]
    assert DOCKERFILE.count("\nFROM ") == 2
    assert "--require-hashes" in DOCKERFILE
    assert "--only-binary :all:" in DOCKERFILE
    assert not re.search(r"apt-get|gcc|build-essential|pip install", final)
    assert "SECRET_KEY" not in "".join(re.findall(r"^(?:ENV|ARG)(?:.*\\\n)*.*", DOCKERFILE, re.MULTILINE))


def test_everything_the_site_depends_on_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[\[~=<>]", dependency)[0] for dependency in project["dependencies"]}
    locked = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert wanted - locked == set(), "run make lock"


def test_nothing_but_the_site_goes_into_the_image():
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    included = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert all((ROOT / path).exists() for path in included)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench", "scripts"}
    assert packages | {"manage.py", "templates", "static", "requirements.lock"} <= included


def test_static_files_are_collected_with_values_that_mean_nothing(tmp_path):
    line = re.search(
        r"((?:[A-Z_]+=\S+ )+)\\\n\s+(VAR_DIR=\S+) python manage.py (collectstatic .*?) \\\n", DOCKERFILE
    )
    values = dict(pair.split("=", 1) for pair in line[1].split())
    assert set(values) == set(REQUIRED)
    environment = clean_environment(ENVIRONMENT="production", **values)
    environment |= {"VAR_DIR": str(tmp_path / "var"), "STATIC_ROOT": str(tmp_path / "static")}
    manage(*line[3].split(), environment=environment)
    assert (tmp_path / "static" / "staticfiles.json").exists()


# --- the real thing ------------------------------------------------------------------------------------------------


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


def command_of(service, port):
    command = SERVICES[service].get("command") or json.loads(
        re.search(r"^CMD (\[(?:.|\n)*\])", DOCKERFILE, re.MULTILINE)[1].replace("\\\n", "")
    )
    program, *rest = [str(port) if part == "8000" else str(part) for part in command]
    return [str(Path(sys.executable).with_name(program)), *rest]


@contextmanager
def service(name, environment, port=0):
    process = subprocess.Popen(command_of(name, port), cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(timeout=20) is not None
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
    environment = production(tmp_path, DATABASE_URL=url, BROKER_URL=os.environ["BROKER_URL"])
    steps = SERVICES["migrate"]["command"][2].split(" && ")
    for step in [*steps, "python manage.py collectstatic --no-input"]:
        run(sys.executable, *step.split()[1:], environment=environment)
    script = "from django.contrib.auth.models import User; User.objects.create_superuser('operator', 'o@example.com', 'a-good-passphrase')"
    manage("shell", "-c", script, environment=environment)
    assert not healthy("web", environment, port)
    with ExitStack() as running:
        processes = [
            running.enter_context(service(name, environment, port)) for name in ("web", "worker", "beat")
        ]
        # Another worker, as with --scale: nothing is fixed to one.
        processes.append(running.enter_context(service("worker", environment)))
        wait_for_port(port)
        assert wait_until(lambda: healthy("web", environment, port), 30)
        _check_front_door(Browser(port))
        browser = Browser(port)
        _log_in(browser)
        _enter_an_evening(environment)
        assert wait_until(lambda: _standings(url), 60), "the worker has computed nothing"
        assert healthy("worker", environment)
        assert healthy("beat", environment)
        assert all(process.poll() is None for process in processes)
    with connect(url) as connection:
        (demo,) = connection.execute("SELECT count(*) FROM auth_user WHERE username = 'demo'").fetchone()
    assert demo == 0
    assert not (tmp_path / "var" / "demo_login").exists()


def _check_front_door(browser):
    home = browser.get("/")
    assert home.status == 200
    policy = home.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert home.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    assert home.headers["X-Frame-Options"] == "DENY"
    style = re.search(r'href="(/static/[^"]+\.css)"', home.text)[1]
    sheet = browser.get(style)
    assert sheet.status == 200
    assert "immutable" in sheet.headers["Cache-Control"]
    health = browser.get("/healthz")
    assert (health.status, health.text) == (200, "ok")
    plain = browser.get("/", **{"X-Forwarded-Proto": "http"})
    assert (plain.status, plain.headers["Location"]) == (301, f"https://{HOST}/")
    assert browser.get("/", Host="elsewhere.example").status == 400


def _log_in(browser):
    form = browser.get("/accounts/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form.text)[1]
    done = browser.post(
        "/accounts/login/",
        {"csrfmiddlewaretoken": token, "login": "operator", "password": "a-good-passphrase"},
    )
    assert done.status == 302, done.text
    set_cookies = done.headers.get_all("Set-Cookie")
    assert {line.split("=")[0] for line in set_cookies} >= {"sessionid", "csrftoken"}
    for line in set_cookies:
        if line.startswith(("sessionid", "csrftoken")):
            assert "Secure" in line
            assert "SameSite=Lax" in line
    admin = browser.get("/admin/standings/recomputation/")
    assert admin.status == 200


def _enter_an_evening(environment):
    script = (
        "from tests.factories import SeasonFactory, enter, names; "
        "enter(SeasonFactory(), chr(10).join(names(10)))"
    )
    manage("shell", "-c", script, environment=environment)


def _standings(url):
    with connect(url) as connection:
        return connection.execute("SELECT count(*) FROM standings_standing").fetchone()[0] == 10
