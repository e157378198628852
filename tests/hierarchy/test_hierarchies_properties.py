"""Properties of every kind of hierarchy, for any values."""

import string
import tempfile
from datetime import date
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.errors import UnknownValue
from lookalike.hierarchy import (
    SUPPRESSED,
    Dates,
    File,
    Intervals,
    Listed,
    Mask,
    Rounding,
    Suppress,
    Taxonomy,
    write_hierarchy,
)

from ..effort import examples

relaxed = examples(100)
awkward = st.sampled_from(list("ab;,\"'\n\r\t *é\ufeff"))
characters = awkward | st.characters(codec="utf-8")
texts = st.text(characters, max_size=6).filter(lambda text: text != SUPPRESSED)


@st.composite
def masks(draw):
    values = draw(st.lists(texts, unique=True))
    longest = max(map(len, values), default=0) or 1
    steps = draw(st.none() | st.integers(1, longest))
    mixed = len({len(value) for value in values if value}) > 1
    needed = not values or (mixed and steps is None)
    return (
        Mask(
            steps=steps,
            length=longest if needed else draw(st.none() | st.just(longest)),
            from_left=draw(st.booleans()),
            suppression_level=steps is not None and steps < longest,
        ),
        values,
    )


@st.composite
def dates(draw):
    steps = draw(
        st.sampled_from(
            [(), ("year",), ("month", "quarter", "year", "3 years"), ("month", "5 years")]
        )
    )
    days = draw(st.lists(st.dates(min_value=date(1, 1, 1)), unique=True))
    fixed_day = draw(st.none() | st.integers(1, 28))
    return Dates(steps, fixed_day=fixed_day), [day.isoformat() for day in days]


def numbers(decimals):
    whole = st.integers(-(10**6), 10**6).map(str)
    if not decimals:
        return whole
    return st.decimals(-1000, 1000, allow_nan=False, places=decimals).map("{:f}".format)


@st.composite
def widths(draw):
    decimals = draw(st.integers(0, 2))
    ratios = draw(st.lists(st.integers(2, 5), min_size=1, max_size=4))
    steps = np.cumprod(ratios).tolist()
    bottom = draw(st.none() | st.integers(-20, 0))
    rule = Intervals(
        steps,
        origin=draw(st.integers(-7, 7)),
        decimals=decimals,
        bottom=bottom,
        top=draw(st.none() | st.integers(1, 20)),
    )
    return rule, draw(st.lists(numbers(decimals), unique=True))


@st.composite
def ranges(draw):
    edges = sorted(draw(st.sets(st.integers(-50, 50), min_size=2)))
    kept = sorted({edges[0], edges[-1], *draw(st.sets(st.sampled_from(edges)))})
    levels = [[[low, high - 1] for low, high in pairwise(row)] for row in (edges, kept)]
    inside = st.integers(edges[0], edges[-1] - 1).map(str)
    return Intervals(ranges=levels), draw(st.lists(inside, unique=True))


@st.composite
def roundings(draw):
    ratios = draw(st.lists(st.integers(2, 10), min_size=1, max_size=4))
    decimals = draw(st.integers(0, 3))
    return Rounding(np.cumprod(ratios).tolist()), draw(st.lists(numbers(decimals), unique=True))


@st.composite
def trees(draw):
    leaves = draw(st.lists(texts, unique=True, min_size=1, max_size=12))
    groups = draw(st.lists(st.integers(0, 3), min_size=len(leaves), max_size=len(leaves)))
    tree = {}
    for leaf, group in zip(leaves, groups, strict=True):
        if group:
            tree.setdefault(f"inner group {group}", []).append(leaf)
        else:
            tree[leaf] = []
    joined = {"top of all": tree} if draw(st.booleans()) else tree
    return Taxonomy(joined), draw(st.lists(st.sampled_from(leaves), unique=True))


@st.composite
def listings(draw):
    rule, values = draw(trees())
    return Listed({value: rule.ancestors(value) for value in rule.domain()}), values


suppressions = st.tuples(st.just(Suppress()), st.lists(texts, unique=True))
kinds = st.one_of(
    masks(), dates(), widths(), ranges(), roundings(), trees(), listings(), suppressions
)


@st.composite
def columns(draw):
    """Generate a hierarchy and the distinct values of a column, sometimes with a missing one."""
    rule, values = draw(kinds)
    if rule.fit(values).height and draw(st.booleans()):
        values = draw(st.permutations([*values, None]))
    return rule, list(values)


def known(values):
    return [value for value in values if value is not None]


def label_at(bound, position, level):
    return bound.labels[level][bound.levels[level][bound.ground[position]]]


@relaxed
@given(columns())
def test_each_level_is_a_function_of_the_one_below(column):
    rule, values = column
    fitted = rule.fit(known(values))
    for level in range(fitted.height):
        pairs = {
            (fitted.generalize(v, level), fitted.generalize(v, level + 1)) for v in known(values)
        }
        assert len(pairs) == len({lower for lower, _ in pairs})


@relaxed
@given(columns())
def test_a_label_descends_to_a_value_with_the_same_ancestors(column):
    rule, values = column
    fitted = rule.fit(known(values))
    for value in known(values):
        path = fitted.ancestors(value)
        for level, label in enumerate(path):
            if label != SUPPRESSED:
                ground = fitted.descend(label, level)
                assert fitted.ancestors(ground)[level:] == path[level:]


@relaxed
@given(columns(), texts, st.integers(0, 3))
def test_what_is_no_label_descends_nowhere(column, label, level):
    rule, values = column
    fitted = rule.fit(known(values))
    if level <= fitted.height:
        try:
            ground = fitted.descend(label, level)
        except UnknownValue:
            return
        assert fitted.ancestors(ground)[level] == label


def test_a_span_that_begins_before_the_century_descends_into_it():
    rule = Dates(["7 years"], formats=["%m/%d/%y"], century=1900)
    assert rule.ancestors("1/2/01")[1] == "1897-1903"
    assert rule.descend("1897-1903", 1) == "01/01/00"


@relaxed
@given(columns())
def test_the_top_is_one_value(column):
    rule, values = column
    bound = rule.bind("column", values)
    assert bound.height == rule.fit(known(values)).height
    assert len(bound.labels[-1]) == (1 if values else 0)


@relaxed
@given(columns())
def test_level_0_keeps_every_value_apart(column):
    rule, values = column
    bound = rule.bind("column", values)
    assert [label_at(bound, position, 0) for position in range(len(values))] == values
    assert bound.levels[0].tolist() == list(range(len(values)))


@relaxed
@given(columns())
def test_the_arrays_agree_with_the_rule(column):
    rule, values = column
    bound, fitted = rule.bind("column", values), rule.fit(known(values))
    for position, value in enumerate(values):
        if value is not None:
            labels = [label_at(bound, position, level) for level in range(bound.height + 1)]
            assert labels == [fitted.generalize(value, level) for level in range(fitted.height + 1)]


@relaxed
@given(columns())
def test_missing_stays_missing_below_the_top(column):
    rule, values = column
    if None in values:
        bound, position = rule.bind("column", values), values.index(None)
        labels = [label_at(bound, position, level) for level in range(bound.height + 1)]
        assert labels == [None] * bound.height + [bound.labels[-1][0]]


@relaxed
@given(columns())
def test_the_leaves_of_a_level_are_those_of_the_ground_domain(column):
    rule, values = column
    bound, fitted = rule.bind("column", values), rule.fit(known(values))
    domain = {*values, *fitted.domain()}
    assert not values or bound.leaves[-1].tolist() == [len(domain)]
    assert bound.leaves[0].tolist() == [1] * len(values)
    for level in range(bound.height + 1):
        shown = set(bound.labels[level])
        if not fitted.domain():
            assert bound.leaves[level].sum() == len(domain)
        elif level < bound.height:
            under = [v for v in domain if v is None or fitted.generalize(v, level) in shown]
            assert bound.leaves[level].sum() == len(under)


@relaxed
@given(columns())
def test_lifting_in_two_steps_is_lifting_in_one(column):
    rule, values = column
    bound = rule.bind("column", values)
    for lower in range(bound.height + 1):
        for middle in range(lower, bound.height + 1):
            for upper in range(middle, bound.height + 1):
                steps = bound.lift(middle, upper)[bound.lift(lower, middle)]
                assert steps.tolist() == bound.lift(lower, upper).tolist()


@relaxed
@given(columns())
def test_a_file_gives_the_same_hierarchy_back(column):
    rule, values = column
    fitted = rule.fit(known(values))
    if not known(values) and not fitted.domain():
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hierarchy.csv")
        write_hierarchy(rule, values, path)
        file = File(path)
        for value in {*known(values), *fitted.domain()}:
            assert file.ancestors(value) == fitted.ancestors(value)
        assert set(file.domain()) == {*known(values), *fitted.domain()}


@relaxed
@given(columns(), st.data())
def test_a_value_that_was_not_bound_generalizes_like_one_that_was(column, data):
    rule, values = column
    present = known(values)
    if not present:
        return
    unseen = data.draw(st.sampled_from(present))
    fitted = rule.fit(present)
    others = [value for value in values if value != unseen]
    bound = fitted.bind("column", [*others, unseen])
    without = fitted.bind("column", others)
    for level in range(fitted.height + 1):
        assert fitted.generalize(unseen, level) == label_at(bound, len(others), level)
        for position in range(len(others)):
            assert label_at(without, position, level) == label_at(bound, position, level)


def suppressing(rule):
    return {
        "rounding": Rounding([10, 100], unknown="suppress"),
        "dates": Dates(unknown="suppress"),
        "intervals": Intervals([5, 10], unknown="suppress"),
        "taxonomy": Taxonomy({"few": ["1", "2", "3"], "many": ["10"]}, unknown="suppress"),
        "mask": Mask(length=2, unknown="suppress"),
    }[rule]


@pytest.mark.parametrize("rule", ["rounding", "dates", "intervals", "taxonomy", "mask"])
@relaxed
@given(values=st.lists(st.text(string.digits + "-x", max_size=4), unique=True))
def test_unknown_values_share_one_code_that_is_suppressed(rule, values):
    hierarchy = suppressing(rule)
    strange = [value for value in values if not knows(hierarchy, value)]
    bound = hierarchy.bind("column", values)
    assert (bound.unknown is None) == (not strange)
    for position, value in enumerate(values):
        assert (bound.ground[position] == bound.unknown) == (value in strange)
        assert label_at(bound, position, 0) == (SUPPRESSED if value in strange else value)


def knows(rule, value):
    try:
        rule.climb(value)
    except UnknownValue:
        return False
    return True
