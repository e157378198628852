"""Open a page in Chromium, and check what every page of ours must satisfy.

Debian's package ``chromium`` has the browser, and npm has axe-core, which checks accessibility:
``npm install --prefix .venv --no-save --no-audit --no-fund axe-core@4``. Without them the tests are
skipped, unless ``LOOKALIKE_REQUIRE_BROWSER=1`` is set: then they fail.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from .packages import is_left_out

CHROMIUM = shutil.which("chromium")
AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = {"desktop": 1280, "phone": 390}

_required = os.environ.get("LOOKALIKE_REQUIRE_BROWSER") == "1"
needs_browser = pytest.mark.skipif(
    not _required and (CHROMIUM is None or not AXE.is_file() or is_left_out("playwright")),
    reason="needs Chromium and axe-core; see tests/browser.py",
)

needs_chromium = pytest.mark.skipif(
    not _required and (CHROMIUM is None or is_left_out("playwright")),
    reason="needs Chromium; see tests/browser.py",
)


@dataclass
class OpenedPage:
    """A page in a browser, with everything that the browser reports about it."""

    page: Any
    messages: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def browsing() -> Iterator[Any]:
    """Start Chromium, and close it at the end."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "Chromium is required, but not installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_page(html: Path, width: int, *, dark: bool = False) -> Iterator[OpenedPage]:
    """Open a file in Chromium.

    Parameters
    ----------
    html
        The file.
    width
        The width of the window in pixels.
    dark
        Whether the reader prefers dark colours.
    """
    with browsing() as browser:
        yield open_in(browser, html, width, dark=dark)


def open_in(
    browser: Any, html: Path, width: int, *, dark: bool = False, bypass_csp: bool = False
) -> OpenedPage:
    """Open a file in a browser; `bypass_csp` lets axe-core in, which the page's policy forbids."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        bypass_csp=bypass_csp,
    )
    opened = OpenedPage(context.new_page())
    opened.page.on("console", lambda said: opened.messages.append(said.text))
    opened.page.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.goto(html.resolve().as_uri())
    return opened


def check_page(html: Path, *, charts: int) -> None:
    """Check a page at both widths, light and dark, with all details expanded.

    Parameters
    ----------
    html
        The page.
    charts
        The least number of charts in it.
    """
    with browsing() as browser:
        for width, dark in product(WIDTHS.values(), (False, True)):
            opened = open_in(browser, html, width, dark=dark)
            expand(opened.page)
            shown = opened.page.locator("svg[role=img][aria-label]").count()
            tested = open_in(browser, html, width, dark=dark, bypass_csp=True)
            expand(tested.page)
            faults = {
                "messages": opened.messages,
                "errors": opened.errors,
                "requests": [one for one in opened.requests if one != html.resolve().as_uri()],
                "missing charts": max(0, charts - shown),
                "wider than the window": find_overflow(opened.page),
                "not accessible": list_violations(tested.page),
            }
            found = {name: fault for name, fault in faults.items() if fault}
            assert not found, f"{width} pixels, dark: {dark}: {found}"


def expand(page: Any) -> None:
    """Expand everything that can be expanded."""
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


def find_overflow(page: Any) -> list[str]:
    """Return what makes the page scroll sideways; nothing if it does not."""
    return page.evaluate(
        """() => {
            const width = document.documentElement.clientWidth
            if (document.documentElement.scrollWidth <= width) return []
            return [...document.querySelectorAll('body *')]
                .filter(one => one.getBoundingClientRect().right > width)
                .map(one => one.outerHTML.slice(0, 100))
        }"""
    )


def list_violations(page: Any) -> list[str]:
    """Return what axe-core finds: the rule, and where."""
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
