"""Pages at 360 and 1280 px, light and dark, English and Japanese. Screenshots go to test-results/."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

RESULTS = Path("test-results")
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
    "players": "/c/riverbank/players/",
    "why": "/c/riverbank/events/1/players/16/",
    "rating-settings": "/c/riverbank/rating/",
    "rating-settings-form": "/c/riverbank/rating/edit/",
    "changes": "/c/riverbank/changes/",
    "about": "/about/",
    "entry": "/c/riverbank/events/3/edit/",
    "season-form": "/c/riverbank/seasons/new/",
    "members": "/c/riverbank/members/",
    "settings": "/c/riverbank/settings/",
    "import": f"{SEASON}import/",
    "log-out": "/accounts/logout/",
    "api-keys": "/accounts/api-keys/",
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("width", "scheme"), [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]
)
def test_no_page_scrolls_sideways(open_page, log_in, site, width, scheme, language):
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    log_in(page)
    page.goto(f"/language/{language}/")
    folder = RESULTS / f"{width}-{scheme}-{language}"
    folder.mkdir(parents=True, exist_ok=True)
    wide = {}
    for name, address in PAGES.items():
        response = page.goto(address)
        assert response.status == 200, address
        found = page.evaluate("document.documentElement.scrollWidth")
        if found > width:
            wide[name] = found
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        assert page.locator("html").get_attribute("lang") == language
    assert wide == {}


def test_text_has_enough_contrast_in_both_themes(open_page):
    """The ratios of tokens.css: 4.5 for text on every paper."""
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        page.goto(SEASON)
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
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
