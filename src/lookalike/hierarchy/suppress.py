"""Suppress: a hierarchy with two levels, the value itself and the suppressed value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy


@dataclass(frozen=True)
class Suppress(Hierarchy):
    """A hierarchy of height 1: a value is released unchanged or suppressed.

    Examples
    --------
    >>> Suppress().ancestors("widow")
    ('widow', '*')
    """

    kind: Literal["suppress"] = "suppress"
    ends_suppressed: ClassVar[bool] = True

    @property
    def rule_height(self) -> int:  # noqa: D102
        return 1

    def climb(self, value: str) -> Sequence[str]:  # noqa: ARG002, D102
        return (SUPPRESSED,)
