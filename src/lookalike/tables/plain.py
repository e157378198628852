"""Plain: columns without dictionaries, which list values of rows that are not released.

A dictionary may be inside another type, such as a list of categories, and metadata may be inside
a struct. A release contains neither, and says of no column that it is never missing.
"""

import re

import pyarrow as pa

_ENUM = re.compile(r"""("(?:[^"]|"")*")|ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)""")


def plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column with the same values, without dictionaries and metadata inside it.

    Examples
    --------
    >>> wards = pa.array([["east"], ["west"]], pa.list_(pa.dictionary(pa.int8(), pa.string())))
    >>> str(plain_column(pa.chunked_array([wards])).type.value_type)
    'string'
    """
    kind = plain_type(column.type)
    if kind.equals(column.type, check_metadata=True):
        return column
    return pa.chunked_array([pa.array(chunk.to_pylist(), kind) for chunk in column.chunks], kind)


def plain_nested(rows: pa.Table) -> pa.Table:
    """Return a table with plain nested columns, which SQL reads as they are.

    DuckDB reads the codes of categories in a list of fixed size as the values.
    """
    for place, field in enumerate(rows.schema):
        if pa.types.is_nested(field.type):
            rows = rows.set_column(place, field.name, plain_column(rows.column(place)))
    return rows


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return a type without dictionaries, runs and the metadata of fields."""
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    if pa.types.is_struct(kind):
        return pa.struct([_plain_field(kind.field(at)) for at in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(plain_type(kind.key_type), _plain_field(kind.item_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_plain_field(kind.value_field), kind.list_size)
    if pa.types.is_large_list(kind):
        return pa.large_list(_plain_field(kind.value_field))
    return pa.list_(_plain_field(kind.value_field)) if pa.types.is_list(kind) else kind


def _plain_field(field: pa.Field) -> pa.Field:
    """Return a field of a nested type with a plain type, which may be missing."""
    return pa.field(field.name, plain_type(field.type))


def plain_sql(kind: str) -> str:
    """Return a type of DuckDB with text in the place of every ENUM, which lists its values.

    Examples
    --------
    >>> plain_sql("STRUCT(ward ENUM('east', 'it''s'), beds INTEGER)[]")
    'STRUCT(ward VARCHAR, beds INTEGER)[]'
    """
    return _ENUM.sub(lambda found: found[1] or "VARCHAR", kind)
