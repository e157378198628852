"""The decided vectors, compared with the evaluation of every one."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.describe import lattice as walking
from lookalike.describe.lattice import find_allowance, walk_lattice
from lookalike.model.lattice import Lattice, dominates

from .invented_people import ROLES, release


def walk(made):
    """Return what the holder's report shows of the lattice."""
    return walk_lattice(made.plan, made.specification.options())


def evaluate(made, lattice=None):
    """Return the vectors that satisfy the requirement, and those that do not."""
    frequency, requirement = made.plan.frequency, made.plan.requirement
    lattice = lattice or Lattice.of_heights(frequency.heights)
    most = find_allowance(made.plan)
    satisfying = {one for one in lattice if requirement.outliers(frequency, one) <= most}
    return satisfying, set(lattice) - satisfying


def check(found, satisfying, failing):
    """Compare heights and minimal vectors with those of all vectors."""
    for one in found.heights:
        assert one.satisfying == sum(sum(vector) == one.height for vector in satisfying)
        assert one.failing == sum(sum(vector) == one.height for vector in failing)
        assert one.undecided == 0
    lowest = {
        one for one in satisfying if not any(o != one and dominates(one, o) for o in satisfying)
    }
    assert set(found.minimal) == lowest
    assert list(found.minimal) == sorted(found.minimal, key=lambda one: (sum(one), one))
    assert found.is_complete


@pytest.mark.parametrize("most", [0, 8, 40])
@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_small_lattice_is_drawn_vector_by_vector(most, method):
    made = release(max_suppressed=most, method=method)
    found, (satisfying, failing) = walk(made), evaluate(made)
    check(found, satisfying, failing)
    assert {one.vector for one in found.nodes if one.decided == "satisfies"} == satisfying
    assert {one.vector for one in found.nodes if one.decided == "fails"} == failing
    assert {one.vector for one in found.nodes if one.is_minimal} == set(found.minimal)
    assert found.chosen == made.recoding.vector


@pytest.mark.parametrize("most", [0, 8])
def test_the_minimal_vectors_decide_a_large_lattice(most, monkeypatch):
    made = release(max_suppressed=most)
    monkeypatch.setattr(walking, "MOST_DRAWN", 10)
    found = walk(made)
    assert found.nodes == ()
    check(found, *evaluate(made))


def test_bounds_on_levels_leave_out_vectors():
    made = release(constraints=["zip >= 1", "age <= 2"])
    found = walk(made)
    lattice = Lattice((0, 1, 0), (2, 3, 1))
    assert found.size == lattice.size
    check(found, *evaluate(made, lattice))


@pytest.mark.parametrize("drawn", [0, 300])
@pytest.mark.parametrize("work", [0, 3000])
def test_what_a_short_search_does_not_decide_is_said_so(drawn, work, monkeypatch):
    made = release()
    monkeypatch.setattr(walking, "LATTICE_WORK", work)
    monkeypatch.setattr(walking, "MOST_DRAWN", drawn)
    found = walk(made)
    assert found == walk(made), "the same work decides the same vectors"
    assert not found.is_complete
    decided = sum(one.satisfying + one.failing for one in found.heights)
    assert sum(one.undecided for one in found.heights) == found.size - decided > 0


def test_a_requirement_that_is_not_monotone_is_not_deduced(monkeypatch):
    close = {"role": "sensitive", "protect": {"closeness": {"t": 0.6}}}
    made = release(max_suppressed=60, secrecy="search", attributes={**ROLES, "ill": close})
    monkeypatch.setattr(walking, "MOST_DRAWN", 10)
    assert not made.plan.requirement.is_monotone
    assert walk(made).heights == ()


def test_attributes_with_one_level_need_no_axis_of_an_array():
    names = [f"c{number}" for number in range(70)]
    people = pa.table({name: [*"aabb"] for name in names})
    hidden = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    made = la.release(
        people,
        k=2,
        method="mingen",
        attributes=dict.fromkeys(names, hidden),
        constraints=[f"{name} >= 1" for name in names[2:]],
    )
    found = walk(made)
    assert (found.size, found.minimal) == (4, ((0, 0) + (1,) * 68,))
    assert [one.satisfying for one in found.heights] == [1, 2, 1]
