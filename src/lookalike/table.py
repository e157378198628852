"""Table: a frame, and the role of each of its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw

from lookalike.errors import InvalidInput

Role = Literal["identifier", "quasi-identifier", "sensitive", "other"]
Frame = nw.DataFrame[Any] | nw.LazyFrame[Any]
"""An eager frame of any kind that narwhals takes, or a lazy DuckDB relation."""


@dataclass(frozen=True, eq=False)
class Table:
    """A private table, PT in the papers.

    Parameters
    ----------
    frame
        The rows.
    roles
        What each column is; the order of the quasi-identifier is the order here.
    pseudonym_keys
        For each identifier that is released as a pseudonym, its secret key.
    lazy
        Whether the rows came as a lazy frame that was collected.
    """

    frame: Frame
    roles: Mapping[str, Role]
    pseudonym_keys: Mapping[str, bytes]
    lazy: bool = False

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
            if self.roles[name] != "identifier" or name in self.pseudonym_keys
        )

    @property
    def unchanged(self) -> tuple[str, ...]:
        """The columns that are released as they are."""
        return tuple(name for name in self.released if self.roles[name] in ("sensitive", "other"))


def column_names(frame: Frame) -> list[str]:
    """Return the names of the columns."""
    return frame.collect_schema().names()


def check_names(columns: Sequence[str], place: str = "the table") -> None:
    """Make sure that no two columns have one name; SQL takes upper and lower case as the same."""
    for name in columns:
        if not isinstance(name, str):
            raise InvalidInput(f"{place}: the column name {name!r} is not text; rename it")
    lowered = [name.lower() for name in columns]
    alike = [name for name in columns if lowered.count(name.lower()) > 1]
    if alike:
        raise InvalidInput(
            f"{place}: several columns are named {_list(alike)}, which SQL cannot tell apart; "
            "rename them"
        )


def check_roles(columns: Sequence[str], roles: Mapping[str, Role]) -> None:
    """Make sure that every column has a role and every role a column.

    Nothing is released by omission, so a column that was not named is an error.
    """
    _check_present(columns, list(roles))
    unnamed = [name for name in columns if name not in roles]
    if unnamed:
        raise InvalidInput(
            f"no role is given for {_list(unnamed)}; name each column under [attributes] with a "
            'role: "identifier", "quasi-identifier", "sensitive" or "other"'
        )
    if "quasi-identifier" not in roles.values():
        raise InvalidInput(
            'no attribute has the role "quasi-identifier"; give it to each column that could '
            "be linked with other data, such as birth date, ZIP code or sex"
        )


def check_columns(columns: Sequence[str], wanted: Sequence[str], place: str = "the table") -> None:
    """Make sure that a table has the columns that someone asks about."""
    _check_present(columns, wanted, place)
    twice = [name for name in wanted if wanted.count(name) > 1]
    if twice:
        raise InvalidInput(f"{twice[0]!r} is named twice in the quasi-identifier; name it once")
    if not wanted:
        raise InvalidInput("name at least one column as the quasi-identifier")


def _check_present(columns: Sequence[str], wanted: Sequence[str], place: str = "the table") -> None:
    """Make sure that a table has some columns."""
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise InvalidInput(
            f"{place} has no column {_list(missing)}; its columns are {_list(columns)}"
        )


def _list(names: Sequence[str]) -> str:
    """Write column names one after the other."""
    return ", ".join(repr(name) for name in names)
