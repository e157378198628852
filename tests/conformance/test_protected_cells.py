"""At the cell level, every class satisfies persons and protections, and nothing is lost."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from lookalike import Infeasible, InvalidInput, RequirementNotMet, release
from lookalike.hierarchy import Listed
from lookalike.model.beside import Sensitive
from lookalike.model.measures import measure
from lookalike.model.protections import Distinct, Share
from lookalike.model.recoding import judge_classes
from lookalike.model.requirement import ColumnProtection, Requirement
from lookalike.model.tuples import check_conserved
from lookalike.search.methods import k_similar, mingen_cells
from lookalike.search.options import SearchOptions

from ..effort import examples
from ..invented import Invented
from ..protected import PERSON, SENSITIVE, Protected, protected_requirements, protected_tables
from ..small_tables import TREE, frequencies, frequency_beside, released_rows, table_of

many = examples(60)
METHODS = [mingen_cells, k_similar]
EFFORTS = ["quick", "standard", "exact"]


@st.composite
def questions(draw):
    table = draw(protected_tables())
    asked = draw(protected_requirements(table))
    requirement = replace(asked, quasi_identifiers=(), average_risk=None, suppressed_rows="drop")
    assume(len(table.persons) >= requirement.k)
    return table, requirement


def options_for(method, effort):
    return SearchOptions(effort=effort, bound=method is k_similar or effort != "standard")


@many
@given(questions(), st.sampled_from(METHODS), st.sampled_from(EFFORTS))
def test_every_class_satisfies_everything_and_no_row_is_lost(question, method, effort):
    table, requirement = question
    frequency = table.frequency
    try:
        found = method(frequency, requirement, options_for(method, effort))
    except Infeasible:
        return
    assert not judge_classes(frequency, found, requirement)
    check_conserved(frequency, found.tuples, found.suppressed)
    assert found.rows_suppressed == found.suppressed.sum()
    assert found.rows_suppressed <= requirement.allowance(frequency.rows)
    assert min(released_rows(frequency, found).values()) >= requirement.k
    measured = measure(frequency, found, requirement)
    assert measured.precision == pytest.approx(found.optimality.reached)
    assert found.optimality.reached <= found.optimality.bound + 1e-12
    assert found.optimality.reached_alone is not None


@many
@given(questions(), st.sampled_from(METHODS), st.sampled_from(EFFORTS))
def test_what_is_proved_best_is_as_good_as_with_k_rows_alone(question, method, effort):
    table, requirement = question
    options = options_for(method, effort)
    try:
        found = method(table.frequency, requirement, options)
    except Infeasible:
        return
    plain = method(table.invented.frequency, requirement.rows_alone, options)
    assert found.optimality.reached <= plain.optimality.reached + 1e-12
    assert found.optimality.bound == plain.optimality.bound
    equal = found.optimality.reached == pytest.approx(plain.optimality.reached)
    assert found.optimality.proved == (plain.optimality.proved and equal)


SUPPRESSED_PERSON_IS_NEEDED = (
    Protected(
        Invented(
            pa.table({"attribute 0": pa.array([None, None, "a"], pa.string())}),
            {"attribute 0": Listed({"a": ("a", "all")})},
        ),
        {name: [0, 0, 0] for name in SENSITIVE},
        persons=[1, 1, 0],
    ),
    Requirement(2, 1, person=PERSON),
)
"""With k rows alone, one row of the second person is suppressed, and one person remains."""


@many
@given(questions(), st.sampled_from(METHODS))
@example(SUPPRESSED_PERSON_IS_NEEDED, mingen_cells)
@example(SUPPRESSED_PERSON_IS_NEEDED, k_similar)
def test_only_a_table_that_fails_as_a_whole_is_infeasible(question, method):
    """Without constraints all rows are one zone, so merging ends with the whole table."""
    table, requirement = question
    frequency = table.frequency
    [everything] = requirement.combined(frequency.attributes)
    whole = np.zeros(len(frequency), dtype=np.int32)
    conditions = requirement.conditions(frequency, whole, everything)
    holds = not any(member.failing(frequency.counts).any() for _, member in conditions)
    if holds:
        assert method(frequency, requirement) is not None


@many
@given(
    questions(),
    st.sampled_from(METHODS),
    st.lists(st.sampled_from([0.5, 0.7, 0.9]), min_size=1, max_size=2),
    st.sampled_from([None, 0.1, 0.5, 1]),
)
def test_a_lottery_makes_classes_that_satisfy_everything(question, method, alphas, rate):
    table, requirement = question
    shares = [
        ColumnProtection(name, Share(alpha)) for name, alpha in zip(SENSITIVE, alphas, strict=False)
    ]
    asked = replace(requirement, protections=tuple(shares), secrecy="lottery", lottery_rate=rate)
    frequency = table.frequency
    try:
        found = method(frequency, asked, SearchOptions(bound=True))
    except (Infeasible, RequirementNotMet):
        return
    assert not judge_classes(frequency, found, asked)
    check_conserved(frequency, found.tuples, found.suppressed)
    assert found.optimality.reached <= found.optimality.bound + 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_a_lottery_is_the_default_for_shares_alone(method):
    column = Sensitive(
        "ill",
        np.array([0, 1] * 20, np.int32),
        reference=np.array([20, 20]),
        levels=np.empty((0, 2), np.int32),
    )
    frequency = frequency_beside(
        table_of(["one"], ["a"] * 20 + ["c"] * 20), {"one": TREE}, [column]
    )
    for protection, merged in ((Share(0.9), {False, True}), (Distinct(2), {False})):
        asked = Requirement(2, protections=(ColumnProtection("ill", protection),), lottery_rate=0.5)
        found = {released_rows(frequency, method(frequency, asked))[("*",)] > 0 for _ in range(40)}
        assert found == merged


def test_protections_that_compare_with_the_table_are_not_planned_for(tmp_path):
    zips = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    with pytest.raises(
        InvalidInput, match=r'closeness compares with the whole table.*use policy = "increments"'
    ):
        release(
            tmp_path / "missing.csv",
            k=2,
            method="mingen-cells",
            ledger=str(tmp_path / "ledger.db"),
            attributes={
                "zip": zips,
                "ill": {"role": "sensitive", "protect": {"closeness": {"t": 0.5}}},
            },
        )


@pytest.mark.parametrize("method", METHODS)
def test_a_lottery_is_refused_for_other_protections(method):
    asked = Requirement(2, protections=(ColumnProtection("ill", Distinct(2)),), secrecy="lottery")
    with pytest.raises(InvalidInput, match="by share alone"):
        method(frequencies("a", "a", one=TREE), asked)


@many
@given(questions(), st.sampled_from(METHODS), st.randoms(use_true_random=False))
def test_blind_classes_do_not_depend_on_sensitive_values_and_persons(question, method, random):
    """Only whether the release is refused may depend on sensitive values."""
    table, requirement = question
    blind = replace(requirement, secrecy="blind", person=None)
    other = replace(
        table,
        sensitive={
            name: random.sample(values, len(values)) for name, values in table.sensitive.items()
        },
        persons=random.sample(table.persons, len(table.persons)),
    )
    expected = method(table.invented.frequency, requirement.rows_alone)
    for one in (table, other):
        frequency = one.frequency
        try:
            found = method(frequency, blind)
        except RequirementNotMet:
            continue
        assert released_rows(frequency, found) == released_rows(table.invented.frequency, expected)
        assert not judge_classes(frequency, found, blind)
