"""Take the pictures of ``docs/studio.md`` again: ``python -m tests.studio.rewrite_pictures``.

The hospital's table goes through every screen of a real studio, in Chromium. Look at the pictures
before you commit.
"""

import shutil
import signal
import tempfile
from itertools import product
from pathlib import Path

from ..browser import WIDTHS, browsing
from ..rewrite_pictures import PICTURES, TABLES
from .steps import start

LONG = 120_000
READY = {
    "data": "text=What the table looks like",
    "roles": "#assign",
    "protection": "#promise",
    "publish": "text=What would be released",
}
"""What each screen shows when it is complete."""


def take_pictures(page, address: str) -> None:
    """Take a picture of each screen, for a desktop and a phone, light and dark."""
    for screen, (device, width), scheme in product(READY, WIDTHS.items(), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}/{screen}")
        page.wait_for_selector(READY[screen], timeout=LONG)
        page.screenshot(path=PICTURES / f"studio-{screen}-{device}-{scheme}.png")


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as place, browsing() as browser:
        shutil.copy(TABLES / "hospital" / "hospital.csv", place)
        process, port, token = start(Path(place) / "hospital.csv")
        address = f"http://127.0.0.1:{port}"
        page = browser.new_page()
        page.goto(f"{address}/enter?token={token}")
        page.wait_for_selector(READY["data"], timeout=LONG)
        page.goto(f"{address}/publish")
        page.click("#try")
        page.wait_for_selector(READY["publish"], timeout=LONG)
        take_pictures(page, address)
        process.send_signal(signal.SIGINT)
        process.wait()


if __name__ == "__main__":
    main()
