"""Join tables: the small Arrow tables that a query joins with its rows, in any engine."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.kernels.types import Codes
from lookalike.tables.counted import Counted, label_entries
from lookalike.tables.dominant import RULED_OUT
from lookalike.tables.engines.engine import FATE
from lookalike.tables.plan import Fates, Plan, label_fates
from lookalike.tables.row_tags import CURRENT, RECALLED, TAG, RowTags
from lookalike.tables.sql import source_changed

ENTRY_ROWS = "lookalike rows"
"""The number of rows of an entry."""
SEQUENCE_NUMBER = "lookalike sequence"
"""The place of a sequence in the frequency list."""
AFTER_RANK = "lookalike after"
"""A fate is that of the rows of its sequence with a rank above this one."""
UNTIL_RANK = "lookalike until"
"""A fate is that of the rows of its sequence up to this rank."""
GONE = "lookalike gone"
"""Whether a fate is suppression."""
RELEASED_CLASS = "lookalike class"
"""The class of the released rows of an entry or a fate."""


def label_of(name: str) -> str:
    """Name the column that holds an attribute's labels."""
    return f"lookalike label {name}"


def code_of(name: str) -> str:
    """Name the column that holds an attribute's codes at the vector of a list."""
    return f"lookalike code {name}"


def kept_of(name: str) -> str:
    """Name the column that says whether a row shows an earlier value."""
    return f"lookalike kept {name}"


def old_of(name: str) -> str:
    """Name the column that holds the earlier values."""
    return f"lookalike old {name}"


def bit_of(name: str, bit: int) -> str:
    """Name the column that holds the number of rows with a bit of the hashes of a column."""
    return f"lookalike bit {bit} {name}"


def drawn_of(number: int) -> str:
    """Name the column that says whether a row is drawn by itself (0), or with a group of a key."""
    return f"lookalike drawn {number}"


def read_grouped(entries: pa.Table, attributes: Sequence[str], tag: str | None) -> Counted:
    """Return the entries that a query counted, with the number of rows as `ENTRY_ROWS`."""
    if tag is not None and entries[tag].null_count:
        raise source_changed()
    keys = [*attributes, *(() if tag is None else (tag,))]
    bits = entries.drop_columns([*keys, ENTRY_ROWS])
    return label_entries(
        {name: entries[name] for name in attributes},
        entries[ENTRY_ROWS].to_numpy().astype(np.int64),
        keys=entries.select(keys),
        tags=None if tag is None else entries[tag].to_numpy().astype(np.int32),
        bits=bits if bits.num_columns else None,
    )


def counted_keys(plan: Plan) -> pa.Table:
    """Return what the engine counted over: the values of each entry, and its tag if any."""
    if plan.counted.keys is None:
        raise InternalError("a query was recoded without the keys that were counted")
    return plan.counted.keys


def tabulate_entries(plan: Plan, fates: Fates | None) -> pa.Table:
    """Return for every entry that was counted its sequence, with its one fate if given."""
    counted = counted_keys(plan)
    columns = dict(zip(counted.column_names, counted.columns, strict=True))
    sequence = pa.array(plan.sequence_of)
    if fates is None:
        return pa.table(columns | {SEQUENCE_NUMBER: sequence})
    known = tabulate_fates(plan, fates).take(sequence)
    return pa.table(columns | dict(zip(known.column_names, known.columns, strict=True)))


def tabulate_classes(plan: Plan, class_of: Codes) -> pa.Table:
    """Return the class of every entry with one, where a sequence has one fate: its own number."""
    counted, own = counted_keys(plan), class_of[plan.sequence_of]
    return counted.append_column(RELEASED_CLASS, pa.array(own)).filter(pa.array(own != RULED_OUT))


def tabulate_fates(plan: Plan, fates: Fates) -> pa.Table:
    """Return the fates for a join: which ranks among the rows of a sequence have which."""
    sequence, counts = fates.tuples.sequence, fates.tuples.counts
    until = np.cumsum(counts)
    first = np.searchsorted(sequence, sequence)
    before = (until - counts)[first]
    columns = {
        SEQUENCE_NUMBER: pa.array(sequence),
        AFTER_RANK: pa.array(until - counts - before),
        UNTIL_RANK: pa.array(until - before),
        GONE: pa.array(fates.gone),
        FATE: pa.array(np.arange(len(counts), dtype=np.int32)),
    }
    labels = label_fates(plan, fates, plan.relabelled)
    return pa.table(columns | {label_of(name): shown for name, shown in labels.items()})


def tabulate_tags(tags: RowTags) -> pa.Table:
    """Return for every row key its tag, and the earlier values that its row shows."""
    columns = {tags.row_key: tags.keys, TAG: pa.array(tags.numbers)}
    if tags.recalled is not None:
        columns[RECALLED] = tags.recalled
    for name, old in tags.old.items():
        current = old.places == CURRENT
        columns[kept_of(name)] = pa.array(~current)
        columns[old_of(name)] = old.values.take(pa.array(old.places, mask=current))
    return pa.table(columns)
