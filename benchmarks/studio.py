"""The studio on a large table: each screen after counting, from interaction to paint, and tasks."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from benchmarks.scale_data import SPECIFICATION, generate
from lookalike.studio.screens import SCREENS

ROWS = (100_000, 1_000_000)
REPEATS = 3
MEMORY = "2GB"
SECONDS_BEFORE_CANCEL = 2


def run() -> None:
    """Seconds of the first and of the fastest answer of each screen, over HTTP, with 9 columns.

    For a slider and for pages in Chromium, the median and the longest time to the next paint.
    """
    measured = [_measure(rows) for rows in ROWS]
    names = [f"{rows:,} rows" for rows in ROWS]
    print(f"{'':<14} {names[0]:>22} {names[1]:>22}  fastest, times")
    for name, (small, large) in {
        name: [one[name] for one in measured] for name in measured[0]
    }.items():
        shown = [f"{first:7.3f} s {best:7.3f} s" for first, best in (small, large)]
        print(f"{name:<14} {shown[0]:>22} {shown[1]:>22}  {large[1] / small[1]:8.2f}")


def _measure(rows: int) -> dict[str, tuple[float, float]]:
    """Return the seconds of the tasks and of every screen on a table of some rows."""
    with tempfile.TemporaryDirectory() as place, _started(_write(Path(place), rows)) as browser:
        profiled = browser.wait()
        browser.send(f"/{SCREENS[0].name}/count")
        counted = browser.wait()
        browser.send("/publish/try")
        time.sleep(SECONDS_BEFORE_CANCEL)
        cancelled = browser.send("/publish/cancel")
        browser.wait("done", "cancelled")
        browser.send("/compare/compare", target="")
        compared, largest = browser.wait(), _read_memory(browser.process)
        pages = {screen.name: browser.time(f"/{screen.name}") for screen in SCREENS}
        paints = _paint(browser) if shutil.which("chromium") else {}
        browser.send("/publish/publish")
        published = browser.wait()
    print(f"{rows:,} rows: the studio and its tasks use at most {largest / 2**30:.2f} GiB")
    tasks = {"profile": profiled, "count": counted, "cancelling": cancelled}
    tasks |= {"dry run": compared, "publishing": published}
    once = {name: (seconds, seconds) for name, seconds in tasks.items()}
    return once | pages | paints


def _paint(browser: "_Browser") -> dict[str, tuple[float, float]]:
    """Return the seconds from an interaction to the next paint in Chromium: median and longest."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = chromium.new_page()
        name, value = browser.cookie.split("=", 1)
        page.context.add_cookies([{"name": name, "value": value, "url": browser.address}])
        page.goto(f"{browser.address}/levels")
        moved = [page.evaluate(_MOVE) for _ in range(2 * REPEATS)]
        page.goto(f"{browser.address}/compare")
        paged = [page.evaluate(_LOOK, each) for each in ("#later", "#sort", "#first", "#attribute")]
        chromium.close()
    return {
        "a slider": (median(moved), max(moved)),
        "rows, pairs": (median(paged), max(paged)),
    }


_PAINTED = """
const begin = performance.now()
return new Promise(done => {
    new MutationObserver((_, seen) => {
        seen.disconnect()
        requestAnimationFrame(() => setTimeout(() => done((performance.now() - begin) / 1000)))
    }).observe(document.querySelector(replaced).parentElement, {childList: true})
    act()
})
"""
_MOVE = f"""() => {{
    const slider = document.querySelector("#k"), replaced = "#tried"
    const act = () => {{
        slider.stepUp()
        slider.dispatchEvent(new Event("input", {{bubbles: true}}))
    }}
    {_PAINTED}
}}"""
"""Moves the slider of k; the page waits for 60 ms of rest before it asks."""
_LOOK = f"""(name) => {{
    const replaced = "#content", one = document.querySelector(name)
    const act = () => {{
        if (one.options) {{
            one.selectedIndex = (one.selectedIndex + 1) % one.options.length
            one.dispatchEvent(new Event("change", {{bubbles: true}}))
        }} else one.click()
    }}
    {_PAINTED}
}}"""


def _read_memory(process: int) -> int:
    """Return the most memory that the processes of a studio have used, added up, on Linux."""
    try:
        tasks = [*Path(f"/proc/{process}/task").iterdir()]
        children = [int(one) for task in tasks for one in (task / "children").read_text().split()]
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    own = re.search(r"VmHWM:\s+(\d+) kB", status)
    return (int(own[1]) << 10 if own else 0) + sum(map(_read_memory, children))


def _write(folder: Path, rows: int) -> Path:
    """Write a table and its specification, and return the specification."""
    generate(rows, folder / "people.csv", MEMORY)
    places = {
        "source": "people.csv",
        "target": "released/people.csv",
        "spill": str(folder / "spill"),
    }
    (folder / "spill").mkdir()
    (folder / "people.toml").write_text(SPECIFICATION.format(memory=MEMORY, **places))
    return folder / "people.toml"


class _Browser:
    """A browser that was let in."""

    def __init__(self, process: int, port: int, token: str) -> None:
        self.process, self._port, self.address = process, port, f"http://127.0.0.1:{port}"
        self._headers = {"Origin": self.address}
        _, headers, _ = self._ask("GET", f"/enter?token={token}")
        self.cookie = self._headers["Cookie"] = headers["set-cookie"].split(";")[0]

    def _ask(self, method: str, path: str, body: str = "") -> tuple[int, dict[str, str], str]:
        """Send a request and return the answer."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=600)
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, path, body, self._headers | kind)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, {name.lower(): one for name, one in answer.getheaders()}, text

    def time(self, path: str) -> tuple[float, float]:
        """Return the seconds of the first and of the fastest answer."""
        seconds = []
        for _ in range(1 + REPEATS):
            begin = time.perf_counter()
            status, _, text = self._ask("GET", path)
            seconds.append(time.perf_counter() - begin)
            if status != 200:
                raise SystemExit(f"{path} answers {status}: {text}")
        return seconds[0], min(seconds)

    def send(self, path: str, **fields: str) -> float:
        """Send a form, and return how long the answer took."""
        _, _, page = self._ask("GET", f"/{SCREENS[0].name}")
        hidden = dict(re.findall(r'name="(form_token|mark)" value="([^"]*)"', page))
        begin = time.perf_counter()
        status, _, text = self._ask("POST", path, urlencode(hidden | fields))
        if status != 303:
            raise SystemExit(f"{path} answers {status}: {text}")
        return time.perf_counter() - begin

    def wait(self, *ends: str) -> float:
        """Wait until the task is done, or has another of some ends; return how long that took."""
        begin = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", self._port, timeout=600)
        connection.request("GET", "/events", headers=self._headers)
        told = (line for line in connection.getresponse() if line.startswith(b"data: "))
        states = (json.loads(line.removeprefix(b"data: "))["work"] for line in told)
        state = next(one for one in states if " running " not in one)
        connection.close()
        if not any(f" {end} " in state for end in ends or ("done",)):
            raise SystemExit(f"a task failed: {state}")
        return time.perf_counter() - begin


@contextmanager
def _started(specification: Path) -> Iterator[_Browser]:
    """Start the studio for a specification, which profiles its table."""
    program = str(Path(sys.executable).with_name("lookalike"))
    words = [program, "studio", str(specification), "--no-browser"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r":(\d+)/enter\?token=(\S+)", process.stdout.readline())
    assert found is not None
    try:
        yield _Browser(process.pid, int(found[1]), found[2])
    finally:
        process.terminate()
        process.wait()
