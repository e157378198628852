"""Link a release with an external table, and report which protection holds."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Unpack

from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.model.progress import Announce
from lookalike.risk.linking.ground_truth import compare_with_truth, read_ground_truth
from lookalike.risk.linking.linkage import Candidates, Linkage
from lookalike.risk.linking.linking_columns import LinkingColumn, encode_entries, read_column
from lookalike.risk.linking.matching import Matches, match
from lookalike.risk.linking.release_facts import ReleaseFacts, read_with_facts
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
    columns = _read_on(on)
    announce("reading")
    rows, facts = read_with_facts(release, columns, spec, hierarchies, suppressed_label)
    ground_truth = read_ground_truth(rows, identity, truth)
    people = _read_external(external, source, columns, identity)
    announce("counting")
    persons = count(people, _list_names(columns.values(), identity))
    released = count(
        rows, _list_names(columns, None if ground_truth is None else ground_truth.column)
    )
    announce("matching")
    read = _read_columns(columns, persons, released, facts, as_written=as_written)
    entries = encode_entries(read, persons, released)
    matched = match(*entries, [column.attribute for column in read])
    return Linkage(
        k=k,
        on=columns,
        persons=_list_candidates(_list_names(columns.values(), identity), persons, matched.persons),
        rows=_list_candidates(list(columns), released, matched.rows),
        truth=compare_with_truth(ground_truth, persons, released, entries, read, matched, k),
        unknown=_count_unknown(columns, read, persons),
        seconds=matched.seconds,
    )


def _read_on(on: On) -> dict[str, str]:
    """Return for each attribute of the release its column in the external table."""
    if isinstance(on, str):
        raise InvalidInput("give the attributes to link by as a list or a mapping")
    columns = dict(on) if isinstance(on, Mapping) else {name: name for name in on}
    if not columns:
        raise InvalidInput("name at least one attribute to link by")
    return columns


def _read_external(
    external: Any, source: Mapping[str, Any], columns: Mapping[str, str], identity: str | None
) -> Frame:
    """Read the external table."""
    people = read_table(external, source)
    wanted = _list_names(columns.values(), identity)
    check_columns(column_names(people), wanted, "the external table")
    return people


def _list_names(columns: Iterable[str], identifying: str | None) -> list[str]:
    """Return the names of the linking columns, followed by the identifying column if any."""
    return [*columns, *([] if identifying is None else [identifying])]


def _read_columns(
    columns: Mapping[str, str],
    persons: Counted,
    released: Counted,
    facts: ReleaseFacts,
    *,
    as_written: bool,
) -> list[LinkingColumn]:
    """Make each linking column comparable; a further column of identities is left out."""
    return [
        read_column(name, external, shown, facts, as_written=as_written)
        for name, external, shown in zip(columns, persons.values, released.values, strict=False)
    ]


def _list_candidates(names: Sequence[str], counted: Counted, matches: Matches) -> Candidates:
    """Return the candidates of each entry of one table."""
    shown = slice(len(names))
    entries = Sequences(counted.values[shown], counted.positions[shown], counted.counts)
    return Candidates(tuple(names), entries, matches)


def _count_unknown(
    columns: Mapping[str, str], read: Sequence[LinkingColumn], persons: Counted
) -> dict[str, int]:
    """Count, for each attribute, the persons whose value is not in the hierarchy."""
    return {
        name: int(persons.counts[column.unknown[positions]].sum())
        for name, column, positions in zip(columns, read, persons.positions, strict=False)
    }
