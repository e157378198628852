"""Verify_linked: count released linked tables again, and prove them true."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw

from lookalike.errors import InternalError, RequirementNotMet
from lookalike.flow.count_linked import LinkedSource, LinkedSources
from lookalike.model.lattice import Vector
from lookalike.search.linked import LinkedRecoding
from lookalike.tables.connection import Connection
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.linked_rows import LinkedRows, count_broken_keys, divide_sets
from lookalike.verify.linked_truth import LinkedPair, require_linked_truth, require_true_apart
from lookalike.verify.records import LinkedCount, LinkedPromise, require_linked


def verify_written(
    sources: LinkedSources,
    private: LinkedSources,
    recoding: LinkedRecoding,
    k: int,
    relations: Mapping[str, Any],
    connection: Connection,
) -> LinkedCount:
    """Count the tables again as they were written, and refuse them if they are not true.

    ``private``: the tables with the records that are left out of those of released persons.
    ``relations``: the rows of each file, by the name of its table.
    """
    tables = [_describe_rows(one, sources, relations) for one in sources.tables]
    divided = divide_sets(tables) if sources.has_persons else tables
    broken = count_broken_keys(divided)
    if broken:
        raise InternalError(f"{broken:,} records refer to no record of the same person")
    found = _count_linked(sources, recoding, k, divided, connection)
    names = [one.name for one in divided]
    pairs = [
        replace(
            _pair(source, levels, rows, recoding, names),
            partial=len(shown.person_of) < len(source.person_of),
        )
        for (source, levels), shown, rows in zip(
            private.divide(recoding.vector), sources.tables, divided, strict=True
        )
    ]
    linked = [pair for pair in pairs if pair.released_link is not None]
    if linked:
        require_linked_truth(connection, linked)
    smallest = [found.smallest] if linked else []
    for pair, rows, source in zip(pairs, divided, sources.tables, strict=True):
        if pair.released_link is None:
            persons = require_true_apart(connection, pair)
            has_rows = recoding.released[source.person_of].any()
            smallest += [persons] if rows.knows and has_rows else []
    least = min(smallest, default=found.persons)
    if least < k:
        raise RequirementNotMet(
            f"a combination of values is that of {least:,} persons, fewer than {k}, so nothing is "
            "released; did the source change while it was read? If not, please report it"
        )
    return replace(found, smallest=least)


def _describe_rows(
    source: LinkedSource, sources: LinkedSources, relations: Mapping[str, Any]
) -> LinkedRows:
    """Return the rows of a table as they were written; those of a set are in its file."""
    return LinkedRows(
        name=source.name,
        rows=relations[source.file],
        link=source.link if sources.shows_link(source) else None,
        columns=source.linked.frequency.attributes,
        knows=source.linked.knows,
        separator=source.separator,
        key=source.key,
        refers=source.refers,
        distinct=source.distinct,
    )


def _count_linked(
    sources: LinkedSources,
    recoding: LinkedRecoding,
    k: int,
    divided: list[LinkedRows],
    connection: Connection,
) -> LinkedCount:
    """Count the persons who share what may be known of the tables that show a link."""
    released = int(recoding.released.sum())
    linked = [one for one in divided if one.link is not None]
    if not linked:
        return LinkedCount(released, (), 0, 0, 0, 0, 0)
    expected = [
        int(recoding.released[source.person_of].sum())
        for source, rows in zip(sources.tables, divided, strict=True)
        if rows.link is not None
    ]
    persons = linked.pop(0) if sources.has_persons else None
    found = require_linked(connection, LinkedPromise(k, persons, tuple(linked)))
    own = [] if persons is None else [found.persons]
    if found.persons != released or [*own, *found.rows] != expected:
        raise InternalError("the files do not have the rows that were released")
    return found


def _pair(
    source: LinkedSource,
    levels: Vector,
    rows: LinkedRows,
    recoding: LinkedRecoding,
    tables: Sequence[str],
) -> LinkedPair:
    """Return a private table and its release, with what is claimed of both.

    Without a link, the private rows are those of the released persons.
    """
    names = source.linked.frequency.attributes
    claim = TruthClaim(
        hierarchies=source.specification.hierarchies(),
        levels=dict(zip(names, levels, strict=True)),
        unchanged=source.table.unchanged,
        blank=False,
        suppressed_label=source.specification.release.suppressed_label,
    )
    private = source.table.frame
    if rows.link is None:
        private = nw.from_native(source.take(recoding.released)[0], eager_only=True)
    refers = None if rows.refers is None else (rows.refers[0], tables.index(rows.refers[1]))
    return LinkedPair(
        private, rows.rows, claim, source.link, rows.link, key=rows.key, refers=refers
    )
