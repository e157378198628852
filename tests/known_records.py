"""Tiny worlds of persons with records, and what of them is known to somebody, without SQL."""

import itertools
from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
from hypothesis import strategies as st

from lookalike.verify.linked_rows import LinkedRows
from lookalike.verify.records import LinkedPromise

VALUES = st.sampled_from(["a", "b", None])


@dataclass(frozen=True)
class World:
    """Persons by their link, each with a value, and tables of records: links with a value each."""

    persons: dict[str, str | None] | None
    tables: tuple[tuple[tuple[str, str | None], ...], ...]
    knows: tuple[int | str, ...]

    @property
    def links(self):
        """The links of all persons."""
        if self.persons is not None:
            return list(self.persons)
        return sorted({link for table in self.tables for link, _ in table})

    def records_of(self, link, table):
        """The values of a person's records in a table."""
        return [value for one, value in self.tables[table] if one == link]

    def known_of(self, link):
        """Every (q, S) of a person: q, and as many records of each table as somebody may know."""
        choices = []
        for table, knows in enumerate(self.knows):
            records = self.records_of(link, table)
            several = [len(records)] if knows == "all" else range(min(knows, len(records)) + 1)
            choices.append(
                {bag(some) for n in several for some in itertools.combinations(records, n)}
            )
        return itertools.product([self.value_of(link)], *choices)

    def value_of(self, link):
        """The value of a person in the person table."""
        return None if self.persons is None else self.persons[link]

    def support(self, known):
        """How many persons have this q, and records that contain S (for "all": are S)."""
        return sum(self.fits(link, known) for link in self.links)

    def fits(self, link, known):
        """Whether a person has this q, and records that contain S (for "all": are S)."""
        value, *sets = known
        return self.value_of(link) == value and all(
            bag(self.records_of(link, table)) == some
            if knows == "all"
            else not Counter(dict(some)) - Counter(self.records_of(link, table))
            for table, (some, knows) in enumerate(zip(sets, self.knows, strict=True))
        )

    def least_support(self):
        """The least support of anything that is known of somebody."""
        supports = [self.support(known) for link in self.links for known in self.known_of(link)]
        return min(supports, default=0)

    def promise(self, connection, k=2):
        """The promise about this world as tables of DuckDB."""

        def relation(lines):
            links, values = zip(*lines, strict=True) if lines else ((), ())
            return connection.duckdb.from_arrow(
                pa.table({"who": pa.array(links, pa.string()), "v": pa.array(values, pa.string())})
            )

        persons = None
        if self.persons is not None:
            persons = LinkedRows("persons", relation([*self.persons.items()]), "who", ("v",))
        return LinkedPromise(
            k,
            persons,
            tuple(
                LinkedRows(f"records {place}", relation(table), "who", ("v",), knows)
                for place, (table, knows) in enumerate(zip(self.tables, self.knows, strict=True))
            ),
        )


def bag(values):
    """Values as a multiset that can be compared and hashed."""
    return frozenset(Counter(values).items())


@st.composite
def worlds(draw, tables=None):
    """At most five persons, and at most two tables, or so many, of at most seven records."""
    links = "pqrst"[: draw(st.integers(1, 5))]
    persons = draw(st.none() | st.fixed_dictionaries(dict.fromkeys(links, VALUES)))
    records = st.lists(st.tuples(st.sampled_from(links), VALUES), max_size=7).map(tuple)
    least = (persons is None) if tables is None else tables
    drawn = draw(st.lists(records, min_size=least, max_size=tables or 2))
    knows = st.sampled_from([0, 1, 2, 3, "all"])
    return World(persons, tuple(drawn), tuple(draw(knows) for _ in drawn))
