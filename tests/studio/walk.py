"""The walk of somebody who has never seen the studio: from a dropped CSV to a signed release.

It presses what the pages offer, in their order, and counts clicks, keys and seconds.
"""

import base64
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REASON = "agreed"


@dataclass
class Walk:
    """A person at a browser; ``picture`` is called where something is to be seen."""

    page: Any
    picture: Callable[[Any, str], object] = lambda _page, _name: None
    clicks: int = 0
    keys: int = 0
    seconds: float = 0

    def click(self, name: str, ready: str) -> None:
        """Click on something, and wait for what follows."""
        began = time.monotonic()
        self.page.click(name)
        self.page.wait_for_selector(ready)
        self.clicks += 1
        self.seconds += time.monotonic() - began

    def type(self, name: str, text: str) -> None:
        """Click on a field and type."""
        self.page.locator(name).first.press_sequentially(text)
        self.clicks += 1
        self.keys += len(text)

    def drop(self, table: Path) -> None:
        """Drop a file on the page, which counts as a click."""
        self.page.wait_for_load_state()  # its script takes what is dropped
        began = time.monotonic()
        self.page.evaluate(
            """([name, content]) => {
                const bytes = Uint8Array.from(atob(content), one => one.charCodeAt(0))
                const data = new DataTransfer()
                data.items.add(new File([bytes], name))
                for (const kind of ["dragover", "drop"])
                    document.body.dispatchEvent(
                        new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}))
            }""",
            [table.name, base64.b64encode(table.read_bytes()).decode()],
        )
        self.page.wait_for_selector("text=What the table looks like")
        self.clicks += 1
        self.seconds += time.monotonic() - began


def walk_to_release(walk: Walk, table: Path, folder: Path) -> None:
    """Go from an empty studio to a release that a reviewer has signed; files go to a folder."""
    page = walk.page
    walk.drop(table)
    walk.picture(page, "dropped")
    for screen in ("roles", "hierarchies", "protection", "explore", "compare", "publish"):
        walk.click("#next", f"#step-{screen}[aria-current]")
    walk.click("#try", "text=What would be released")
    walk.picture(page, "tried")
    with page.expect_download() as asked:
        walk.click("#review-page", "#review-page")
    asked.value.save_as(folder / "review.html")
    reviewer = Walk(page.context.new_page(), walk.picture)
    answer_review(reviewer, folder)
    page.set_input_files("#answer", folder / "review.json")
    walk.click("#take-answer", "#review:has-text('is in review.json')")
    walk.picture(page, "answered")
    walk.click("#publish", "#published")
    walk.picture(page, "published")
    walk.clicks += reviewer.clicks + 2  # the file of the answer is chosen in a window
    walk.keys += reviewer.keys
    walk.seconds += reviewer.seconds


def answer_review(walk: Walk, folder: Path) -> None:
    """Accept every finding on the page for the reviewer, sign, and save the answer."""
    page = walk.page
    page.goto((folder / "review.html").as_uri())
    for number in range(page.locator("fieldset").count()):
        part = f"fieldset >> nth={number} >> "
        walk.click(f"{part}input[value=accept]", f"{part}input:checked")
        walk.type(f"{part}textarea", REASON)
    walk.type("input[name=reviewer]", "A. Officer")
    walk.picture(page, "signed")
    with page.expect_download() as answer:
        walk.click("button", "#saved:has-text('Saved')")
    answer.value.save_as(folder / "review.json")
    page.close()
