"""Suppress: a value, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy


@dataclass(frozen=True)
class Suppress(Hierarchy):
    """A value is released as it is or suppressed: a hierarchy of height 1.

    Examples
    --------
    >>> Suppress().ancestors("widow")
    ('widow', '*')
    """

    kind: Literal["suppress"] = "suppress"

    @property
    def ends_suppressed(self) -> bool:  # noqa: D102
        return True

    @property
    def rule_height(self) -> int:  # noqa: D102
        return 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: ARG002, D102
        return (SUPPRESSED,)
