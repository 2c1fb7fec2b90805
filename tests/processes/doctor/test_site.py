"""The doctor and settings, versions, static files and operators."""

import os

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management import call_command

from processes.doctor import site
from processes.doctor.findings import State
from tests.factories import UserFactory

LONG_KEY = "".join(map(chr, range(40, 100)))


@pytest.fixture
def production(settings):
    settings.SECRET_KEY = LONG_KEY
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 3_600, True
    return settings


def test_settings_of_production(states, production):
    assert states(site.check_settings(is_production=True)) == [(State.OK, "The environment is production.")]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("SECRET_KEY", "short", "W009"), ("DEBUG", True, "W018"), ("SECURE_SSL_REDIRECT", False, "W008"), ("SECURE_HSTS_SECONDS", 0, "W004")],
)  # fmt: skip
def test_a_setting_that_is_not_safe(states, production, name, value, said):
    setattr(production, name, value)
    ((state, text),) = states(site.check_settings(is_production=True))
    assert state == State.WRONG
    assert said in text
    assert "short" not in text.split()


def test_a_proxy_that_is_not_trusted(states, production):
    production.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    found = states(site.check_settings(is_production=True))
    assert "TRUSTED_PROXY_COUNT=1" in found[0][1]
    assert found[0][0] == State.ATTENTION


@pytest.mark.parametrize(
    ("hosts", "is_production", "state"),
    [
        (["league.example"], True, State.OK), (["localhost", "127.0.0.1"], False, State.OK),
        (["localhost", "127.0.0.1"], True, State.WRONG), (["*"], False, State.WRONG),
    ],
)  # fmt: skip
def test_the_address_of_the_site(states, settings, hosts, is_production, state):
    settings.ALLOWED_HOSTS = hosts
    assert [found for found, _text in states(site.check_address(is_production=is_production))] == [state]


def test_versions_are_those_of_the_lock(states, monkeypatch, tmp_path):
    ((state, _text),) = states(site.check_versions())
    assert state == State.OK
    lock = tmp_path / "requirements.lock"
    lock.write_text(
        "# made by hand\ndjango==1.0 \\\n    --hash=sha256:00\nno-such-package==1 \\\n"
        "win-only==1 ; sys_platform == 'nothing' \\\n"
    )
    monkeypatch.setattr(site, "LOCK", lock)
    ((state, text),) = states(site.check_versions())
    assert state == State.ATTENTION
    assert "in place of 1.0, no-such-package missing." in text
    assert "win-only" not in text


def test_an_old_python(states, monkeypatch):
    monkeypatch.setattr(site, "EARLIEST_PYTHON", (99, 0))
    assert states(site.check_versions())[0][0] == State.WRONG


@pytest.fixture
def collected(settings, tmp_path):
    """Collect two style sheets as the site does."""
    source = tmp_path / "source"
    (source / "css").mkdir(parents=True)
    (source / "css" / "a.css").write_text("a {}")
    (source / "css" / "site.css").write_text('@import "a.css";\n')
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [source]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "league.site.stylesheets.OneSheetStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    return source


def test_static_files_of_this_version(states, collected):
    assert states(site.check_static_files()) == [(State.OK, "All are collected.")]
    (collected / "css" / "a.css").write_text("a {color: red}")
    (collected / "css" / "new.css").write_text("b {}")
    ((state, text),) = states(site.check_static_files())
    assert state == State.WRONG
    assert "css/a.css, css/new.css." in text


def test_static_files_that_are_not_collected(states, collected, settings):
    settings.STATIC_ROOT = collected / "elsewhere"
    ((state, text),) = states(site.check_static_files())
    assert state == State.WRONG
    assert "collectstatic" in text


@pytest.mark.django_db
def test_operators(states):
    ((state, text),) = states(site.check_operators())
    assert state == State.ATTENTION
    assert "createsuperuser" in text
    root = User.objects.create_superuser("root", "root@example.com", "a-good-passphrase")
    UserFactory()
    ((state, text),) = states(site.check_operators())
    assert state == State.ATTENTION
    assert "root." in text
    Authenticator.objects.create(user=root, type=Authenticator.Type.TOTP, data={})
    assert states(site.check_operators()) == [(State.OK, "All have two-factor sign-in.")]


@pytest.fixture
def catalogue(tmp_path, settings):
    settings.BASE_DIR = tmp_path
    file = tmp_path / "league" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
    file.parent.mkdir(parents=True)
    file.touch()
    return file


def test_translations_that_are_not_compiled_are_named_with_the_command(catalogue):
    (finding,) = site.check_translations()
    assert (finding.state, finding.subject) == (State.WRONG, "translations")
    assert "scripts/compile_translations.py league/locale/ja/LC_MESSAGES/django.po" in finding.remedy


def test_translations_older_than_their_source_are_named(catalogue):
    compiled = catalogue.with_suffix(".mo")
    compiled.touch()
    os.utime(compiled, (1, 1))
    assert [finding.state for finding in site.check_translations()] == [State.WRONG]
    os.utime(compiled)
    assert [finding.state for finding in site.check_translations()] == [State.OK]
