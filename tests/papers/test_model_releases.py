"""Model, section 4: releasing again, and what is left of k by the history of rows."""

import numpy as np
import pytest

import lookalike as la
from lookalike.errors import RequirementNotMet
from lookalike.ledger.policies.based_on import NextFate, check_next, finish_plan, plan_next
from lookalike.ledger.policies.history import (
    RowMap,
    build_history,
    count_exposed_rows,
    smallest_part,
)
from lookalike.ledger.policies.policy import join_quasi_identifier
from lookalike.ledger.policies.shown_columns import ABSENT

from ..small_tables import rows_of, table_of
from .sweeney_tables import (
    ACHIEVING_FIGURE_7,
    MODEL_FIGURE_5_GT1,
    MODEL_FIGURE_5_GT3,
)

QUASI_IDENTIFIER = ("Race", "BirthDate", "Gender", "ZIP")

GT1, GT3 = ([row[:4] for row in rows_of(one)] for one in (MODEL_FIGURE_5_GT1, MODEL_FIGURE_5_GT3))
"""In the order of PT; the Problem of each row is that of PT."""

NEW = ("black", "1965", "male", "02139")
"""What Example 7 shows of the two rows that are new at t1."""

PT = rows_of(ACHIEVING_FIGURE_7)
"""Model's Figure 4 has the same PT."""


def map_of(name, labels):
    """Return the row-to-class map of a release that shows all rows, in the order of PT."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    keys = np.arange(len(labels), dtype=np.int64)
    same = np.zeros_like(keys)
    return RowMap(name, keys, np.array([numbers[label] for label in labels]), same, {})


class TestExample7:
    def test_gtt1_exposes_two_rows(self):
        history = build_history([map_of("GT1", GT1), map_of("GTt1", [*GT3, NEW, NEW])])
        assert smallest_part(history) == 1
        assert count_exposed_rows(history, 2) == 2
        part, sizes = history.parts
        exposed = [PT[row] for row in np.flatnonzero(sizes[part] == 1)]
        assert [(row[0], row[1][-4:], *row[2:4]) for row in exposed] == [
            ("white", "1964", "male", "02138"),
            ("white", "1965", "female", "02139"),
        ]

    def test_gtt1_is_refused(self):
        history = build_history([map_of("GT1", GT1), map_of("GTt1", [*GT3, NEW, NEW])])
        with pytest.raises(RequirementNotMet, match=r"GTt1 would expose 2 rows .* with GT1"):
            check_next(history, 2)

    def test_based_on_gt1_the_result_is_gt1_and_the_new_rows(self):
        history = build_history([map_of("GT1", GT1)])
        keys, no = np.arange(14, dtype=np.int64), np.zeros((1, 14), dtype=np.bool_)
        plan = plan_next(history, keys, moved=no[0], changed=no, k=2)
        assert plan.joining_group[12] == plan.joining_group[13] != ABSENT
        plan = finish_plan(plan, np.array([ABSENT] * 12 + [0, 0]))
        assert plan.fate.tolist() == [NextFate.KEEPS] * 12 + [NextFate.JOINS] * 2

    def test_gt1_and_the_new_rows_hold(self):
        history = build_history([map_of("GT1", GT1), map_of("t1", [*GT1, NEW, NEW])])
        assert smallest_part(history) == 2
        check_next(history, 2)


class TestFirstRemedy:
    """What was released before joins the quasi-identifier: not sufficient by itself."""

    PRIVATE = (("a1", "b1", "p"), ("a1", "b2", "q"), ("a2", "b1", "p"), ("a2", "b2", "q"))
    COLUMNS = ("A", "B", "Problem")
    FIRST = tuple((a, "*", problem) for a, _, problem in PRIVATE)
    SECOND = tuple(("*", b, problem) for _, b, problem in PRIVATE)

    def test_it_is_followed(self):
        roles = {"A": "quasi-identifier", "B": "quasi-identifier", "Problem": "sensitive"}
        assert join_quasi_identifier(roles, [self.COLUMNS]) == ("Problem",)
        assert la.check(table_of(self.COLUMNS, self.FIRST), ["A", "B"], k=2).holds
        assert la.check(table_of(self.COLUMNS, self.SECOND), self.COLUMNS, k=2).holds

    def test_joined_on_problem_the_releases_are_the_private_table(self):
        joined = {
            (a, b, problem)
            for a, _, problem in self.FIRST
            for _, b, known in self.SECOND
            if problem == known
        }
        assert joined == set(self.PRIVATE)

    def test_the_second_remedy_refuses_it(self):
        history = build_history(
            [map_of("1", [row[:2] for row in self.FIRST]), map_of("2", self.SECOND)]
        )
        assert smallest_part(history) == 1
        with pytest.raises(RequirementNotMet, match="would expose 4 rows"):
            check_next(history, 2)
