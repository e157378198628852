"""Table: a frame, and the role of each of its columns."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, TypeVar, cast

import narwhals as nw

from lookalike.errors import InvalidInput, list_problems, suggest
from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.connection import Connection

Role = Literal["identifier", "quasi-identifier", "sensitive", "other", "drop"]
"""What a column is. Identifiers and dropped columns are not released; from an identifier it is
concluded whom a row is about, from a dropped column nothing."""
Frame = nw.DataFrame[Any] | nw.LazyFrame[Any]
"""An eager frame of any kind that narwhals supports, or a lazy DuckDB relation."""
OWN_PREFIX = "lookalike "
"""Prefix of the columns that we add to a table while we process it."""
POSITION = OWN_PREFIX + "position"
"""The column in which an engine keeps the position of each row of a query; never released."""
PERSON = OWN_PREFIX + "person"
"""The column in which several columns that identify persons are combined; never released."""
MOST_NAMES = 30
_Rows = TypeVar("_Rows", bound=Frame)


@dataclass(frozen=True, eq=False)
class Table(Discreet):
    """A private table, PT in the papers.

    ``frame``: the rows.
    ``roles``: what each column is; the order of the quasi-identifier is the order here.
    ``pseudonym_keys``: for each identifier that is released as a pseudonym, its secret key.
    ``given``: the frame that the user gave us; nothing if the rows come from files.
    ``connection``: the connection that runs the queries of the frame, if it is ours.
    ``from_files``: the same rows with the position of each, where files give it: to number the rows
    of a query would be work for one core.
    ``held``: the rows as they were materialized; the files in which an engine keeps them stay while
    somebody refers to it.
    ``again``: a query that reads the rows from the source again, if `frame` has a copy of them.
    ``drawn``: samples of the rows that were drawn already
    (:func:`~lookalike.tables.sample.sample_table`).
    """

    frame: Frame
    roles: Mapping[str, Role]
    pseudonym_keys: Mapping[str, bytes]
    given: Any = None
    connection: Connection | None = None
    from_files: Frame | None = None
    held: Frame | None = None
    again: Frame | None = None
    drawn: dict[Any, Any] = field(default_factory=dict, init=False)

    @property
    def numbered(self) -> Frame:
        """The rows, with the position of each if it is known."""
        return self.frame if self.from_files is None else self.from_files

    @property
    def quasi_identifier(self) -> tuple[str, ...]:
        """The attributes that could be linked with other tables, in order."""
        return tuple(name for name, role in self.roles.items() if role == "quasi-identifier")

    @property
    def released(self) -> tuple[str, ...]:
        """The columns of a release, in the order of the table."""
        return tuple(
            name
            for name in column_names(self.frame)
            if self.roles[name] not in ("identifier", "drop") or name in self.pseudonym_keys
        )

    @property
    def unchanged(self) -> tuple[str, ...]:
        """The columns that are released as they are."""
        return tuple(name for name in self.released if self.roles[name] in ("sensitive", "other"))

    @property
    def incomparable(self) -> tuple[str, ...]:
        """The columns released as they are that hold lists, structures or bytes."""
        kinds = self.frame.collect_schema()
        return tuple(name for name in self.unchanged if is_incomparable(kinds[name]))

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns whose values can be compared."""
        hidden = self.incomparable
        chosen = (name for name in self.unchanged if self.roles[name] == "sensitive")
        return tuple(name for name in chosen if name not in hidden)


def column_names(frame: Frame) -> list[str]:
    """Return the names of the columns."""
    return frame.collect_schema().names()


def rename_columns(frame: _Rows, names: Sequence[str]) -> _Rows:
    """Return a frame whose columns have other names, in the same order.

    Spark reads some names as expressions: ``hos.cat`` as a field of ``hos``. ``toDF`` does not.
    """
    if frame.implementation.is_spark_like():
        return cast(_Rows, nw.from_native(frame.to_native().toDF(*names)))
    return cast(_Rows, frame.rename(dict(zip(column_names(frame), names, strict=True))))


def is_incomparable(kind: nw.dtypes.DType) -> bool:
    """Return whether values of a type have no text by which they are compared."""
    return kind.is_nested() or isinstance(kind, nw.Binary | nw.Object | nw.Unknown | nw.Duration)


def check_names(
    columns: Sequence[str], place: str = "the table", remedy: str = "rename one"
) -> None:
    """Make sure that SQL can distinguish the columns, and that terminals can show their names.

    SQL ignores case. A message gives positions, not names: the names may be the values of the
    first row, if a file has no header line.
    """
    first: dict[str, int] = {}
    for number, name in enumerate(columns, start=1):
        if not isinstance(name, str):
            raise InvalidInput(f"{place}: the name of column {number} is not text; rename it")
        if any(unicodedata.category(character) == "Cc" for character in name.replace("\t", "")):
            raise InvalidInput(
                f"{place}: the name of column {number} contains a control character, such as a "
                "line break or an escape; rename it"
            )
        if name.lower().startswith(OWN_PREFIX):
            raise InvalidInput(
                f"{place}: the name of column {number} begins with {OWN_PREFIX!r}, which is "
                "reserved; rename it"
            )
        if first.setdefault(name.lower(), number) != number:
            raise InvalidInput(
                f"{place}: columns {first[name.lower()]} and {number} have the same name, or names "
                f"that differ only in case, which SQL treats as equal; {remedy}, or add the "
                "header line if it is missing"
            )


def check_roles(
    columns: Sequence[str], roles: Mapping[str, Role], *, is_linked: bool = False
) -> None:
    """Make sure that every column has a role and every role a column.

    Nothing is released by omission, so a column that was not named is an error.

    ``is_linked``: whether it is one of several linked tables, which may lack a quasi-identifier.
    """
    names = list(roles)
    problems = [*find_missing(columns, names), *find_unnamed(columns, names)]
    if "quasi-identifier" not in roles.values() and not is_linked:
        problems.append(
            'no attribute has the role "quasi-identifier"; give it to each column that could '
            "be linked with other data, such as birth date, ZIP code or sex"
        )
    if problems:
        raise InvalidInput(list_problems("[attributes]", problems))


def find_missing(columns: Sequence[str], named: Sequence[str]) -> Iterator[str]:
    """Yield the named columns that a table does not have, as one problem."""
    if not set(named) <= set(columns):
        yield _describe_missing(columns, named, "the table")


def find_unnamed(columns: Sequence[str], named: Sequence[str]) -> Iterator[str]:
    """Yield the columns of a table that are not named, as one problem.

    If the table has none of the named columns, its own names may be values of a first row.
    """
    unnamed = [name for name in columns if name not in named]
    if unnamed and (not named or not set(columns).isdisjoint(named)):
        which = _list(unnamed) if named else f"any of the {len(columns)} columns"
        yield (
            f"no role is given for {which}; name each column under [attributes] with a "
            'role: "identifier", "quasi-identifier", "sensitive", "other" or "drop"'
        )


def check_columns(columns: Sequence[str], wanted: Sequence[str], place: str = "the table") -> None:
    """Make sure that a table has the columns that are asked for."""
    if not set(wanted) <= set(columns):
        raise InvalidInput(_describe_missing(columns, wanted, place))
    twice = [name for name in wanted if wanted.count(name) > 1]
    if twice:
        raise InvalidInput(f"{twice[0]!r} is named twice in the quasi-identifier; name it once")
    if not wanted:
        raise InvalidInput("name at least one column as the quasi-identifier")


def _describe_missing(columns: Sequence[str], wanted: Sequence[str], place: str) -> str:
    """Name the wanted columns that a table does not have, each with the nearest that it has."""
    missing = [name for name in wanted if name not in columns]
    if set(columns).isdisjoint(wanted):
        return f"{place} has no column {_list(missing)}; {describe_columns(columns, wanted)}"
    near = {name: suggest(name, columns) for name in missing}
    named = [f"{name!r} ({near[name]})" if near[name] else repr(name) for name in missing]
    return f"{place} has no column {_join(named)}; {describe_columns(columns, wanted)}"


def describe_columns(columns: Sequence[str], wanted: Sequence[str]) -> str:
    """List the columns of a table, unless they may be the values of a first row.

    Where none of the wanted columns is found, a file may have no header line. Then only a name
    that is nearly the one asked for is shown.
    """
    if not set(columns).isdisjoint(wanted):
        return f"its columns are {_list(columns)}"
    near = [one for name in wanted for one in get_close_matches(name, columns, n=1, cutoff=0.75)]
    if near:
        return f"did you mean {near[0]!r}?"
    return (
        f"it has none of the columns asked for, and the names of its {len(columns)} columns are "
        "not shown, because they may be values; does the file have a header line, and is the "
        "delimiter right?"
    )


def _list(names: Sequence[str]) -> str:
    """List column names, at most :data:`MOST_NAMES` of them."""
    return _join([repr(name) for name in names])


def _join(names: Sequence[str]) -> str:
    """Join quoted names, at most :data:`MOST_NAMES` of them."""
    more = len(names) - MOST_NAMES
    listed = ", ".join(names[:MOST_NAMES])
    return f"{listed} and {more:,} more" if more > 0 else listed
