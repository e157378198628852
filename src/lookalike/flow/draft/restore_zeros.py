"""Restore the leading zeros of postal codes that were once read as numbers."""

import re

from lookalike.flow.draft.column import ColumnProfile
from lookalike.flow.draft.meaning import Meaning
from lookalike.flow.draft.profile import replace_values

ZIP_LENGTH = 5
"""ZIP codes of the United States, and postal codes of Germany, France and Spain."""
_ZIP = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")
_LOST = re.compile(r"[1-9][0-9]{2,3}")


def restore_zeros(
    column: ColumnProfile, meaning: Meaning | None
) -> tuple[ColumnProfile, int | None]:
    """Return a column of postal codes with their zeros, and the length to which they are padded.

    Codes lost their zeros if most rows have five digits and some have three or four. A column of
    four-digit codes, as in Switzerland, stays as it is.

    Examples
    --------
    >>> codes = ColumnProfile("zip", 4, ("94110", "2138"), (3, 1), 2)
    >>> padded, length = restore_zeros(codes, Meaning("postal code", "quasi-identifier"))
    >>> padded.values, length
    (('94110', '02138'), 5)
    """
    if meaning is None or meaning.name != "postal code":
        return column, None
    rows = dict(zip(column.values, column.counts, strict=True))
    whole = sum(count for value, count in rows.items() if _ZIP.fullmatch(value))
    lost = sum(count for value, count in rows.items() if _LOST.fullmatch(value))
    if not lost or lost > whole:
        return column, None
    padded: dict[str, int] = {}
    for value, count in rows.items():
        text = value.zfill(ZIP_LENGTH) if _LOST.fullmatch(value) else value
        padded[text] = padded.get(text, 0) + count
    return replace_values(column, padded), ZIP_LENGTH
