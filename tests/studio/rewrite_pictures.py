"""Take the pictures of ``docs/studio.md`` again: ``python -m tests.studio.rewrite_pictures``.

Tables of the demonstrations go through every screen of a real studio, in Chromium. Look at the
pictures before you commit.
"""

import shutil
import signal
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from ..browser import WIDTHS, browsing
from ..rewrite_pictures import PICTURES, TABLES
from .steps import LONG, start
from .walk import Walk, walk_to_release

VIEWS = {
    "data": ("/data", "text=What the table looks like"),
    "roles": ("/roles", "table.roles"),
    "hierarchies": ("/hierarchies?column=7", "text=The column at each level"),
    "protection": ("/protection", "#promise"),
    "explore": ("/explore", "svg.chart"),
    "levels": ("/levels", "text=All levels"),
    "argus": ("/argus", "#choices"),
    "compare": ("/compare", "#pairs"),
    "attacker": ("/attacker", "#seen"),
    "publish": ("/publish", "#published"),
    "releases": ("/releases", "text=hospital"),
}
"""For each picture its address, and what the page shows when it is complete."""
DARK = ("levels", "compare")
"""The screens that are shown in dark colours, too."""


def press(page: Any, address: str, button: str, ready: str) -> None:
    """Press a button of a page, and wait for what follows."""
    page.goto(address)
    page.click(button)
    page.wait_for_selector(ready)


def fill_screens(page: Any, address: str) -> None:
    """Do on every screen what makes it show something."""
    press(page, f"{address}/levels", "#count", VIEWS["levels"][1])
    page.goto(f"{address}/explore")
    page.fill("#ks", "3 5 10 20")
    page.fill("#limits", "0.01 0.05")
    page.click("#run")
    page.wait_for_selector(VIEWS["explore"][1])
    press(page, f"{address}/compare", "#compare", VIEWS["compare"][1])
    press(page, f"{address}/publish", "#publish", VIEWS["publish"][1])


LINKED_VIEWS = {"protection": "#promise", "publish": "#linked-levels"}
"""The screens whose pictures show linked tables, and what they show when they are complete."""


def take_linked_pictures(page: Any, address: str) -> None:
    """Take pictures of linked tables, for a desktop."""
    press(page, f"{address}/publish", "#try", LINKED_VIEWS["publish"])
    page.set_viewport_size({"width": WIDTHS["desktop"], "height": 800})
    for name, ready in LINKED_VIEWS.items():
        page.goto(f"{address}/{name}")
        page.wait_for_selector(ready)
        page.screenshot(path=PICTURES / f"studio-linked-{name}.png")


def take_pictures(page: Any, address: str, names: Iterable[str]) -> None:
    """Take pictures of screens, for a desktop and a phone, light and dark."""
    for name, (device, width), scheme in product(names, WIDTHS.items(), ("light", "dark")):
        if scheme == "dark" and name not in DARK:
            continue
        path, ready = VIEWS[name]
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}{path}")
        page.wait_for_selector(ready)
        page.screenshot(path=PICTURES / f"studio-{name}-{device}-{scheme}.png")


def take_walk(page: Any, table: Path) -> None:
    """Take pictures of the walk from a dropped table to a signed release, and print its counts."""

    def take(shown: Any, name: str) -> None:
        shown.set_viewport_size({"width": WIDTHS["desktop"], "height": 800})
        shown.screenshot(path=PICTURES / f"studio-walk-{name}.png")

    walk = Walk(page, take)
    with tempfile.TemporaryDirectory() as reviewer:
        walk_to_release(walk, table, Path(reviewer))
    print(f"{walk.clicks} clicks, {walk.keys} keys, {walk.seconds:.0f} seconds")


@contextmanager
def visiting(opened: Path | None) -> Iterator[tuple[Any, str]]:
    """Open a table or specification of the demonstrations in a studio, in a copy of its folder."""
    with tempfile.TemporaryDirectory() as place, browsing() as browser:
        if opened is not None:
            shutil.copytree(opened.parent, place, dirs_exist_ok=True)
        process, port, token = start(Path(place) / (opened.name if opened else ""))
        address = f"http://127.0.0.1:{port}"
        page = browser.new_context().new_page()
        page.set_default_timeout(LONG)
        page.goto(f"{address}/enter?token={token}")
        page.wait_for_selector("h2:has-text('looks like')" if opened else "#file")
        try:
            yield page, address
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def main() -> None:
    """Take all pictures; µ-Argus does not count persons, as the hospital's table asks for."""
    with visiting(None) as (page, _):
        take_walk(page, TABLES / "hospital" / "hospital.csv")
    with visiting(TABLES / "hospital" / "hospital.csv") as (page, address):
        fill_screens(page, address)
        take_pictures(page, address, [name for name in VIEWS if name != "argus"])
        page.set_viewport_size({"width": WIDTHS["desktop"], "height": 800})
        page.goto(f"{address}/compare?first=4&second=6")
        page.locator("#pairs").screenshot(path=PICTURES / "studio-pairs.png")
    with visiting(TABLES / "adult" / "adult.toml") as (page, address):
        press(page, f"{address}/argus", "#count", VIEWS["argus"][1])
        take_pictures(page, address, ["argus"])
    with visiting(TABLES / "records" / "records.toml") as (page, address):
        take_linked_pictures(page, address)


if __name__ == "__main__":
    main()
