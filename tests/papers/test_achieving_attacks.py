"""The summary attack of Achieving, section 4.2, on what µ-Argus leaves (Figure 15)."""

import pytest

import lookalike as la

from ..small_tables import table_of
from .sweeney_tables import (
    ACHIEVING_FIGURE_7,
    ACHIEVING_FIGURE_7_HIERARCHIES,
    ACHIEVING_FIGURE_15_MT,
    ACHIEVING_FIGURE_15_MT_ACTUAL,
)

COLUMNS = tuple(ACHIEVING_FIGURE_7_HIERARCHIES)
GENDERS = {"Gender": {"male": 7, "female": 5}}
ATTRIBUTES = {
    name: {"role": "quasi-identifier", "hierarchy": rule}
    for name, rule in ACHIEVING_FIGURE_7_HIERARCHIES.items()
}
SPECIFICATION = la.Specification.build({"release": {"k": 2}, "attributes": ATTRIBUTES})


def attack(table, totals):
    return la.attack(table, spec=SPECIFICATION, totals=[totals])


class TestFigure15:
    """Totals of men and women."""

    def test_the_suppressed_gender_of_t8_is_inferred(self):
        attacked = attack(table_of(COLUMNS, ACHIEVING_FIGURE_15_MT), GENDERS)
        [summary] = attacked.summaries
        [inferred] = summary.inferred
        assert (inferred.column, inferred.shown, inferred.value) == ("Gender", "*", "female")
        assert inferred.cells == 1
        assert (summary.k, summary.rows_exposed) == (1, 1)
        assert not attacked.holds

    def test_years_of_birth_are_inferred_together_where_one_is_left(self):
        """The two suppressed years of MT cannot be assigned: 1964 and 1965 are left, once each."""
        days = ACHIEVING_FIGURE_7["BirthDate"].to_pylist()
        totals = {"BirthDate": {day: days.count(day) for day in days}}
        attacked = attack(table_of(COLUMNS, ACHIEVING_FIGURE_15_MT), totals)
        assert attacked.summaries[0].cells == 0

    def test_the_program_leaves_no_gender_to_be_inferred(self):
        attacked = attack(table_of(COLUMNS, ACHIEVING_FIGURE_15_MT_ACTUAL), GENDERS)
        assert attacked.summaries[0].inferred == ()

    @pytest.mark.parametrize("method", ["datafly", "mingen", "mingen-cells", "k-similar"])
    def test_it_exposes_nobody_in_what_satisfies_k(self, method):
        attributes = {**ATTRIBUTES, "Problem": {"role": "other", "unique": True}}
        made = la.release(ACHIEVING_FIGURE_7, attributes=attributes, k=2, method=method)
        specification = la.Specification.build({"release": {"k": 2}, "attributes": attributes})
        attacked = la.attack(made, spec=specification, totals=[GENDERS])
        assert attacked.rows_exposed == 0
        assert attacked.holds

    def test_what_mu_argus_repairs_exposes_nobody(self):
        made = la.release(
            ACHIEVING_FIGURE_7.drop(["Problem"]),
            attributes=ATTRIBUTES,
            k=2,
            method="mu-argus",
            repair=True,
            generalize=["BirthDate", "BirthDate"],
        )
        attacked = la.attack(made, spec=SPECIFICATION, totals=[GENDERS])
        assert attacked.holds
