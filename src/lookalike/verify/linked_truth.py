"""Prove that every released person, with all released records, is one private person of their own.

The rows of linked tables are true if there is a one-to-one mapping from released persons to private
persons such that the person row generalizes the person row, and the released records of a table
generalize different records of this private person. At the attribute level a private row has one
image, so a person is a multiset of images: released persons are compared with private persons by
these. Where records may be left out, a released person may be any private person whose images
contain theirs, and a maximum flow answers whether all can be matched at once.
"""

import functools
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from lookalike.errors import InternalError, InvalidInput, RequirementNotMet
from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.sql import derive, engine_errors, quote_name, store
from lookalike.tables.table import Frame, check_columns
from lookalike.verify.both_tables import TruthClaim, hash_other_columns, with_pseudonyms
from lookalike.verify.match_persons import count_unmatched_persons
from lookalike.verify.truth import NO_IMAGE, compare_columns
from lookalike.verify.values import column_types


@dataclass(frozen=True, eq=False)
class LinkedPair(Discreet):
    """A private table of persons, or of their records, and its release.

    Parameters
    ----------
    private
        The private rows.
    released
        The released rows.
    claim
        How a released row was derived from a private row, at the attribute level.
    private_link
        The column of the private table that identifies the person.
    released_link
        The column of the release that links the rows of a person; None if there is none.
    partial
        Whether some records of a released person may have been left out.
    at_most
        How many records of each person were kept, whichever they are; None if all were.
    key
        The column to which other tables refer, named alike in both; None if none does.
    refers
        The column that refers to another table, and the place of that table in the list.
    """

    private: Frame
    released: duckdb.DuckDBPyRelation
    claim: TruthClaim
    private_link: str
    released_link: str | None
    partial: bool = False
    at_most: int | None = None
    key: str | None = None
    refers: tuple[str, int] | None = None

    @property
    def links(self) -> list[str]:
        """The columns that link rows of the release with others."""
        shown = (self.released_link, self.key, self.refers and self.refers[0])
        return [one for one in shown if one is not None]


def require_linked_truth(connection: Connection, tables: Sequence[LinkedPair]) -> None:
    """Refuse linked tables with persons who are no private persons of their own."""
    false = count_untruthful_persons(connection, tables)
    if false is None:
        raise InvalidInput(
            "so many persons fit each other that the proof takes more memory than may be used; "
            "give more (memory)"
        )
    if false:
        raise RequirementNotMet(
            f"{false:,} released persons are not the generalization of a private person each, "
            "with their records, so nothing is released; did the source change while it was read? "
            "If not, please report it"
        )


def count_untruthful_persons(connection: Connection, tables: Sequence[LinkedPair]) -> int | None:
    """Count the released persons without a private person in a maximum matching.

    ``tables``: the person table, if there is one, and the record tables.
    Returns: None if so many persons fit each other that comparing them takes more memory.
    """
    for pair in tables:
        _check_claim(pair)
    with engine_errors("the private tables or the release"), _Store(connection) as stored:
        coded = [_code_rows(stored, pair, place) for place, pair in enumerate(tables)]
        coded = [_code_with_referring(stored, tables, coded, place) for place in range(len(tables))]
        kept = {place: pair.at_most for place, pair in enumerate(tables) if not pair.partial}
        most = {place: number for place, number in kept.items() if number is not None}
        partial = [place for place, pair in enumerate(tables) if pair.partial or place in most]
        persons = _count_persons(stored, coded, partial, most)
        [(extra,)] = persons.aggregate("coalesce(sum(greatest(shown - own, 0)), 0)").fetchall()
        return count_unmatched_persons(persons, connection) if extra and partial else int(extra)


def require_true_apart(connection: Connection, pair: LinkedPair) -> int:
    """Refuse a table without a link whose rows are not those of the private table, generalized.

    ``pair``: the private rows are those of the persons who are released, and all of them are.
    Returns: the number of persons of the class with the fewest; they are counted in the private
    rows, since the release does not show whose row is whose.
    """
    found = count_apart(connection, pair)
    if false := found.untrue + found.missing:
        raise RequirementNotMet(
            f"{false:,} released or private rows have no counterpart in the other table, so "
            "nothing is released; did the source change while it was read? If not, please report it"
        )
    return found.least


@dataclass(frozen=True)
class ApartCount:
    """A table without a link, compared with the private one, of which it may show a part.

    ``untrue``: the number of released rows that generalize no private row of their own.
    ``missing``: the number of private rows that are not released.
    ``least``, ``most``: bounds of the number of persons of the class with the fewest. They are
    equal if no private row is missing. Otherwise, a missing row may be the only one of its person,
    and those of a person may be released in part.
    """

    untrue: int
    missing: int
    least: int
    most: int


def count_apart(connection: Connection, pair: LinkedPair) -> ApartCount:
    """Compare a released table without a link with the private one, and count its persons."""
    _check_claim(pair)
    with engine_errors("the private table or the release"), _Store(connection) as stored:
        rows = _code_rows(stored, pair, 0)
        [compared] = stored.derive(
            rows,
            "SELECT coalesce(sum(greatest(more, 0)), 0), coalesce(sum(greatest(-more, 0)), 0) "
            "FROM (SELECT sum(CASE WHEN released THEN copies ELSE -copies END) AS more FROM t "
            "GROUP BY code)",
        ).fetchall()
        [bounds] = stored.derive(
            rows,
            "SELECT coalesce(min(greatest(persons - greatest(own - shown, 0), 0)), 0), "
            "coalesce(min(least(persons, shown)), 0) FROM (SELECT "
            "count(DISTINCT link) FILTER (NOT released) AS persons, "
            "coalesce(sum(copies) FILTER (NOT released), 0) AS own, "
            "sum(copies) FILTER (released) AS shown FROM t GROUP BY seen) WHERE shown > 0",
        ).fetchall()
    return ApartCount(*map(int, (*compared, *bounds)))


def _check_claim(pair: LinkedPair) -> None:
    """Refuse columns that the claim leaves out, and claims that are not made of linked tables."""
    if pair.claim.cells or pair.claim.blank:
        raise InternalError("linked tables are generalized at the attribute level, without blanks")
    columns = pair.claim.columns
    check_columns(pair.released.columns, [*pair.links, *columns], "the release")
    more = [one for one in pair.released.columns if one not in (*pair.links, *columns)]
    if more:
        raise RequirementNotMet(
            f"the release has the column {more[0]!r}, and nothing is known of how it was derived"
        )


class _Store:
    """Queries on a connection, and temporary tables of it, which are dropped at the end."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.names = connection, list[str]()

    def __enter__(self) -> "_Store":
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.names:
            self.connection.duckdb.execute(f"DROP TABLE IF EXISTS {quote_name(name)}")

    def keep(
        self, relation: duckdb.DuckDBPyRelation, columns: str = "*"
    ) -> duckdb.DuckDBPyRelation:
        """Run a relation once, and return its rows."""
        self.names.append(f"lookalike truth {secrets.token_hex(8)}")
        return store(relation, self.names[-1], columns, self.connection.duckdb)

    def derive(
        self, relation: duckdb.DuckDBPyRelation, statement: str, mapping: pa.Table | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return the result of a query over a relation of the connection."""
        return derive(relation, statement, mapping, self.connection.duckdb)


def _code_rows(stored: _Store, pair: LinkedPair, place: int) -> duckdb.DuckDBPyRelation:
    """Number the images of private rows and the released rows of a table, equal ones alike.

    Returns: rows with ``link``, ``released`` (which of the tables), ``place`` (the number of the
    pair), ``code``, ``seen``, the number of the image of the attributes alone, and ``copies``, the
    number of these rows.
    """
    claim, names = pair.claim, [*pair.claim.hierarchies]
    private = as_relation(pair.private, stored.connection)
    check_columns(private.columns, [pair.private_link, *claim.columns])
    private = with_pseudonyms(private, claim.pseudonym_keys)
    kinds, hashes = column_types(private), hash_other_columns(private, pair.released, claim)
    links = (pair.private_link, pair.released_link)
    sides = [
        stored.keep(_group(rows, pair, link, names, other))
        for rows, link, other in zip((private, pair.released), links, hashes, strict=True)
    ]
    for number, name in enumerate(names):
        texts = [side.project(f"c{number}").distinct().to_arrow_table() for side in sides]
        own, shown = (one.column(0) for one in texts)
        both = compare_columns(name, own, shown, kinds[name], claim, stored.connection)
        no_image = f"no image {secrets.token_hex(8)}"
        images = [no_image if one is NO_IMAGE else one for one in both.images]
        labelled = ((images, both.private), (both.texts, both.released))
        for side, (labels, places) in enumerate(labelled):
            after = pa.array(labels, pa.string()).take(pa.array(places))
            sides[side] = _replace(stored, sides[side], number, texts[side], after)
    both_sides = (
        sides[0].project("*, false AS released").union(sides[1].project("*, true AS released"))
    )
    order = [f"c{number}" for number in range(len(names))]
    code = f"dense_rank() OVER (ORDER BY {', '.join([*order, 'other'])}) AS code"
    seen = f"dense_rank() OVER (ORDER BY {', '.join(order) or 'NULL'}) AS seen"
    shown = f"link, released, {place} AS place, {code}, {seen}, copies, key, refers"
    return stored.keep(both_sides, shown)


def _code_with_referring(
    stored: _Store,
    tables: Sequence[LinkedPair],
    coded: Sequence[duckdb.DuckDBPyRelation],
    place: int,
) -> duckdb.DuckDBPyRelation:
    """Number the rows of a table anew, each with the rows that refer to it.

    Rows are then equal if as many equal rows refer to them, so that persons with equal rows have
    the same rows, linked in the same way.
    """
    referring = [
        rows.project("link, released, place, code, copies, refers AS key")
        for pair, rows in zip(tables, coded, strict=True)
        if pair.refers is not None and pair.refers[1] == place
    ]
    plain = coded[place].project("link, released, place, code, seen, copies")
    if not referring:
        return plain
    several = functools.reduce(lambda one, other: one.union(other), referring)
    stored.keep(
        stored.derive(
            several,
            "SELECT link, released, key, list({'place': place, 'code': code, 'copies': copies} "
            "ORDER BY place, code) AS owned FROM (SELECT link, released, key, place, code, "
            "sum(copies) AS copies FROM t WHERE key IS NOT NULL GROUP BY ALL) GROUP BY ALL",
        )
    )
    joined = stored.derive(
        coded[place],
        f"SELECT t.*, o.owned FROM t LEFT JOIN {quote_name(stored.names[-1])} AS o ON "
        "t.link = o.link "
        "AND t.released = o.released AND t.key = o.key",
    )
    code = "dense_rank() OVER (ORDER BY code, owned) AS code"
    return stored.keep(joined, f"link, released, place, {code}, seen, copies")


def _group(
    rows: duckdb.DuckDBPyRelation,
    pair: LinkedPair,
    link: str | None,
    names: Sequence[str],
    other: str,
) -> duckdb.DuckDBPyRelation:
    """Count equal rows of a person."""
    refers = None if pair.refers is None else pair.refers[0]
    links = [
        f"CAST({'NULL' if one is None else quote_name(one)} AS VARCHAR)"
        for one in (link, pair.key, refers)
    ]
    keys = [*links, *map(quote_name, names), other]
    called = ["link", "key", "refers", *(f"c{number}" for number in range(len(names))), "other"]
    shown = [f"{key} AS {name}" for key, name in zip(keys, called, strict=True)]
    return rows.aggregate(", ".join([*shown, "count(*) AS copies"]), ", ".join(keys))


def _replace(
    stored: _Store,
    rows: duckdb.DuckDBPyRelation,
    number: int,
    values: pa.Table,
    labels: pa.Array,
) -> duckdb.DuckDBPyRelation:
    """Replace the values of an attribute by labels."""
    mapping = values.rename_columns(["before"]).append_column("after", labels)
    return stored.derive(
        rows,
        f"SELECT t.* REPLACE (m.after AS c{number}) FROM t JOIN mapping AS m "
        f"ON t.c{number} IS NOT DISTINCT FROM m.before",
        mapping,
    )


def _count_persons(
    stored: _Store,
    coded: Sequence[duckdb.DuckDBPyRelation],
    partial: Sequence[int],
    most: Mapping[int, int],
) -> duckdb.DuckDBPyRelation:
    """Count the private persons, ``own``, and the released ones, ``shown``, with equal rows.

    ``records`` are their rows in the tables of which some may be left out; persons of the same
    ``whole`` have the same rows in all other tables, and would keep as many of those of which
    ``most`` says how many are kept.
    """
    rows = functools.reduce(lambda one, other: one.union(other), coded)
    # Images of different private rows may be equal, so copies are added up.
    total = "SELECT link, released, place, code, CAST(sum(copies) AS BIGINT) AS copies FROM t"
    added = stored.derive(rows, f"{total} GROUP BY link, released, place, code")
    listed = "list({'place': place, 'code': code, 'copies': copies} ORDER BY place, code)"
    some = f"({', '.join(map(str, partial)) or -1})"
    numbers = [
        f"least(coalesce(sum(copies) FILTER (place = {place}), 0), "
        f"CASE WHEN released THEN NULL ELSE {number} END)"
        for place, number in most.items()
    ]
    persons = stored.derive(
        added,
        f"SELECT released, [{', '.join(numbers)}] AS kept, "
        f"{listed} FILTER (place NOT IN {some}) AS rest, "
        f"{listed} FILTER (place IN {some}) AS records FROM t GROUP BY link, released",
    )
    counted = stored.derive(
        persons,
        "SELECT dense_rank() OVER (ORDER BY rest, kept) AS whole, records, "
        "count(*) FILTER (released) AS shown, count(*) FILTER (NOT released) AS own "
        "FROM t GROUP BY rest, kept, records",
    )
    return stored.keep(counted)
