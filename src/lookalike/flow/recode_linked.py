"""Recode_linked: make the released rows of linked tables, with pseudonyms instead of keys."""

import secrets
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.flow.count_linked import LinkedSource, LinkedSources, take_texts, with_column
from lookalike.kernels.types import Flags
from lookalike.model.lattice import Vector
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.linked import LinkedRecoding
from lookalike.spec.record_fields import PERSONS
from lookalike.tables.plan import Plan
from lookalike.tables.recode import recode
from lookalike.tables.table import Frame, Role, Table

PSEUDONYM_BYTES = 8
"""The length of a pseudonym; two of a million persons are equal in one of 10⁷ releases."""


def recode_linked(
    sources: LinkedSources, recoding: LinkedRecoding, requirement: Requirement
) -> dict[str, Frame]:
    """Return the released rows of each file, by the name of its table, in an order drawn now.

    Pseudonyms join the sets to the rows of their persons, also where the release shows none.
    """
    drawn = {"": _draw_pseudonyms(sources.persons)}
    for source in sources.tables:
        for one in source.references:
            if one.table not in drawn:
                drawn[one.table] = _draw_pseudonyms(len(one.texts))
    rows = {
        source.name: _recode(source, levels, recoding.released, drawn, requirement)
        for source, levels in sources.divide(recoding.vector)
    }
    for source in sources.tables:
        if source.separator is not None:
            rows[PERSONS] = _join_set(rows[PERSONS], rows.pop(source.name), source)
    return {
        source.name: nw.from_native(
            rows[source.name].select(sources.list_columns(source)), eager_only=True
        )
        for source in sources.tables
        if source.separator is None
    }


def _draw_pseudonyms(number: int) -> pa.Array:
    """Draw so many different pseudonyms."""
    drawn = {*[secrets.token_hex(PSEUDONYM_BYTES) for _ in range(number)]}
    while len(drawn) < number:
        drawn.add(secrets.token_hex(PSEUDONYM_BYTES))
    return pa.array([*drawn], pa.string())


def _recode(
    source: LinkedSource,
    levels: Vector,
    released: Flags,
    drawn: Mapping[str, pa.Array],
    requirement: Requirement,
) -> pa.Table:
    """Return the released rows of one table, with pseudonyms in place of its link and keys.

    ``drawn``: the pseudonyms of the persons, and of the records of each table that others refer to.
    """
    rows, counted, sequence_of, frequency = source.take(released)
    kept = released[source.person_of]
    numbered = {source.link: ("", source.person_of)}
    numbered |= {one.column: (one.table, one.numbers) for one in source.references}
    for column, (table, numbers) in numbered.items():
        rows = with_column(rows, column, take_texts(drawn[table], numbers[kept]))
    held: Any = nw.from_native(rows, eager_only=True)
    roles: dict[str, Role] = {**source.table.roles, **dict.fromkeys(numbered, "other")}
    none = np.zeros(len(frequency), dtype=np.int64)
    plan = Plan(
        Table(held, roles, {}),
        counted,
        sequence_of,
        frequency,
        Recoding(levels, none, rows_suppressed=0),
        requirement,
    )
    recoded: Any = recode(plan)
    return recoded.to_native()


def _join_set(persons: pa.Table, items: pa.Table, source: LinkedSource) -> pa.Table:
    """Return the rows of persons with their items, sorted, as one text."""
    owned: dict[str, list[str]] = {}
    columns = (items[source.link].to_pylist(), items[source.name].to_pylist())
    for link, item in zip(*columns, strict=True):
        owned.setdefault(link, []).append(item)
    separator = source.separator or ""
    texts = [
        separator.join(sorted(owned[link])) if link in owned else None
        for link in persons[source.link].to_pylist()
    ]
    return persons.append_column(source.name, pa.array(texts, pa.string()))
