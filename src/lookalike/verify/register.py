"""Count the people of a register who match each class of a release again, with SQL.

The register is generalized to the levels of the release by the public methods of the hierarchies,
and joined with the classes of the released rows. Values of the register that a hierarchy does not
know are suppressed, as the hierarchy would suppress them in the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import pyarrow as pa

from lookalike.errors import RequirementNotMet
from lookalike.hierarchy import Hierarchy
from lookalike.tables.connection import Connection
from lookalike.tables.labels import label
from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.verify.released_values import count_column_values
from lookalike.verify.values import column_types, list_paths, list_values, recognize


@dataclass(frozen=True)
class RegisterPromise:
    """What a release promises about the people of a register who match its classes.

    ``name``: the name of the condition.
    ``columns``: for each attribute of the quasi-identifier, the column of the register.
    ``least``: the least number of people who match each class.
    ``lowest``, ``highest``: bounds on the probability that a person of the register is in the
    table; None if there are none.
    """

    name: str
    columns: Mapping[str, str]
    least: int = 0
    lowest: Decimal | None = None
    highest: Decimal | None = None

    def holds(self, rows: int, people: int) -> bool:
        """Return whether it holds for a class with so many rows and people."""
        return people >= self.least and self.bounds(rows, people)

    def bounds(self, rows: int, people: int) -> bool:
        """Return whether the share of the people who are in the table lies within the bounds."""
        if self.lowest is None or self.highest is None:
            return True
        lowest, highest = Fraction(self.lowest), Fraction(self.highest)
        return people * lowest <= rows <= people * highest


@dataclass(frozen=True)
class RegisterVerdict:
    """What was counted of the people of a register.

    ``classes_failing``: the number of classes that do not keep the promise.
    ``rest_holds``: whether the suppressed rows keep it, compared with the people who match no
    class.
    """

    classes_failing: int
    rest_holds: bool

    @property
    def holds(self) -> bool:
        """Whether the promise is kept."""
        return not self.classes_failing and self.rest_holds


@dataclass(frozen=True)
class Generalization:
    """How released values were made from private ones."""

    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, int]
    suppressed_label: str
    rows_suppressed: int


def recount_people(
    promise: RegisterPromise,
    done: Generalization,
    private: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    register: duckdb.DuckDBPyRelation,
    connection: Connection,
) -> RegisterVerdict:
    """Count the people of a register who match each class of a release."""
    with engine_errors("the private table, the release or the register"):
        classes = _count_rows(release, list(done.levels))
        people = _count_rows(register, [promise.columns[name] for name in done.levels])
        for place, (name, level) in enumerate(done.levels.items()):
            known = [label(value) for value in count_column_values(private, name)[0]]
            fitted = done.hierarchies[name].fit([text for text in known if text is not None])
            rule = replace(fitted, unknown="suppress")
            values, positions = list_values(people.column(place))
            paths = list_paths(name, rule, [label(one) for one in values], done.suppressed_label)
            people = _replace(people, place, [path[level] for path in paths], positions)
            values, positions = list_values(classes.column(place))
            own = list_paths(name, rule, known, done.suppressed_label)
            kind = column_types(private)[name]
            texts = recognize(values, own, [level], kind, connection)
            classes = _replace(classes, place, texts, positions)
        pairs = _match(classes, people, connection)
    failing = sum(many for rows, found, many in pairs if not promise.holds(rows, found))
    inside = sum(found * many for _, found, many in pairs)
    outside = sum(people["rows"].to_pylist()) - inside
    return RegisterVerdict(failing, promise.bounds(done.rows_suppressed, outside))


def _count_rows(relation: duckdb.DuckDBPyRelation, columns: Sequence[str]) -> pa.Table:
    """Count the rows of each combination of values; the last column is their number."""
    keys = ", ".join(f"{quote_name(name)} AS c{place}" for place, name in enumerate(columns))
    statement = f"SELECT {keys}, count(*) AS rows FROM t GROUP BY ALL"
    return derive(relation, statement).to_arrow_table()


def _replace(table: pa.Table, place: int, labels: Sequence[str | None], positions: Any) -> pa.Table:
    """Replace the values of a column by their labels."""
    written = pa.array(labels, pa.string()).take(pa.array(positions))
    return table.set_column(place, f"c{place}", written)


def _match(
    classes: pa.Table, people: pa.Table, connection: Connection
) -> list[tuple[int, int, int]]:
    """Return how many classes have how many rows and how many people."""
    keys = classes.column_names[:-1]
    on = " AND ".join(f"s.{key} IS NOT DISTINCT FROM p.{key}" for key in keys)
    listed = ", ".join(keys)
    matched = (
        f"SELECT s.rows AS rows, coalesce(p.people, 0) AS people "
        f"FROM (SELECT {listed}, sum(rows) AS rows FROM t GROUP BY {listed}) AS s LEFT JOIN "
        f"(SELECT {listed}, sum(rows) AS people FROM mapping GROUP BY {listed}) AS p ON {on}"
    )
    counted = derive(
        connection.duckdb.from_arrow(classes),
        f"SELECT rows, people, count(*) FROM ({matched}) GROUP BY rows, people",
        people,
        connection.duckdb,
    )
    return [(int(rows), int(found), int(many)) for rows, found, many in counted.fetchall()]


def require_people(promise: RegisterPromise, verdict: RegisterVerdict) -> None:
    """Refuse a release that does not keep a promise about a register."""
    if not verdict.holds:
        what = (
            f"{verdict.classes_failing:,} released classes"
            if verdict.classes_failing
            else "the suppressed rows"
        )
        raise RequirementNotMet(
            f"{promise.name}: {what} do not satisfy the condition on the register, so nothing is "
            "released; did the source or the register change while they were read?"
        )
