"""`make board`: draw docs/grafana/board.png from real figures, without a Grafana.

A demo site of its own is read for a few minutes, Debian's Prometheus reads its figures, each panel's query is
asked as the board asks it, and a plain page draws the answers where the board places them. It shows what each panel tells;
Grafana draws the same figures in its own style.
"""

import json
import os
import secrets
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from django.template import Context, Engine
from playwright.sync_api import sync_playwright

from tests.browser.conftest import launch
from tests.browser.screenshots import ROOT, demo_site
from tests.servers import find, free_port, wait_for_port

BOARD = ROOT / "docs" / "grafana" / "tierboard.json"
SECONDS = 240
EVERY = 5  # seconds between two readings
READ = ["/", "/clubs/", "/c/riverbank/", "/c/riverbank/players/", "/c/riverbank/champions/", "/c/nowhere/"]
WIDTH, HEIGHT = 560, 150  # of the lines of one panel
COLORS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#999999", "#222222")
PAGE = """<!doctype html><meta charset="utf-8"><title>{{ title }}</title><style>
body { font: 13px system-ui; margin: 0; padding: 12px; display: grid; grid-template-columns: repeat(24, 1fr); gap: 8px; width: 1400px; }
section { border: 1px solid #ccd; border-radius: 4px; padding: 8px; overflow: hidden; }
h2 { font-size: 13px; margin: 0 0 6px; } b { font-size: 30px; } svg { width: 100%; height: 150px; display: block; }
ul { margin: 4px 0 0; padding: 0; list-style: none; columns: 2; font-size: 11px; } path { fill: none; stroke-width: 2; }
</style>{% for panel in panels %}<section style="{{ panel.place }}"><h2>{{ panel.title }}</h2>
{% if panel.value %}<b>{{ panel.value }}</b>{% else %}
<svg viewBox="0 0 560 150" preserveAspectRatio="none"><path d="M0 149H560" stroke="#ccd" />
{% for line in panel.lines %}<path d="{{ line.path }}" stroke="{{ line.color }}" />{% endfor %}</svg>
<ul>{% for line in panel.lines %}<li><span style="color:{{ line.color }}">&#9632;</span> {{ line.name }}: {{ line.last }}</li>
{% empty %}<li>no data</li>{% endfor %}</ul>{% endif %}</section>{% endfor %}"""


@contextmanager
def prometheus(folder: Path, site: str, token: str) -> Iterator[str]:
    """Let Prometheus read the figures of a site; the address is that of Prometheus."""
    port, target = free_port(), site.removeprefix("http://")
    job = {
        "job_name": "tierboard",
        "authorization": {"credentials": token},
        "static_configs": [{"targets": [target]}],
    }
    settings = {"global": {"scrape_interval": f"{EVERY}s"}, "scrape_configs": [job]}
    (folder / "prometheus.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [
        find("prometheus") or "prometheus",
        f"--config.file={folder / 'prometheus.json'}",
        f"--storage.tsdb.path={folder / 'figures'}",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=error",
    ]
    with subprocess.Popen(command) as server:
        wait_for_port(port)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def read_pages(site: str) -> None:
    """Read pages of the site, some of which are missing, until there are figures of some minutes."""
    until = time.monotonic() + SECONDS
    for n in count():
        if time.monotonic() > until:
            return
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(site + READ[n % len(READ)]) as answer:
            answer.read()
        time.sleep(0.1)


def asked(server: str, target: dict[str, str], now: float) -> list[tuple[str, list[tuple[float, float]]]]:
    """Ask for the lines of a query: the values of the labels of each or its legend, and its times and values."""
    fields = {"query": target["expr"], "start": now - SECONDS, "end": now, "step": EVERY}
    with urllib.request.urlopen(f"{server}/api/v1/query_range?{urllib.parse.urlencode(fields)}") as answer:
        found = json.load(answer)["data"]["result"]
    return [
        (
            ", ".join(each["metric"].values()) or target["legendFormat"],
            [(at, float(value)) for at, value in each["values"] if value != "NaN"],
        )
        for each in found
    ]


def drawn(panel: dict, lines: list[tuple[str, list[tuple[float, float]]]], now: float) -> dict:
    """Draw a panel: one number, or lines from the same zero."""
    at = panel["gridPos"]
    place = f"grid-column: {at['x'] + 1} / span {at['w']}; grid-row: {at['y'] + 1} / span {at['h']}"
    unit = panel["fieldConfig"]["defaults"].get("unit", "").replace("short", "")
    if panel["type"] == "stat":
        return {
            "title": panel["title"],
            "place": place,
            "value": f"{lines[0][1][-1][1]:.3g} {unit}" if lines else "no data",
        }
    most = max((value for _name, points in lines for _at, value in points), default=0) or 1
    shown = []
    for (name, points), color in zip(lines, COLORS, strict=False):
        steps = [
            f"{(at - now + SECONDS) / SECONDS * WIDTH:.0f} {HEIGHT - 1 - value / most * (HEIGHT - 4):.0f}"
            for at, value in points
        ]
        if steps:
            shown.append(
                {
                    "name": name or panel["title"],
                    "color": color,
                    "path": "M" + "L".join(steps),
                    "last": f"{points[-1][1]:.3g} {unit}",
                }
            )
    return {"title": panel["title"], "place": place, "lines": shown}


def main() -> None:
    token = secrets.token_hex()
    os.environ["METRICS_TOKEN"] = token
    board = json.loads(BOARD.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="tierboard-board-") as name:
        folder = Path(name)
        with (
            demo_site(folder, ["riverbank"]) as site,
            prometheus(folder, site, token) as server,
            sync_playwright() as playwright,
        ):
            read_pages(site)
            now = time.time()
            panels = [
                drawn(
                    panel,
                    [line for target in panel["targets"] for line in asked(server, target, now)],
                    now,
                )
                for panel in board["panels"]
            ]
            browser = launch(playwright)
            page = browser.new_page(viewport={"width": 1424, "height": 900})
            page.set_content(
                Engine().from_string(PAGE).render(Context({"title": board["title"], "panels": panels}))
            )
            page.screenshot(path=BOARD.with_name("board.png"), full_page=True)
            browser.close()


if __name__ == "__main__":
    main()
