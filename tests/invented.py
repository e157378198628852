"""Hypothesis strategies for tables, hierarchies, weights and requirements."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import pyarrow as pa
from hypothesis import strategies as st

from lookalike import Mask, Suppress, Taxonomy
from lookalike.hierarchy import Hierarchy, Listed
from lookalike.model.frequency import FrequencyList
from lookalike.model.requirement import QuasiIdentifier, Requirement

from .small_tables import Row, frequency_of, rows_of, table_of

LEAVES = "abcdef"
STRANGER = "stranger"


@dataclass(frozen=True)
class Invented:
    """A table whose columns are all attributes of its quasi-identifier."""

    table: pa.Table
    hierarchies: dict[str, Hierarchy]

    @cached_property
    def frequency(self) -> FrequencyList:
        """The frequency list of the table."""
        return frequency_of(self.table, self.hierarchies)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows of the table."""
        return rows_of(self.table)

    @cached_property
    def rules(self) -> list[Hierarchy]:
        """The hierarchies, fitted to the values of the table."""
        return [
            rule.fit([value for value in self.table[name].to_pylist() if value is not None])
            for name, rule in self.hierarchies.items()
        ]

    @property
    def attributes(self) -> dict[str, dict[str, object]]:
        """The attributes of a specification of the table."""
        return {
            name: {"role": "quasi-identifier", "hierarchy": hierarchy}
            for name, hierarchy in self.hierarchies.items()
        }

    def reorder(self, order: list[int]) -> "Invented":
        """Return the same table with its rows in another order."""
        return Invented(self.table.take(order), self.hierarchies)


@st.composite
def listed(draw: st.DrawFn) -> Hierarchy:
    """Invent a tree of up to six leaves; no label occurs at two levels."""
    leaves = LEAVES[: draw(st.integers(1, len(LEAVES)))]
    paths = {leaf: [leaf] for leaf in leaves}
    groups = {leaf: number for number, leaf in enumerate(leaves)}
    for level in range(1, draw(st.integers(1, 3))):
        parents = draw(st.lists(st.integers(0, 2), min_size=6, max_size=6))
        groups = {leaf: parents[group] for leaf, group in groups.items()}
        for leaf in leaves:
            paths[leaf].append(f"{level}-{groups[leaf]}")
    for path in paths.values():
        path.append("all")
    unknown = draw(st.sampled_from(["error", "suppress"]))
    return Listed(paths, unknown=unknown, suppression_level=draw(st.booleans()))


def hierarchies() -> st.SearchStrategy[Hierarchy]:
    """Invent a hierarchy of any kind whose values are short texts of the first letters."""
    return st.one_of(
        listed(),
        st.just(Suppress()),
        st.just(Taxonomy({"A": ["a", "b"], "C": {"D": ["d", "e"], "c": [], "f": []}})),
        st.just(Mask(length=2, unknown="suppress")),
        st.just(Listed({"a": ["a"]})),
    )


def values(hierarchy: Hierarchy, *, missing: bool) -> st.SearchStrategy[str | None]:
    """Draw values of a hierarchy, with missing and unknown ones where it allows them."""
    known = list(hierarchy.domain()) or list(LEAVES)
    if missing and hierarchy.height:
        known.append(None)
    if hierarchy.unknown == "suppress" and hierarchy.height:
        known.append(STRANGER)
    return st.sampled_from(known)


@st.composite
def tables(
    draw: st.DrawFn, min_rows: int = 1, max_rows: int = 24, *, missing: bool = True
) -> Invented:
    """Invent a table of one to four attributes with few values, so that many rows are equal."""
    rules = draw(st.lists(hierarchies(), min_size=1, max_size=4))
    names = [f"attribute {number}" for number in range(len(rules))]
    row = st.tuples(*(values(rule, missing=missing) for rule in rules))
    rows = draw(st.lists(row, min_size=min_rows, max_size=max_rows))
    return Invented(table_of(names, rows), dict(zip(names, rules, strict=True)))


@st.composite
def tables_and_vectors(
    draw: st.DrawFn, number: int = 1, **options: int
) -> tuple[Invented, list[tuple[int, ...]]]:
    """Invent a table and a chain of vectors, each above the one before it."""
    invented = draw(tables(**options))
    levels = [
        sorted(draw(st.lists(st.integers(0, rule.height), min_size=number, max_size=number)))
        for rule in invented.rules
    ]
    return invented, list(zip(*levels, strict=True))


@st.composite
def weights(draw: st.DrawFn, number: int) -> tuple[Decimal, ...]:
    """Invent the weights of some attributes, at least one above 0; empty means equal weights."""
    some = st.sampled_from([Decimal(text) for text in ("0", "1", "2", "0.25", "1.3", "0.001")])
    drawn = draw(st.lists(some, min_size=number, max_size=number))
    return tuple(drawn) if any(drawn) else ()


@st.composite
def quasi_identifiers(
    draw: st.DrawFn, names: Sequence[str], most_k: int = 5
) -> tuple[QuasiIdentifier, ...]:
    """Invent one to three quasi-identifiers over some attributes, each with a k of its own."""
    part = st.lists(st.sampled_from(names), min_size=1, unique=True).map(tuple)
    parts = draw(st.lists(part, min_size=1, max_size=3))
    return tuple(
        QuasiIdentifier(f"respondent {number}", attributes, draw(st.integers(2, most_k)))
        for number, attributes in enumerate(parts)
    )


@st.composite
def requirements(draw: st.DrawFn, invented: Invented, *, several: bool = False) -> Requirement:
    """Invent a requirement: any k up to the number of rows, any MaxSup up to all rows."""
    rows = invented.table.num_rows
    k = draw(st.one_of(st.integers(2, max(2, min(rows, 5))), st.just(max(rows, 2))))
    limit = draw(
        st.one_of(
            st.none(),
            st.integers(0, rows),
            st.sampled_from([Decimal(text) for text in ("0.0", "0.1", "0.25", "0.5", "1.0")]),
        )
    )
    if not several:
        return Requirement(k, limit)
    return Requirement(
        k, limit, quasi_identifiers=draw(quasi_identifiers(list(invented.hierarchies)))
    )
