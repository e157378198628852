"""The SQL recount of a register agrees with counting person by person, and finds what is wrong."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike import RequirementNotMet
from lookalike.model.population import KMap
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify.register import (
    Generalization,
    RegisterPromise,
    RegisterVerdict,
    recount_people,
    require_people,
)

from ..brute import generalize_rows
from ..effort import examples
from ..registered import registered_requirements, registered_tables
from ..small_tables import table_of


@st.composite
def releases(draw):
    """Invent a table, a register, a vector, the classes that are released, and a condition."""
    table = draw(registered_tables())
    vector = tuple(draw(st.integers(0, rule.height)) for rule in table.invented.rules)
    shown = generalize_rows(table.invented.rows, table.invented.rules, vector)
    kept = draw(st.sets(st.sampled_from(sorted(set(shown), key=str)), min_size=1))
    condition = draw(registered_requirements(table)).registers[0]
    return table, vector, [row for row in shown if row in kept], condition


@examples(100)
@given(releases())
def test_the_recount_judges_as_counting_person_by_person_does(release):
    table, vector, rows, condition = release
    names = list(table.invented.hierarchies)
    suppressed = len(table.invented.rows) - len(rows)
    verdict = recount(table, vector, rows, promise_of(condition, names), suppressed)
    sizes = Counter(rows)
    people = Counter(generalize_rows(table.people, table.invented.rules, vector))
    matched = sum(people[row] for row in sizes)
    if isinstance(condition, KMap):
        failing = [row for row in sizes if people[row] < condition.k]
        rest = True
    else:
        failing = [row for row in sizes if not is_within(condition, sizes[row], people[row])]
        rest = is_within(condition, suppressed, len(table.people) - matched)
    assert verdict == RegisterVerdict(len(failing), rest)
    assert verdict.holds == (not failing and rest)


def is_within(condition, rows, people):
    return condition.lowest * people <= rows <= condition.highest * people


def promise_of(condition, names):
    """Return the promise of a condition; the columns of the register have other names."""
    columns = {name: f"their {name}" for name in names}
    if isinstance(condition, KMap):
        return RegisterPromise("k_map", columns, least=condition.k)
    return RegisterPromise("presence", columns, 0, condition.lowest, condition.highest)


def recount(table, vector, rows, promise, suppressed):
    """Count the people of a register on a connection of its own."""
    connection = Connection()
    rules = table.invented.hierarchies
    frames = (
        table.invented.table,
        table_of(list(rules), rows),
        table_of(list(promise.columns.values()), table.people),
    )
    private, release, register = (as_relation(read_frame(one), connection) for one in frames)
    done = Generalization(rules, dict(zip(rules, vector, strict=True)), "*", suppressed)
    return recount_people(promise, done, private, release, register, connection)


def test_bounds_are_compared_as_decimals():
    third = RegisterPromise("presence", {}, 0, Decimal("0.1"), Decimal("0.3"))
    assert third.holds(3, 10)
    assert third.holds(1, 10)
    assert not third.holds(4, 10)
    assert not third.holds(1, 11)
    assert not third.holds(1, 0)
    assert RegisterPromise("presence", {}, 0, Fraction(0), Fraction(1)).holds(0, 0)


@pytest.mark.parametrize(
    ("verdict", "found"),
    [
        (RegisterVerdict(2, rest_holds=True), "2 released classes"),
        (RegisterVerdict(0, rest_holds=False), "the suppressed rows"),
    ],
)
def test_a_release_that_fails_is_refused_without_a_number_of_people(verdict, found):
    promise = RegisterPromise("k_map", {}, least=5)
    with pytest.raises(RequirementNotMet, match=f"k_map: {found} do not satisfy"):
        require_people(promise, verdict)
    require_people(promise, RegisterVerdict(0, rest_holds=True))
