"""Write into the pages what their commands print: ``python -m tests.rewrite_pages [PAGE…]``.

For use after a change of the output. Read the difference before you commit it: the tests compare
the pages with the program, so whatever is written here passes.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .test_documentation import COMMAND, PAGES, ROOT

BLOCK = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)
SHOWN = re.compile(r"^(\$ lookalike (.*)\n)((?:(?!\$ ).*\n)*)", re.M)


def rewrite(page: Path, folder: Path) -> None:
    """Run the commands of a page in a folder, and write what they print into the page."""

    def run(found: re.Match[str]) -> str:
        words = [COMMAND, *shlex.split(found[2])]
        environment = {**os.environ, "COLUMNS": "80"}
        ran = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        lines = [line.rstrip() for line in ran.stdout.splitlines()]
        return found[1] + "".join(f"{line}\n" for line in lines)

    text = page.read_text(encoding="utf-8")
    page.write_text(
        BLOCK.sub(lambda block: block[1] + SHOWN.sub(run, block[2]) + block[3], text),
        encoding="utf-8",
    )


def main(names: list[str]) -> None:
    """Rewrite the pages of the names, or all."""
    for page in PAGES:
        if names and str(page.relative_to(ROOT)) not in names:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "demo"
            shutil.copytree(ROOT / "src" / "lookalike" / "shell" / "data", folder)
            rewrite(page, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
