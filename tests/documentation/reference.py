"""Write the generated pages of the reference: ``python -m tests.documentation.reference``.

For use after a change of a command, a field or a public name; a test says when it is needed.
"""

from functools import partial
from pathlib import Path

from .api_pages import HEADS, write_names
from .certificate_page import write_certificate
from .commands_page import write_commands
from .fields_page import write_fields
from .json_page import write_json

DOCS = Path(__file__).parents[2] / "docs"
WRITERS = {
    "commands": write_commands,
    "fields": write_fields,
    "certificate": write_certificate,
    "json": write_json,
    **{page: partial(write_names, page) for page in HEADS},
}
"""The name of each generated page, and what writes it."""


def place_of(page: str) -> Path:
    """Return the file of a generated page."""
    return DOCS / "reference" / f"{page}.md"


def main() -> None:
    """Write all generated pages."""
    for page, write in WRITERS.items():
        place_of(page).write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
