"""Where commands print: standard output for results, standard error for everything else."""

import json
import sys
from typing import Any

from rich.console import Console

WIDE = 1000
"""The width of lines that go to a file or another program, so that none is broken."""

out = Console(width=None if sys.stdout.isatty() else WIDE)
err = Console(stderr=True)


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")
