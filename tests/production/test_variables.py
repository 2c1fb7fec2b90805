"""The variables of docker-compose.yml and .env.example are those the code reads."""

import json
import os
import re
import runpy
import sys
import traceback

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.production.compose import (
    OURS,
    REQUIRED,
    SERVICES,
    environment_of,
    example_variables,
    filled_in,
    image_environment,
    production,
)
from tests.production.conftest import ROOT, clean_environment, manage

OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
# Read by docker-compose.yml itself, and by numba.
NOT_OF_THE_SITE = {
    "NUMBA_CACHE_DIR", "POSTGRES_IMAGE", "POSTGRES_PASSWORD", "REDIS_IMAGE", "REDIS_PASSWORD", "WEB_PUBLISH",
}  # fmt: skip


def read_by_the_site():
    text = "".join(
        (ROOT / "league" / name).read_text(encoding="utf-8")
        for name in ("settings.py", "site/machine.py", "site/sign_in.py")
    )
    return set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", text))


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
    assert set(example_variables()) - handed_on == NOT_OF_THE_SITE - {"NUMBA_CACHE_DIR"}


def test_the_defaults_shown_are_the_defaults(tmp_path):
    """With every optional line of .env.example taken in, the settings are those without them."""
    script = "from django.conf import settings as s; import json; print(json.dumps([s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_USE_TLS, s.DEFAULT_FROM_EMAIL, s.CSRF_TRUSTED_ORIGINS, s.LOGGING['root']['level'], s.ALLAUTH_TRUSTED_PROXY_COUNT, s.SECURE_PROXY_SSL_HEADER, s.SECURE_HSTS_PRELOAD, s.SECURITY_CONTACT]))"
    with_all = manage("shell", "-v0", "-c", script, environment=production(tmp_path)).stdout
    required = {
        name: filled_in()[name]
        for name in ("SECRET_KEY", "ALLOWED_HOSTS", "POSTGRES_PASSWORD", "REDIS_PASSWORD")
    }
    bare = clean_environment(**environment_of("web", required), VAR_DIR=str(tmp_path))
    assert json.loads(manage("shell", "-v0", "-c", script, environment=bare).stdout) == json.loads(with_all)


@pytest.mark.parametrize("service", OURS)
def test_check_deploy_has_nothing_to_say(service, tmp_path):
    environment = production(tmp_path) | environment_of(service, filled_in())
    done = manage("check", "--deploy", "--fail-level", "WARNING", environment=environment)
    assert "no issues" in done.stdout
    assert "WARNING" not in done.stdout + done.stderr


def refusal(environment, monkeypatch):
    """Read the settings in an environment that they do not accept; return the traceback a person would see."""
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delitem(sys.modules, "league.site.machine")  # it was read in another environment
    with pytest.raises(ImproperlyConfigured) as error:
        runpy.run_path(str(ROOT / "league" / "settings.py"))
    return "".join(traceback.format_exception(error.value))


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_variable_is_named(name, value, tmp_path, monkeypatch):
    environment = production(tmp_path)
    del environment[name]
    if value is not None:
        environment[name] = value
    refused = refusal(environment, monkeypatch)
    assert f"ImproperlyConfigured: the environment variable {name} is required" in refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://u:hidden@db/n"), ("DATABASE_URL", "postgres://u:hidden@db:x/n"),
        ("BROKER_URL", "http://u:hidden@redis"), ("ALLOWED_HOSTS", ","), ("ENVIRONMENT", "staging"), ("DEBUG", "maybe"),
        ("TRUSTED_PROXY_COUNT", "-1"), ("EMAIL_PORT", "smtp"), ("EMAIL_USE_TLS", "maybe"),
        ("HSTS_PRELOAD", "maybe"), ("SECURITY_CONTACT", "somebody"),
    ],
)  # fmt: skip
def test_a_malformed_variable_is_named_and_no_password_shown(name, value, tmp_path, monkeypatch):
    refused = refusal(production(tmp_path, **{name: value}), monkeypatch)
    last = refused.strip().splitlines()[-1]
    assert "ImproperlyConfigured" in last
    assert name in last
    assert "hidden" not in refused
