"""HeldTable: one of the private tables of a linked release, as its holder has it.

The tables are read by the fields of the specification, without the code that makes a release.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.examine.holder_inputs import read_private_table, with_table
from lookalike.hierarchy.discreet import Discreet
from lookalike.spec.record_fields import (
    RecordFields,
    list_sets,
    specify_set,
    specify_tables,
    without_sets,
)
from lookalike.spec.settle_columns import complete_columns
from lookalike.spec.specification import Specification
from lookalike.tables.count import fetch
from lookalike.tables.labels import divide_column, encode_column
from lookalike.tables.resources import Resources
from lookalike.tables.table import Frame
from lookalike.verify.linked_rows import NUMBER


@dataclass(frozen=True, eq=False)
class HeldTable(Discreet):
    """A private table of persons or of their records, or the items of a set of each person.

    ``name``: its name.
    ``specification``: what is said of it alone.
    ``rows``: its rows; what links them is text.
    ``link``: the column that names the person of each row.
    ``fields``: its fields under ``[records.NAME]``; None for the person table and its sets.
    ``separator``: the text between the items of a set.
    """

    name: str
    specification: Specification
    rows: pa.Table
    link: str
    fields: RecordFields | None = None
    separator: str | None = None

    @property
    def unchanged(self) -> tuple[str, ...]:
        """The columns that are released as they are."""
        columns = self.specification.attributes.items()
        return tuple(name for name, one in columns if one.role in ("sensitive", "other"))

    def list_persons(self) -> set[str | None]:
        """List the persons of its rows."""
        return {*self.rows[self.link].to_pylist()}


def read_held_tables(
    specification: Specification, tables: Mapping[str, Any], resources: Resources
) -> list[HeldTable]:
    """Read the private tables of a specification, in the order of a certificate.

    ``tables``: paths or frames in place of the files of the specification, by name.
    """
    specified = specify_tables(specification)
    unknown = [name for name in tables if name not in specified]
    if unknown:
        raise InvalidInput(
            f"table: the specification describes no table {unknown[0]!r}, but "
            f"{', '.join(specified)}"
        )
    held = list[HeldTable]()
    for name, described in specified.items():
        own, frame = with_table(described, tables.get(name))
        own = complete_columns(own, frame)
        own.decided_roles()
        rows = _read_rows(own, read_private_table(own, frame, resources), specification, name)
        fields, link = specification.records.get(name), own.person_column or NUMBER
        held.append(HeldTable(name, without_sets(own), rows, link, fields))
        held += _divide(own, rows, link)
    return held


def _read_rows(own: Specification, frame: Frame, whole: Specification, name: str) -> pa.Table:
    """Return the rows of a table, with text in the columns that link them with others."""
    rows = pa.concat_tables(fetch(frame, frame.collect_schema().names()))
    fields = whole.records.get(name)
    linking = [] if fields is None else [fields.key, *fields.refers]
    for column in dict.fromkeys(one for one in (own.person_column, *linking) if one is not None):
        if column not in rows.column_names:
            raise InvalidInput(f"{name}: the private table has no column {column!r}")
        texts, codes = encode_column(column, rows.column(column))
        values = pa.array(texts, pa.string()).take(pa.array(codes))
        rows = rows.set_column(rows.column_names.index(column), column, values)
    if own.person_column is None:
        rows = rows.append_column(NUMBER, pa.array(map(str, range(len(rows))), pa.string()))
    return rows


def _divide(own: Specification, rows: pa.Table, link: str) -> Iterator[HeldTable]:
    """Divide the sets in the columns of a person table; each item is a row."""
    for name, one in list_sets(own).items():
        items, owners = divide_column(name, rows.column(name), one.separator or "")
        persons = rows[link].take(pa.array(owners))
        divided = pa.table({link: persons, name: items})
        yield HeldTable(name, specify_set(own, name), divided, link, None, one.separator)
