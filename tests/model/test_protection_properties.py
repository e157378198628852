"""Protections against their definitions: plain fractions, and transport of earth as a program."""

import math
from itertools import pairwise

import highspy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.model.protections import (
    SLACK,
    Closeness,
    Disclosure,
    Distinct,
    Entropy,
    Likeness,
    Recursive,
    Share,
)

from ..class_counts import gather, refer, shares, tables

TREE = [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 1], [0] * 5]


def tree(values):
    return [line[:values] for line in TREE]


def apart(distance, reference):
    """Return the ground distance of each pair of values."""
    values = range(len(reference))
    rank = np.cumsum(reference > 0)
    steps = max(1, int(np.count_nonzero(reference)) - 1)
    level = {
        "equal": lambda a, b: float(a != b),
        "ordered": lambda a, b: abs(int(rank[a]) - int(rank[b])) / steps,
        "hierarchy": lambda a, b: next(
            number / (len(TREE) - 1) for number, line in enumerate(TREE) if line[a] == line[b]
        ),
    }[distance]
    return [[level(a, b) for b in values] for a in values]


def transport(here, there, distances):
    """Return the least cost of moving earth, by linear programming."""
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    flow = [[model.addVariable(0, highspy.kHighsInf, cost) for cost in line] for line in distances]
    for line, share in zip(flow, here, strict=True):
        model.addConstr(sum(line) == float(share))
    for column, share in zip(zip(*flow, strict=True), there, strict=True):
        model.addConstr(sum(column) == float(share))
    model.run()
    return model.getInfo().objective_function_value


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchy"])
@given(table=tables(least_values=2))
def test_closeness_is_the_least_transport(distance, table):
    classes, beyond = table
    reference = refer(classes, beyond)
    protection = Closeness(0.5, distance, levels=tree(len(reference)))
    found = protection.measure(gather(classes, reference))
    distances = apart(distance, reference)
    least = [transport(shares(one), shares(reference), distances) for one in classes]
    assert found == pytest.approx(least, abs=1e-7)


@given(table=tables(), l=st.integers(2, 4))
def test_figures_follow_the_definitions(table, l):  # noqa: E741
    classes, beyond = table
    reference = refer(classes, beyond)
    found = gather(classes, reference)
    whole = shares(reference)
    for number, counts in enumerate(classes):
        here = [share for share in shares(counts) if share]
        ordered = sorted(counts, reverse=True)
        tail = sum(ordered[l - 1 :])
        pairs = [(p, q) for p, q in zip(shares(counts), whole, strict=True) if q]
        ratios = [math.inf if p == 0 else abs(math.log(p / q)) for p, q in pairs]
        expected = {
            Distinct(l): len(here),
            Entropy(l): math.exp(-sum(float(p) * math.log(p) for p in here)),
            Recursive(2, l): ordered[0] / tail if tail else math.inf,
            Share(0.5): max(here),
            Likeness(1, enhanced=False): max((p - q) / q for p, q in pairs),
            Disclosure(1): max(ratios),
        }
        for protection, figure in expected.items():
            assert protection.measure(found)[number] == pytest.approx(float(figure), abs=1e-9)


@given(table=tables(), c=st.sampled_from([1, 2, 3]), l=st.integers(2, 3))
def test_classes_fail_as_the_definitions_say(table, c, l):  # noqa: E741
    classes, beyond = table
    reference = refer(classes, beyond)
    found, whole = gather(classes, reference), shares(reference)
    for number, counts in enumerate(classes):
        ordered = sorted(counts, reverse=True)
        gains = [(p - q) / q for p, q in zip(shares(counts), whole, strict=True) if q]
        limits = [min(c, -math.log(q)) for q in whole if q]
        holds = {
            Distinct(l): np.count_nonzero(counts) >= l,
            Recursive(c, l): ordered[0] < c * sum(ordered[l - 1 :]),
            Share(1 / l): l * ordered[0] <= sum(counts),
            Likeness(c, enhanced=False): max(gains) <= c,
            Likeness(c): all(
                gain <= limit + SLACK for gain, limit in zip(gains, limits, strict=True)
            ),
        }
        for protection, held in holds.items():
            assert protection.failing(found)[number] == (not held), protection


def protections(values):
    """Return a strategy of protections for a number of values."""
    bounds, part = st.floats(0.05, 4), st.floats(0, 1)
    return st.one_of(
        st.builds(Distinct, st.integers(1, 5)),
        st.builds(Entropy, st.floats(1, 5)),
        st.builds(Recursive, bounds, st.integers(2, 4)),
        st.builds(Share, st.floats(0.1, 1)),
        st.builds(Likeness, bounds, st.booleans()),
        st.builds(Disclosure, bounds),
        st.builds(Closeness, part),
        st.builds(Closeness, part, st.just("ordered")),
        st.builds(Closeness, part, st.just("hierarchy"), levels=st.just(tree(values))),
    )


@given(table=tables(most_classes=6), data=st.data())
def test_classes_that_satisfy_a_protection_can_be_united(table, data):
    classes, beyond = table
    reference = refer(classes, beyond)
    protection = data.draw(protections(len(reference)))
    failing = protection.failing(gather(classes, reference))
    good = [one for one, fails in zip(classes, failing, strict=True) if not fails]
    united = np.cumsum(good, axis=0).tolist()
    assert not good or not protection.failing(gather(united, reference)).any()


@given(table=tables(most_classes=6), data=st.data())
def test_satisfying_classes_have_the_least_values_and_rows(table, data):
    classes, beyond = table
    reference = refer(classes, beyond)
    protection = data.draw(protections(len(reference)))
    found = gather(classes, reference)
    good = ~protection.failing(found)
    assert (np.diff(found.starts)[good] >= protection.least_distinct(reference)).all()
    assert (found.sizes[good] >= protection.least_rows(reference)).all()


@given(table=tables(most_classes=6), l=st.integers(1, 4))
def test_distinct_values_stay_when_a_class_grows(table, l):  # noqa: E741
    classes, _ = table
    failing = Distinct(l).failing(gather(np.cumsum(classes, axis=0).tolist()))
    assert all(before or not after for before, after in pairwise(failing))


GROWN = [
    (Entropy(2), [1, 1], [9, 1]),
    (Recursive(2, 2), [1, 1], [9, 1]),
    (Share(0.5), [1, 1], [9, 1]),
    (Closeness(0.1), [1, 1], [9, 1]),
    (Closeness(0.1, "ordered"), [1, 1], [9, 1]),
    (Closeness(0.1, "hierarchy", levels=[[0, 1], [0, 0]]), [1, 1], [9, 1]),
    (Likeness(0.5), [1, 1], [9, 1]),
    (Disclosure(0.5), [1, 1], [9, 1]),
]


@pytest.mark.parametrize(("protection", "small", "grown"), GROWN, ids=lambda one: str(one))
def test_all_other_protections_can_be_lost_when_a_class_grows(protection, small, grown):
    reference = np.array([10, 10])
    assert protection.failing(gather([small, grown], reference)).tolist() == [False, True]
    assert not protection.grows


def test_only_distinct_grows():
    assert {type(one).name for one, *_ in GROWN if type(one).grows} == set()
    assert Distinct.grows
