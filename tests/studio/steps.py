"""What tests do: start a studio, enter it in a browser, and use it by keyboard."""

import re
import subprocess
import sys
from itertools import product

from ..browser import expand, find_overflow, list_violations

PROGRAM = "from lookalike.shell.cli import main; main()"
LONG = 600_000
"""How many milliseconds a task or a page may take, on a machine that does much else, too."""


def start(folder, *options):
    """Start a studio, and return its process, port and token."""
    words = [sys.executable, "-c", PROGRAM, "studio", str(folder), "--no-browser", *options]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    port, token = re.search(
        r"http://127.0.0.1:(\d+)/enter\?token=(\S+)", process.stdout.readline()
    ).groups()
    return process, int(port), token


def enter(context, served):
    address, token = served
    page = context.new_page()
    page.goto(f"{address}/enter?token={token}")
    page.wait_for_url(f"{address}/data")
    return page


def tab_to(page, name):
    """Press Tab until an element has the focus."""
    for _ in range(200):
        if page.evaluate("document.activeElement.id") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} cannot be reached by keyboard")


def press(page, name, key="Enter"):
    tab_to(page, name)
    page.keyboard.press(key)


def check_accessibility(context, address):
    """Check a page at two widths, light and dark, with all details expanded; axe-core is let in."""
    tested = context.browser.new_context(bypass_csp=True, storage_state=context.storage_state())
    tested.set_default_timeout(LONG)
    page = tested.new_page()
    for width, scheme in product((1280, 360), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(address)
        expand(page)
        wide, wrong = find_overflow(page), list_violations(page)
        assert not wide, (width, wide)
        assert not wrong, (width, scheme, wrong)
    tested.close()
