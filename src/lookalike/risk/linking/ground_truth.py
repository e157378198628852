"""Owners: whose each released row is, where the holder tells it, and whether linking finds out.

Under wrong-map protection released information maps to incorrect entities (Model, section 3.1):
whether it does can be told only by somebody who knows the truth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.risk.linking.linkage import Truth
from lookalike.risk.linking.linking_columns import LinkingColumn
from lookalike.risk.linking.matching import NOBODY, Entries, could_be
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.read import read_table
from lookalike.tables.table import Frame, column_names


@dataclass(frozen=True)
class GroundTruth(Discreet):
    """Whose each row of a release is.

    Parameters
    ----------
    column
        The column of the release that tells it.
    identity_of
        The identity that stands behind each value of the column; if nothing, the value.
    """

    column: str
    identity_of: Mapping[str, str] | None = None

    def name(self, values: Sequence[str | None]) -> list[str | None]:
        """Return the identity behind values of the column."""
        if self.identity_of is None:
            return list(values)
        return [None if value is None else self.identity_of.get(value) for value in values]


def read_ground_truth(rows: Frame, identity: str | None, truth: Any) -> GroundTruth | None:
    """Find out which column of a release tells whose a row is.

    Parameters
    ----------
    rows
        The release.
    identity
        The column of the external table that tells who somebody is.
    truth
        A column of the release, or a table of two columns: one of the release, and `identity`.
    """
    if truth is None:
        return None
    if identity is None:
        raise InvalidInput(
            "to tell right from wrong, name the column of the external table that tells who "
            "somebody is (--identity)"
        )
    known = column_names(rows)
    if isinstance(truth, str) and truth in known:
        return GroundTruth(truth)
    table = read_table(truth, {})
    keys = [name for name in column_names(table) if name != identity]
    if identity not in column_names(table) or len(keys) != 1 or keys[0] not in known:
        raise InvalidInput(
            f"whose each row is must be told by a column of the release, or by a table of two "
            f"columns: one of the release, different for each row, and {identity!r}"
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
    for number, owner in names:
        if number is not None and owner is not None and pairs.setdefault(number, owner) != owner:
            raise InvalidInput(
                f"the table of true identities names several for one value of {key!r}; name one"
            )
    return pairs


def compare_with_truth(
    owners: GroundTruth,
    persons: Counted,
    released: Counted,
    sides: tuple[Entries, Entries],
    columns: Sequence[LinkingColumn],
    number: Counts,
    k: int,
) -> Truth:
    """Tell how often the subject of a row is among the persons that it could be of.

    Parameters
    ----------
    owners
        Whose each row is.
    persons, released
        What was counted; the last column of each tells who somebody is.
    sides
        Both tables in codes.
    columns
        What the codes mean.
    number
        The persons that each row could be of.
    k
        What are few persons.
    """
    entry_of = _find_entries(persons)
    named = owners.name(released.values[-1])
    subjects = np.array([entry_of.get(name, NOBODY) for name in named], dtype=np.int32)
    subject = subjects[released.positions[-1]]
    present = np.flatnonzero(subject != NOBODY).astype(np.int32)
    right = np.zeros(len(number), dtype=np.bool_)
    right[present] = could_be(
        subject[present], present, *sides, [column.attribute for column in columns]
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
    """Return the entry of each person, whom the last column names."""
    values, positions = persons.values[-1], persons.positions[-1]
    number = np.zeros(len(values), dtype=np.int64)
    np.add.at(number, positions, persons.counts)
    repeated = int((number[[value is not None for value in values]] > 1).sum())
    if repeated:
        raise InvalidInput(
            f"the identity of the external table is not different for each person: {repeated:,} "
            "of its values come several times; name a column that is"
        )
    entry = dict(zip(positions.tolist(), range(len(positions)), strict=True))
    return {value: entry[place] for place, value in enumerate(values) if value is not None}
