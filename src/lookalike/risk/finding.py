"""PreflightFinding: what a check found before publishing, how serious it is, and the remedy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]

LARGE_SHARE = 0.2
"""The share of the rows from which a finding is an error."""
SMALL_SHARE = 0.01
"""The share of the rows from which a finding is a warning; below it is a note."""
FEW_ROWS = 100
"""In a table with fewer rows, shares are a matter of chance: a finding is a warning at most."""


@dataclass(frozen=True)
class PreflightFinding:
    """What a check found before publishing.

    ``name``: the name of the check, by which a specification accepts the finding.
    ``severity``: an error stops publishing unless it is accepted; a warning should be read; a note
    is for completeness. ``share``: the share of the rows that it concerns, if it counts rows.
    """

    name: str
    severity: Severity
    sentence: str
    remedy: str
    accepted: bool = False
    share: float | None = None

    @property
    def stops(self) -> bool:
        """Whether it stops publishing."""
        return self.severity == "error" and not self.accepted


def list_remedies(findings: Sequence[PreflightFinding]) -> list[str]:
    """List the remedies of findings that are shown together, each in full once.

    Examples
    --------
    >>> found = [PreflightFinding(name, "note", "", "use k = 5") for name in ("a", "b")]
    >>> list_remedies(found)
    ['use k = 5', 'as above']
    """
    remedies = [one.remedy for one in findings]
    return [
        "as above" if remedy in remedies[:place] else remedy
        for place, remedy in enumerate(remedies)
    ]


def grade(concerned: int, rows: int) -> Severity:
    """Return the severity of a finding that concerns some of the rows.

    Examples
    --------
    >>> grade(200, 1000), grade(199, 1000), grade(9, 1000), grade(50, 50)
    ('error', 'warning', 'note', 'warning')
    """
    if concerned >= LARGE_SHARE * rows and rows >= FEW_ROWS:
        return "error"
    return "warning" if concerned >= SMALL_SHARE * rows else "note"


def count_share(concerned: int, rows: int) -> str:
    """Write a number of rows and their share.

    Examples
    --------
    >>> count_share(1, 8)
    '1 of 8 rows (12.5 %)'
    """
    return f"{concerned:,} of {rows:,} rows ({100 * concerned / max(1, rows):.1f} %)"
