"""Link a release with an external table, and report which protection holds.

Under wrong-map protection released information maps to incorrect entities (Model, section 3.1).
Checking that requires the true identities, where the holder of the data gives them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Unpack

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.contained_records import NOBODY
from lookalike.kernels.types import Counts
from lookalike.model.progress import Announce
from lookalike.risk.linking import linking_columns
from lookalike.risk.linking.linkage import Candidates, Linkage, Truth
from lookalike.risk.linking.matching import Entries, Matches, match, match_pairs
from lookalike.risk.table.sequences import Sequences
from lookalike.spec.specification import Specification
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.source import ReadingOptions
from lookalike.tables.table import Frame, check_columns, column_names

On = Sequence[str] | Mapping[str, str]
"""The attributes to link by, or for each attribute its column in the external table."""


@name_options
def link(
    release: Any,
    external: Any,
    on: On,
    *,
    spec: Specification | str | PathLike[str] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    suppressed_label: str = SUPPRESSED,
    as_written: bool = False,
    identity: str | None = None,
    truth: Any = None,
    k: int = 2,
    announce: Announce = lambda _: None,
    **source: Unpack[ReadingOptions],
) -> Linkage:
    """Link a release with an external table, and report which protection holds.

    The parameters beyond eight are options of the command ``lookalike link``.

    Parameters
    ----------
    release
        A published folder, whose certificate states the levels; or a path or a frame, whose
        levels follow from the values.
    external
        A path or a frame with one row per person, such as a voter list.
    on
        The attributes to link by: column names that both tables have, or a mapping from each
        attribute of the release to its column in the external table.
    spec
        The specification of the release, for its hierarchies.
    hierarchies
        The hierarchies, instead of a specification.
    suppressed_label
        The label of a suppressed value, if there is no certificate.
    as_written
        By default a missing or suppressed value of either table matches any value. With this
        option a missing value matches missing values only, and a suppressed value matches what
        the hierarchy suppresses.
    identity
        The column of the external table that identifies a person, with a different value in each
        row.
    truth
        The true identities, to count how often linking is right: the identifying column of the
        release, if the release is the holder's own copy; or a path or frame with two columns, a
        column of the release with a different value in each row, and `identity`.
    k
        Minimum number of persons each released row must match.
    announce
        Callback that receives the name of each step.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source` for the external
        table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from lookalike.hierarchy import Mask
    >>> released = pa.table({"zip": ["0213*", "0213*", "02141"]})
    >>> voters = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> linked = link(released, voters, ["zip"], hierarchies={"zip": Mask(length=5)})
    >>> linked.persons.matches.number.tolist(), linked.rows.matches.number.tolist()
    ([2, 2, 1, 0], [2, 2, 1])
    >>> linked.protection, linked.k_map
    ('none', 1)
    """
    if k < 2:
        raise InvalidInput(f"k must be at least 2, not {k}: a row with one person is identified")
    columns, known = read_on(on), (spec, hierarchies, suppressed_label)
    announce("reading")
    rows, facts = linking_columns.read_with_facts(release, columns, *known)
    ground_truth = read_ground_truth(rows, identity, truth)
    people, wanted = read_table(external, source), _list_names(columns.values(), identity)
    check_columns(column_names(people), wanted, "the external table")
    announce("counting")
    persons = count(people, wanted)
    released = count(rows, _list_names(columns, getattr(ground_truth, "column", None)))
    announce("matching")
    both = zip(columns, persons.values, released.values, strict=False)  # identities are left out
    read = [linking_columns.read_column(*one, facts, as_written=as_written) for one in both]
    entries = linking_columns.encode_entries(read, persons, released)
    of_persons, of_rows, seconds = match(*entries)
    return Linkage(
        k=k,
        on=columns,
        persons=_list_candidates(wanted, persons, of_persons),
        rows=_list_candidates(list(columns), released, of_rows),
        truth=compare_with_truth(ground_truth, persons, released, entries, of_rows.number, k),
        unknown=_count_unknown(columns, read, persons),
        seconds=seconds,
    )


def read_on(on: On) -> dict[str, str]:
    """Return for each attribute of the release its column in the external table."""
    if isinstance(on, str):
        raise InvalidInput("give the attributes to link by as a list or a mapping")
    columns = dict(on) if isinstance(on, Mapping) else {name: name for name in on}
    if not columns:
        raise InvalidInput("name at least one attribute to link by")
    return columns


def _list_names(columns: Iterable[str], identifying: str | None) -> list[str]:
    """Return the names of the linking columns, followed by the identifying column if any."""
    return [*columns, *([] if identifying is None else [identifying])]


def _list_candidates(names: Sequence[str], counted: Counted, matches: Matches) -> Candidates:
    """Return the candidates of each entry of one table."""
    shown = slice(len(names))
    entries = Sequences(counted.values[shown], counted.positions[shown], counted.counts)
    return Candidates(tuple(names), entries, matches)


def _count_unknown(
    columns: Mapping[str, str], read: Sequence[linking_columns.LinkingColumn], persons: Counted
) -> dict[str, int]:
    """Count the persons whose value of a column is not in its hierarchy."""
    both = zip(columns, read, persons.positions, strict=False)
    return {name: int(persons.counts[one.unknown[places]].sum()) for name, one, places in both}


@dataclass(frozen=True)
class GroundTruth(Discreet):
    """The true identity of each row of a release.

    ``column``: the column of the release that identifies the person of a row.
    ``identity_of``: the identity for each value of the column; by default the value itself.
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
    entries = Sequences(counted.values, counted.positions, counted.counts)
    pairs: dict[str, str] = {}
    for value, person in entries.label(range(len(entries))):
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
    number: Counts,
    k: int,
) -> Truth | None:
    """Count how often the true person of a row is among its possible persons.

    ``number``: the number of possible persons of each released entry.
    ``persons, released``: the counted values of both tables; the last column of each identifies the
    person.
    """
    if truth is None:
        return None
    entry_of = _find_entries(persons)
    named = truth.name(released.values[-1])
    subjects = np.array([entry_of.get(name, NOBODY) for name in named], dtype=np.int32)
    subject = subjects[released.positions[-1]]
    present = np.flatnonzero(subject != NOBODY).astype(np.int32)
    right = np.zeros(len(number), dtype=np.bool_)
    right[present] = match_pairs(subject[present], present, *entries)
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
