"""The decided vectors of a lattice, compared with the evaluation of every one."""

import random
from dataclasses import replace

import pytest

from lookalike.model.lattice import Lattice, dominates
from lookalike.model.requirement import Requirement
from lookalike.search.lattice import decide as deciding
from lookalike.search.lattice.decide import decide_lattice
from lookalike.search.lattice.rollup import RollUps

from ..describe.invented_people import ROLES, release

CLOSE = {**ROLES, "ill": {"role": "sensitive", "protect": {"closeness": {"t": 0.2}}}}
DISTINCT = {**ROLES, "ill": {"role": "sensitive", "protect": {"distinct": 2}}}


def count(attributes=ROLES):
    """Return a frequency list, and the requirement of its release."""
    secrecy = {} if attributes is ROLES else {"secrecy": "search"}
    plan = release(k=2, max_suppressed=120, attributes=attributes, **secrecy).plan
    return plan.frequency, plan.requirement


@pytest.fixture(params=["rows", "distinct", "closeness"], scope="module")
def counted(request):
    return count({"rows": ROLES, "distinct": DISTINCT, "closeness": CLOSE}[request.param])


def minimal_of(satisfying):
    """Return the vectors above no other one."""
    return {
        one
        for one in satisfying
        if not any(other != one and dominates(one, other) for other in satisfying)
    }


@pytest.mark.parametrize("allowance", [0, 5, 25, 65])
@pytest.mark.parametrize("bounds", [None, ((0, 1, 0), (2, 3, 1)), ((1, 1, 1), (1, 1, 1))])
def test_every_vector_is_decided_as_by_its_evaluation(counted, allowance, bounds):
    frequency, requirement = counted
    lattice = Lattice(*bounds) if bounds else Lattice.of_heights(frequency.heights)
    found = decide_lattice(RollUps(frequency, requirement), lattice, allowance)
    fitting = {one for one in lattice if requirement.outliers(frequency, one) <= allowance}
    assert found.is_complete
    assert {one for one in lattice if found.state(one) == "satisfies"} == fitting
    assert {one for one in lattice if found.state(one) == "fails"} == set(lattice) - fitting
    assert set(found.minimal) == minimal_of(fitting)
    assert list(found.minimal) == sorted(found.minimal, key=lambda one: (sum(one), one))
    for height, satisfying, failing, undecided in found.count_by_height():
        assert satisfying == sum(sum(one) == height for one in fitting)
        assert satisfying + failing == sum(sum(one) == height for one in lattice)
        assert undecided == 0


def test_a_requirement_that_is_not_monotone_is_tried_in_earnest():
    frequency, requirement = count(CLOSE)
    assert not requirement.is_monotone
    lattice = Lattice.of_heights(frequency.heights)
    fitting = {one for one in lattice if requirement.outliers(frequency, one) <= 65}
    broken = [one for one in fitting if not fitting.issuperset(lattice.successors(one))]
    assert broken, "some vector above one that satisfies must fail, or the test shows nothing"


@pytest.mark.parametrize("steps", [1, 2, 4, 6])
def test_what_was_decided_in_time_is_right(counted, steps, monkeypatch):
    frequency, requirement = counted
    turns = iter(range(100))
    monkeypatch.setattr(deciding, "is_over", lambda _: next(turns) >= steps)
    lattice = Lattice.of_heights(frequency.heights)
    found = decide_lattice(RollUps(frequency, requirement), lattice, 65, 0.0)
    complete = decide_all(frequency, requirement, 65)
    states = {one: found.state(one) for one in lattice}
    assert "not decided" in states.values()
    assert all(said in (complete[one], "not decided") for one, said in states.items())
    fitting = [one for one, said in complete.items() if said == "satisfies"]
    assert set(found.minimal) <= minimal_of(fitting)
    counts = found.count_by_height()
    assert sum(one[3] for one in counts) == list(states.values()).count("not decided")
    monkeypatch.undo()
    rollups = RollUps(frequency, requirement)
    finished = decide_lattice(rollups, lattice, 65, before=found)
    assert {one: finished.state(one) for one in lattice} == complete
    assert {one: found.state(one) for one in lattice} == states
    assert rollups.evaluated < lattice.size


def decide_all(frequency, requirement, allowance):
    """Evaluate every vector."""
    names = {True: "satisfies", False: "fails"}
    return {
        one: names[requirement.outliers(frequency, one) <= allowance]
        for one in Lattice.of_heights(frequency.heights)
    }


def test_many_requirements_of_random_k():
    frequency, requirement = count()
    draw = random.Random(7)
    lattice = Lattice.of_heights(frequency.heights)
    for _ in range(20):
        asked = replace(Requirement(draw.randint(2, 40)), person=requirement.person)
        allowance = draw.randint(0, 40)
        found = decide_lattice(RollUps(frequency, asked), lattice, allowance)
        expected = decide_all(frequency, asked, allowance)
        assert {one: found.state(one) for one in lattice} == expected
