"""The real site (`manage.py serve`: web server, worker, beat) and the system's Chromium.

In the pass on PostgreSQL the site gets a database of its own there, and Redis as its broker.
"""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from functools import partial
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import expect, sync_playwright

from tests.people.accounts.elsewhere import elsewhere
from tests.servers import find_browser, free_port

ROOT = Path(__file__).resolve().parent.parent.parent
# What a machine that is busy with other things may take; nothing waits for it where all is well.
PATIENCE_SECONDS = 120
LEADERBOARD = "/c/riverbank/s/winter-cup-2026/"
expect.set_options(timeout=1_000 * PATIENCE_SECONDS)
PAGES = pytest.StashKey()
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class Site:
    def __init__(self, url, folder, environment, elsewhere):
        self.url = url
        self.folder = folder
        self.environment = environment
        self.elsewhere = elsewhere  # another site that people sign in with

    @property
    def password(self):
        return (self.folder / "demo_login").read_text().strip().split("password ")[1]


def own_database(environment, server_url):
    """The same kind of database as the tests use, but empty and apart from pytest's."""
    if not server_url:
        environment.pop("DATABASE_URL", None)
        return
    name = f"site_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    environment["DATABASE_URL"] = re.sub(r"/[^/]+$", f"/{name}", server_url)


@pytest.fixture(scope="session")
def other_site():
    with elsewhere() as server:
        yield server


@pytest.fixture(scope="session")
def site(tmp_path_factory, server_url, other_site):
    folder = tmp_path_factory.mktemp("site")
    environment = os.environ | other_site.keys_of("OIDC") | {"VAR_DIR": str(folder)}
    environment |= {"OIDC_SERVER": other_site.url, "OIDC_NAME": "Club House"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    own_database(environment, server_url)
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_it_answers(url, folder / "log")
        yield Site(url, folder, environment, other_site)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)


def wait_until_it_answers(url, log):
    """Wait for the demo club with its ratings, which the worker computes while pages can be read already."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}{LEADERBOARD}", timeout=PATIENCE_SECONDS) as answer:
                if b"Points and ratings computed" in answer.read():
                    return
        except OSError:
            pass
        time.sleep(0.2)
    pytest.fail(f"the site does not answer:\n{log.read_text()[-3000:]}")


def launch(playwright, **options):
    return playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS, **options)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = launch(playwright, timeout=1_000 * PATIENCE_SECONDS)
        yield browser
        browser.close()


@pytest.fixture
def new_context(site, browser):
    contexts = []

    def new(**options):
        context = browser.new_context(base_url=site.url, **options)
        context.set_default_timeout(1_000 * PATIENCE_SECONDS)
        contexts.append(context)
        return context

    yield new
    for context in contexts:
        context.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Say what the pages of a failed test show."""
    report = yield
    if report.when == "call" and report.failed:
        for page in item.stash.get(PAGES, []):
            report.sections.append((page.url, page.evaluate("document.body.innerText")))
    return report


@pytest.fixture
def open_page(new_context, request):
    """A page in a fresh context; at the end no script may have failed and no policy been broken."""
    errors = []
    pages = request.node.stash[PAGES] = []

    def open_one(**options):
        page = new_context(**options).new_page()
        pages.append(page)
        page.on("console", lambda message: errors.append(message.text) if is_failure(message) else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_one
    assert errors == []


def is_failure(message):
    """Tell a failure from what htmx says of a request that newer typing has replaced.

    A request that failed ends with sendError or responseError.
    """
    return message.type == "error" and not message.text.startswith(("htmx:afterRequest,", "htmx:sendAbort,"))


@pytest.fixture
def log_in_by_form(site):
    """A session of its own, which the test may end."""
    return partial(fill_in_log_in_form, password=site.password)


def fill_in_log_in_form(page, *, password):
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill("demo")
    page.locator("input[name=password]").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator(".account").get_by_text("demo").wait_for()


@pytest.fixture(scope="session")
def session_of_demo(site, browser):
    """The cookies of one session that all tests share but those that end theirs."""
    context = browser.new_context(base_url=site.url)
    fill_in_log_in_form(context.new_page(), password=site.password)
    cookies = context.cookies()
    context.close()
    return cookies


@pytest.fixture
def log_in(session_of_demo):
    return lambda page: page.context.add_cookies(session_of_demo)


def as_another(page):
    """Say that the event being entered is another one, whatever other tests have published at its time."""
    page.locator("#entry-form").evaluate(
        "form => form.insertAdjacentHTML('beforeend', '<input type=hidden name=another value=1>')"
    )
