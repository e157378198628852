"""Draw the pictures of the README and the site again: ``python -m tests.rewrite_pictures``.

A release of the Adult table is made in a temporary folder. What the terminal shows becomes an SVG
drawing; pictures of the holder's report are taken in Chromium. For use after a change of what they
show; look at them before you commit.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

import rich._export_format
from rich.console import RenderableType

from lookalike.flow.make_release import make_release
from lookalike.shell.console import SafeConsole
from lookalike.shell.views.release import show_made_release
from lookalike.spec.specification import Specification
from lookalike.tables.files.file_format import REPORT

from .browser import browsing, open_in
from .test_documentation import ROOT

PICTURES = ROOT / "docs" / "images"
TABLES = ROOT / "src" / "lookalike" / "shell" / "data"
LOADED = re.compile(r"@font-face \{\{.*?\}\}|<!--.*?-->", re.DOTALL)
"""What a drawing of rich would load from elsewhere, and its comment."""
TERMINAL_WIDTH = 80


def draw_terminal(command: str, shown: RenderableType) -> str:
    """Draw a command and what it prints."""
    with tempfile.TemporaryFile("w") as nowhere:
        console = SafeConsole(
            record=True, width=TERMINAL_WIDTH, file=nowhere, force_terminal=True, color_system="256"
        )
        console.print(f"[bold]$ {command}[/bold]")
        console.print(shown)
    template = LOADED.sub("", rich._export_format.CONSOLE_SVG_FORMAT)
    return console.export_svg(title="lookalike", code_format=template, unique_id="terminal")


def take_pictures(page: Path) -> None:
    """Take a picture of the first screen of the holder's report, and one of its charts."""
    with browsing() as browser:
        opened = open_in(browser, page, 1100)
        opened.page.screenshot(path=PICTURES / "report.png")
        opened.page.locator("svg.chart").first.screenshot(path=PICTURES / "chart.png")


def main() -> None:
    """Draw all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(TABLES / "adult", place, dirs_exist_ok=True)
        os.chdir(place)
        changes = {"out": "released/adult.csv", "dossier": "private"}
        made = make_release(Specification.load(Path("adult.toml"), changes))
        shown = draw_terminal("lookalike release adult.toml", show_made_release(made))
        (PICTURES / "terminal.svg").write_text(shown, encoding="utf-8")
        take_pictures(Path(place) / "private" / REPORT)


if __name__ == "__main__":
    main()
