"""Whether the papers' own tables are k-minimal, and k-minimal distortions.

Achieving, Definitions 4 and 6, Examples 4, 6 and 7; Samarati, Definitions 3.3 (which prints ≤
where < is meant) and 4.3, Examples 3.5 and 4.2.
"""

import pytest

import lookalike as la

from ..small_tables import generalize, table_of
from .samarati_tables import (
    SAMARATI_FIGURE_2,
    SAMARATI_FIGURE_4,
    SAMARATI_FIGURE_6,
    SAMARATI_FIGURE_6_GT_0_2_1_2_2,
    SAMARATI_FIGURE_6_GT_1_3_0_1_1,
    SAMARATI_FIGURE_6_HIERARCHIES,
    SAMARATI_FIGURE_7,
    SAMARATI_FIGURE_8,
)
from .sweeney_tables import (
    ACHIEVING_FIGURE_4,
    ACHIEVING_FIGURE_7,
    ACHIEVING_FIGURE_7_GT,
    ACHIEVING_FIGURE_7_HIERARCHIES,
    ACHIEVING_FIGURE_10,
    ACHIEVING_FIGURE_15_MT,
    ACHIEVING_RACE_ZIP,
    MODEL_FIGURE_5_GT1,
    MODEL_FIGURE_5_GT3,
)

FIGURE_7 = ACHIEVING_FIGURE_7.column_names


def ask(hierarchies, k, max_suppressed=0, others=()):
    """Return the requirement of a release."""
    linkable = {
        name: {"role": "quasi-identifier", "hierarchy": rule} for name, rule in hierarchies.items()
    }
    return {
        "release": {"k": k, "max_suppressed": max_suppressed},
        "attributes": linkable | {name: {"role": "sensitive"} for name in others},
    }


def judge(release, table, asked, level=None):
    """Return whether a release is k-minimal, and whether it is a minimal distortion."""
    fields = {"spec": asked, "table": table, "level": level}
    return la.is_k_minimal(release, **fields), la.is_minimal_distortion(release, **fields)


def vectors(candidates):
    return [one.vector for one in candidates]


class TestAchievingFigure4:
    """Examples 4 and 6: two k-minimal generalizations, one minimal distortion."""

    @pytest.mark.parametrize(
        ("vector", "below", "prec"),
        [
            ((0, 1), [], 0.83),
            ((1, 0), [], 0.75),
            ((1, 1), [(0, 1), (1, 0)], 0.58),
            ((0, 2), [(0, 1)], 0.67),
        ],
    )
    def test_at_the_attribute_level(self, vector, below, prec):
        release = generalize(ACHIEVING_FIGURE_4, ACHIEVING_RACE_ZIP, vector)
        minimal, distortion = judge(release, ACHIEVING_FIGURE_4, ask(ACHIEVING_RACE_ZIP, 2))
        assert (minimal.answer, minimal.level) == ("no" if below else "yes", "attribute")
        assert vectors(minimal.below) == below
        assert round(distortion.precision, 2) == prec
        assert distortion.answer == ("yes" if vector == (0, 1) else "no")

    @pytest.mark.parametrize(
        ("vector", "minimal", "best"),
        [((0, 1), "yes", "yes"), ((1, 0), "yes", "no"), ((1, 1), "no", "no"), ((0, 2), "no", "no")],
    )
    def test_at_the_cell_level(self, vector, minimal, best):
        release = generalize(ACHIEVING_FIGURE_4, ACHIEVING_RACE_ZIP, vector)
        asked = ask(ACHIEVING_RACE_ZIP, 2)
        answers = judge(release, ACHIEVING_FIGURE_4, asked, "cell")
        assert [one.answer for one in answers] == [minimal, best]


class TestAchievingExample7:
    """GT of Figure 7: the paper calls it k-minimal and a k-minimal distortion."""

    asked = ask(ACHIEVING_FIGURE_7_HIERARCHIES, 2, others=["Problem"])

    def test_gt_is_k_minimal_but_not_a_minimal_distortion(self):
        minimal, distortion = judge(ACHIEVING_FIGURE_7_GT, ACHIEVING_FIGURE_7, self.asked)
        assert (minimal.level, minimal.answer) == ("cell", "yes")
        assert distortion.answer == "no"
        assert round(distortion.precision, 4) == 0.8229
        assert round(distortion.possible, 4) == 0.8486

    @pytest.mark.parametrize("table", [MODEL_FIGURE_5_GT1, MODEL_FIGURE_5_GT3])
    def test_the_two_releases_of_models_figure_5_are_k_minimal_too(self, table):
        release = table.rename_columns(FIGURE_7)
        minimal, distortion = judge(release, ACHIEVING_FIGURE_7, self.asked)
        assert (minimal.answer, distortion.answer) == ("yes", "no")

    def test_gt_with_one_class_raised_is_not(self):
        rows = [tuple(row.values()) for row in ACHIEVING_FIGURE_7_GT.to_pylist()]
        raised = [("white", "1964", "human", "02139") if row[3] == "02139" else row for row in rows]
        release = table_of(FIGURE_7[:4], raised)
        minimal, _ = judge(release, ACHIEVING_FIGURE_7, self.asked)
        assert minimal.answer == "no"
        [finer] = minimal.finer
        assert (finer.rows, finer.of, finer.levels) == (2, 2, {"Gender": (1, 0)})
        assert finer.released["ZIP"] == "02139"
        assert finer.finer == {"Gender": "male"}

    def test_datafly_distorted_more_than_needed_against_the_cell_level_only(self):
        release = table_of(FIGURE_7, ACHIEVING_FIGURE_10)
        asked = ask(ACHIEVING_FIGURE_7_HIERARCHIES, 2, 2, ["Problem"])
        attribute = judge(release, ACHIEVING_FIGURE_7, asked)
        assert [one.answer for one in attribute] == ["yes", "yes"]
        assert attribute[0].levels == dict(zip(FIGURE_7, (0, 2, 0, 0), strict=False))
        minimal, distortion = judge(release, ACHIEVING_FIGURE_7, asked, "cell")
        assert (minimal.answer, distortion.answer) == ("no", "no")
        assert [(one.rows, one.released) for one in minimal.finer] == [(2, {})]

    def test_datafly_suppresses_more_than_maxsup_0_allows(self):
        release = table_of(FIGURE_7, ACHIEVING_FIGURE_10)
        minimal, distortion = judge(release, ACHIEVING_FIGURE_7, self.asked)
        assert (minimal.answer, distortion.answer) == ("no", "no")
        assert "suppresses 2 rows, more than max_suppressed allows (0)" in minimal.reason
        assert vectors(distortion.better) == [(1, 2, 0, 1)]
        assert round(distortion.possible, 4) == 0.6917

    def test_mt_of_mu_argus_is_not_k_anonymous_so_nothing_is_judged(self):
        release = table_of(FIGURE_7[:4], ACHIEVING_FIGURE_15_MT)
        with pytest.raises(la.RequirementNotMet, match=r"not 2-anonymous .* 2 of 12 rows"):
            judge(release, ACHIEVING_FIGURE_7, self.asked)


class TestSamarati:
    """Definition 4.3 at the attribute level."""

    @pytest.mark.parametrize(
        ("k", "minimal"), [(2, {(1, 0), (0, 1)}), (3, {(1, 0), (0, 2)}), (4, {(0, 2), (1, 1)})]
    )
    def test_example_3_5(self, k, minimal):
        asked = ask(SAMARATI_FIGURE_2, k)
        for vector in [(1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]:
            release = generalize(SAMARATI_FIGURE_4, SAMARATI_FIGURE_2, vector)
            if k > {(1, 0): 3, (0, 1): 2}.get(vector, 4):
                continue
            found = la.is_k_minimal(release, spec=asked, table=SAMARATI_FIGURE_4)
            assert bool(found) == (vector in minimal)

    @pytest.mark.parametrize(
        ("max_suppressed", "minimal"),
        [
            (0, {(1, 1)}),
            (1, {(1, 0), (0, 2)}),
            (2, {(1, 0), (0, 1)}),
            (3, {(1, 0), (0, 1)}),
            (4, {(0, 0)}),
        ],
    )
    def test_example_4_2(self, max_suppressed, minimal):
        asked = ask(SAMARATI_FIGURE_2, 2, max_suppressed)
        found = {
            vector: la.is_k_minimal(
                suppress_outliers(SAMARATI_FIGURE_8, SAMARATI_FIGURE_2, vector, 2),
                spec=asked,
                table=SAMARATI_FIGURE_8,
            )
            for vector in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
        }
        assert {vector for vector, one in found.items() if one} == minimal

    def test_definition_4_2_a_superset_is_not_minimal_required_suppression(self):
        whole = suppress_outliers(SAMARATI_FIGURE_8, SAMARATI_FIGURE_2, (1, 0), 2)
        more = whole.filter([zip_ == "94138" for zip_ in whole["ZIP"].to_pylist()])
        asked = ask(SAMARATI_FIGURE_2, 2, 8)
        minimal, distortion = judge(more, SAMARATI_FIGURE_8, asked)
        assert (minimal.answer, distortion.answer) == ("no", "no")
        assert "suppresses 4 rows, but its vector [1,0] requires only 1" in minimal.reason

    @pytest.mark.parametrize(
        "rows", [SAMARATI_FIGURE_6_GT_0_2_1_2_2, SAMARATI_FIGURE_6_GT_1_3_0_1_1]
    )
    def test_figure_6_both_tables_are_minimal_until_a_tuple_may_be_suppressed(self, rows):
        release = table_of(list(SAMARATI_FIGURE_6_HIERARCHIES), rows)
        for allowed, answer, below in ((0, "yes", []), (1, "no", [(0, 1, 0, 0, 0)])):
            asked = ask(SAMARATI_FIGURE_6_HIERARCHIES, 2, allowed)
            found = la.is_k_minimal(release, spec=asked, table=SAMARATI_FIGURE_6)
            assert (found.answer, vectors(found.below)) == (answer, below)

    def test_figure_7_is_minimal_if_the_last_tuple_may_be_suppressed(self):
        release = table_of(list(SAMARATI_FIGURE_6_HIERARCHIES), SAMARATI_FIGURE_7)
        asked = ask(SAMARATI_FIGURE_6_HIERARCHIES, 2, 1)
        assert [one.answer for one in judge(release, SAMARATI_FIGURE_6, asked)] == ["yes", "yes"]


def suppress_outliers(table, hierarchies, vector, k):
    """Generalize a table and leave out the rows that occur fewer than k times."""
    whole = generalize(table, hierarchies, vector)
    rows = [tuple(row.values()) for row in whole.to_pylist()]
    return whole.filter([rows.count(row) >= k for row in rows])
