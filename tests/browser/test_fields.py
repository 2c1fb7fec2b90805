"""How many fields an organizer sees at first sight: half of what the nine pages once had, and less."""

CLUB = "/c/riverbank/"
# Page, and the fields that it showed before (of an event of six players the money, each player with three).
PAGES = {
    "seasons/new/": 28,
    "rating/edit/": 32,
    "events/2/money/": 33,
    "s/winter-cup-2026/events/new/": 13,
    "settings/": 10,
}
PLAYERS = 6
SEEN = """() => [...document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)")]
  .filter((field) => field.checkVisibility({ visibilityProperty: true }) && field.getBoundingClientRect().width > 1)
  .map((field) => field.name)"""


def seen(page, path):
    page.goto(f"{CLUB}{path}")
    return page.evaluate(SEEN)


def test_the_pages_of_an_organizer_show_half_of_their_fields_at_first_sight(open_page, log_in):
    page = open_page(viewport={"width": 390, "height": 740})
    log_in(page)
    counts = {path: seen(page, path) for path in PAGES}
    players = {
        name.partition("-")[0] for name in counts["events/2/money/"] if name[:1] == "e" and "-" in name
    }
    beyond = [
        name for name in counts["events/2/money/"] if name.partition("-")[0] in sorted(players)[PLAYERS:]
    ]
    n_seen = sum(map(len, counts.values())) - len(beyond)
    assert n_seen <= sum(PAGES.values()) / 2, counts
