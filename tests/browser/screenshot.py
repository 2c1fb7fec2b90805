"""`make screenshot PAGE=/about/ WIDTH=360 LANGUAGE=ja SCHEME=dark`: a page of the running site, in test-results/."""

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import launch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--language", default="en")
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    asked = parser.parse_args()
    name = asked.page.strip("/").replace("/", "-") or "home"
    file = Path("test-results") / f"{name}-{asked.width}-{asked.scheme}-{asked.language}.png"
    file.parent.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(
            base_url=f"http://127.0.0.1:{asked.port}",
            viewport={"width": asked.width, "height": 800},
            color_scheme=asked.scheme,
        )
        page.goto(f"/language/{asked.language}/?next={asked.page}", wait_until="networkidle")
        page.screenshot(path=file, full_page=True)
        browser.close()
    print(file)  # noqa: T201  this is a command


if __name__ == "__main__":
    main()
