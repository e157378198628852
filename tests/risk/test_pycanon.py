"""The nine figures of `risk` against those of the package pycanon, on the same tables.

Where pycanon's code differs from the published definition, the test says how, and asserts both;
docs/measures.md has the list.
"""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycanon import anonymity

import lookalike as la

from ..effort import examples

ADULT = Path(la.__file__).parent / "shell" / "data" / "adult" / "adult.csv"
pytestmark = pytest.mark.filterwarnings("ignore:In a future version, the keys of")
"""pandas warns of how pycanon groups."""
ILL = ["flu", "gout", "mumps", "ulcer"]


@st.composite
def people(draw):
    """Invent a table of two linkable columns, an illness and a cost, without missing values."""
    row = st.tuples(
        st.sampled_from("xy"), st.sampled_from("pq"), st.sampled_from(ILL), st.integers(1, 6)
    )
    rows = draw(st.lists(row, min_size=1, max_size=40))
    return pd.DataFrame(rows, columns=["a", "b", "ill", "cost"])


def compare(table, linkable, sensitive, *, ordered=False):
    """Compare the figures of one sensitive column with pycanon's."""
    named = {"ordered" if ordered else "sensitive": [sensitive]}
    found = la.risk(table.astype(str), linkable, **named)
    ours = found.sensitive[0].figures
    arguments = (table, linkable, [sensitive])
    assert anonymity.k_anonymity(table, linkable) == found.whole.smallest
    assert anonymity.alpha_k_anonymity(*arguments) == (
        pytest.approx(ours.alpha),
        found.whole.smallest,
    )
    assert anonymity.l_diversity(*arguments) == ours.distinct_l
    assert anonymity.basic_beta_likeness(*arguments) == pytest.approx(ours.beta, abs=1e-9)
    assert anonymity.delta_disclosure(*arguments) == pytest.approx(ours.delta_present, abs=1e-9)
    if table[sensitive].nunique() > 1 or not ordered:
        assert anonymity.t_closeness(*arguments) == pytest.approx(ours.t, abs=1e-9)
    _compare_differing(table, linkable, sensitive, ours)


def _compare_differing(table, linkable, sensitive, ours):
    """Compare the figures for which the code of pycanon differs from its documentation."""
    arguments = (table, linkable, [sensitive])
    rounded = anonymity.entropy_l_diversity(*arguments)
    assert rounded == int(ours.entropy_l) or round(ours.entropy_l) == pytest.approx(ours.entropy_l)
    rarest = table[sensitive].value_counts(normalize=True).min()
    enhanced = anonymity.enhanced_beta_likeness(*arguments)
    assert enhanced == pytest.approx(min(ours.beta, -math.log(rarest)), abs=1e-9)
    assert ours.enhanced_beta in (None, pytest.approx(ours.beta))
    c, l = anonymity.recursive_c_l_diversity(*arguments)  # noqa: E741
    assert l == ours.distinct_l
    assert math.isnan(c) == (ours.recursive_c is None)
    if ours.recursive_c is not None:
        assert c == max(_ascending_c(counts, l) for counts in _count(table, linkable, sensitive))


def _count(table, linkable, sensitive):
    return [one[sensitive].value_counts().to_numpy() for _, one in table.groupby(linkable)]


def _ascending_c(counts, l):  # noqa: E741
    """Return pycanon's c: it sorts the counts of a class the wrong way round."""
    counts = np.sort(counts)
    return math.floor(counts[0] / counts[l - 1 :].sum() + 1)


@examples(60)
@given(people())
def test_invented_tables_have_the_same_figures(table):
    compare(table, ["a", "b"], "ill")
    compare(table, ["a", "b"], "cost", ordered=True)


@pytest.mark.parametrize("sensitive", ["occupation", "salary-class"])
def test_adult_has_the_same_figures(sensitive):
    table = pd.read_csv(ADULT, sep=";", dtype=str)
    compare(table, ["sex", "race"], sensitive)


def test_ages_of_adult_have_the_same_figures():
    table = pd.read_csv(ADULT, sep=";", dtype=str).astype({"age": int})
    compare(table, ["sex", "race"], "age", ordered=True)


def test_recursive_diversity_follows_the_definition_and_not_pycanon():
    """Counts 6, 2, 1 at l = 3: r₁ ∕ r₃ = 6, so every c above 6; pycanon has 1 ∕ 6, so 1."""
    table = pd.DataFrame({"a": ["x"] * 9, "ill": ["flu"] * 6 + ["gout"] * 2 + ["mumps"]})
    ours = la.risk(table, ["a"], sensitive=["ill"]).sensitive[0].figures
    assert (ours.recursive_c, ours.distinct_l) == (6, 3)
    assert anonymity.recursive_c_l_diversity(table, ["a"], ["ill"]) == (1, 3)


def test_enhanced_likeness_follows_the_definition_and_not_pycanon():
    """A value of half the table is all of a class: the gain 1 exceeds −ln ½, so no β holds."""
    table = pd.DataFrame({"a": list("xy"), "ill": ["flu", "gout"]})
    ours = la.risk(table, ["a"], sensitive=["ill"]).sensitive[0].figures
    assert ours.enhanced_beta is None
    assert anonymity.enhanced_beta_likeness(table, ["a"], ["ill"]) == pytest.approx(math.log(2))


def test_a_class_without_a_value_has_no_delta_and_pycanon_ignores_it():
    table = pd.DataFrame({"a": list("xy"), "ill": ["flu", "gout"]})
    ours = la.risk(table, ["a"], sensitive=["ill"]).sensitive[0].figures
    assert ours.delta is None
    assert anonymity.delta_disclosure(table, ["a"], ["ill"]) == pytest.approx(math.log(2))


def test_rounding_takes_an_l_from_pycanon():
    """m equally frequent values have entropy ln m and l = m; int() cuts what rounding lacks."""
    cut = 0
    for many in range(2, 9):
        table = pd.DataFrame({"a": ["x"] * many, "ill": list("abcdefgh"[:many])})
        ours = la.risk(table, ["a"], sensitive=["ill"]).sensitive[0].figures
        assert ours.entropy_l == pytest.approx(many)
        cut += anonymity.entropy_l_diversity(table, ["a"], ["ill"]) == many - 1
    assert cut


def test_rows_with_a_missing_linkable_value_count_and_pycanon_drops_them():
    table = pd.DataFrame({"a": ["x", "x", None], "ill": ["flu", "gout", "flu"]})
    assert la.risk(table, ["a"]).whole.smallest == 1
    assert anonymity.k_anonymity(table, ["a"]) == 2


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_missing_sensitive_values_count_and_pycanon_raises_an_error():
    number = pd.DataFrame({"a": ["x"] * 4, "ill": [1.0, 1.0, None, None]})
    text = pd.DataFrame({"a": ["x"] * 4, "ill": ["flu", "flu", None, None]})
    for table, error in ((number, ValueError), (text, TypeError)):
        ours = la.risk(table, ["a"], sensitive=["ill"]).sensitive[0].figures
        assert (ours.distinct_l, ours.entropy_l, ours.alpha) == (2, pytest.approx(2), 0.5)
        with pytest.raises(error):
            anonymity.entropy_l_diversity(table, ["a"], ["ill"])


def test_one_number_has_no_distance_and_pycanon_divides_by_zero():
    table = pd.DataFrame({"a": ["x", "y"], "cost": [1, 1]})
    assert la.risk(table, ["a"], ordered=["cost"]).sensitive[0].figures.t == 0
    with pytest.raises(ZeroDivisionError):
        anonymity.t_closeness(table, ["a"], ["cost"])


def test_pycanon_takes_row_labels_as_positions():
    table = pd.DataFrame({"a": list("xxyy"), "ill": ["flu", "gout", "flu", "gout"]})
    labelled = table.set_index(pd.Index([0, 2, 1, 3]))
    assert anonymity.l_diversity(table, ["a"], ["ill"]) == 2
    assert anonymity.l_diversity(labelled, ["a"], ["ill"]) == 1
    assert la.risk(labelled, ["a"], sensitive=["ill"]).sensitive[0].figures.distinct_l == 2
