"""Invented tables with sensitive values and persons, and their requirements, judged row by row."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from lookalike.model.beside import SINGLE, Persons, Sensitive
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.protections import (
    Closeness,
    Disclosure,
    Distinct,
    Entropy,
    Likeness,
    Protection,
    Recursive,
    Share,
)
from lookalike.model.requirement import ColumnProtection, Requirement

from .exhaustive import ExhaustivelyJudged
from .invented import Invented, requirements, tables
from .small_tables import frequency_beside

NEARLY = 1e-9
SENSITIVE = ("ill", "pay")
PERSON = "person"


def pair_up(values: int) -> npt.NDArray[np.int32]:
    """Return a hierarchy of values: in pairs, and all together."""
    return np.array([np.arange(values) // size for size in (1, 2, max(1, values))], np.int32)


@dataclass(frozen=True)
class Protected:
    """An invented table with the sensitive values and the person of every row."""

    invented: Invented
    sensitive: dict[str, list[int]]
    persons: list[int]

    @property
    def frequency(self) -> FrequencyList:
        """The frequency list that knows persons and sensitive values."""
        rows = Counter(self.persons)
        several = sorted(person for person, number in rows.items() if number > 1)
        codes = [several.index(one) + 1 if rows[one] > 1 else SINGLE for one in self.persons]
        columns = [Persons(PERSON, np.array(codes, np.int32), most_rows=max(rows.values()))]
        for name, values in self.sensitive.items():
            reference = np.bincount(np.array(values, np.int64))
            codes, levels = np.array(values, np.int32), pair_up(len(reference))
            columns.append(Sensitive(name, codes, reference=reference, levels=levels))
        return frequency_beside(self.invented.table, self.invented.hierarchies, columns)


@st.composite
def protected_tables(draw: st.DrawFn, max_rows: int = 20) -> Protected:
    """Invent a table, and for each row its sensitive values and its person."""
    invented = draw(tables(min_rows=2, max_rows=max_rows))
    rows = invented.table.num_rows
    columns = {
        name: draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)) for name in SENSITIVE
    }
    persons = draw(st.lists(st.integers(0, rows), min_size=rows, max_size=rows))
    return Protected(invented, columns, persons)


def protections() -> st.SearchStrategy[Protection]:
    """Invent a protection."""
    return st.one_of(
        st.integers(1, 3).map(Distinct),
        st.sampled_from([1, 1.5, 2, 2.5]).map(Entropy),
        st.builds(Recursive, st.sampled_from([1, 1.5, 3]), st.integers(2, 3)),
        st.builds(
            Closeness,
            st.sampled_from([0.1, 0.25, 0.5]),
            st.sampled_from(["equal", "ordered", "hierarchy"]),
        ),
        st.builds(Likeness, st.sampled_from([0.5, 1.0, 2.0]), st.booleans()),
        st.sampled_from([0.7, 1.2, 2.0]).map(Disclosure),
        st.sampled_from([0.4, 0.5, 0.75]).map(Share),
    )


@st.composite
def protected_requirements(draw: st.DrawFn, table: Protected) -> Requirement:
    """Invent a requirement with some protections, persons or an average risk."""
    asked = st.builds(ColumnProtection, st.sampled_from(SENSITIVE), protections())
    return replace(
        draw(requirements(table.invented, several=draw(st.booleans()))),
        protections=tuple(draw(st.lists(asked, max_size=2))),
        person=draw(st.sampled_from([None, PERSON])),
        average_risk=draw(st.sampled_from([None, None, Fraction(1, 4), Fraction(1, 6)])),
        secrecy="search",
    )


def holds(protection: Protection, values: Sequence[int], table: Sequence[int]) -> bool:
    """Judge the values of a class by the definition of a protection."""
    here, every = Counter(values), Counter(table)
    p = {value: here[value] / len(values) for value in every}
    q = {value: every[value] / len(table) for value in every}
    return _JUDGES[type(protection)](protection, p, q)


def _entropy(asked: Entropy, p: dict[int, float], _: dict[int, float]) -> bool:
    bits = -sum(share * math.log(share) for share in p.values() if share)
    return math.exp(bits) >= asked.l - NEARLY


def _recursive(asked: Recursive, p: dict[int, float], _: dict[int, float]) -> bool:
    shares = sorted(p.values(), reverse=True)
    return shares[0] < asked.c * sum(shares[asked.l - 1 :]) - NEARLY


def _closeness(asked: Closeness, p: dict[int, float], q: dict[int, float]) -> bool:
    if asked.distance == "equal":
        return sum(abs(p[value] - q[value]) for value in q) / 2 <= asked.t + NEARLY
    if asked.distance == "hierarchy":
        pairs = {value // 2: 0.0 for value in q}
        for value in q:
            pairs[value // 2] += p[value] - q[value]
        values = sum(abs(p[value] - q[value]) for value in q)
        return (values + sum(map(abs, pairs.values()))) / 4 <= asked.t + NEARLY
    moved, carried = 0.0, 0.0
    for value in sorted(q):
        carried += p[value] - q[value]
        moved += abs(carried)
    return moved / max(1, len(q) - 1) <= asked.t + NEARLY


def _likeness(asked: Likeness, p: dict[int, float], q: dict[int, float]) -> bool:
    for value, share in q.items():
        most = min(asked.beta, -math.log(share)) if asked.enhanced else asked.beta
        if p[value] > share + NEARLY and (p[value] - share) / share > most + NEARLY:
            return False
    return True


def _disclosure(asked: Disclosure, p: dict[int, float], q: dict[int, float]) -> bool:
    return all(
        p[value] > 0 and abs(math.log(p[value] / q[value])) < asked.delta - NEARLY for value in q
    )


_JUDGES: dict[type, Callable[..., bool]] = {
    Distinct: lambda asked, p, _: sum(share > 0 for share in p.values()) >= asked.l,
    Entropy: _entropy,
    Recursive: _recursive,
    Closeness: _closeness,
    Likeness: _likeness,
    Disclosure: _disclosure,
    Share: lambda asked, p, _: max(p.values()) <= asked.alpha + NEARLY,
}


class ExhaustivelyProtected(ExhaustivelyJudged):
    """The lattice of an invented table, with protections, persons and an average risk."""

    table: Protected

    def gone(self, vector: Vector) -> set[int]:
        """Return the rows that must be suppressed at a vector."""
        if vector not in self._gone:
            self._gone[vector] = self._remove(self.rows(vector))
        return self._gone[vector]

    def suppressed(self, vector: Vector) -> int:
        """Count the rows that must be suppressed; more than all if the average risk is too high."""
        gone = self.gone(vector)
        return len(self.table.persons) + 1 if self._is_risky(vector, gone) else len(gone)

    def _remove(self, rows: Sequence[tuple[str | None, ...]]) -> set[int]:
        """Remove whole classes that fail, one quasi-identifier after the other, until none does."""
        left, before = set(range(len(rows))), -1
        while before != len(left):
            before = len(left)
            for places, k in self.protected:
                classes: dict[tuple[str | None, ...], list[int]] = {}
                for position in left:
                    key = tuple(rows[position][place] for place in places)
                    classes.setdefault(key, []).append(position)
                for members in classes.values():
                    if not self._class_holds(members, k):
                        left -= set(members)
        return set(range(len(rows))) - left

    def _class_holds(self, members: Sequence[int], k: int) -> bool:
        """Return whether a class has k rows or persons and satisfies every protection."""
        counts_persons = self.requirement.person and not self.requirement.quasi_identifiers
        persons = {self.table.persons[one] for one in members} if counts_persons else members
        return len(persons) >= k and all(
            holds(
                one.protection,
                [self.table.sensitive[one.column][member] for member in members],
                self.table.sensitive[one.column],
            )
            for one in self.requirement.protections
        )

    def _is_risky(self, vector: Vector, gone: set[int]) -> bool:
        """Return whether a quasi-identifier has too many classes for the rows that are left."""
        risk, rows = self.requirement.average_risk, self.rows(vector)
        left = [row for position, row in enumerate(rows) if position not in gone]
        return risk is not None and any(
            len({tuple(row[place] for place in places) for row in left}) > risk * len(left)
            for places, _ in self.protected
        )
