"""Draft a specification: profile a table, and propose a role for every column."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from os import PathLike
from typing import Any, Unpack

from lookalike.draft.draft import Draft, assign_hierarchy, distinguish_files
from lookalike.draft.find_derived import settle_derived
from lookalike.draft.find_person import ProposedPerson, find_person, find_row_key, hide_keys
from lookalike.draft.find_totals import describe_totals
from lookalike.draft.meanings import KNOWN_OF_PERSONS
from lookalike.draft.profile import Labels, TableProfile, profile_table
from lookalike.draft.propose_role import leave_undecided, propose_columns
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.write_toml import quote_toml
from lookalike.errors import InvalidInput
from lookalike.model.progress import Announce
from lookalike.model.requirement import check_k
from lookalike.risk.table.as_is import FEW_COLUMNS
from lookalike.spec.presets import choose_k
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning
from lookalike.tables.connection import Connection
from lookalike.tables.count import count, count_unique
from lookalike.tables.engines import engine_of, settle_mixed
from lookalike.tables.files.encoding import detect_encoding
from lookalike.tables.files.header_and_delimiter import TitleRow
from lookalike.tables.files.read_files import find_files, find_kind, recognize_partitions
from lookalike.tables.files.statistics_file import read_labels
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.resources import Resources
from lookalike.tables.sample import Sample, sample_columns
from lookalike.tables.source import SourceOptions
from lookalike.tables.table import Frame, Role

MOST_LINKABLE = 8
"""With more quasi-identifiers, hardly anything but suppressed values would be released."""
_PLAIN_DATE = "date"
_KNOWN = [name for name in KNOWN_OF_PERSONS if name != _PLAIN_DATE]
"""Meanings that others know of a person, the best known first."""


_LETTERS = 40


MOST_ALONE = 0.15
"""The share of rows that these columns may single out together; the check before publishing stops
from 20 % on, and suppressed rows raise the share a little."""


DEFAULT_K = 5


@name_options
def draft(
    table: Any,
    *,
    k: int | None = None,
    preset: str | None = None,
    announce: Announce = lambda _: None,
    **source: Unpack[SourceOptions],
) -> Draft:
    """Profile a table and draft a specification with a role for every column.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow, DuckDB or Spark.
    k
        The k of the specification; default: that of the preset, or 5.
    preset
        The figure of a rule by name, such as ``"cms"``.
    announce
        Callback that receives the name of each step.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source`.

    Returns
    -------
    Draft
        The proposed roles; ``toml()`` is the specification, ``write(path)`` writes it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = {"name": ["Ann", "Bob", "Cy"], "zip": ["02138"] * 3, "sex": list("fmm")}
    >>> draft(pa.table(people)).roles
    {'name': 'identifier', 'zip': 'drop', 'sex': 'quasi-identifier'}
    """
    chosen = choose_k(k, preset, DEFAULT_K)
    check_k(chosen)
    connection = Connection(Resources(source.get("memory"), source.get("spill")))
    frame, described = _read(table, _describe_source(table, source), connection)
    frame = settle_mixed(engine_of(frame).materialize(frame))
    profile = profile_table(frame, announce, _find_labels(described))
    if not profile.columns or not profile.rows:
        raise InvalidInput("the table has no rows, so nothing can be said about its columns")
    proposed = propose_columns(profile, chosen)
    announce("columns together")
    samples = _draw(frame, proposed, profile)
    person = _propose_person(samples, proposed, profile, described)
    columns = _settle(frame, samples, hide_keys(proposed, person), person.person)
    fields, remarks = describe_findings(described, profile, columns, person, connection)
    return Draft(profile.rows, chosen, columns, {**described, **fields}, remarks, preset)


def _read(
    table: Any, described: dict[str, Any], connection: Connection
) -> tuple[Frame, dict[str, Any]]:
    """Read a table; number the columns of a file if two have the same name or one has none."""
    fields = {name: value for name, value in described.items() if name != "path"}
    try:
        return read_table(table, fields, connection), described
    except TitleRow:
        raise
    except InvalidInput:
        if "path" not in described or "duplicate_headers" in fields:
            raise
        numbered = {"duplicate_headers": "number"}
        return read_table(table, {**fields, **numbered}, connection), {**described, **numbered}


def _draw(frame: Frame, columns: Sequence[ProposedColumn], profile: TableProfile) -> list[Sample]:
    """Draw rows of the table as it is cleaned, by the columns that can be compared."""
    linkable = [one.name for one in columns if one.stricter == "quasi-identifier"]
    cleaned = clean(frame, Cleaning(profile.markers, profile.trim))
    return sample_columns(cleaned, linkable, profile.rows)


def _propose_person(
    samples: Sequence[Sample],
    columns: Sequence[ProposedColumn],
    profile: TableProfile,
    described: Mapping[str, Any],
) -> ProposedPerson:
    """Propose who is a person, over the columns that can be compared, unless it is said."""
    if described.get("person") is not None:
        return ProposedPerson(described["person"], "as given")
    known = [column for column in columns if column.name not in profile.incomparable]
    return find_person(samples, known)


def _find_labels(described: Mapping[str, Any]) -> Labels:
    """Return what a file of SPSS, Stata or SAS says of its columns; of several, the first."""
    path = described.get("path")
    files = find_files(path) if path is not None else []
    if path is None or find_kind(path, files) != "statistics":
        return {}
    return read_labels(files[0], described.get("encoding", "utf-8"))


def _settle(
    frame: Frame, samples: Sequence[Sample], columns: Sequence[ProposedColumn], person: str
) -> tuple[ProposedColumn, ...]:
    """Return the columns after a look at them together, the linkable ones with hierarchies."""
    different = [assign_hierarchy(column) for column in drop_copies(frame, columns)]
    apart = limit_as_is(frame, settle_derived(samples, different, person))
    fewer = limit_linkable(apart)
    return distinguish_files(
        [one if one.hierarchy is not None else assign_hierarchy(one) for one in fewer]
    )


def _describe_source(table: Any, source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``[source]`` that say how the table is read."""
    given = {name: value for name, value in source.items() if value is not None}
    if not isinstance(table, str | PathLike):
        return given
    files = find_files(str(table))
    if "encoding" not in given and find_kind(str(table), files) in ("csv", "json"):
        found = detect_encoding(*files)
        given |= {} if found == "utf-8" else {"encoding": found}
    if "partitions" not in given and recognize_partitions(str(table)):
        given["partitions"] = True
    return {"path": str(table), **given}


def limit_as_is(frame: Frame, columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with fewer of them released as they are, until few rows are alone.

    Sensitive columns are what a release is made for, so the others make room for them: first the
    sensitive columns alone are considered, then all. Of several, the one whose values distinguish
    most goes first. Its role is left to the holder; the stricter choice is a quasi-identifier.
    """
    alone = _limit(frame, columns, among=("sensitive",), leave="sensitive")
    return _limit(frame, alone, among=("sensitive", "other"), leave="other")


def _limit(
    frame: Frame, columns: Sequence[ProposedColumn], *, among: tuple[Role, ...], leave: Role
) -> tuple[ProposedColumn, ...]:
    """Leave columns of one role undecided until few rows are alone over those of some roles."""
    found = {column.name: column for column in columns}
    while True:
        unchanged = [column for column in found.values() if column.role in among]
        possible = [column for column in unchanged if column.role == leave]
        if len(unchanged) <= FEW_COLUMNS or not possible:
            return tuple(found.values())
        alone = count_unique(frame, [column.name for column in unchanged])
        share = alone / unchanged[0].profile.rows
        if share < MOST_ALONE:
            return tuple(found.values())
        worst = max(possible, key=lambda column: column.figures.entropy)
        found[worst.name] = leave_undecided(worst, _explain(worst, share), "quasi-identifier")


def _explain(column: ProposedColumn, share: float) -> str:
    """Explain why a column is not proposed to be released as it is."""
    about = "not recognized" if column.meaning is None else column.meaning.name
    return (
        f"{about}; with the other columns released as they are, it singles out "
        f"{100 * share:.1f} % of the rows"
    )


def drop_copies(frame: Frame, columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns, those dropped that have one value for each value of another.

    ``columns``: the proposed columns. Of two that say the same, one that was recognized stays, or
    the first.
    """
    original: dict[str, str] = {}
    for alike in _group_by_counts(columns):
        for kept, other in combinations(alike, 2):
            if not {kept.name, other.name} & set(original) and _says_the_same(frame, kept, other):
                original[other.name] = kept.name
    return tuple(
        replace(
            column,
            role="drop",
            stricter="drop",
            reason="has one value for each value of "
            f"{quote_toml(original[column.name][:_LETTERS])}, which says the same",
        )
        if column.name in original
        else column
        for column in columns
    )


def _group_by_counts(columns: Sequence[ProposedColumn]) -> list[list[ProposedColumn]]:
    """Return the columns whose values occur equally often, recognized ones first."""
    groups: defaultdict[tuple[tuple[int, ...], int], list[ProposedColumn]] = defaultdict(list)
    for column in sorted(columns, key=lambda one: one.meaning is None):
        listed = len(column.profile.values) == column.profile.distinct > 1
        if listed and column.role not in ("identifier", "drop"):
            groups[column.profile.counts, column.profile.missing].append(column)
    return list(groups.values())


def _says_the_same(frame: Frame, one: ProposedColumn, other: ProposedColumn) -> bool:
    """Return whether each value of a column goes with one value of another."""
    first, second = count(frame, [one.name, other.name]).positions
    pairs = len({*zip(first.tolist(), second.tolist(), strict=True)})
    return pairs == len({*first.tolist()}) == len({*second.tolist()})


def limit_linkable(columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with at most so many quasi-identifiers.

    Demographics come first, then dates, then what only its figures suggest, then columns that are
    undecided. The rest is left to the holder; the stricter choice is to drop it.
    """
    linkable = [column for column in columns if column.stricter == "quasi-identifier"]
    beyond = {column.name for column in sorted(linkable, key=_rank)[MOST_LINKABLE:]}
    return tuple(
        _leave(column, len(linkable)) if column.name in beyond else column for column in columns
    )


def _rank(column: ProposedColumn) -> int:
    """Return the place of a column among those that others may know."""
    if column.undecided:
        return len(_KNOWN) + 2
    name = "" if column.meaning is None else column.meaning.name
    if name in _KNOWN:
        return _KNOWN.index(name)
    return len(_KNOWN) + (name != _PLAIN_DATE)


def _leave(column: ProposedColumn, linkable: int) -> ProposedColumn:
    """Leave a column to the holder, who may drop it."""
    if column.undecided:
        return replace(column, stricter="drop")
    reason = (
        f"{column.reason}; one of {linkable:,} linkable columns, too many to keep values in all"
    )
    return leave_undecided(column, reason, "drop")


_READING = {
    "encoding": "text encoding of the file",
    "duplicate_headers": "some columns have the same name, or none",
}
"""Comments on fields that say how a file is read."""


def describe_findings(
    read: Mapping[str, Any],
    profile: TableProfile,
    columns: Sequence[ProposedColumn],
    person: ProposedPerson,
    connection: Connection,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return fields of ``[source]``, and comments on them or in their place."""
    fields: dict[str, Any] = {}
    remarks = {name: text for name, text in _READING.items() if name in read}
    if profile.trim:
        fields["trim"], remarks["trim"] = True, "some values have blanks around them"
    if profile.markers:
        fields["missing"] = [*dict.fromkeys((*read.get("missing", ()), *profile.markers))]
        remarks["missing"] = "these texts stand for a missing value"
    if profile.questioned:
        known = f"{remarks['missing']}; " if "missing" in remarks else ""
        remarks["missing"] = f"{known}{_ask_about(profile.questioned)}"
    counted = {
        one.name: dict(zip(one.values, one.counts, strict=True))
        for one in profile.columns
        if len(one.values) == one.distinct
    }
    for sentence, number in describe_totals(connection, counted.get):
        remarks["last_rows"] = f"{sentence}: leave out what is no data with last_rows = {number}"
    fields["person"], remarks["person"] = person.person, person.reason
    if (key := find_row_key(columns)) is not None:
        line = f"row_key = {quote_toml(key.name)}"
        remarks["row_key"] = (
            f"{line} would do for a ledger of releases: every row has its own value"
        )
    return fields, remarks


def _ask_about(questioned: Mapping[str, Sequence[str]]) -> str:
    """Ask whether texts of some columns stand for a missing value."""
    asked = [
        f"{', '.join(map(quote_toml, texts))} in {quote_toml(name)}"
        for name, texts in questioned.items()
    ]
    return (
        f"does {'; '.join(asked)} stand for a missing value? It looks like the other values there, "
        "so it is read as a value; if it is missing, name it in missing under that column"
    )
