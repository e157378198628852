"""Print a page as PDF with the browser of this machine, without a network."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.tables.private_folders import scratch_folder

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "brave-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
"""The programs that print pages, by name or place; all of them are Chromium."""
_MOST_SECONDS = 120


def find_browser() -> str:
    """Return the path of the first browser that is installed.

    Raises
    ------
    InvalidInput
        If there is none; the message says what to install.
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise InvalidInput(
            "--pdf needs a browser, and none is found: install Chromium (Debian and Ubuntu: apt "
            "install chromium; macOS: brew install --cask chromium), Google Chrome or Microsoft "
            "Edge; or open the report in any browser and print it"
        )
    return found


def print_page(html: str) -> bytes:
    """Return a page as PDF, with page numbers and with everything that is collapsed.

    The page is private while it is printed: it lies in a folder that only this user can read, and
    the browser has a profile of its own there.

    Raises
    ------
    InvalidInput
        If there is no browser, or if it fails.
    """
    browser, folder = find_browser(), scratch_folder()
    try:
        page, pdf = folder.path / "page.html", folder.path / "page.pdf"
        page.write_text(html, encoding="utf-8")
        command = [browser, *_list_options(folder.path / "profile", pdf), page.as_uri()]
        told = _run(command, folder.path)
        if not pdf.is_file():
            last = told.strip().splitlines()[-1:]
            raise InvalidInput(f"--pdf: {browser} wrote no PDF: {'; '.join(last) or 'no message'}")
        return pdf.read_bytes()
    finally:
        folder.remove()


def _list_options(profile: Path, pdf: Path) -> Iterator[str]:
    """Yield the options of the browser; the superuser has no sandbox to run it in."""
    yield from ("--headless", "--disable-gpu", "--disable-background-networking")
    yield from ("--no-first-run", "--no-pdf-header-footer", f"--user-data-dir={profile}")
    yield f"--print-to-pdf={pdf}"
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield "--no-sandbox"


def _run(command: list[str], folder: Path) -> str:
    """Run the browser and return its messages; its files stay in the private folder."""
    own = {**os.environ, "HOME": str(folder), "TMPDIR": str(folder)}
    try:
        run = subprocess.run(
            command, env=own, capture_output=True, timeout=_MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise InvalidInput(
            f"--pdf: {command[0]} did not end within {_MOST_SECONDS} seconds; try again, or open "
            "the report in any browser and print it"
        ) from None
    return run.stderr.decode(errors="replace")
