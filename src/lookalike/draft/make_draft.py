"""Draft a specification: profile a table, and propose a role for every column."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from os import PathLike
from typing import Any, Unpack

from lookalike.draft.draft import Draft, assign_hierarchy
from lookalike.draft.find_derived import settle_derived
from lookalike.draft.find_person import ProposedPerson, find_person, hide_keys
from lookalike.draft.find_totals import describe_totals
from lookalike.draft.linkable_columns import code_columns
from lookalike.draft.profile import TableProfile, profile_table
from lookalike.draft.propose_role import propose_columns
from lookalike.draft.proposed_column import Proposed, ProposedColumn
from lookalike.draft.toml_text import quote_toml
from lookalike.errors import InvalidInput
from lookalike.model.progress import Announce
from lookalike.model.requirement import check_k
from lookalike.risk.finding import count_share, grade
from lookalike.risk.table.as_is import FEW_COLUMNS
from lookalike.spec.presets import choose_k
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning, ColumnCleaning
from lookalike.tables.connection import Connection
from lookalike.tables.count import count, count_unique
from lookalike.tables.engines import engine_of, settle_mixed
from lookalike.tables.files.encoding import detect_encoding
from lookalike.tables.files.header_and_delimiter import TitleRow
from lookalike.tables.files.read_files import find_files, find_kind, recognize_partitions
from lookalike.tables.files.statistics_file import Labels, read_labels
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.resources import Resources
from lookalike.tables.sample import sample_columns
from lookalike.tables.source import SourceOptions
from lookalike.tables.table import Frame, Role

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
    keep: Sequence[str] = (),
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
    keep
        The columns that matter most: of those that others may know, they are kept before others.
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
    check_k(chosen := choose_k(k, preset, DEFAULT_K))
    connection = Connection(Resources(source.get("memory"), source.get("spill")))
    frame, described = read_numbered(table, describe_reading(table, source), connection)
    frame = settle_mixed(engine_of(frame).materialize(frame))
    profile = profile_table(frame, announce, _find_labels(described))
    if not profile.columns or not profile.rows:
        raise InvalidInput("the table has no rows, so nothing can be said about its columns")
    proposed = propose_columns(profile, chosen)
    announce("columns together")
    maps = {one.name: ColumnCleaning(map=one.map.meanings) for one in proposed if one.map}
    frame = clean(frame, Cleaning(trim=profile.trim, columns=maps))
    released = [one.name for one in proposed if one.stricter not in ("identifier", "drop")]
    samples = sample_columns(clean(frame, Cleaning(profile.markers)), released, profile.rows)
    comparable = [one for one in proposed if one.name not in profile.incomparable]
    person = find_person(samples, comparable, described.get("person"))
    different = drop_copies(frame, hide_keys(proposed, person))
    settled = settle_derived(samples, [*map(assign_hierarchy, different)], person.person)
    fewer = tuple(limit_as_is(frame, settled))
    fields, remarks = describe_findings(described, profile, fewer, person, connection)
    return Draft(
        rows=profile.rows,
        k=chosen,
        columns=fewer,
        source={**described, **fields},
        remarks=remarks,
        preset=preset,
        answers=describe_answers(frame, fewer),
        before=fewer,
        linkable=code_columns(samples[0], [*_propose_hierarchies(fewer)], profile.rows),
    ).keep(keep)


def _propose_hierarchies(columns: Proposed) -> Iterator[ProposedColumn]:
    """Yield the columns that may be linked with the hierarchies that they would have."""
    for column in columns:
        if column.stricter == "quasi-identifier":
            yield (
                column
                if column.hierarchy
                else assign_hierarchy(replace(column, role=column.stricter))
            )


def read_numbered(
    table: Any, described: dict[str, Any], connection: Connection
) -> tuple[Frame, dict[str, Any]]:
    """Read a table; number the columns of a file if two have the same name or one has none."""
    fields = {name: one for name, one in described.items() if name not in ("path", "person")}
    try:
        return read_table(table, fields, connection), described
    except TitleRow:
        raise
    except InvalidInput:
        if "path" not in described or "duplicate_headers" in fields:
            raise
        numbered = {"duplicate_headers": "number"}
        return read_table(table, {**fields, **numbered}, connection), {**described, **numbered}


def _find_labels(described: Mapping[str, Any]) -> Labels:
    """Return what a file of SPSS, Stata or SAS says of its columns; of several, the first."""
    path = described.get("path")
    files = find_files(path) if path is not None else []
    if path is None or find_kind(path, files) != "statistics":
        return {}
    return read_labels(files[0], described.get("encoding", "utf-8"))


def describe_reading(table: Any, source: Mapping[str, Any]) -> dict[str, Any]:
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


def limit_as_is(frame: Frame, columns: Proposed) -> Proposed:
    """Return the columns with fewer of them released as they are, until few rows are alone.

    Sensitive columns are what a release is made for, so the others make room for them: first the
    sensitive columns alone are considered, then all. Of several, the one whose values distinguish
    most goes first. Its role is left to the holder; the stricter choice is a quasi-identifier.
    Answers in blocks are what a survey is made for: :func:`describe_answers` tells what they do.
    """
    alone = _limit(frame, columns, among=("sensitive",), leave="sensitive")
    return _limit(frame, alone, among=("sensitive", "other"), leave="other")


def _limit(frame: Frame, columns: Proposed, *, among: tuple[Role, ...], leave: Role) -> Proposed:
    """Leave columns of one role undecided until few rows are alone over those of some roles."""
    found = {column.name: column for column in columns}
    while True:
        unchanged = [one for one in found.values() if one.role in among and one.block is None]
        possible = [column for column in unchanged if column.role == leave]
        if len(unchanged) <= FEW_COLUMNS or not possible:
            return tuple(found.values())
        alone = count_unique(frame, [column.name for column in unchanged])
        share = alone / unchanged[0].profile.rows
        if share < MOST_ALONE:
            return tuple(found.values())
        worst = max(possible, key=lambda column: column.figures.entropy)
        about = "not recognized" if worst.meaning is None else worst.meaning.name
        reason = (
            f"{about}; with the other columns released as they are, it singles out "
            f"{100 * share:.1f} % of the rows"
        )
        found[worst.name] = worst.leave_undecided(reason, "quasi-identifier")


def drop_copies(frame: Frame, columns: Proposed) -> Proposed:
    """Return the columns, those dropped that have one value for each value of another.

    ``columns``: the proposed columns. Of two that say the same, one that was recognized stays, or
    the first.
    """
    original: dict[str, str] = {}
    for alike in _group_by_counts(columns):
        for kept, other in combinations(alike, 2):
            if not {kept.name, other.name} & set(original) and _says_the_same(frame, kept, other):
                original[other.name] = kept.name
    reasons = {
        name: f"has one value for each value of {quote_toml(kept[:_LETTERS])}, which says the same"
        for name, kept in original.items()
    }
    return tuple(
        column.decide("drop", reasons[column.name]) if column.name in reasons else column
        for column in columns
    )


def _group_by_counts(columns: Proposed) -> list[list[ProposedColumn]]:
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


def describe_answers(frame: Frame, columns: Proposed) -> str:
    """Describe what blocks of answers single out with the other columns released as they are."""
    answers = [column.name for column in columns if column.block is not None]
    if not answers:
        return ""
    others = [one.name for one in columns if one.role in ("sensitive", "other") and not one.block]
    rows = columns[0].profile.rows
    alone = count_unique(frame, [*answers, *others])
    beside = ""
    if others:
        beside = f" with {len(others):,} other column{'s' * (len(others) > 1)} released as "
        beside += "they are" if len(others) > 1 else "it is"
    sentence = (
        f"{len(answers):,} columns are answers, which others hardly know of a person one by one. "
        f"Together{beside} they single out {count_share(alone, rows)}"
    )
    if grade(alone, rows) != "error":
        return f"{sentence}."
    return (
        f"{sentence}: whoever knows enough of a person's answers finds the row. release stops "
        "(as-is-unique) until you decide: bound what is known of them (knows_answers), leave out "
        "answers (role drop), give those that others know the role quasi-identifier, or "
        'accept = ["as-is-unique"] for recipients you trust.'
    )


_READING = {
    "encoding": "text encoding of the file",
    "duplicate_headers": "some columns have the same name, or none",
}
"""Comments on fields that say how a file is read."""


def describe_findings(
    read: Mapping[str, Any],
    profile: TableProfile,
    columns: Proposed,
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
        asked = [
            f"{', '.join(map(quote_toml, texts))} in {quote_toml(name)}"
            for name, texts in profile.questioned.items()
        ]
        known = f"{remarks['missing']}; " if "missing" in remarks else ""
        remarks["missing"] = (
            f"{known}does {'; '.join(asked)} stand for a missing value? It looks like the other "
            "values there, so it is read as a value; if it is missing, name it in missing under "
            "that column"
        )
    counted = {
        one.name: dict(zip(one.values, one.counts, strict=True))
        for one in profile.columns
        if len(one.values) == one.distinct
    }
    for sentence, number in describe_totals(connection, counted.get):
        remarks["last_rows"] = f"{sentence}: leave out what is no data with last_rows = {number}"
    fields["person"], remarks["person"] = person.person, person.reason
    unique = [one for one in columns if one.figures.distinct == one.profile.rows > 1]
    if keys := [one for one in unique if one.role == "identifier"]:
        remarks["row_key"] = (
            f"row_key = {quote_toml(keys[0].name)} would do for a ledger of releases: every row "
            "has its own value. lookalike ledger forecast shows what each policy would release"
        )
    return fields, remarks
