"""What a vector keeps, compared with the measures of a release at it."""

import math

import pytest

from lookalike.model.kept import kept_at, kept_shares
from lookalike.model.measures import precision
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.options import SearchOptions
from lookalike.studio.levels.level_work import AskedLevels, find_best
from lookalike.studio.levels.vector_facts import describe_vector

from .leveled_people import SPECIFICATION, count_people

FREQUENCY = count_people(SPECIFICATION, 0)
REQUIREMENTS = [
    Requirement(3, 30),
    Requirement(3, 30, suppressed_rows="blank"),
    Requirement(2, 0),
]


def ask(requirement, **options):
    return AskedLevels(requirement, requirement, SearchOptions(**options), ())


@pytest.mark.parametrize("requirement", REQUIREMENTS)
@pytest.mark.parametrize("vector", [(0, 0, 0), (1, 0, 1), (2, 1, 1), (3, 1, 2)])
def test_a_vector_keeps_what_a_release_keeps(requirement, vector):
    rollups = RollUps(FREQUENCY, requirement)
    made = recode_at(FREQUENCY, vector, requirement, 70)
    here = rollups.decide(vector)
    kept = kept_at(FREQUENCY, here.classes, here.classes.counts - here.given)
    assert kept == pytest.approx(kept_shares(FREQUENCY, made))
    facts = describe_vector(rollups, ask(requirement), vector)
    assert facts.precision == pytest.approx(precision(FREQUENCY, made))
    assert facts.released == FREQUENCY.rows - int(made.suppressed.sum())


@pytest.mark.parametrize("objective", ["precision", "loss", "discernibility"])
def test_a_trial_reaches_what_its_objective_measures(objective):
    requirement = Requirement(3, 5)
    found = find_best(
        RollUps(FREQUENCY, requirement), ask(requirement, objective=objective), math.inf
    )
    assert found.is_proved
    assert found.objective == objective
    assert found.reached == found.bound
    if objective == "precision":
        assert found.reached == pytest.approx(found.precision)


def test_suppressing_everything_is_a_problem():
    requirement = Requirement(40, 70)
    bounds = ask(requirement, constraints=())
    found = find_best(RollUps(FREQUENCY, requirement), bounds, math.inf)
    assert found.vector is not None
    assert found.suppressed < FREQUENCY.rows
