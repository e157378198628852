"""Draft a specification: profile a table, and propose a role for every column."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, Unpack

from lookalike.errors import InvalidInput
from lookalike.flow.draft.assign_hierarchy import assign_hierarchy
from lookalike.flow.draft.describe_findings import describe_findings
from lookalike.flow.draft.distinguish_files import distinguish_files
from lookalike.flow.draft.draft import Draft
from lookalike.flow.draft.find_copies import drop_copies
from lookalike.flow.draft.find_person import drop_repeated, find_person
from lookalike.flow.draft.limit_as_is import limit_as_is
from lookalike.flow.draft.limit_linkable import limit_linkable
from lookalike.flow.draft.profile import profile_table
from lookalike.flow.draft.propose_role import propose_columns
from lookalike.flow.draft.proposed_column import ProposedColumn
from lookalike.model.progress import Announce
from lookalike.model.requirement import check_k
from lookalike.spec.presets import choose_k
from lookalike.tables.convert import settle_mixed
from lookalike.tables.encoding import detect_encoding
from lookalike.tables.engines import engine_of
from lookalike.tables.files import find_files, find_kind
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.source_options import SourceOptions
from lookalike.tables.table import Frame

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
    frame, described = _read(table, _describe_source(table, source))
    frame = settle_mixed(engine_of(frame).materialize(frame))
    profile = profile_table(frame, announce)
    if not profile.columns or not profile.rows:
        raise InvalidInput("the table has no rows, so nothing can be said about its columns")
    proposed = propose_columns(profile, chosen)
    announce("columns together")
    person = find_person(proposed)
    columns = _settle(frame, tuple(proposed) if person else drop_repeated(proposed))
    fields, remarks = describe_findings(described, profile, columns, person)
    return Draft(profile.rows, chosen, columns, {**described, **fields}, remarks, preset)


def _read(table: Any, described: dict[str, Any]) -> tuple[Frame, dict[str, Any]]:
    """Read a table; number the columns of a file if two have the same name or one has none."""
    fields = {name: value for name, value in described.items() if name != "path"}
    try:
        return read_table(table, fields), described
    except InvalidInput:
        if "path" not in described or "duplicate_headers" in fields:
            raise
        numbered = {"duplicate_headers": "number"}
        return read_table(table, {**fields, **numbered}), {**described, **numbered}


def _settle(frame: Frame, columns: tuple[ProposedColumn, ...]) -> tuple[ProposedColumn, ...]:
    """Return the columns after a look at them together, the linkable ones with hierarchies."""
    limited = limit_linkable(limit_as_is(frame, drop_copies(frame, columns)))
    return distinguish_files([assign_hierarchy(column) for column in limited])


def _describe_source(table: Any, source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``[source]`` that say how the table is read."""
    given = {name: value for name, value in source.items() if value is not None}
    if not isinstance(table, str | PathLike):
        return given
    files = find_files(str(table))
    if "encoding" not in given and find_kind(str(table), files) in ("csv", "json"):
        found = detect_encoding(*files)
        given |= {} if found == "utf-8" else {"encoding": found}
    return {"path": str(table), **given}
