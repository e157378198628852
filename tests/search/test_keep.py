"""Keep: a share of an attribute that must be kept, against every vector of small lattices."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible, InvalidInput, Mask, Taxonomy
from lookalike.model.kept import find_lacking, kept_shares
from lookalike.model.lattice import Lattice
from lookalike.model.measures import reach
from lookalike.model.protections import Share
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import ColumnProtection, Requirement
from lookalike.search.balance import TWENTIETHS
from lookalike.search.lattice.keep import Keep
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import datafly, k_similar, mingen, mingen_cells, samarati
from lookalike.search.options import SearchOptions

from ..effort import examples
from ..exhaustive import Exhaustive, minimal_of
from ..invented import requirements, tables
from ..small_tables import frequencies

BALANCED = SearchOptions(balanced=True)

SHARES = [Decimal(text) for text in ("0", "0.2", "0.4", "0.5", "0.75", "1")]


@st.composite
def asked_tables(draw):
    """Invent a table, a requirement, and the share of each attribute that must be kept."""
    invented = draw(tables(min_rows=2))
    requirement = draw(requirements(invented, several=draw(st.booleans())))
    assume(invented.table.num_rows >= requirement.largest_k)
    number = len(invented.hierarchies)
    keep = draw(st.lists(st.sampled_from(SHARES), min_size=number, max_size=number))
    return invented, requirement, tuple(keep)


def keep_by_definition(exhaustive, vector):
    """Return what a vector keeps of each attribute, row by row."""
    kept, gone = [], exhaustive.gone(vector)
    for place, level in enumerate(vector):
        shown = exhaustive._lost("loss", place, level)
        hidden = exhaustive._lost("loss", place, exhaustive.heights[place])
        lost = [
            hidden[row] if row in gone else shown[row]
            for row, value in enumerate(exhaustive._columns[place])
            if value is not None
        ]
        share = Fraction(sum(lost) / len(lost)).limit_denominator(10**6) if lost else Fraction(0)
        kept.append(1 - share)
    return kept


def keeping_vectors(exhaustive, requirement, keep):
    """List the vectors within MaxSup that release a row and keep what must be kept."""
    rows = len(exhaustive.invented.rows)
    within = exhaustive.within(requirement.allowance(rows))
    return [
        one
        for one in within
        if all(
            share >= Fraction(least)
            for share, least in zip(keep_by_definition(exhaustive, one), keep, strict=True)
        )
    ]


class TestVectors:
    @examples(120)
    @given(asked=asked_tables())
    def test_what_a_vector_keeps_is_what_its_release_keeps(self, asked):
        invented, requirement, keep = asked
        frequency, exhaustive = invented.frequency, Exhaustive.of(invented, requirement)
        for requirement_now in (requirement, replace(requirement, suppressed_rows="blank")):
            condition = Keep(RollUps(frequency, requirement_now), keep)
            for vector in exhaustive.vectors:
                try:
                    made = recode_at(frequency, vector, requirement_now, 0)
                except Infeasible:
                    continue
                lacks = find_lacking(frequency, made, keep)
                assert condition.admits(vector) == (not lacks)
                if requirement_now is requirement:
                    kept = keep_by_definition(exhaustive, vector)
                    assert kept_shares(frequency, made) == pytest.approx(list(map(float, kept)))

    @examples(120)
    @given(asked=asked_tables())
    def test_levels_that_are_ruled_out_have_no_vector(self, asked):
        invented, requirement, keep = asked
        exhaustive = Exhaustive.of(invented, requirement)
        allowed = keeping_vectors(exhaustive, requirement, keep)
        condition = Keep(RollUps(invented.frequency, requirement), keep)
        allowance = requirement.allowance(invented.table.num_rows)
        try:
            within = condition.restrict(Lattice.of_heights(exhaustive.heights), allowance)
        except Infeasible:
            assert not allowed
        else:
            assert all(vector in within for vector in allowed)


class TestMingen:
    @pytest.mark.parametrize("objective", OBJECTIVES)
    @examples(60)
    @given(asked=asked_tables())
    def test_the_best_vector_that_keeps_enough_is_found(self, objective, asked):
        invented, requirement, keep = asked
        exhaustive = Exhaustive.of(invented, requirement)
        allowed = keeping_vectors(exhaustive, requirement, keep)
        options = SearchOptions(objective=objective, keep=keep)
        measured = {one: exhaustive.measure(objective, one) for one in allowed}
        try:
            found = mingen(invented.frequency, requirement, options)
        except Infeasible:
            rows = len(invented.rows)
            best = (max if objective == "precision" else min)(measured.values(), default=None)
            tied = [one for one in allowed if measured[one] == pytest.approx(best)]
            assert all(exhaustive.suppressed(one) == rows for one in tied)
            return
        best = (max if objective == "precision" else min)(measured.values())
        assert found.vector in allowed
        assert measured[found.vector] == pytest.approx(best)
        assert found.optimality.proved
        assert found.optimality.bound == pytest.approx(best)


class TestSamarati:
    @examples(80)
    @given(asked=asked_tables())
    def test_a_minimal_vector_keeps_enough_or_none_does(self, asked):
        invented, requirement, keep = asked
        exhaustive = Exhaustive.of(invented, requirement)
        rows = len(invented.rows)
        minimal = minimal_of(exhaustive.within(requirement.allowance(rows)))
        allowed = set(keeping_vectors(exhaustive, requirement, keep)) & set(minimal)
        try:
            found = samarati(invented.frequency, requirement, SearchOptions(keep=keep))
        except Infeasible:
            assert all(exhaustive.suppressed(one) == rows for one in allowed)
        else:
            assert found.vector in allowed
            assert sum(found.vector) == min(map(sum, allowed))


ZIPS = ("02138", "02139", "02141", "02142", "94301", "94302")
FREQUENCY = frequencies(
    *((zip_code, job) for number, zip_code in enumerate(ZIPS) for job in "abcd"[: 2 + number % 3]),
    *(("02138", "a"), ("94301", "b")) * 3,
    zip=Mask(),
    job=Taxonomy({"x": ["a", "b"], "y": ["c", "d"]}),
)


@pytest.mark.parametrize("search", [mingen_cells, k_similar])
class TestCells:
    @pytest.mark.parametrize("objective", ["precision", "loss"])
    @pytest.mark.parametrize(("place", "least"), [(0, "0.7"), (0, "0.8"), (1, "0.9")])
    def test_a_column_keeps_what_it_must(self, search, objective, place, least):
        requirement, options = Requirement(4), SearchOptions(objective=objective)
        keep = tuple(Decimal(least) * (place == one) for one in range(2))
        found = search(FREQUENCY, requirement, replace(options, keep=keep))
        assert kept_shares(FREQUENCY, found)[place] >= float(least)
        assert found.tuples.counts.sum() + found.rows_suppressed == FREQUENCY.rows
        assert min(found.tuples.classes(FREQUENCY, FREQUENCY.attributes)[1]) >= 4

    def test_nothing_changes_if_enough_is_kept(self, search):
        keep = SearchOptions(keep=(Decimal("0.01"), Decimal("0.01")))
        found, asked = (search(FREQUENCY, Requirement(4), one) for one in (SearchOptions(), keep))
        assert kept_shares(FREQUENCY, found) == kept_shares(FREQUENCY, asked)
        assert (found.optimality is None) == (asked.optimality is None)

    def test_what_cannot_be_kept_is_named_with_the_most_that_was_found(self, search):
        keep = SearchOptions(keep=(Decimal(1), Decimal(1)))
        with pytest.raises(Infeasible, match=r"100 % of zip \(the most that was found is \d"):
            search(FREQUENCY, Requirement(4), keep)


class TestBound:
    @pytest.mark.parametrize("effort", ["quick", "standard", "exact"])
    def test_the_bound_is_that_of_every_release(self, effort):
        requirement, options = Requirement(4), SearchOptions(effort=effort)
        free = mingen_cells(FREQUENCY, requirement, options).optimality
        keep = (Decimal(0), Decimal("0.9"))
        found = mingen_cells(FREQUENCY, requirement, replace(options, keep=keep))
        assert kept_shares(FREQUENCY, found)[1] >= 0.9
        assert found.optimality.bound == free.bound
        assert found.optimality.duals is not None
        assert found.optimality.reached_alone == free.reached
        weights = options.weights_of(FREQUENCY)
        assert found.optimality.reached == reach(FREQUENCY, found, weights, "precision")
        assert found.optimality.reached < free.reached
        assert not found.optimality.proved


def test_an_attribute_that_cannot_keep_so_much_is_named():
    options = SearchOptions(keep=(Decimal("0.9"), Decimal(0)))
    with pytest.raises(Infeasible, match=r"at least 90 % of zip, of which at most \d+\.?\d* % can"):
        mingen(FREQUENCY, Requirement(10), options)


def test_shares_that_exclude_each_other_are_named_together():
    options = SearchOptions(keep=(Decimal("0.2"), Decimal("0.3")))
    for search in (mingen, samarati):
        with pytest.raises(Infeasible, match=r"20 % of zip, .* and keep asks for .* 30 % of job"):
            search(FREQUENCY, Requirement(6), options)


def test_a_lottery_is_not_drawn_until_enough_is_kept():
    share = ColumnProtection("ill", Share(Decimal("0.5")))
    asked = Requirement(4, protections=(share,), secrecy="lottery")
    with pytest.raises(InvalidInput, match="a lottery must be drawn once"):
        mingen_cells(FREQUENCY, asked, SearchOptions(keep=(Decimal("0.5"), Decimal(0))))


class TestBalanced:
    @examples(80)
    @given(asked=asked_tables(), method=st.sampled_from([mingen, samarati]))
    def test_no_vector_keeps_a_greater_share_of_every_attribute(self, asked, method):
        invented, requirement, _ = asked
        exhaustive = Exhaustive.of(invented, requirement)
        allowed = exhaustive.within(requirement.allowance(len(invented.rows)))
        if method is samarati:
            allowed = minimal_of(allowed)
        steps = {
            one: min(int(TWENTIETHS * share) for share in keep_by_definition(exhaustive, one))
            for one in allowed
        }
        try:
            found = method(invented.frequency, requirement, BALANCED)
        except Infeasible:
            assert not any(steps.values())
        else:
            assert steps[found.vector] == max(steps.values())

    @pytest.mark.parametrize("search", [mingen_cells, k_similar])
    def test_cells_keep_more_of_the_attribute_of_which_least_is_kept(self, search):
        options = SearchOptions(weights=(Decimal("0.05"), Decimal(1)))
        plain, found = (
            search(FREQUENCY, Requirement(4), one)
            for one in (options, replace(options, balanced=True))
        )
        least, before = (min(kept_shares(FREQUENCY, one)) for one in (found, plain))
        assert least > before
        assert min(found.tuples.classes(FREQUENCY, FREQUENCY.attributes)[1]) >= 4

    @pytest.mark.parametrize("effort", ["standard", "exact"])
    def test_more_effort_keeps_no_less(self, effort):
        quick, found = (
            mingen_cells(FREQUENCY, Requirement(4), replace(BALANCED, effort=one))
            for one in ("quick", effort)
        )
        least, before = (min(kept_shares(FREQUENCY, one)) for one in (found, quick))
        assert int(TWENTIETHS * least) >= int(TWENTIETHS * before)

    def test_what_one_attribute_must_keep_is_kept_too(self):
        own = replace(BALANCED, keep=(Decimal(0), Decimal("0.9")))
        assert kept_shares(FREQUENCY, mingen_cells(FREQUENCY, Requirement(4), own))[1] >= 0.9

    def test_a_method_that_would_ignore_it_refuses_it(self):
        with pytest.raises(InvalidInput, match="datafly does not take a share"):
            datafly(FREQUENCY, Requirement(4), BALANCED)
