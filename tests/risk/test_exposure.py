"""Exposure agrees with complete enumeration of the tables that a class may come from."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lookalike.hierarchy import Listed, Mask, Suppress, Taxonomy
from lookalike.hierarchy.hierarchy import Hierarchy
from lookalike.model.frequency import list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.risk.table.exposure import measure_exposure
from lookalike.risk.table.presence import measure_presence
from lookalike.risk.table.released_column import Node, ReleasedColumn, update_beliefs
from lookalike.risk.table.sequences import Sequences, list_sequences
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

from ..counted_text import CountedText
from ..small_tables import frequencies

RATES = (0.0, 0.02, 0.5)


def node(rows, *, hidden=(), levels=1):
    """Return a node with so many rows of each child."""
    return Node(np.array(rows), np.isin(np.arange(len(rows)), hidden), levels)


def enumerate_beliefs(leaves, size, rate, *, above, levels):
    """Return the belief in each child after a class was shown as the node.

    Every table of a class and every level that may be drawn is tried. `leaves` lists for each child
    the rows of its children. The node has the levels from 2 on, and `above` more are above it.
    """
    grounds = [(c, g, Fraction(n)) for c, below in enumerate(leaves) for g, n in enumerate(below)]
    total, coin = sum(n for _, _, n in grounds), Fraction(str(rate))
    top = 1 + levels + above
    drawn = {level: coin * (1 - coin) ** (top - level) for level in range(1, top + 1)}
    drawn[0] = 1 - sum(drawn.values())
    weight, having = Fraction(0), [Fraction(0)] * len(leaves)
    for rows in itertools.product(grounds, repeat=size):
        prior = math.prod((n / total for _, _, n in rows), start=Fraction(1))
        children, grandchildren = {c for c, _, _ in rows}, {(c, g) for c, g, _ in rows}
        join = 0 if len(grandchildren) == 1 else 1 if len(children) == 1 else 2
        shown = [chance for level, chance in drawn.items() if 2 <= max(level, join) < 2 + levels]
        weight += prior * sum(shown)
        having[rows[0][0]] += prior * sum(shown)
    return [float(one / weight) if weight else None for one in having]


LEAVES = st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=2), min_size=2, max_size=3)


@given(LEAVES, st.integers(2, 4), st.sampled_from(RATES), st.integers(0, 2), st.integers(1, 2))
def test_beliefs_are_those_of_all_tables_and_lots(leaves, size, rate, above, levels):
    rows = [sum(below) for below in leaves]
    found = update_beliefs(node(rows, levels=levels), size, rate)
    expected = enumerate_beliefs(leaves, size, rate, above=above, levels=levels)
    shares = np.array(rows) / sum(rows)
    assert (found.gains + shares).tolist() == pytest.approx(expected, abs=1e-12)


@example([1, 47180678], 5)
@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=6), st.integers(2, 50))
def test_no_gain_exceeds_its_bound(rows, size):
    shares = np.array(rows) / sum(rows)
    gains = update_beliefs(node(rows), size).gains
    assert np.all(gains <= (1 - shares) / size + 1e-12)
    assert gains.sum() == pytest.approx(0, abs=1e-9)


def test_extreme_classes_show_nothing_or_a_finite_amount():
    assert update_beliefs(node([1, 10**9]), 10**9).gains.max() <= 1e-9
    assert update_beliefs(node([1, 10**12]), 2).gains[0] == pytest.approx(0.5, abs=1e-9)
    assert update_beliefs(node([500, 500]), 10**7).bits == 0
    for impossible in (node([7]), node([7, 0]), node([0, 0])):
        found = update_beliefs(impossible, 5)
        assert found.gains.tolist() == [0.0] * len(impossible.rows)
        assert found.bits == 0
    assert update_beliefs(node([3, 4]), 1).gains.tolist() == [0.0, 0.0]


def test_bits_are_those_of_the_tables_that_are_excluded():
    assert update_beliefs(node([1, 1]), 2).bits == pytest.approx(1)
    assert update_beliefs(node([1, 1], hidden=[0]), 2).bits == pytest.approx(-math.log2(3 / 4))


def test_rows_may_agree_on_a_child_that_is_written_as_the_value():
    """A value that the hierarchy does not know is written ``*``, as is the top."""
    found = update_beliefs(node([1, 1], hidden=[1]), 2).gains + 0.5
    assert found.tolist() == pytest.approx([1 / 3, 2 / 3])


PEOPLE = {"person": ["asian", "black", "white"]}
SEX = {"human": ["f", "m"]}


def frequency_of(columns, rules):
    counted = count(read_frame(pa.table(columns)), list(columns))
    bound = [
        rules[name].bind(name, values) for name, values in zip(columns, counted.values, strict=True)
    ]
    return list_frequencies(bound, counted.positions, counted.counts)[1]


def classes_of(columns):
    return list_sequences(count(read_frame(pa.table(columns)), list(columns)))


def expose(private, released, rules, bottom=None, decoys=0.0):
    frequency = frequency_of(private, rules)
    allowed = Lattice(bottom or (0,) * len(rules), frequency.heights)
    return measure_exposure(classes_of(released), frequency, rules, allowed, decoys)


def test_a_rare_value_is_announced():
    private = {"race": ["white"] * 8 + ["black"], "sex": ["f"] * 5 + ["m"] * 4}
    released = {"race": ["person"] * 5 + ["white"] * 4, "sex": ["f"] * 5 + ["human"] * 4}
    found = expose(private, released, {"race": Taxonomy(PEOPLE), "sex": Taxonomy(SEX)})
    assert found.cells == 9
    assert found.certain_cells == 4
    first, second = found.announcements
    assert (first.attribute, first.value, first.child) == ("race", "person", "black")
    assert (first.share, first.classes, first.certain) == (1 / 9, 1, False)
    assert first.gain == found.greatest_gain
    assert second.certain
    rare = update_beliefs(node([8, 1]), 5)
    even = update_beliefs(node([5, 4]), 4)
    assert found.greatest_gain == pytest.approx(rare.gains.max())
    assert found.mean_gain == pytest.approx((5 * rare.gains.max() + 4 * even.gains.max()) / 9)
    assert found.bits == pytest.approx((rare.bits + even.bits) / 9)


def test_a_cell_at_its_least_level_need_not_be_a_join():
    private = {"race": ["white"] * 8 + ["black"]}
    released = {"race": ["person"] * 9}
    found = expose(private, released, {"race": Taxonomy(PEOPLE)}, bottom=(1,))
    assert (found.cells, found.greatest_gain, found.certain_share) == (0, 0.0, 0.0)


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_decoys_leave_no_finer_value_certain_at_any_level(levels):
    path = {x: [x, *(f"{up} {n}" for n in range(1, levels)), "*"] for x, up in ("fF", "mM")}
    private, released = {"sex": ["f", "m", "m", "m"]}, {"sex": ["*"] * 4}
    plain = expose(private, released, {"sex": Listed(path)})
    decoyed = expose(private, released, {"sex": Listed(path)}, decoys=0.02)
    assert (plain.certain_share, decoyed.certain_share) == (1.0, 0.0)
    assert 0 < decoyed.greatest_gain < plain.greatest_gain


@pytest.mark.parametrize(
    ("rule", "values", "label", "certain"),
    [
        (Taxonomy(SEX), ["f", "m"], "human", True),
        (Taxonomy({"person": ["a", "b", "c"]}), ["a", "b"], "person", False),
        (Taxonomy(SEX, unknown="suppress", suppression_level=True), ["f", "m"], "human", True),
        (Suppress(), ["f", "m"], "*", False),
        (Mask(), ["10", "11"], "1*", False),
        (Listed({"a": ["a", "x", "*"], "b": ["b", "y", "*"]}), ["a", "b"], "*", True),
    ],
)
def test_certain_values_have_two_children_in_the_hierarchy(rule, values, label, certain):
    found = expose({"v": values * 3}, {"v": [label] * 6}, {"v": rule})
    assert found.certain_cells == (6 if certain else 0)


def test_a_missing_value_is_a_child_of_the_top():
    rules = {"sex": Taxonomy(SEX)}
    private = {"sex": ["f", "m", None, None, None, None]}
    seen = expose(private, {"sex": ["human"] * 3 + [None] * 3}, rules)
    assert (seen.cells, seen.certain_cells) == (3, 0)
    assert seen.announcements[0].share == pytest.approx(1 / 6)
    unseen = expose(private, {"sex": ["human"] * 6}, rules)
    assert unseen.certain_cells == 6  # a recipient who sees no missing value concludes more


def test_a_class_of_all_rows_and_a_table_of_one_value():
    rules = {"sex": Taxonomy(SEX)}
    assert expose({"sex": ["f", "m"]}, {"sex": ["human"] * 2}, rules).greatest_gain == 0
    assert expose({"sex": ["f", "f"]}, {"sex": ["f", "f"]}, rules).cells == 0


def brute_presence(people, group, rows, rules, levels):
    """Return the presence of each candidate of a class by trying every set of candidates."""
    paths = [
        [rules[name].ancestors(v) for name, v in zip(rules, one, strict=True)] for one in people
    ]
    below = [
        number
        for number, path in enumerate(paths)
        if all(p[level] == v for p, level, v in zip(path, levels, group, strict=True))
    ]
    fitting = [
        chosen
        for chosen in itertools.combinations(below, rows)
        if all(
            not level or len({paths[one][a][level - 1] for one in chosen}) > 1
            for a, level in enumerate(levels)
        )
    ]
    return {one: Fraction(sum(one in c for c in fitting), len(fitting)) for one in below}


ZIP: Hierarchy = Listed({"a1": ["a1", "a", "*"], "a2": ["a2", "a", "*"], "b1": ["b1", "b", "*"]})


@given(
    st.lists(st.tuples(st.sampled_from("fm"), st.sampled_from(["a1", "a2", "b1"])), max_size=4),
    st.integers(2, 3),
    st.integers(0, 1),
    st.integers(0, 2),
)
def test_presence_is_that_of_all_sets_of_candidates(others, rows, high, level):
    rules = {"sex": Taxonomy(SEX), "zip": ZIP}
    people = [("f", "a1"), ("m", "a2"), ("m", "b1"), ("f", "a2"), *others]
    path = [rules[name].ancestors(value) for name, value in zip(rules, people[0], strict=True)]
    shown = path[0][high], path[1][level]
    private = {
        name: list(values) for name, values in zip(rules, zip(*people, strict=True), strict=True)
    }
    frequency = frequency_of(private, rules)
    found = measure_presence(
        classes_of({"sex": [shown[0]] * rows, "zip": [shown[1]] * rows}),
        frequency,
        rules,
        Lattice.of_heights(frequency.heights),
        count(read_frame(pa.table(private)), list(rules)),
    )
    try:
        expected = brute_presence(people, shown, rows, rules, (high, level))
    except ZeroDivisionError:
        expected = {}
    assert found.people == len(people)
    assert (found.classes, found.classes_left_out) == ((1, 0) if expected else (0, 1))
    if expected:
        assert found.greatest == pytest.approx(float(max(expected.values())))
        assert found.mean_before == pytest.approx(rows / len(expected))
        squares = sum(one**2 for one in expected.values())
        assert found.mean_after == pytest.approx(float(squares / rows))


def test_the_only_woman_of_a_class_is_present_for_certain():
    """Notes: class (sex *, zip A) of two rows; three men and a woman live there."""
    rules = {"sex": Taxonomy(SEX), "zip": Suppress()}
    people = {"sex": ["m", "m", "m", "f"], "zip": ["A"] * 4}
    frequency = frequency_of({"sex": ["m", "f"], "zip": ["A", "A"]}, rules)
    found = measure_presence(
        classes_of({"sex": ["human"] * 2, "zip": ["A"] * 2}),
        frequency,
        rules,
        Lattice.of_heights(frequency.heights),
        count(read_frame(pa.table(people)), ["sex", "zip"]),
    )
    assert (found.mean_before, found.greatest, found.nearly_certain) == (0.5, 1.0, 1)


def test_an_incomplete_population_leaves_classes_out():
    rules = {"sex": Taxonomy(SEX)}
    frequency = frequency_of({"sex": ["m", "f"]}, rules)
    found = measure_presence(
        Sequences((("human",),), np.zeros((1, 1), np.int32), np.array([2])),
        frequency,
        rules,
        Lattice.of_heights(frequency.heights),
        count(read_frame(pa.table({"sex": ["f"]})), ["sex"]),
    )
    assert (found.classes, found.classes_left_out, found.greatest) == (0, 1, 0.0)


def test_released_values_are_found_at_the_cost_of_the_labels():
    """A mask has a level per character, and about as many labels at each of the lower ones."""
    values = [f"{number:08}" for number in range(0, 10**8, 10**6)]
    frequency = frequencies(*[(value,) for value in values], code=Mask())
    labels = tuple(CountedText(value[:1] + "*" * 7) for value in values[::10])
    shown, sizes = np.arange(10, dtype=np.int32), np.full(10, 10)
    column = ReleasedColumn(frequency, 0, Mask(), 0, 8, labels, shown, sizes)
    before = CountedText.uses
    assert {level for level, _ in column.places} == {7}
    assert CountedText.uses - before < sum(map(len, frequency.hierarchies[0].labels))


def test_a_class_of_five_that_shows_both_sexes_has_the_rare_one():
    """Of 100 private rows below the value, 1 has the first child."""
    sexes = Node(np.array([1, 99]), np.zeros(2, bool))
    assert update_beliefs(sexes, 5).gains.round(3).tolist() == [0.194, -0.194]
    assert update_beliefs(sexes, 5, decoys=0.02).gains.round(3).tolist() == [0.137, -0.137]
