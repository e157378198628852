"""Show a recipient some columns of classes that were chosen over the columns of all recipients.

Every row is tagged with its class, and the rows are counted by the values of the columns that are
shown and by tag. So a row shows the labels of its class, whatever columns the recipient gets, and
what comes after this step sees a table without the other columns.
"""

from dataclasses import replace

import pyarrow as pa

from lookalike.errors import InternalError, InvalidInput
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.followup.place_new_rows import count_by_tag, hide_at_top, recode_by_tag
from lookalike.ledger.record import FIRST_TAG, SharedClasses
from lookalike.ledger.store.entry import classify
from lookalike.model.frequency import list_frequencies
from lookalike.spec.specification import Specification
from lookalike.tables.engines.engine import FATE
from lookalike.tables.plan import Plan
from lookalike.tables.recode import recode_with_trail
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.sql import source_changed
from lookalike.tables.table import column_names


def show_columns(whole: Plan, specification: Specification) -> tuple[Plan, SharedClasses]:
    """Return a release that shows the attributes of a specification, in the classes of a plan."""
    row_key = None if specification.source is None else specification.source.row_key
    if row_key is None:
        raise InternalError("classes are shared without a row key")
    _, trail = recode_with_trail(whole)
    classes, class_of_fate = classify(whole, trail.fates)
    rows = pa.concat_tables(trail.follow([row_key]))
    if rows[FATE].null_count:
        raise source_changed()
    _refuse_equal_keys(row_key, rows[row_key])
    tags = class_of_fate[rows[FATE].to_numpy()] + FIRST_TAG
    requirement = replace(
        specification.requirement(whole.frequency.rows),
        k=whole.requirement.k,
        suppressed_rows="drop",
    )
    shown = _leave_out_columns(whole, specification)
    tagged = count_by_tag(shown, RowTags(row_key, rows[row_key], tags, {}), None, specification)
    places = [classes.attributes.index(name) for name in shown.frequency.attributes]
    levels = hide_at_top(classes.levels[places], shown.frequency)
    recoding = recode_by_tag(tagged, levels, requirement)
    plan = tagged.plan(recoding, requirement, keep_order=whole.keep_order)
    return plan, SharedClasses(whole, classes)


def _refuse_equal_keys(row_key: str, keys: pa.ChunkedArray) -> None:
    """Refuse keys by which a row cannot be found, such as those of rows that left the source."""
    if keys.null_count or len(keys.unique()) < len(keys):
        raise InvalidInput(
            f"row_key: rows cannot be told apart by {row_key!r} where people who left are shown; "
            "write it as text or as a whole number"
        )


def _leave_out_columns(whole: Plan, specification: Specification) -> CountedTable:
    """Return the table of a plan without the attributes that a recipient does not get."""
    names, known = [*specification.hierarchies()], whole.frequency
    places = [known.attributes.index(name) for name in names]
    roles = {
        name: "drop" if role == "quasi-identifier" and name not in names else role
        for name, role in whole.table.roles.items()
        if name != TAG
    }
    columns = [name for name in column_names(whole.table.frame) if name != TAG]
    table = replace(whole.table, frame=whole.table.frame.select(columns), roles=roles)
    counted = replace(
        whole.counted,
        values=tuple(whole.counted.values[place] for place in places),
        positions=whole.counted.positions[places],
    )
    hierarchies = tuple(known.hierarchies[place] for place in places)
    listed = list_frequencies(hierarchies, counted.positions, counted.counts)
    return CountedTable(table, counted, *listed)
