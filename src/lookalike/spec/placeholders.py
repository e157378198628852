"""Placeholders of output paths, such as ``released/{date}/table.csv``."""

import re
from datetime import date

from lookalike.errors import InvalidInput, suggest

RECIPIENT = "{recipient}"
"""What stands for the name of the recipient."""
_DATE = "{date}"


def check_placeholders(text: str) -> str:
    """Raise if a path has a brace that is not part of a placeholder.

    Examples
    --------
    >>> check_placeholders("released/{date}/{recipient}.csv")
    'released/{date}/{recipient}.csv'
    """
    for found in re.findall(r"\{[^{}]*\}|[{}]", text):
        if found not in (_DATE, RECIPIENT):
            near = suggest(found, (_DATE, RECIPIENT))
            raise InvalidInput(
                f"{found} stands for nothing; {f'{near} ' if near else ''}the placeholders are "
                f"{_DATE}, today's date, and {RECIPIENT}, the name of the recipient"
            )
    return text


def fill_place(text: str, recipient: str | None) -> str:
    """Replace the placeholders of a path.

    Without a recipient its placeholder stays; :func:`require_filled` refuses it where the path is
    used.

    Examples
    --------
    >>> fill_place("released/{recipient}/table.csv", "press")
    'released/press/table.csv'
    """
    text = text.replace(_DATE, date.today().isoformat())
    if recipient is None or RECIPIENT not in text:
        return text
    if recipient in (".", "..") or re.search(r"[/\\\x00]", recipient):
        raise InvalidInput(
            f"{RECIPIENT}: {recipient!r} cannot be part of a path; rename the recipient"
        )
    return text.replace(RECIPIENT, recipient)


def require_filled(text: str) -> None:
    """Raise if a path still has the placeholder of the recipient."""
    if RECIPIENT in text:
        raise InvalidInput(
            f"{text} is different for each recipient; name one with recipient = "
            '"NAME" under [release], or --recipient NAME'
        )
