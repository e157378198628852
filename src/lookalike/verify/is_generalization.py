"""Check whether one table is a generalization of another."""

import itertools
from collections.abc import Mapping
from typing import Any

from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.labels import label
from lookalike.tables.read import read_frame
from lookalike.tables.table import check_columns
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.released_values import count_column_values
from lookalike.verify.truth import count_untruthful
from lookalike.verify.values import column_types, list_paths, recognize


def is_generalization(
    private: Any,
    release: Any,
    hierarchies: Mapping[str, Hierarchy],
    suppressed_label: str = SUPPRESSED,
    *,
    cells: bool = False,
) -> bool:
    """Return whether a table is a generalization of another (Samarati, Definitions 3.1 and 4.1).

    Each attribute, or with `cells` each cell, must be at one level of its hierarchy, and the rows
    must generalize different private rows. If both tables have the same number of rows, no row was
    suppressed.

    Parameters
    ----------
    private, release
        Frames of any kind. Columns without a hierarchy must be unchanged.
    hierarchies
        The hierarchy of each attribute that may be generalized.
    suppressed_label
        The label of a suppressed value.
    cells
        Whether the levels of an attribute may differ from row to row; a suppressed value then
        stands for any value.

    Examples
    --------
    >>> from lookalike.hierarchy import Mask
    >>> import pyarrow as pa
    >>> private = pa.table({"zip": ["02138", "02139"]})
    >>> zips = {"zip": Mask(length=5)}
    >>> is_generalization(private, pa.table({"zip": ["0213*", "0213*"]}), zips)
    True
    >>> is_generalization(private, pa.table({"zip": ["0213*", "02139"]}), zips)
    False
    >>> is_generalization(private, pa.table({"zip": ["0213*", "02139"]}), zips, cells=True)
    True
    >>> is_generalization(private, pa.table({"zip": ["02139", "02139"]}), zips, cells=True)
    False
    """
    connection = Connection()
    original, rows = read_frame(private), as_relation(read_frame(release), connection)
    relation = as_relation(original, connection)
    check_columns(relation.columns, rows.columns)
    unchanged = [name for name in rows.columns if name not in hierarchies]
    check_columns(rows.columns, [*hierarchies, *unchanged])
    if cells:
        any_level = dict.fromkeys(hierarchies)
        claim = TruthClaim(hierarchies, any_level, unchanged, False, suppressed_label, cells=True)
        return count_untruthful(original, rows, claim, connection) == 0
    possible = {}
    for name, rule in hierarchies.items():
        labels = [label(value) for value in count_column_values(relation, name)[0]]
        paths = list_paths(name, rule, labels, suppressed_label)
        shown, kind = count_column_values(rows, name)[0], column_types(relation)[name]
        possible[name] = [
            level
            for level, known in enumerate(zip(*paths, strict=True))
            if {*recognize(shown, paths, [level], kind, connection)} <= {*known}
        ]
    for levels in itertools.product(*possible.values()):
        chosen = dict(zip(possible, levels, strict=True))
        claim = TruthClaim(hierarchies, chosen, unchanged, False, suppressed_label)
        if count_untruthful(original, rows, claim, connection) == 0:
            return True
    return False
