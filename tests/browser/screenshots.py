"""`make screenshots`: every page of the demo clubs in every look, in test-results/pages.

A page of each name and club, signed in as the demo's owner and again as a reader without an account, at 360, 768 and 1280
px, light and dark, English and Japanese. The site is one of its own, which ends with the command.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import django
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.addresses import Get, every_page
from tests.browser.conftest import launch
from tests.browser.looks import take_picture, wait_for_styles
from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path("test-results") / "pages"
WIDTHS, SCHEMES, LANGUAGES = (360, 768, 1280), ("light", "dark"), ("en", "ja")
STARTS = ["/", "/c/riverbank/", "/c/kamome/", "/c/formula-1/"]
PATIENCE_SECONDS = 120


@contextmanager
def demo_site(folder: Path, clubs: list[str]) -> Iterator[str]:
    """Serve the demo clubs from a folder; the address is that of the site."""
    environment = os.environ | {"VAR_DIR": str(folder)}
    for command in (["migrate", "--verbosity", "0"], ["createcachetable"], ["load_demo", *clubs]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as site:
        try:
            _wait(f"http://127.0.0.1:{port}/")
            yield f"http://127.0.0.1:{port}"
        finally:
            site.send_signal(signal.SIGINT)


def _wait(address: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"{address} does not answer")


def log_in(context: BrowserContext, folder: Path) -> None:
    page = context.new_page()
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill("demo")
    password = (folder / "demo_login").read_text(encoding="utf-8").strip().split("password ")[1]
    page.locator("input[name=password]").fill(password)
    page.locator("main button[type=submit]").click()
    page.locator(".account").get_by_text("demo").wait_for()
    page.close()


def html_of(context: BrowserContext) -> Get:
    def get(address: str) -> str | None:
        answer = context.request.get(address)
        is_page = answer.ok and answer.headers["content-type"].startswith("text/html")
        return answer.text() if is_page else None

    return get


def take(browser: Browser, url: str, folder: Path | None) -> int:
    """Take the pictures of all pages that a reader finds, signed in if a folder has the log-in; return their number."""
    context = browser.new_context(base_url=url)
    if folder:
        log_in(context, folder)
    pages = [page for page, _html in every_page(html_of(context), STARTS)]
    who = "owner" if folder else "reader"
    opened = context.new_page()
    for language in LANGUAGES:
        opened.goto(f"/language/{language}/")
        for page in pages:
            opened.goto(page.address)
            for width, scheme in product(WIDTHS, SCHEMES):
                opened.set_viewport_size({"width": width, "height": 800})
                opened.emulate_media(color_scheme=scheme)
                wait_for_styles(opened, width, scheme)
                take_picture(opened, TARGET / f"{who}-{width}-{scheme}-{language}" / f"{page.file_name}.png")
    context.close()
    return len(pages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clubs", nargs="*", default=["riverbank", "mahjong", "formula1"])
    clubs = parser.parse_args().clubs
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    with tempfile.TemporaryDirectory(prefix="tierboard-pictures-") as name:
        folder = Path(name)
        os.environ["VAR_DIR"] = name
        django.setup()
        with demo_site(folder, clubs) as url, sync_playwright() as playwright:
            browser = launch(playwright)
            n_pages = sum(take(browser, url, who) for who in (folder, None))
            browser.close()
    print(f"{n_pages} pages in {len(WIDTHS) * len(SCHEMES) * len(LANGUAGES)} looks: {TARGET}")  # noqa: T201


if __name__ == "__main__":
    main()
