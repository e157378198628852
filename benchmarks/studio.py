"""The studio on a large table: how long each screen takes after the table was counted."""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.scale_data import SPECIFICATION, generate
from lookalike.studio.screens import SCREENS

ROWS = (100_000, 1_000_000)
REPEATS = 3
MEMORY = "2GB"


def run() -> None:
    """Seconds of the first and of the fastest answer of each screen, over HTTP, with 9 columns."""
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
        pages = {screen.name: browser.time(f"/{screen.name}") for screen in SCREENS}
    return {"profile": (profiled, profiled), "count": (counted, counted), **pages}


def _write(folder: Path, rows: int) -> Path:
    """Write a table and its specification, and return the specification."""
    generate(rows, folder / "people.csv", MEMORY)
    places = {"source": "people.csv", "target": "released/people.csv", "spill": str(folder)}
    (folder / "people.toml").write_text(SPECIFICATION.format(memory=MEMORY, **places))
    return folder / "people.toml"


class _Browser:
    """A browser that was let in."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._headers = port, {"Origin": f"http://127.0.0.1:{port}"}
        _, headers, _ = self._ask("GET", f"/enter?token={token}")
        self._headers["Cookie"] = headers["set-cookie"].split(";")[0]

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

    def send(self, path: str) -> None:
        """Send a form without fields."""
        _, _, page = self._ask("GET", f"/{SCREENS[0].name}")
        hidden = dict(re.findall(r'name="(form_token|mark)" value="([^"]*)"', page))
        status, _, text = self._ask("POST", path, urlencode(hidden))
        if status != 303:
            raise SystemExit(f"{path} answers {status}: {text}")

    def wait(self) -> float:
        """Wait until the task is done, and return how long that took."""
        begin = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", self._port, timeout=600)
        connection.request("GET", "/events", headers=self._headers)
        told = (line for line in connection.getresponse() if line.startswith(b"data: "))
        states = (json.loads(line.removeprefix(b"data: "))["work"] for line in told)
        state = next(one for one in states if " running " not in one)
        connection.close()
        if " done " not in state:
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
        yield _Browser(int(found[1]), found[2])
    finally:
        process.terminate()
        process.wait()
