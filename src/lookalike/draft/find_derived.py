"""Find columns that follow from quasi-identifiers, or from which one follows.

A year follows from a date, and the sex from a title. Released as it is, such a column would undo
what is generalized, so it is left out or becomes a quasi-identifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lookalike.draft.proposed_column import Proposed, ProposedColumn
from lookalike.draft.toml_text import quote_toml
from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Suppress
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.grouping import group_codes
from lookalike.kernels.types import Codes
from lookalike.risk.finding import LARGE_SHARE
from lookalike.risk.table.derived import ShownAttribute, count_determined, find_level
from lookalike.risk.table.person_keys import SHARED
from lookalike.tables.sample import Sample
from lookalike.tables.table import Role

_LETTERS = 40


def settle_derived(samples: Sequence[Sample], columns: Proposed, person: str) -> Proposed:
    """Return the columns, those with other roles that follow from others or give them away.

    A column that follows from one or two quasi-identifiers is dropped: they say the same. One from
    which a quasi-identifier follows becomes one. Of a sensitive column, the holder decides.
    """
    judges = [_Judge(one, columns, person) for one in samples]
    return tuple(
        next((found for judge in judges for found in judge.settle(column)), column)
        for column in columns
    )


@dataclass(frozen=True)
class _Judge:
    """Judges the columns of one sample by its rows."""

    sample: Sample
    columns: Proposed
    person: str

    def settle(self, column: ProposedColumn) -> Iterator[ProposedColumn]:
        """Yield a column with another role, if it must not be released as it is."""
        possible = column.role in ("sensitive", "other") or column.undecided
        if not possible or column.name not in self.sample.in_groups:
            return
        linkable = [one for one in self.columns if one.stricter == "quasi-identifier"]
        # It is protected, unless its holder decides otherwise. Few selected most answers, so that
        # these seem to follow from anything: what counts is whether they give something away.
        if column.undecided or column.block is not None:
            linkable = [one for one in linkable if not one.undecided]
        names = [one.name for one in linkable] if column.block is None else []
        origin = self._find_origin(column.name, names)
        given = [one.name for one in linkable if self._gives(column.name, one)]
        if origin:
            yield _settle(column, f"it follows from {_name(origin)}", "drop")
        elif given and not column.undecided:
            yield _settle(column, f"{_name(given)} follows from it", "quasi-identifier")

    def _find_origin(self, column: str, linkable: Sequence[str]) -> tuple[str, ...]:
        """Return one or two attributes that determine a column in nearly all rows, if any do."""
        possible = [*((name,) for name in linkable), *combinations(linkable, 2)]
        for names in possible:
            largest = max(names, key=lambda name: len(self.sample.values[name]))
            if largest in self.sample.in_groups:
                rows = self.sample.rows_of(largest)
                codes = [self.sample.codes[name][rows] for name in names]
                finer, nothing = self.sample.codes[column][rows] + 1, np.zeros_like(rows)
                found = count_determined(
                    group_codes(codes)[0], nothing, finer, self._find_persons(rows)
                )
                if found is not None and found.share >= SHARED:
                    return names
        return ()

    def _gives(self, column: str, attribute: ProposedColumn) -> bool:
        """Return whether a label of an attribute follows from a column in many rows."""
        rows = self.sample.rows_of(column, missing=True)
        hierarchy = self._bind(attribute)
        ground = hierarchy.ground[self.sample.codes[attribute.name][rows]]
        hidden = np.full(len(rows), hierarchy.height, dtype=np.int32)
        shown = ShownAttribute(hierarchy, ground, hidden, np.zeros_like(ground))
        given = self.sample.codes[column][rows]
        return find_level(given, shown, None, self._find_persons(rows))[1].share >= LARGE_SHARE

    def _bind(self, attribute: ProposedColumn) -> BoundHierarchy:
        """Bind the hierarchy of an attribute; without one, its values are hidden or shown."""
        values = (*self.sample.values[attribute.name], None)
        proposed = attribute.hierarchy
        try:
            rule = Suppress() if proposed is None else proposed.hierarchy
            return rule.bind(attribute.name, values, SUPPRESSED)
        except InvalidInput:
            return Suppress().bind(attribute.name, values, SUPPRESSED)

    def _find_persons(self, rows: Codes) -> Codes | None:
        """Return the person of each row, if persons are counted by a column."""
        known = self.sample.codes.get(self.person)
        return None if known is None else known[rows]


def _settle(column: ProposedColumn, why: str, role: Role) -> ProposedColumn:
    """Return a column with a role under which it gives nothing away."""
    reason = f"{column.reason}; {why}"
    if column.role != "other":
        return column.leave_undecided(reason, role)
    return column.decide(role, reason)


def _name(names: Sequence[str]) -> str:
    """Name columns, shortened."""
    return " and ".join(quote_toml(name[:_LETTERS]) for name in names)
