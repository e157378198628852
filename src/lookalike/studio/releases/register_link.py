"""The tasks of *Releases* that read a register and link a release with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.risk.linking.link import link
from lookalike.risk.linking.linkage import Candidates
from lookalike.spec.specification import Specification
from lookalike.tables.files.encoding import detect_encoding
from lookalike.tables.files.read_files import find_files, find_kind
from lookalike.tables.read import read_table
from lookalike.tables.table import column_names

MOST_PERSONS_LISTED = 20
"""How many persons a page lists on request."""


@dataclass(frozen=True)
class ReadRegister:
    """A table with one row per person, such as a voter list."""

    path: Path
    columns: tuple[str, ...]
    source: Mapping[str, Any]


@dataclass(frozen=True)
class AskedLink:
    """How a release is linked with a register.

    Parameters
    ----------
    on
        For each attribute of the release its column in the register.
    identity
        The column of the register that identifies a person, if there is one.
    k
        How many persons each row must match.
    as_written
        Whether missing and suppressed values match only what is written the same.
    show
        Whether to list persons with exactly one matching row.
    """

    on: Mapping[str, str]
    identity: str | None = None
    k: int = 2
    as_written: bool = False
    show: bool = False


@dataclass(frozen=True)
class LinkSide:
    """How many entries of one table have how many candidates in the other.

    Parameters
    ----------
    none, few, many
        Without a candidate, with fewer than k, and with at least k.
    fewest
        The fewest candidates of an entry that has some.
    total
        All entries.
    """

    none: int
    few: int
    many: int
    fewest: int | None
    total: int


@dataclass(frozen=True)
class LinkReport(Discreet):
    """What linking a release with a register found.

    Parameters
    ----------
    key
        The key of the release.
    register
        The name of the register.
    asked
        How it was linked.
    with_hierarchies
        Whether hierarchies of a specification were used.
    holds
        Whether a protection holds.
    statement
        Which one, in words.
    warnings
        The risks that were found.
    rows, persons
        The candidates of released rows, and of persons.
    shown
        Persons with one matching row, and that row, if they were asked for. They are private.
    """

    key: str
    register: str
    asked: AskedLink
    with_hierarchies: bool
    holds: bool
    statement: str
    warnings: tuple[str, ...]
    rows: LinkSide
    persons: LinkSide
    shown: tuple[dict[str, Any], ...] = ()


def read_register_columns(announce: Announce, path: Path) -> ReadRegister:
    """Read the names of the columns of a table, and find its encoding."""
    announce("reading")
    source: dict[str, Any] = {}
    if find_kind(str(path), find_files(str(path))) in ("csv", "json"):
        source["encoding"] = detect_encoding(path)
    return ReadRegister(path, tuple(column_names(read_table(path, source))), source)


def link_past(
    announce: Announce,
    key: str,
    folder: Path,
    register: ReadRegister,
    specification: Specification | None,
    asked: AskedLink,
) -> LinkReport:
    """Link a release with a register, and count the people who can be found."""
    found = link(
        folder,
        register.path,
        asked.on,
        spec=specification,
        as_written=asked.as_written,
        identity=asked.identity,
        k=asked.k,
        announce=announce,
        **register.source,
    )
    return LinkReport(
        key=key,
        register=register.path.name,
        asked=asked,
        with_hierarchies=specification is not None,
        holds=found.holds,
        statement=found.statement,
        warnings=found.warnings,
        rows=_describe_side(found.rows, found.k),
        persons=_describe_side(found.persons, found.k),
        shown=tuple(found.show(MOST_PERSONS_LISTED)) if asked.show else (),
    )


def _describe_side(side: Candidates, k: int) -> LinkSide:
    """Count the entries of one table by their candidates."""
    return LinkSide(
        side.count(0, 0), side.count(1, k - 1), side.count(k), side.smallest, side.total
    )
