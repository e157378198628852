"""Link: match a release with an external table, as somebody would who looks for a person."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.risk.linking.ground_truth import compare_with_truth, read_ground_truth
from lookalike.risk.linking.linkage import Candidates, Linkage
from lookalike.risk.linking.linking_columns import (
    LinkingColumn,
    ReleaseFacts,
    encode_entries,
    read_column,
)
from lookalike.risk.linking.matching import Matches, match
from lookalike.risk.table.sequences import Sequences
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.read import read_frame, read_table
from lookalike.tables.table import Frame, check_columns, column_names
from lookalike.verify.recount import open_release

On = Sequence[str] | Mapping[str, str]


def link(
    release: Any,
    external: Any,
    on: On,
    *,
    specification: Specification | str | PathLike[str] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    suppressed_label: str = SUPPRESSED,
    as_written: bool = False,
    identity: str | None = None,
    truth: Any = None,
    k: int = 2,
    announce: Announce = lambda _: None,
    **source: Any,
) -> Linkage:
    """Match a release with an external table, and tell which protection holds.

    Parameters
    ----------
    release
        A published folder, whose certificate tells the levels; or a path or a frame, whose
        values tell them by what they are.
    external
        A path or a frame with a row for each person, such as a voter list.
    on
        The attributes to link by: names that both tables have, or for each attribute of the
        release the column of the external table.
    specification
        The specification of the release, for its hierarchies.
    hierarchies
        The hierarchies, in place of a specification.
    suppressed_label
        How the suppressed value is written, if no certificate tells it.
    as_written
        By default a missing or suppressed value of either table may be anything. With this,
        missing equals missing alone, and suppressed what the hierarchy suppresses.
    identity
        The column of the external table that tells who somebody is, different for each.
    truth
        Whose each row is, to tell right from wrong: the column of the release that tells it,
        in the holder's own copy, or a path or frame of two columns, a column of the release
        that is different for each row and `identity`.
    k
        How many persons each row should be possible for.
    announce
        Told which step is running.
    **source
        For a path, further fields of :class:`~lookalike.tables.read.Source` of the external table.

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
        raise InvalidInput(f"k must be at least 2, not {k}: a row of one person is found")
    columns = _read_on(on)
    announce("reading")
    rows, told = _open_release(release, columns, specification, hierarchies, suppressed_label)
    owners = read_ground_truth(rows, identity, truth)
    people = _open_external(external, source, columns, identity)
    announce("counting")
    persons = count(people, [*columns.values(), *([] if identity is None else [identity])])
    released = count(rows, [*columns, *([] if owners is None else [owners.column])])
    announce("matching")
    pairs = zip(columns, persons.values, released.values, strict=False)
    read = [read_column(*pair, told, as_written=as_written) for pair in pairs]
    sides = encode_entries(read, persons, released)
    matched = match(*sides, [column.attribute for column in read])
    return Linkage(
        k=k,
        on=columns,
        persons=_candidates([*columns.values(), identity], persons, matched.persons),
        rows=_candidates(columns, released, matched.rows),
        truth=None
        if owners is None
        else compare_with_truth(owners, persons, released, sides, read, matched.rows.number, k),
        unknown=_count_unknown(columns, read, persons),
        seconds=matched.seconds,
    )


def _read_on(on: On) -> dict[str, str]:
    """Return for each attribute of the release its column in the external table."""
    if isinstance(on, str):
        raise InvalidInput("give the attributes to link by as a list, or as a mapping")
    columns = dict(on) if isinstance(on, Mapping) else {name: name for name in on}
    if not columns:
        raise InvalidInput("name at least one attribute to link by")
    return columns


def _open_release(
    release: Any,
    columns: Mapping[str, str],
    specification: Specification | str | PathLike[str] | None,
    hierarchies: Mapping[str, Hierarchy] | None,
    suppressed_label: str,
) -> tuple[Frame, ReleaseFacts]:
    """Open a published folder or any table, and gather what is known of it."""
    folder = Path(release) if isinstance(release, str | PathLike) else None
    certificate = Certificate.read(folder) if folder is not None and folder.is_dir() else None
    if specification is not None:
        holder = _load(specification, certificate)
        hierarchies, suppressed_label = holder.hierarchies(), holder.release.suppressed_label
    rules = {name: rule for name, rule in (hierarchies or {}).items() if name in columns}
    if folder is None or certificate is None:
        frame, told = read_table(release, {}), ReleaseFacts(rules, suppressed_label)
    else:
        frame = read_frame(open_release(find_released_file(folder, certificate), Connection()))
        told = _tell(certificate, rules, columns)
    check_columns(column_names(frame), list(columns), "the release")
    return frame, told


def _load(
    specification: Specification | str | PathLike[str], certificate: Certificate | None
) -> Specification:
    """Read a specification, for the recipient of the release."""
    if isinstance(specification, Specification):
        return specification
    recipient = None if certificate is None else certificate.recipient
    return Specification.load(Path(specification), {"recipient": recipient} if recipient else {})


def _tell(
    certificate: Certificate, rules: Mapping[str, Hierarchy], columns: Mapping[str, str]
) -> ReleaseFacts:
    """Gather what a certificate tells of the attributes to link by."""
    done = certificate.generalized
    for name in columns:
        if name in done and name not in rules:
            raise InvalidInput(
                f"column {name!r} was generalized, so its hierarchy is needed to link by it; give "
                "the specification of the release, too (--spec)"
            )
    return ReleaseFacts(
        hierarchies={name: rule for name, rule in rules.items() if name in done},
        suppressed_label=certificate.suppressed_label,
        levels={name: one.level for name, one in done.items()},
        heights={name: one.height for name, one in done.items()},
    )


def _open_external(
    external: Any, source: Mapping[str, Any], columns: Mapping[str, str], identity: str | None
) -> Frame:
    """Open the external table."""
    people = read_table(external, source)
    wanted = [*columns.values(), *([] if identity is None else [identity])]
    check_columns(column_names(people), wanted, "the external table")
    return people


def _candidates(columns: Iterable[str | None], counted: Counted, matches: Matches) -> Candidates:
    """Put together what was found of one table."""
    names = tuple(name for name in columns if name is not None)
    shown = slice(len(names))
    entries = Sequences(counted.values[shown], counted.positions[shown], counted.counts)
    return Candidates(names, entries, matches)


def _count_unknown(
    columns: Mapping[str, str], read: Sequence[LinkingColumn], persons: Counted
) -> dict[str, int]:
    """Count the persons whose value of an attribute its hierarchy does not know."""
    return {
        name: int(persons.counts[column.unknown[positions]].sum())
        for name, column, positions in zip(columns, read, persons.positions, strict=False)
    }
