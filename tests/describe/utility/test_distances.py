"""Distances between the private table and the release, by hand and against brute force."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.describe.utility.distances import cramers_v
from lookalike.describe.utility.released_cells import MOST_BINS, bin_values
from lookalike.flow.release import prepare
from lookalike.search.methods import ALGORITHMS
from lookalike.tables.read import read_frame

from ...effort import examples
from ...roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

TWINS = {"zip": ["11", "11", "12", "12"], "ill": ["a", "a", "b", "b"]}
ROLES = {"zip": MASKED, "sex": LINKABLE, "ill": SENSITIVE}


def release(columns, k=2, **fields):
    table = pa.table(columns) if isinstance(columns, dict) else columns
    roles = {name: ROLES[name] for name in table.column_names}
    asked = {"method": "mingen", "allow_unsafe": True} | fields
    return la.release(table, attributes=roles, k=k, **asked)


def distances(found):
    return {one.column: one.distance for one in found.columns}


def below(label, domain):
    """Return the values that a released label stands for: masks and the suppressed value."""
    if label is None:
        return {None}
    if set(label) == {"*"}:
        return set(domain)
    texts = [value for value in domain if value is not None]
    return {text for text in texts if all(a in (b, "*") for a, b in zip(label, text, strict=True))}


def brute_distance(private, released, names):
    """Return the distance over some columns, row by row from the released table."""
    domains = {name: sorted(set(private[name].to_pylist()), key=str) for name in names}
    before, after = Counter(), Counter()
    for row in private.select(names).to_pylist():
        before[tuple(row.values())] += 1 / private.num_rows
    for row in released.select(names).to_pylist():
        sets = [below(row[name], domains[name]) for name in names]
        for values in product(*sets):
            after[values] += 1 / np.prod([len(one) for one in sets]) / released.num_rows
    return sum(abs(before[key] - after[key]) for key in {*before, *after}) / 2


class TestByHand:
    def test_a_generalized_cell_is_uniform_over_its_values(self):
        columns = {"zip": ["11", "11", "11", "12", "21", "22"], "ill": list("aabbcc")}
        made = release(columns, max_suppressed=0)
        assert made.levels == {"zip": 1}
        found = la.utility(made)
        # 1* is half 11 and half 12: 4 of 6 rows; before, 3 of them are 11 and 1 is 12.
        assert distances(found) == pytest.approx({"zip": 1 / 6, "ill": 0})
        # a: 2 rows, 11 and 12 by halves: 1/6 moves; b: 11 and 12 before and after; c: 21, 22.
        [pair] = found.pairs
        assert (pair.column, pair.other) == ("zip", "ill")
        assert pair.distance == pytest.approx(1 / 6 + 0)
        assert found.column_distance == pytest.approx(1 / 12)

    def test_rows_that_are_left_out_change_every_column(self):
        made = release({"zip": ["11", "11", "11", "22"], "ill": list("aaab")}, max_suppressed=1)
        assert made.table.num_rows == 3
        found = la.utility(made)
        assert distances(found) == pytest.approx({"zip": 1 / 4, "ill": 1 / 4})
        assert found.pairs[0].distance == pytest.approx(1 / 4)

    def test_rows_that_are_blanked_keep_their_other_columns(self):
        columns = {"zip": ["11", "11", "11", "22", "33"], "ill": list("aaabc")}
        made = release(columns, max_suppressed=2, suppressed_rows="blank")
        assert made.table.num_rows == 5
        # two blank rows are a third of each value, where 22 and 33 were one row each.
        assert distances(la.utility(made)) == pytest.approx({"zip": 2 / 15, "ill": 0})

    def test_missing_is_a_value(self):
        columns = {"zip": ["11", "11", None, None], "sex": ["f", "f", "f", None]}
        made = release(columns, k=4, max_suppressed=0)
        assert set(made.table["sex"].to_pylist()) == {"*"}
        assert distances(la.utility(made)) == pytest.approx({"zip": 0, "sex": 1 / 4})

    def test_an_unknown_value_is_one_of_the_domain(self):
        table = pa.table({"race": ["asian", "asian", "other"], "ill": list("aab")})
        tree = la.Taxonomy({"person": ["asian", "black"]}, unknown="suppress")
        roles = {"race": {"role": "quasi-identifier", "hierarchy": tree}, "ill": SENSITIVE}
        found = la.utility(la.release(table, attributes=roles, k=2, max_suppressed=1))
        assert distances(found)["race"] == pytest.approx(1 / 3)

    def test_a_release_that_changes_nothing_has_distance_0(self):
        columns = {"zip": ["11", "11", "22", "22"], "sex": list("ffmm"), "ill": list("abab")}
        found = la.utility(release(columns))
        assert set(distances(found).values()) == {0.0}
        assert all(pair.distance == 0 for pair in found.pairs)
        assert all(pair.association_before == pair.association_after for pair in found.pairs)

    def test_association_is_lost_with_generalization(self):
        columns = {"sex": list("fffmmm"), "ill": list("aaabbb")}
        [pair] = la.utility(release(columns, k=6, max_suppressed=0)).pairs
        assert pair.association_before == pytest.approx(1)
        assert pair.association_after == pytest.approx(0)

    def test_cramers_v_of_two_columns_with_two_values(self):
        # With two rows and two columns it is |ad − bc| ∕ √ of the product of the margins.
        joint = np.array([[10, 20], [30, 5]]) / 65
        assert cramers_v(joint) == pytest.approx(550 / (30 * 35 * 40 * 25) ** 0.5)
        assert cramers_v(np.array([[0.3], [0.7]])) == 0


cell = st.tuples(
    st.sampled_from(["11", "12", "21", "22", None]),
    st.sampled_from(["f", "m", None]),
    st.sampled_from("abc"),
)
tables = st.lists(cell, min_size=4, max_size=12).map(
    lambda rows: pa.table(
        {
            name: pa.array([row[place] for row in rows], pa.string())
            for place, name in enumerate(ROLES)
        }
    )
)


def check_by_brute_force(table, made):
    found = la.utility(made)
    for name, distance in distances(found).items():
        assert distance == pytest.approx(brute_distance(table, made.table, [name]))
    for pair in found.pairs:
        names = [pair.column, pair.other]
        assert pair.distance == pytest.approx(brute_distance(table, made.table, names))


@pytest.mark.parametrize("method", ALGORITHMS)
def test_every_method_agrees_with_brute_force(method):
    random = np.random.default_rng(5)
    table = pa.table(
        {
            "zip": random.choice(["11", "12", "21", "22"], 24),
            "sex": random.choice(["f", "m"], 24),
            "ill": random.choice(list("abc"), 24),
        }
    )
    made = release(table, k=3, method=method)
    assert made.measures.precision < 1
    check_by_brute_force(table, made)


class TestProperties:
    @given(tables, st.sampled_from(["drop", "blank"]))
    @examples(12)
    def test_they_agree_with_brute_force(self, table, rows):
        try:
            made = release(table, method="mingen", max_suppressed=2, suppressed_rows=rows)
        except la.Infeasible:
            return
        check_by_brute_force(table, made)

    @given(tables, st.randoms(use_true_random=False))
    @examples(8)
    def test_they_are_shares_and_depend_neither_on_row_order_nor_on_column_order(
        self, table, random
    ):
        order = random.sample(range(table.num_rows), table.num_rows)
        made = release(table, method="mingen", max_suppressed=0)
        turned = release(
            table.take(order).select(["sex", "zip", "ill"]),
            max_suppressed=0,
            method="mingen",
            constraints=fixed(made),
        )
        found, other = la.utility(made), la.utility(turned)
        assert distances(found) == pytest.approx(distances(other))
        pairs = {frozenset((one.column, one.other)): one for one in other.pairs}
        assert len(pairs) == len(found.pairs) == 3
        for one in found.pairs:
            twin = pairs[frozenset((one.column, one.other))]
            assert one.distance == pytest.approx(twin.distance)
            assert one.association_after == pytest.approx(twin.association_after)
            figures = (one.distance, one.association_before, one.association_after)
            assert all(0 <= figure <= 1 for figure in figures)
        for names in combinations(ROLES, 2):
            joint = pairs[frozenset(names)].distance
            assert joint >= max(distances(found)[name] for name in names) - 1e-12


def fixed(made):
    """Return constraints that leave only the levels of a release."""
    return [f"{name} = {level}" for name, level in made.levels.items()]


class TestManyValues:
    def test_numbers_are_binned_by_their_rows(self):
        values = [str(number) for number in range(1000)] + [None]
        bins = bin_values(values, np.ones(1001, dtype=np.int64))
        assert len(set(bins.tolist())) == MOST_BINS
        assert (np.diff(bins[:-1]) >= 0).all()
        assert (bins == bins[-1]).sum() == 1
        assert np.bincount(bins)[:-1].max() <= 11

    def test_the_most_frequent_categories_stay(self):
        values = [f"c{number}" for number in range(150)]
        counts = np.arange(150)
        bins = bin_values(values, counts)
        assert np.bincount(bins).tolist() == [1] * (MOST_BINS - 1) + [51]
        assert bins[149] == 0
        assert set(bins[:51].tolist()) == {MOST_BINS - 1}

    def test_few_values_have_bins_of_their_own(self):
        assert bin_values(["b", "a", None], np.array([1, 2, 3])).tolist() == [0, 1, 2]

    def test_a_pair_with_many_values_is_measured_in_bins(self):
        names = [f"{number:03d}" for number in range(150)] * 2
        table = pa.table({"zip": names, "sex": ["f"] * 150 + ["m"] * 150})
        found = la.utility(release(table, k=2, max_suppressed=0))
        assert 0 <= found.pairs[0].distance <= 1


class TestReleases:
    def test_files_have_the_same_figures_as_frames(self, folder):
        specification = la.Specification.load(folder / "patients.toml", {"method": "mingen"})
        from_file = la.utility(prepare(specification))
        frame = read_frame(pl.read_csv(folder / "patients.csv", infer_schema=False))
        assert la.utility(prepare(specification, frame=frame)).to_dict() == from_file.to_dict()
        assert len(from_file.columns) == len(specification.hierarchies()) + 1

    def test_identifiers_take_no_part(self):
        table = pa.table({"name": list("abcd"), "zip": ["11", "11", "12", "12"]})
        made = la.release(table, attributes={"name": IDENTIFIER, "zip": MASKED}, k=2)
        assert [one.column for one in la.utility(made).columns] == ["zip"]
        assert la.utility(made).pair_distance == 0

    def test_the_tidy_table_has_one_row_for_each_figure(self):
        found = la.utility(release(TWINS, k=4, max_suppressed=0))
        rows = found.to_table().to_pylist()
        assert [(row["subject"], row["name"], row["other"], row["measure"]) for row in rows] == [
            ("column", "zip", None, "distance"),
            ("column", "ill", None, "distance"),
            ("pair", "zip", "ill", "distance"),
            ("pair", "zip", "ill", "association_before"),
            ("pair", "zip", "ill", "association_after"),
        ]
        assert [row["value"] for row in rows][:3] == pytest.approx([0, 0, 0.5])

    def test_the_repr_shows_figures_only(self):
        found = la.utility(release(TWINS, k=4, max_suppressed=0))
        assert repr(found) == "<Utility of 2 columns: mean distance 0.0000, of pairs 0.5000>"
