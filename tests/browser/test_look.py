"""Pages at 360 and 1280 px, light and dark, English and Japanese."""

import re

from playwright.sync_api import expect

from tests.browser.looks import fits, in_both_languages, in_every_look, too_wide, wait_for_styles

SEASON = "/c/riverbank/s/winter-cup-2026/"
PAGES = {
    "home": "/",
    "club": "/c/riverbank/",
    "leaderboard": SEASON,
    "leaderboard-tier": f"{SEASON}?by=tier",
    "season": f"{SEASON}table/",
    "events": f"{SEASON}events/",
    "event": "/c/riverbank/events/1/",
    "player": "/c/riverbank/players/1/",
    "share": "/c/riverbank/events/1/share/",
    "badge": "/c/riverbank/players/1/badge/",
    "badges": "/c/riverbank/badges/",
    "players": "/c/riverbank/players/",
    "imports": "/c/riverbank/imports/",
    "imported": "/c/riverbank/imports/saved/1/",
    "why": "/c/riverbank/events/1/players/16/",
    "rating-settings": "/c/riverbank/rating/",
    "rating-settings-form": "/c/riverbank/rating/edit/",
    "changes": "/c/riverbank/changes/",
    "corrections": "/c/riverbank/corrections/",
    "bin": "/c/riverbank/bin/",
    "about": "/about/",
    "play": "/lab/play/",
    "duels": "/lab/duels/",
    "entry": "/c/riverbank/events/3/edit/",
    "season-form": "/c/riverbank/seasons/new/",
    "people": "/c/riverbank/people/",
    "settings": "/c/riverbank/settings/",
    "club-form": "/clubs/new/",
    "import": f"{SEASON}import/",
    "log-out": "/accounts/logout/",
    "api-keys": "/accounts/api-keys/",
    "two-factor": "/accounts/2fa/",
    "sessions": "/accounts/sessions/",
}
# What a formula such as 10*sqrt(n/k) shows to a club of guests: the same pages, every total with decimals.
WITH_DECIMALS = {
    "leaderboard": """for (const row of document.querySelectorAll(".lead-t tbody tr")) {
      row.querySelector("th a").insertAdjacentHTML("afterend", " †<span class='own-tag'>guest</span>");
      row.querySelector("th .meta").textContent += ", +123.45";
      for (const cell of row.querySelectorAll("td.key")) cell.querySelector("a").textContent = "1234.57";
    }""",
    "season": """document.querySelector(".snap").classList.add("dec");
      for (const cell of document.querySelectorAll(".season tbody td:not(.off)"))
      (cell.querySelector("a, s") ?? cell).textContent = cell.matches(".tt, .wide") ? "1234.57" : "−28.28";""",
}
BROKEN_NUMBERS = """() => {
  const lines = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell.querySelector("a") ?? cell);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.bottom / 8))).size;
  };
  const fits = (cell) => cell.scrollWidth <= cell.clientWidth + 1 && lines(cell) === 1;
  return [...document.querySelectorAll("td")].filter((cell) => cell.clientWidth &&
    /^[+−]?[0-9]+[.][0-9]+$/.test(cell.innerText.trim()) && !fits(cell)).map((cell) => cell.innerText);
}"""


def test_no_page_scrolls_sideways(open_page, log_in):
    page = open_page()
    log_in(page)
    wide = set()
    for language in in_both_languages(page):
        for name, address in PAGES.items():
            assert page.goto(address).status == 200, address
            assert page.locator("html").get_attribute("lang") == language
            wide |= too_wide(page, name)
            if name in WITH_DECIMALS:
                page.evaluate(WITH_DECIMALS[name])
                for width in in_every_look(page, f"{name}-decimals"):
                    assert fits(page), (name, width)
                    assert page.evaluate(BROKEN_NUMBERS) == [], (name, width)
    assert wide == set()


def test_text_has_enough_contrast_in_both_themes(open_page):
    """The ratios of tokens.css: 4.5 for text on every paper."""
    page = open_page()
    page.goto(SEASON)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_for_styles(page, scheme=scheme)
        ratios = page.evaluate(
            """() => {
              const probe = document.createElement("span");
              document.body.append(probe);
              const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
              const rgb = (name) => {
                probe.style.setProperty("color", `var(${name})`);
                canvas.fillStyle = getComputedStyle(probe).color;
                canvas.fillRect(0, 0, 1, 1);
                return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
              };
              const light = (c) => c.map((v) => v / 255)
                .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
              const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
              const out = {};
              for (const ink of ["--ink", "--ink-2", "--gain", "--loss", "--s", "--a", "--b", "--c"])
                for (const paper of ["--paper", "--paper-2", "--paper-3"])
                  out[ink + " on " + paper] = ratio(rgb(ink), rgb(paper));
              return out;
            }"""
        )
        assert len(ratios) == 24
        assert min(ratios.values()) >= 4.5, min(ratios.items(), key=lambda item: item[1])


def test_a_page_can_be_worked_by_keyboard(open_page):
    page = open_page()
    page.goto(SEASON)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))


POLL = """const poll = document.createElement("p");
  poll.setAttribute("hx-get", "state/");
  poll.setAttribute("hx-trigger", "every 100ms");
  document.body.append(poll);
  htmx.process(poll);"""


def test_a_page_that_reloads_itself_does_not_take_back_a_click(open_page):
    """As while points are computed: the answer to a poll arrives after the click and before the next page."""
    page = open_page()
    page.goto(SEASON)
    asked_for = []
    page.route("**/players/", lambda route: asked_for.append(route))  # noqa: PLW0108  it takes no built-in function
    page.route(
        "**/state/",
        lambda route: route.fulfill(headers={"HX-Refresh": "true"} if asked_for else {}, body=""),
    )
    page.evaluate(POLL)
    with page.expect_response(lambda response: "hx-refresh" in response.headers):
        page.get_by_role("link", name="Players").first.click(no_wait_after=True)
    page.wait_for_timeout(300)
    asked_for[0].continue_()
    expect(page).to_have_url(re.compile("/players/$"), timeout=20_000)
