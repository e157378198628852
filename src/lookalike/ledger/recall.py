"""Recall what earlier releases showed of rows that the source no longer has as they were shown.

The ledger knows the class of such a row, and hashes of its values. What its class shows is found in
the classes of the release that showed it last, the values of the other columns in the published
file. For each label some private value is taken that has this label, so that the row is recoded and
verified like all others; the hashes that identify it are those of the ledger.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Hierarchy, Mask
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.ledger.policies.policy import EarlierEntries
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.published_file import find_published_file, find_shown_values
from lookalike.ledger.store.row_map import write_recalled
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.shown_text import count_rows
from lookalike.tables.row_tags import CURRENT, Old

SHOW_NO_LEAVERS = 'or set leavers = "withdraw"'


@dataclass(frozen=True, eq=False)
class Recall(Discreet):
    """What is needed to show rows as they were.

    ``rules``: the hierarchy of each attribute of the quasi-identifier.
    ``values``: the values that each attribute has in the source.
    ``types``: the type of each column in the source.
    """

    earlier: EarlierEntries
    rules: Mapping[str, Hierarchy]
    values: Mapping[str, Sequence[str | None]]
    types: Mapping[str, pa.DataType]

    def write_hashes(self, rows: Codes) -> pa.Array:
        """Return what the ledger knows some rows of the history by, a text for each."""
        history = self.earlier.history
        ground = (history.columns[name].digest[rows] for name in self.rules)
        return write_recalled([history.keys[rows], history.linkable.digest[rows], *ground])

    def find_linkable(self, rows: Codes) -> dict[str, pa.Array]:
        """Return private values of the quasi-identifier that have the labels of some rows."""
        texts: dict[str, list[str | None]] = {name: [None] * len(rows) for name in self.rules}
        history = self.earlier.history
        last, class_of = history.linkable.release[rows], history.last_class[rows]
        for release in np.unique(last):
            here = np.flatnonzero(last == release)
            classes = self.earlier.entries[release].files.read_classes()
            for name in self.rules:
                place = classes.attributes.index(name)
                pairs = zip(classes.labels[place], classes.levels[place].tolist(), strict=True)
                ground = self._find_ground(name, [*pairs], class_of[here])
                for row in here.tolist():
                    texts[name][row] = ground[int(class_of[row])]
        return {name: self._read(name, shown) for name, shown in texts.items()}

    def _find_ground(
        self, name: str, pairs: Sequence[tuple[str | None, int]], classes: Counts
    ) -> dict[int, str | None]:
        """Return a private value for the label of each class."""
        values = self.values[name]
        rule, found = self.rules[name].fit([value for value in values if value is not None]), {}
        for one in set(classes.tolist()):
            label, level = pairs[one]
            if level == SUPPRESSED_CELL:
                found[one] = values[0]
            else:
                found[one] = None if label is None else self._descend(name, rule, label, level)
        return found

    @cached_property
    def _masked(self) -> dict[tuple[str, int], dict[str, str]]:
        """For a mask and a level, some value of the source for each label; found when needed."""
        return {}

    def _descend(self, name: str, rule: Hierarchy, label: str, level: int) -> str:
        """Return a private value that has a label; of a mask the label itself, of its length.

        The label itself would be ambiguous beside values of the source that have it.
        """
        if isinstance(rule, Mask):
            if (name, level) not in self._masked:
                values = [value for value in self.values[name] if value is not None]
                found = {rule.generalize(value, level): value for value in values}
                self._masked[name, level] = found
            return self._masked[name, level].get(label, label)
        try:
            return rule.descend(label, level)
        except UnknownValue:
            raise InvalidInput(
                f"column {name!r}: its hierarchy has no value for a label that people who left "
                f"were shown with; use the hierarchy of the earlier releases, {SHOW_NO_LEAVERS}"
            ) from None

    def _read(self, name: str, texts: Sequence[str | None]) -> pa.Array:
        """Return values of the type that a column has in the source."""
        try:
            return pa.array(texts, pa.string()).cast(self.types[name])
        except pa.ArrowInvalid:
            raise InvalidInput(
                f"column {name!r}: the values of people who left cannot be read with its present "
                "type; read the source from the same kind of file or frame as before, "
                f"{SHOW_NO_LEAVERS}"
            ) from None

    def find_unchanged(self, names: Sequence[str], rows: Codes) -> dict[str, pa.Array]:
        """Return what some rows last showed in columns that are released unchanged."""
        found = {}
        for name in names:
            column = self.earlier.history.columns.get(name)
            shown = None if column is None else column.release[rows]
            if column is None or shown is None or not column.exact.issuperset(shown.tolist()):
                raise InvalidInput(
                    f"column {name!r} was not shown of all {count_rows(len(rows))} of people who "
                    f"left, so they cannot be shown as before; leave it out, {SHOW_NO_LEAVERS}"
                )
            old = find_last_values(
                self.earlier, rows, name, self.types[name], np.ones(len(rows), bool)
            )
            found[name] = old.values.take(pa.array(old.places))
        return found


def find_last_values(
    earlier: EarlierEntries, position: Codes, name: str, kind: pa.DataType, held: Flags
) -> Old:
    """Return the values that some rows last showed in a column, file by file."""
    column = earlier.history.columns[name]
    places = np.full(len(held), CURRENT, dtype=np.int32)
    values: list[pa.Array] = []
    last = np.where(held, column.release[position], ABSENT)
    for release in np.unique(last[held]):
        here = np.flatnonzero(last == release)
        file, wanted = find_published_file(earlier.entries[release]), column.digest[position[here]]
        shown, at = find_shown_values(file, name, kind, wanted, earlier.secret)
        places[here] = sum(map(len, values)) + at
        values.append(shown)
    return Old(pa.concat_arrays(values), places)
