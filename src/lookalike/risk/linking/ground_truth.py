"""Compare the result of linking with the true identities, where the holder of the data gives them.

Under wrong-map protection released information maps to incorrect entities (Model, section 3.1).
Checking that requires the true identities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.risk.linking.linkage import Truth
from lookalike.risk.linking.linking_columns import LinkingColumn
from lookalike.risk.linking.matching import NOBODY, Entries, Matched, match_pairs
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.read import read_table
from lookalike.tables.table import Frame, column_names


@dataclass(frozen=True)
class GroundTruth(Discreet):
    """The true identity of each row of a release.

    Parameters
    ----------
    column
        The column of the release that identifies the person of a row.
    identity_of
        The identity for each value of the column; by default the value itself.
    """

    column: str
    identity_of: Mapping[str, str] | None = None

    def name(self, values: Sequence[str | None]) -> list[str | None]:
        """Return the identity for each of some values of the column."""
        if self.identity_of is None:
            return list(values)
        return [None if value is None else self.identity_of.get(value) for value in values]


def read_ground_truth(rows: Frame, identity: str | None, truth: Any) -> GroundTruth | None:
    """Read the true identities of the rows of a release; None if none are given.

    ``truth``: A column of the release, or a table with two columns: one of the release, and
    `identity`.
    """
    if truth is None:
        return None
    if identity is None:
        raise InvalidInput(
            "comparing with the true identities requires the column of the external table that "
            "identifies a person (--identity)"
        )
    known = column_names(rows)
    if isinstance(truth, str) and truth in known:
        return GroundTruth(truth)
    table = read_table(truth, {})
    keys = [name for name in column_names(table) if name != identity]
    if identity not in column_names(table) or len(keys) != 1 or keys[0] not in known:
        raise InvalidInput(
            "the true identities must be a column of the release, or a table with two columns: "
            f"a column of the release with a different value in each row, and {identity!r}"
        )
    return GroundTruth(keys[0], _read_pairs(count(table, [keys[0], identity]), keys[0]))


def _read_pairs(counted: Counted, key: str) -> dict[str, str]:
    """Return the identity of each key."""
    names = zip(
        *(
            [values[position] for position in positions.tolist()]
            for values, positions in zip(counted.values, counted.positions, strict=True)
        ),
        strict=True,
    )
    pairs: dict[str, str] = {}
    for value, person in names:
        if value is not None and person is not None and pairs.setdefault(value, person) != person:
            raise InvalidInput(
                f"the table of true identities has several identities for one value of {key!r}; "
                "keep one"
            )
    return pairs


def compare_with_truth(
    truth: GroundTruth | None,
    persons: Counted,
    released: Counted,
    entries: tuple[Entries, Entries],
    columns: Sequence[LinkingColumn],
    matched: Matched,
    k: int,
) -> Truth | None:
    """Count how often the true person of a row is among its possible persons.

    ``persons, released``: the counted values of both tables; the last column of each identifies the
    person.
    """
    if truth is None:
        return None
    number = matched.rows.number
    entry_of = _find_entries(persons)
    named = truth.name(released.values[-1])
    subjects = np.array([entry_of.get(name, NOBODY) for name in named], dtype=np.int32)
    subject = subjects[released.positions[-1]]
    present = np.flatnonzero(subject != NOBODY).astype(np.int32)
    right = np.zeros(len(number), dtype=np.bool_)
    right[present] = match_pairs(
        subject[present], present, *entries, [column.attribute for column in columns]
    )
    wrong = (number > 0) & ~right

    def rows(chosen: Any) -> int:
        return int(released.counts[chosen].sum())

    return Truth(
        rows_right=rows(right),
        rows_wrong=rows(wrong),
        pinned_right=rows(right & (number == 1)),
        pinned_wrong=rows(wrong & (number == 1)),
        small_right=rows(right & (number < k)),
    )


def _find_entries(persons: Counted) -> dict[str | None, int]:
    """Return the entry of each person by the identity in the last column."""
    values, positions = persons.values[-1], persons.positions[-1]
    number = np.zeros(len(values), dtype=np.int64)
    np.add.at(number, positions, persons.counts)
    repeated = int((number[[value is not None for value in values]] > 1).sum())
    if repeated:
        raise InvalidInput(
            f"the identity column of the external table is not unique: {repeated:,} of its values "
            "occur several times; name a column with a different value for each person"
        )
    entry = dict(zip(positions.tolist(), range(len(positions)), strict=True))
    return {value: entry[place] for place, value in enumerate(values) if value is not None}
