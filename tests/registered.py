"""Invented tables with registers of the population, judged person by person."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import strategies as st

from lookalike.flow.count_register import bind_register
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.population import K_MAP, PRESENCE, KMap, PresenceBounds, RegisterCondition
from lookalike.model.requirement import Requirement
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

from .brute import generalize_rows
from .exhaustive import ExhaustivelyJudged
from .invented import LEAVES, STRANGER, Invented, requirements, tables
from .small_tables import Row, rows_of, table_of


@dataclass(frozen=True)
class Registered:
    """An invented table, and the people of a register."""

    invented: Invented
    people: list[Row]

    @property
    def frequency(self) -> FrequencyList:
        """The frequency list that knows the register."""
        table, rules = self.invented.frequency, self.invented.hierarchies
        counted = count(read_frame(table_of(list(rules), self.people)), list(rules))
        registers = tuple(
            bind_register(name, rules, table.hierarchies, counted) for name in (K_MAP, PRESENCE)
        )
        return replace(table, registers=registers)


@st.composite
def registered_tables(draw: st.DrawFn, max_rows: int = 20) -> Registered:
    """Invent a table and a register that has some of its rows, and people outside of it."""
    invented = draw(tables(min_rows=2, max_rows=max_rows))
    rows = rows_of(invented.table)
    value = st.sampled_from([*LEAVES, None, STRANGER, "all"])
    outside = st.tuples(*(value for _ in invented.hierarchies))
    mixed = st.builds(_mix, st.sampled_from(rows), outside, st.integers(0, len(rows[0])))
    people = draw(st.lists(st.one_of(st.sampled_from(rows), mixed, outside), max_size=40))
    return Registered(invented, people)


def _mix(row: Row, other: Row, place: int) -> Row:
    """Return a row with the values of another one from a place on."""
    return (*row[:place], *other[place:])


@st.composite
def registered_requirements(draw: st.DrawFn, table: Registered) -> Requirement:
    """Invent a requirement with conditions on the register."""
    bounds = st.sampled_from([Fraction(share, 12) for share in (0, 0, 0, 1, 2, 3, 6, 8, 12)])
    k_map = KMap(draw(st.integers(2, 8)))
    lowest, highest = sorted([draw(bounds), draw(bounds)])
    presence = PresenceBounds(lowest, highest or Fraction(1, 2))
    asked: list[tuple[RegisterCondition, ...]] = [(k_map,), (presence,), (k_map, presence)]
    return replace(
        draw(requirements(table.invented)),
        registers=draw(st.sampled_from(asked)),
        average_risk=draw(st.sampled_from([None, None, Fraction(1, 4)])),
    )


class ExhaustivelyRegistered(ExhaustivelyJudged):
    """The lattice of an invented table, with conditions on a register."""

    table: Registered

    def people(self, vector: Vector) -> Counter[Row]:
        """Count the people of the register by what their values become at a vector."""
        return Counter(generalize_rows(self.table.people, self.invented.rules, vector))

    def gone(self, vector: Vector) -> set[int]:
        """Return the rows that must be suppressed at a vector."""
        if vector not in self._gone:
            rows = self.rows(vector)
            sizes, people = Counter(rows), self.people(vector)
            fails = {one for one in sizes if not self._class_holds(sizes[one], people[one])}
            self._gone[vector] = {place for place, row in enumerate(rows) if row in fails}
        return self._gone[vector]

    def suppressed(self, vector: Vector) -> int:
        """Count the rows that must be suppressed; more than all if the rest gives away too much."""
        gone = self.gone(vector)
        return len(self.invented.rows) + 1 if self._is_refused(vector, gone) else len(gone)

    def _class_holds(self, rows: int, people: int) -> bool:
        """Return whether a class satisfies k and every condition on the register."""
        return rows >= self.k and all(
            people >= one.k if isinstance(one, KMap) else _is_between(one, rows, people)
            for one in self.requirement.registers
        )

    def _is_refused(self, vector: Vector, gone: set[int]) -> bool:
        """Return whether average risk, or the presence of those who match no class, is wrong."""
        rows = self.rows(vector)
        left = [row for place, row in enumerate(rows) if place not in gone]
        risk = self.requirement.average_risk
        if risk is not None and len(set(left)) > risk * len(left):
            return True
        outside = sum(n for row, n in self.people(vector).items() if row not in set(left))
        return any(
            not _is_between(one, len(gone), outside)
            for one in self.requirement.registers
            if isinstance(one, PresenceBounds) and (gone or outside)
        )


def _is_between(asked: PresenceBounds, rows: int, people: int) -> bool:
    """Return whether the share of people who are in the table is within the bounds."""
    return people > 0 and asked.lowest <= Fraction(rows, people) <= asked.highest
