"""Give the hierarchy files of a draft different names."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.write_toml import quote_toml


def distinguish_files(columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with a file of its own for each hierarchy.

    Columns such as ``a b`` and ``a-b`` have the same file name, and some file systems ignore case.
    """
    taken: set[str] = set()
    return tuple(_distinguish(column, taken) for column in columns)


def _distinguish(column: ProposedColumn, taken: set[str]) -> ProposedColumn:
    """Return a column whose hierarchy file has a name that is not taken; take it."""
    proposed = column.hierarchy
    if proposed is None or not proposed.path:
        return column
    path, number = PurePosixPath(proposed.path), 1
    name = path.name
    while name.lower() in taken:
        number += 1
        name = f"{path.stem}-{number}{path.suffix}"
    taken.add(name.lower())
    table = proposed.table.replace(quote_toml(proposed.path), quote_toml(name))
    return (
        column
        if number == 1
        else replace(column, hierarchy=replace(proposed, path=name, table=table))
    )
