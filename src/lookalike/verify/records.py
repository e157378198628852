"""Count again, with SQL, the persons who share what an attacker may know of linked tables.

An attacker knows the attributes q of a person, and S: some of the person's records in each table.
The support of (q, S) is the number of persons with these attributes whose records contain S, equal
records counted as often as they occur. It must be at least k for every (q, S) that some released
person has. Nothing of the search is imported here.
"""

import itertools
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from lookalike.errors import RequirementNotMet
from lookalike.tables.connection import Connection
from lookalike.tables.sql import engine_errors, quote_name, store
from lookalike.tables.table import check_columns
from lookalike.verify.linked_rows import KnownNumber, LinkedRows


@dataclass(frozen=True)
class LinkedPromise:
    """The promise that k persons share whatever an attacker may know of a person.

    Parameters
    ----------
    k
        The promised number of persons.
    persons
        The person table, with one row per person. Without it, the persons are those of the records.
    records
        The record tables.
    """

    k: int
    persons: LinkedRows | None
    records: tuple[LinkedRows, ...] = ()

    @property
    def tables(self) -> tuple[LinkedRows, ...]:
        """All tables, the person table first."""
        return (*(() if self.persons is None else (self.persons,)), *self.records)


@dataclass(frozen=True)
class LinkedCount:
    """The result of counting linked tables.

    Parameters
    ----------
    persons
        The number of persons.
    rows
        The number of rows of each record table.
    smallest
        The least support of a (q, S); 0 if there are no persons.
    combinations
        The number of different (q, S) whose support was counted. Smaller S have no less support,
        so they are left out where every person has larger ones.
    below_k
        How many of these have a support below k.
    unlinked
        The number of records without a person, or of persons that the person table does not have.
        They are not counted.
    repeated
        The number of rows of the person table whose link is missing or occurs in another row.
        They are not counted.
    distinct
        For each protected column of the person table, the least number of different values of the
        persons who share a (q, S).
    """

    persons: int
    rows: tuple[int, ...]
    smallest: int
    combinations: int
    below_k: int
    unlinked: int
    repeated: int
    distinct: Mapping[str, int] = field(default_factory=dict)


def require_linked(connection: Connection, promise: LinkedPromise) -> LinkedCount:
    """Refuse linked tables that do not keep the promise, or whose links lead nowhere."""
    found = recount_linked(connection, promise)
    if found.repeated:
        raise RequirementNotMet(
            f"{found.repeated:,} rows of the person table have no link, or the link of another "
            "row, so nothing is released; please report it"
        )
    if found.unlinked:
        raise RequirementNotMet(
            f"{found.unlinked:,} records belong to no person of the release, so nothing is "
            "released; please report it"
        )
    if found.smallest < promise.k:
        raise RequirementNotMet(
            f"{found.below_k:,} combinations of values and records that may be known are those of "
            f"fewer than {promise.k} persons (of {found.smallest} at the least), so nothing is "
            "released; did the source change while it was read? If not, please report it"
        )
    for column, least in (promise.persons.distinct if promise.persons else {}).items():
        if found.distinct[column] < least:
            raise RequirementNotMet(
                f"some persons who share what may be known have {found.distinct[column]:,} "
                f"different values of {column!r}, fewer than {least:,}, so nothing is released; "
                "did the source change while it was read? If not, please report it"
            )
    return found


def recount_linked(connection: Connection, promise: LinkedPromise) -> LinkedCount:
    """Count the persons who share each (q, S) that some person has.

    Parameters
    ----------
    connection
        The connection to which the rows of all tables belong.

    Examples
    --------
    >>> connection = Connection()
    >>> visits = connection.duckdb.sql(
    ...     "FROM (VALUES (1, 'May'), (1, 'May'), (2, 'May'), (2, 'June')) AS t(person, month)"
    ... )
    >>> known = LinkedRows("visits", visits, "person", ("month",), knows=1)
    >>> recount_linked(connection, LinkedPromise(2, None, (known,))).smallest
    1
    """
    for table in promise.tables:
        wanted = [table.shown_link, *table.columns, *table.distinct]
        check_columns(table.rows.columns, wanted, table.name)
    with engine_errors("the linked tables"), _stored(connection, promise) as linked:
        counted = [linked.count_support(sizes) for sizes in linked.list_sizes()]
        different = [values for _, several, _, values in counted if several]
        columns = () if promise.persons is None else promise.persons.distinct
        return LinkedCount(
            persons=linked.sum(linked.people, "1"),
            rows=tuple(linked.sum(table, "copies") for table in linked.tables),
            smallest=min((smallest for smallest, several, *_ in counted if several), default=0),
            combinations=sum(several for _, several, *_ in counted),
            below_k=sum(below for _, _, below, _ in counted),
            unlinked=linked.count_unlinked(),
            repeated=linked.count_repeated(),
            distinct={
                column: min((values[place] for values in different), default=0)
                for place, column in enumerate(columns)
            },
        )


class _Stored:
    """Linked tables as DuckDB stores them while they are counted.

    Each table is stored as ``link``, ``code`` (equal numbers for equal values) and ``copies``;
    ``people`` has ``person`` (a number), ``link``, and the code of the attributes as ``q``.
    """

    def __init__(self, connection: Connection, promise: LinkedPromise) -> None:
        self.duckdb, self.records = connection.duckdb, promise.records
        self.k, self.has_persons = promise.k, promise.persons is not None
        name = f"lookalike linked {secrets.token_hex(8)}"
        self.names = [f"{name} {place}" for place in range(1 + len(promise.tables))]
        self.people, *tables = map(quote_name, self.names)
        self.tables = tables[1:] if self.has_persons else tables
        self.given_people = tables[0] if self.has_persons else ""
        several = range(len(promise.persons.distinct) if promise.persons else 0)
        self.values = [f"v{place}" for place in several]
        self.keyed: dict[int, str] = {}

    def sum(self, rows: str, column: str) -> int:
        """Add up a column."""
        query = f"SELECT coalesce(sum({column}), 0) FROM {rows}"
        return int(self.duckdb.execute(query).fetchall()[0][0])

    def store_people(self) -> None:
        """Number the persons; rows of the person table that share a link are left out."""
        values = "".join(f", {one}" for one in self.values)
        kept = "".join(f", any_value({one}) AS {one}" for one in self.values)
        linked = (
            f"SELECT link, any_value(code) AS q{kept} FROM {self.given_people} "
            "WHERE link IS NOT NULL GROUP BY link HAVING sum(copies) = 1"
            if self.has_persons
            else "SELECT DISTINCT link, 0 AS q FROM ("
            + " UNION ALL ".join(f"SELECT link FROM {table}" for table in self.tables)
            + ") WHERE link IS NOT NULL"
        )
        self.duckdb.execute(
            f"CREATE TEMP TABLE {self.people} AS "
            f"SELECT row_number() OVER () AS person, link, q{values} FROM ({linked})"
        )

    def count_repeated(self) -> int:
        """Count the rows of the person table that share a link, or have none."""
        if not self.has_persons:
            return 0
        return self.sum(self.given_people, "copies") - self.sum(self.people, "1")

    def count_unlinked(self) -> int:
        """Count the records that belong to none of the people."""
        return sum(
            self.sum(f"{table} ANTI JOIN {self.people} USING (link)", "copies")
            for table in self.tables
        )

    def list_sizes(self) -> Iterator[tuple[KnownNumber, ...]]:
        """List how many records of each table the largest S of some person may have."""
        each: list[list[KnownNumber]] = []
        for table, known in zip(self.tables, self.records, strict=True):
            if known.knows == "all":
                each.append(["all"])
                continue
            if any(
                one.knows and one.refers and one.refers[1] == known.name for one in self.records
            ):
                # what else is known of these depends on which of them the others belong to
                each.append([*range(known.knows + 1)])
                continue
            found = self.duckdb.execute(
                f"SELECT DISTINCT least(coalesce(number, 0), {known.knows}) "
                f"FROM {self.people} LEFT JOIN "
                f"(SELECT link, sum(copies) AS number FROM {table} GROUP BY link) USING (link)"
            ).fetchall()
            each.append(sorted(int(size) for (size,) in found))
        return itertools.product(*each)

    def count_support(
        self, sizes: tuple[KnownNumber, ...]
    ) -> tuple[int, int, int, tuple[int, ...]]:
        """Count the persons of each (q, S) whose S takes so many records of each table.

        Returns: the least support, the number of (q, S), how many of them are below k, and the
        least number of different values of each protected column.
        """
        joined, keys = f"{self.people} AS p", ["p.q"]
        for place, (table, size) in enumerate(zip(self.tables, sizes, strict=True)):
            if size == "all" or (size and place not in self.keyed):
                joined += f" JOIN ({self._choose(table, size)}) AS s{place} USING (person)"
                keys += [f"s{place}.r{n}" for n in range(1 if size == "all" else size)]
        shown, more = self._join_keyed(sizes)
        joined, keys = joined + shown, keys + more
        counted = f"{'count(DISTINCT p.person)' if self.keyed else 'count(*)'} AS support"
        different = "".join(
            f", count(DISTINCT {one}) + max(CAST({one} IS NULL AS INTEGER)) AS {one}"
            for one in self.values
        )
        least = "".join(f", coalesce(min({one}), 0)" for one in self.values)
        [(smallest, several, below, *values)] = self.duckdb.execute(
            "SELECT coalesce(min(support), 0), count(*), "
            f"count(*) FILTER (WHERE support < {self.k}){least} "
            f"FROM (SELECT {counted}{different} FROM {joined} GROUP BY {', '.join(keys)})"
        ).fetchall()
        return int(smallest), int(several), int(below), tuple(map(int, values))

    def store_keyed(self) -> None:
        """Store the records that refer to others and may be known, and those to which they refer.

        Each has a ``row``, its ``key`` or the one to which it refers, and a ``code``, equal for
        those that show the same, also in the record to which they refer if that may be known.
        """
        place_of = {one.name: place for place, one in enumerate(self.records)}
        referring = {
            place: place_of[one.refers[1]]
            for place, one in enumerate(self.records)
            if one.refers and one.knows
        }
        for place in {*referring, *referring.values()}:
            own, target = self.records[place], referring.get(place)
            columns, rows = [f"o.c{n}" for n in range(len(own.columns))], self._store_rows(own)
            joined = f"{rows} AS o JOIN {self.people} AS p ON o.link = p.link"
            if target is not None and self.records[target].knows:
                shown = range(len(self.records[target].columns))
                columns += ["t.key IS NULL", *(f"t.c{n}" for n in shown)]
                other = self._store_rows(self.records[target])
                joined += f" LEFT JOIN {other} AS t ON t.link = o.link AND t.key = o.key"
            self.names.append(f"{self.names[0]} keyed {place}")
            self.keyed[place] = quote_name(self.names[-1])
            self.duckdb.execute(
                f"CREATE TEMP TABLE {self.keyed[place]} AS SELECT person, o.key, "
                f"dense_rank() OVER (ORDER BY {', '.join(columns) or 'NULL'}) AS code, "
                f"row_number() OVER () AS row FROM {joined}"
            )

    def _store_rows(self, table: LinkedRows) -> str:
        """Store the rows of a table as ``link``, ``key``, and their columns by number."""
        self.names.append(f"{self.names[0]} rows {len(self.names)}")
        key = quote_name(table.refers[0] if table.refers else table.key or "")
        texts = [f"CAST({quote_name(table.shown_link)} AS VARCHAR) AS link"]
        texts += [f"CAST({key} AS VARCHAR) AS key"]
        texts += [f"{quote_name(column)} AS c{n}" for n, column in enumerate(table.columns)]
        store(table.rows, self.names[-1], ", ".join(texts), self.duckdb)
        return quote_name(self.names[-1])

    def _join_keyed(self, sizes: tuple[KnownNumber, ...]) -> tuple[str, list[str]]:
        """Return joins for every choice of so many records that have keys, and what they show.

        Records that refer to others come first. A record to which one of them refers is known
        already, so others are chosen; and of two that refer to others it is known whether they
        refer to the same. Records that show the same are chosen in each order.
        """
        joined, shown, first = "", list[str](), list[tuple[str, str]]()
        ordered = sorted(self.keyed, key=lambda place: self.records[place].refers is None)
        for place in ordered:
            one, size, before = self.records[place], sizes[place], ""
            for n in range(0 if size == "all" else size):
                here, target = f"k{place}_{n}", one.refers[1] if one.refers else one.name
                same = [f"{here}.key = {other}.key" for other, to in first if to == target]
                wanted = [f"{here}.person = p.person"]
                if one.refers:
                    chosen = [f"k{place}_{m}" for m in range(n)]
                    wanted += [f"{here}.row <> {other}.row" for other in chosen]
                    wanted += [f"{here}.code >= {before}.code"] if before else []
                    shown += [f"({pair}) IS TRUE" for pair in same]
                    first.append((here, target))
                else:
                    wanted += [f"({pair}) IS NOT TRUE" for pair in same]
                    later = f"({here}.code, {here}.row) > ({before}.code, {before}.row)"
                    wanted += [later] if before else []
                shown.append(f"{here}.code")
                joined += f" JOIN {self.keyed[place]} AS {here} ON {' AND '.join(wanted)}"
                before = here
        return joined, shown

    def _choose(self, table: str, size: KnownNumber) -> str:
        """Return a query for every different choice of so many records of each person, once.

        The records of a choice are in the order of their codes, and the copies of a record in the
        order of their numbers, beginning with the first. So each multiset is chosen only once.
        """
        if size == "all":
            owned = f"{self.people} LEFT JOIN {table} USING (link)"
            every = "list({'code': code, 'copies': copies} ORDER BY code)"
            return f"SELECT person, {every} AS r0 FROM {owned} GROUP BY person"
        copies = (
            f"SELECT person, code, unnest(range(least(copies, {size}))) AS copy "
            f"FROM {self.people} JOIN {table} USING (link)"
        )
        chosen = ", ".join(f"c{n}.code AS r{n}" for n in range(size))
        joins = "".join(
            f" JOIN copies AS c{n} ON c{n}.person = c{n - 1}.person AND "
            f"(c{n}.code > c{n - 1}.code AND c{n}.copy = 0 OR "
            f"c{n}.code = c{n - 1}.code AND c{n}.copy = c{n - 1}.copy + 1)"
            for n in range(1, size)
        )
        return (
            f"WITH copies AS ({copies}) "
            f"SELECT c0.person, {chosen} FROM copies AS c0{joins} WHERE c0.copy = 0"
        )


@contextmanager
def _stored(connection: Connection, promise: LinkedPromise) -> Iterator[_Stored]:
    """Store the tables of a promise in a connection, as long as the body of the ``with`` runs."""
    stored = _Stored(connection, promise)
    try:
        for name, table in zip(stored.names[1:], promise.tables, strict=True):
            columns = [quote_name(column) for column in table.columns]
            values = [quote_name(column) for column in table.distinct]
            link = f"CAST({quote_name(table.shown_link)} AS VARCHAR)"
            named = [f"{link} AS link", *(f"{c} AS c{n}" for n, c in enumerate(columns))]
            named += [f"{v} AS v{n}" for n, v in enumerate(values)]
            grouped = table.rows.aggregate(
                ", ".join([*named, "count(*) AS copies"]), ", ".join([link, *columns, *values])
            )
            order = ", ".join(f"c{n}" for n in range(len(columns))) or "NULL"
            code = f"dense_rank() OVER (ORDER BY {order}) AS code"
            shown = "".join(f", v{n}" for n in range(len(values)))
            store(grouped, name, f"link, {code}, copies{shown}", connection.duckdb)
        stored.store_people()
        stored.store_keyed()
        yield stored
    finally:
        for name in stored.names:
            connection.duckdb.execute(f"DROP TABLE IF EXISTS {quote_name(name)}")
