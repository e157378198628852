"""The worked examples of µ-Argus: Achieving, section 4.2, and Samarati, section 7."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

import lookalike as la
from lookalike.search.argus.combinations import (
    ALWAYS_TESTED,
    IDENTIFYING,
    MORE_IDENTIFYING,
    MOST_IDENTIFYING,
    TESTED_IF_SEVERAL_IDENTIFYING,
    find_unsafe,
    list_combinations,
    list_program_combinations,
)

from ..small_tables import frequency_of, occurrences, rows_of
from .rare_values import find_outliers, rows_below
from .sweeney_tables import (
    ACHIEVING_FIGURE_7,
    ACHIEVING_FIGURE_7_HIERARCHIES,
    ACHIEVING_FIGURE_15_MT,
    ACHIEVING_FIGURE_15_MT_ACTUAL,
)

RACE, BIRTH, SEX, ZIP = QUASI_IDENTIFIER = list(ACHIEVING_FIGURE_7_HIERARCHIES)
IDENTIFICATION = {
    RACE: IDENTIFYING,
    BIRTH: MOST_IDENTIFYING,
    SEX: MORE_IDENTIFYING,
    ZIP: MORE_IDENTIFYING,
}
LEVELS = tuple(IDENTIFICATION.values())
PROBLEMS = ACHIEVING_FIGURE_7["Problem"].to_pylist()

T7 = ("white", "1964", "male", "02138")
T8 = ("white", "1965", "female", "02139")

FIGURE_13_V = {
    ("1965", "02141"): 2,
    ("1965", "02138"): 2,
    ("1964", "02138"): 3,
    ("1965", "02139"): 1,
    ("1964", "02139"): 2,
    ("1967", "02138"): 2,
}
FIGURE_13_FREQ = {
    ("black", "1965", "male", "02141"): (2, []),
    ("black", "1965", "female", "02138"): (2, []),
    ("black", "1964", "female", "02138"): (2, []),
    T7: (1, []),
    T8: (1, [{BIRTH, ZIP}]),
    ("white", "1964", "male", "02139"): (2, []),
    ("white", "1967", "male", "02138"): (2, []),
}
FIGURE_14 = {
    T7: [{BIRTH, SEX, ZIP}, {RACE, BIRTH, ZIP}],
    T8: [
        {BIRTH, ZIP},
        {SEX, ZIP},
        {BIRTH, SEX, ZIP},
        {RACE, BIRTH, SEX},
        {RACE, BIRTH, ZIP},
        {RACE, SEX},
        {RACE, BIRTH},
    ],
}
LEFT_OUT_OF_FIGURE_14 = {RACE, SEX, ZIP}


@pytest.fixture
def freq():
    """freq after step 2, in which the birth date reaches the year."""
    frequency = frequency_of(ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_HIERARCHIES)
    return frequency.roll_up((0, 2, 0, 0))


@pytest.fixture(scope="module")
def made():
    return release_figure_7()


def release_figure_7(**fields):
    """Release the table of Figure 7 by µ-Argus with k = 2, as in the section."""
    attributes = {
        name: {"role": "quasi-identifier", "hierarchy": rule, "identification": level}
        for (name, rule), level in zip(ACHIEVING_FIGURE_7_HIERARCHIES.items(), LEVELS, strict=True)
    }
    attributes["Problem"] = {"role": "sensitive"}
    return la.release(
        ACHIEVING_FIGURE_7,
        attributes=attributes,
        k=2,
        method="mu-argus",
        allow_unsafe=True,
        keep_order=True,
        **fields,
    )


def among(sets):
    """Return sets of names so that they can be compared in any order."""
    return {frozenset(names) for names in sets}


class TestStep2:
    def test_birth_date_reaches_the_year_and_nothing_else_changes(self, made):
        assert made.levels == {RACE: 0, BIRTH: 2, SEX: 0, ZIP: 0}

    def test_then_every_value_occurs_twice_and_before_it_did_not(self, freq):
        for place in range(4):
            values = Counter(
                row[place] for row, number in occurrences(freq).items() for _ in range(number)
            )
            assert min(values.values()) >= 2
        months = frequency_of(ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_HIERARCHIES).roll_up(
            (0, 1, 0, 0)
        )
        assert min(Counter(row[1] for row in months.sequences()).values()) == 1


class TestFigure13:
    """Most × More, of which the figure shows {birth, zip}."""

    @pytest.fixture
    def tested(self, freq):
        return find_unsafe(freq, [(1, 3)], 2)

    def test_v_holds_the_values_of_birth_and_zip_with_their_occurrences(self, freq):
        found = Counter()
        for (_, birth, _, zip_), number in occurrences(freq).items():
            found[birth, zip_] += number
        assert found == FIGURE_13_V

    def test_freq_has_the_outlier_of_t8_and_no_other(self, freq, tested):
        found = {
            values: (number, [set(names) for names in tested.outliers(place)])
            for place, (values, number) in enumerate(occurrences(freq).items())
        }
        assert found == FIGURE_13_FREQ

    def test_one_value_is_rare_and_one_row_has_it(self, tested):
        assert (tested.distinct, tested.rows) == ((1,), (1,))


class TestFigure14:
    """freq before suppression; the figure leaves one outlier of t8 out."""

    def test_t7_has_the_outliers_of_the_figure(self, freq):
        outliers = find_outliers(freq, list_combinations(LEVELS, 3))[T7]
        assert among(outliers) == among(FIGURE_14[T7])

    def test_t8_has_those_of_the_figure_and_race_sex_zip(self, freq):
        outliers = find_outliers(freq, list_combinations(LEVELS, 3))[T8]
        assert among(outliers) == among([*FIGURE_14[T8], LEFT_OUT_OF_FIGURE_14])

    def test_what_the_figure_leaves_out_occurs_once_in_its_own_freq(self, freq):
        alike = [row for row in occurrences(freq) if (row[0], *row[2:]) == (T8[0], *T8[2:])]
        assert alike == [T8]
        assert occurrences(freq)[T8] == 1

    def test_nobody_else_has_outliers(self, freq):
        outliers = find_outliers(freq, list_combinations(LEVELS, 3))
        assert {values for values, found in outliers.items() if found} == {T7, T8}

    def test_with_the_whole_list_all_four_attributes_of_t8_tie(self, freq):
        outliers = find_outliers(freq, list_combinations(LEVELS, 3))[T8]
        assert Counter(name for names in outliers for name in names) == dict.fromkeys(
            QUASI_IDENTIFIER, 5
        )

    def test_as_printed_birth_alone_would_have_the_most(self):
        assert Counter(name for names in FIGURE_14[T8] for name in names) == {
            BIRTH: 5,
            ZIP: 4,
            SEX: 4,
            RACE: 4,
        }


class TestFigure15:
    """MT, and MTactual which does not follow from the combinations of Figure 12."""

    def test_mt_cell_by_cell(self, made):
        assert rows_of(made.table, QUASI_IDENTIFIER) == ACHIEVING_FIGURE_15_MT
        assert made.table["Problem"].to_pylist() == PROBLEMS

    def test_mt_keeps_every_row_and_suppresses_three_cells(self, made):
        assert made.table.num_rows == 12
        assert made.measures.cells_suppressed == 3

    def test_two_rows_of_mt_are_below_k(self, made):
        (verdict,) = made.certificate.quasi_identifiers
        assert len(rows_below(ACHIEVING_FIGURE_15_MT, 2)) == 2
        assert (verdict.k, verdict.k_reached, verdict.rows_below_k) == (2, 1, 2)
        assert made.measures.rows_below_k == 2
        assert made.certificate.statement.startswith("k-anonymity does NOT hold: 2 rows")

    def test_mt_is_not_let_out_without_a_word(self):
        with pytest.raises(la.RequirementNotMet, match="2 of 12 rows would still occur fewer"):
            la.release(
                ACHIEVING_FIGURE_7,
                attributes=release_figure_7().specification.attributes,
                k=2,
                method="mu-argus",
            )

    def test_gender_of_t8_can_be_inferred_from_the_totals(self, made):
        shown = Counter(made.table[SEX].to_pylist())
        hidden = Counter(ACHIEVING_FIGURE_7[SEX].to_pylist()) - shown
        assert (shown["*"], hidden) == (1, {"female": 1})

    def test_the_combinations_of_figure_12_give_mt_too(self):
        made = release_figure_7(combinations="program")
        assert rows_of(made.table, QUASI_IDENTIFIER) == ACHIEVING_FIGURE_15_MT

    def test_the_printed_mt_actual_is_not_2_anonymous(self):
        assert rows_below(ACHIEVING_FIGURE_15_MT_ACTUAL, 2) == [T7, ("white", "*", *T8[2:])]

    @pytest.mark.parametrize(
        ("row", "outlier"),
        [pytest.param(T8, {RACE, SEX}, id="t8"), pytest.param(T7, {RACE, BIRTH, ZIP}, id="t7")],
    )
    def test_mt_actual_leaves_in_what_figure_12_tests(self, freq, row, outlier):
        outliers = find_outliers(freq, list_program_combinations(LEVELS))
        assert outlier in outliers[row]
        places = [QUASI_IDENTIFIER.index(name) for name in outlier]
        printed = [[shown[place] for place in places] for shown in ACHIEVING_FIGURE_15_MT_ACTUAL]
        assert printed.count([row[place] for place in places]) == 1

    def test_repair_blanks_t7_and_t8_and_then_2_anonymity_holds(self):
        made = release_figure_7(repair=True)
        released = rows_of(made.table, QUASI_IDENTIFIER)
        assert not rows_below(released, 2)
        expected = list(ACHIEVING_FIGURE_15_MT)
        expected[6:8] = [("*",) * 4] * 2
        assert released == expected
        assert "is 2-anonymous over them." in made.certificate.statement


class TestFigure12:
    """Six kinds of combinations are not tested at all."""

    def test_ten_kinds_are_tested_and_six_are_not(self):
        levels = (MOST_IDENTIFYING, MORE_IDENTIFYING, IDENTIFYING)
        kinds = {kind for size in (2, 3) for kind in combinations_with_replacement(levels, size)}
        tested = ALWAYS_TESTED | TESTED_IF_SEVERAL_IDENTIFYING
        assert (len(kinds), len(ALWAYS_TESTED), len(TESTED_IF_SEVERAL_IDENTIFYING)) == (16, 7, 3)
        assert tested < kinds
        assert kinds - tested == {
            (IDENTIFYING, IDENTIFYING),
            (IDENTIFYING, IDENTIFYING, IDENTIFYING),
            (MORE_IDENTIFYING, IDENTIFYING, IDENTIFYING),
            (MOST_IDENTIFYING, IDENTIFYING, IDENTIFYING),
            (MORE_IDENTIFYING, MORE_IDENTIFYING, IDENTIFYING),
            (MORE_IDENTIFYING, MORE_IDENTIFYING, MORE_IDENTIFYING),
        }

    def test_a_value_that_is_rare_in_a_kind_that_is_not_tested_stays(self, freq):
        everything = find_outliers(freq, list_combinations(LEVELS, 3))[T8]
        program = find_outliers(freq, list_program_combinations(LEVELS))[T8]
        assert among(everything) - among(program) == {
            frozenset({SEX, ZIP}),
            frozenset({BIRTH, SEX, ZIP}),
            frozenset({RACE, SEX, ZIP}),
        }
