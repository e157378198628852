"""Propose a hierarchy for a column of codes: fewer characters of a value at each level."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lookalike.draft.column import ColumnProfile
from lookalike.draft.propose_dates import KNOWN_SHARE
from lookalike.draft.proposed_hierarchy import (
    FileLine,
    ProposedHierarchy,
    note_lost,
    propose_file,
    propose_rule,
)
from lookalike.hierarchy import SUPPRESSED, Mask, Suppress
from lookalike.shown_text import count_rows

_LONGEST = 15
_MOST_LEVELS = 5
_UNITED_KINGDOM = re.compile(r"(([A-Z]{1,2})[0-9][A-Z0-9]?) ?([0-9])[A-Z]{2}", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z0-9]+([-. /][A-Za-z0-9]+)*")


def propose_mask(column: ColumnProfile) -> ProposedHierarchy | None:
    """Propose to keep fewer characters, or nothing if the values are too long for codes.

    Examples
    --------
    >>> zips = ColumnProfile("zip", 4, ("02138", "02139", "02141", "94112"), (1,) * 4, 4)
    >>> propose_mask(zips).table
    '{ kind = "mask", length = 5, keep = [4, 3] }'
    """
    british = _propose_british(column)
    if british is not None:
        return british
    length = _usual_length(column)
    if length is None:
        return None
    known = [value for value in column.values if len(value) <= length]
    keep = _choose_cuts(known, length)
    if not keep:
        return propose_rule(Suppress(), "No number of first characters merges only some values.")
    lengths = {len(value) for value in known if value}
    every = len(lengths) == 1 and keep == list(range(length - 1, 0, -1))
    longer = len(column.values) - len(known)
    mask = Mask() if every and not longer else Mask(length=length, keep=keep)
    mask = replace(mask, unknown="suppress" if longer else "error")
    return propose_rule(mask, _reason(column, lengths, longer))


def looks_like_codes(column: ColumnProfile) -> bool:
    """Return whether the values have one length and the form of codes such as 02138 or I21.4.

    Examples
    --------
    >>> looks_like_codes(ColumnProfile("zip", 2, ("02138", "02139"), (1, 1), 2))
    True
    """
    lengths = {len(value) for value in column.values}
    one_length = len(lengths) == 1 and 2 < max(lengths) <= _LONGEST
    digits = all(_CODE.fullmatch(one) and re.search("[0-9]", one) for one in column.values)
    return one_length and digits


def _reason(column: ColumnProfile, lengths: set[int], longer: int) -> str:
    """State how the values look, and what may be wrong with them."""
    shown = "codes of one length" if len(lengths) == 1 else "codes of different lengths"
    lost = note_lost(longer, "would be suppressed because of their length")
    digits = all(value.isdigit() for value in column.values if value)
    lost_zeros = digits and len(lengths) > 1
    zeros = ""
    if lost_zeros:
        longest = max(lengths)
        pairs = zip(column.values, column.counts, strict=True)
        shorter = sum(rows for value, rows in pairs if len(value) < longest)
        zeros = (
            f"; {count_rows(shorter)} with fewer than {longest} digits: if they lost leading "
            f"zeros, write zero_pad = {longest} beside the role"
        )
    return f"{column.distinct:,} {shown}, of which fewer first characters are kept{lost}{zeros}."


def _usual_length(column: ColumnProfile) -> int | None:
    """Return the length that nearly all values have at most, if it is that of a code."""
    rows: Counter[int] = Counter()
    for value, count in zip(column.values, column.counts, strict=True):
        rows[len(value)] += count
    longest = max(rows, default=0)
    if longest > _LONGEST:
        fitting = sum(count for length, count in rows.items() if length <= _LONGEST)
        enough = fitting >= KNOWN_SHARE * sum(column.counts)
        longest = max((one for one in rows if one <= _LONGEST), default=0) if enough else 0
    return longest if longest > 1 else None


def _choose_cuts(values: Sequence[str], length: int) -> list[int]:
    """Return how many characters to keep at each level: at most five numbers, evenly spaced.

    What follows the first separator, such as the last four digits of 02138-1234, is one step.
    """
    marks = [mark.start() for value in values if (mark := re.search("[- ]", value))]
    first = min(marks) if len(marks) > KNOWN_SHARE * len(values) and min(marks) > 0 else length - 1
    groups, finest = {}, len(values)
    for cut in range(first, 0, -1):
        number = len({value[:cut] for value in values})
        if 1 < number < finest:
            groups[cut] = finest = number
    cuts = list(groups)
    if len(cuts) <= _MOST_LEVELS:
        return cuts
    step = math.log(len(values)) / (_MOST_LEVELS + 1)
    targets = [math.log(len(values)) - step * level for level in range(1, _MOST_LEVELS + 1)]
    nearest = {min(cuts, key=lambda cut: abs(math.log(groups[cut]) - one)) for one in targets}
    return sorted(nearest, reverse=True)


def _propose_british(column: ColumnProfile) -> ProposedHierarchy | None:
    """Propose sector, district and area for postcodes of the United Kingdom."""
    found = {value: _UNITED_KINGDOM.fullmatch(value) for value in column.values}
    counted = zip(found.values(), column.counts, strict=True)
    rows = sum(count for match, count in counted if match)
    if not rows or rows < KNOWN_SHARE * sum(column.counts):
        return None
    lines: list[FileLine] = []
    for value, match in found.items():
        if match is None:
            lines.append((value, *(SUPPRESSED,) * 4))
            continue
        district, area, sector = match[1].upper(), match[2].upper(), match[3]
        labels = (f"{district} {sector}**", f"{district} ***", f"{area}* ***")
        lines.append((value, *labels, SUPPRESSED))
    reason = "Postcodes of the United Kingdom, by sector, district and area."
    return propose_file(column, lines, reason)
