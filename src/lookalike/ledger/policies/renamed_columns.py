"""Keep track of columns that releases showed under several names."""

from collections.abc import Iterable, Mapping

from lookalike.kernels.types import Codes, Digests
from lookalike.ledger.policies.compare_columns import ColumnComparison
from lookalike.ledger.policies.shown_columns import RenamedColumn, ShownColumn


def add_renamed(
    known: Mapping[str, ShownColumn],
    renamed: Mapping[str, RenamedColumn],
    compared: Iterable[ColumnComparison],
) -> dict[str, RenamedColumn]:
    """Return the columns with several names, including those that a release was found to rename.

    A release may show only some rows. For the others the column was last shown under the old name.
    """
    found = dict(renamed)
    for one in compared:
        if one.before != one.name and not (
            one.name in found and one.before in found[one.name].names
        ):
            before, own = (
                found.get(name)
                or RenamedColumn(frozenset([name]), known.get(name, known[one.before]))
                for name in (one.before, one.name)
            )
            both = RenamedColumn(before.names | own.names, own.column.merged(before.column))
            found |= dict.fromkeys([*before.names, *own.names], both)
    return found


def show_renamed(
    renamed: Mapping[str, RenamedColumn],
    rows: Codes,
    release: int,
    digests: Mapping[str, Digests],
    *,
    exact: bool,
) -> dict[str, RenamedColumn]:
    """Return the columns with several names after a release showed some of them.

    The other names of a column are updated with it, unless the release also shows a column under
    them.
    """
    shown = dict(renamed)
    for name, each in digests.items():
        if name in shown:
            before = shown[name]
            column = before.column.after(rows, release, each, exact=exact)
            after = RenamedColumn(before.names, column)
            with_it = [other for other, one in shown.items() if one is before]
            shown |= {other: after for other in with_it if other not in digests} | {name: after}
    return shown


def lengthen_renamed(renamed: Mapping[str, RenamedColumn], more: int) -> dict[str, RenamedColumn]:
    """Return the columns with more rows; names of one column stay names of one column."""
    longer = {
        id(one): RenamedColumn(one.names, one.column.lengthened(more)) for one in renamed.values()
    }
    return {name: longer[id(one)] for name, one in renamed.items()}
