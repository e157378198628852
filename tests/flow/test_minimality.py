"""Judging an existing release: what is accepted, what is refused, and what stays undecided."""

import pandas as pd
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.minimality.existing_release import read_existing_release
from lookalike.search.cells.finer import find_finer, flows

from ..small_tables import TREE, generalize, table_of

NAMES = ("x", "y")
ROWS = [("a", "a"), ("a", "b"), ("c", "b"), ("a", "c")]
TABLE = table_of(NAMES, ROWS)
MINIMAL = table_of(NAMES, [("a", "A"), ("a", "A"), ("top", "top"), ("top", "top")])
ACROSS = table_of(NAMES, [("a", "top"), ("top", "A"), ("top", "A"), ("a", "top")])
"""Finer only across its classes: (a, b) and (c, b) could both show (top, b)."""
LIMITS = {
    "groupings": (find_finer, "MOST_GROUPINGS"),
    "choices": (find_finer, "MOST_CHOICES"),
    "flows": (flows, "MOST_FLOWS"),
}
TOPPED = la.Taxonomy({"top": TREE.tree})


def ask(rule=TOPPED, **release):
    return {
        "release": {"k": 2, "max_suppressed": 0, **release},
        "attributes": {name: {"role": "quasi-identifier", "hierarchy": rule} for name in NAMES},
    }


def judge(release, table=TABLE, asked=None, level="cell"):
    return la.is_k_minimal(release, spec=asked or ask(), table=table, level=level)


class TestTheThreeAnswers:
    def test_yes_is_true_and_no_is_false(self):
        assert judge(MINIMAL)
        assert not judge(ACROSS)

    def test_a_finer_table_may_take_rows_of_several_classes(self):
        [finer] = judge(ACROSS).finer
        assert (finer.rows, finer.of, finer.levels) == (2, 2, {"y": (1, 0)})
        assert (finer.released, finer.finer) == ({"x": "top", "y": "A"}, {"y": "b"})

    @pytest.mark.parametrize("limit", LIMITS)
    def test_a_table_that_is_too_large_is_undecided_and_neither_true_nor_false(
        self, monkeypatch, limit
    ):
        monkeypatch.setattr(*LIMITS[limit], 0)
        found = judge(ACROSS)
        assert found.answer == "undecided"
        assert "not all tables between" in found.reason
        with pytest.raises(la.InvalidInput, match=r"neither true nor false; use \.answer"):
            bool(found)

    @pytest.mark.parametrize(
        ("limit", "enough"), [("groupings", 11), ("choices", 20), ("flows", 4)]
    )
    def test_the_limits_are_where_they_are_said_to_be(self, monkeypatch, limit, enough):
        for most, answer in ((enough, "yes"), (enough - 1, "undecided")):
            monkeypatch.setattr(*LIMITS[limit], most)
            assert judge(MINIMAL).answer == answer

    def test_what_one_class_shows_is_found_in_tables_of_any_size(self, monkeypatch):
        monkeypatch.setattr(*LIMITS["groupings"], 0)
        raised = table_of(NAMES, [("A", "A"), ("A", "A"), ("top", "top"), ("top", "top")])
        [finer] = judge(raised).finer
        assert finer.levels == {"x": (1, 0)}

    def test_a_class_of_2_k_rows_can_be_divided(self, monkeypatch):
        monkeypatch.setattr(*LIMITS["groupings"], 0)
        table = table_of(NAMES, [("a", "a")] * 3 + [("c", "a")])
        found = judge(table_of(NAMES, [("top", "a")] * 4), table)
        [finer] = found.finer
        assert (finer.rows, finer.of, finer.levels) == (2, 4, {"x": (2, 1)})

    def test_no_time_leaves_it_undecided(self):
        found = judge(ACROSS, asked=ask(time_limit=1e-9))
        assert found.answer == "undecided"

    def test_a_distortion_within_a_bound_is_undecided_and_has_a_gap(self):
        found = la.MinimalDistortion("undecided", "", "cell", 0.75, 0.75, 0.8)
        assert found.gap == pytest.approx(0.05)
        with pytest.raises(la.InvalidInput, match="undecided"):
            bool(found)


class TestCells:
    def test_a_suppressed_cell_is_at_the_top_and_not_above_it(self):
        starred = table_of(NAMES, [("a", "A"), ("a", "A"), ("*", "*"), ("*", "*")])
        assert judge(starred).answer == "yes"

    def test_a_row_that_a_released_tuple_covers_need_not_be_suppressed(self):
        found = judge(
            table_of(NAMES, [("top", "A"), ("top", "A")]),
            TABLE.slice(0, 3),
            ask(max_suppressed=1),
        )
        [finer] = [one for one in found.finer if not one.released]
        assert (finer.rows, finer.of, finer.levels["y"]) == (1, 1, (2, 1))

    def test_more_rows_are_left_out_than_may_be(self):
        found = judge(table_of(NAMES, [("a", "A"), ("a", "A")]))
        assert (found.answer, found.rows_suppressed) == ("no", 2)
        assert "suppresses 2 rows, more than max_suppressed allows (0)" in found.reason

    def test_bounds_on_levels_bound_the_finer_table_too(self):
        asked = ask(constraints=["y >= 1"])
        assert judge(ACROSS, asked=asked).answer == "yes"

    def test_a_missing_value_is_missing_at_every_level_below_the_top(self):
        table = table_of(NAMES, [("a", None), ("b", None), ("c", "a"), ("c", "b")])
        release = table_of(NAMES, [("A", None), ("A", None), ("c", "A"), ("c", "A")])
        assert judge(release, table).answer == "yes"

    def test_several_quasi_identifiers_are_for_the_attribute_level(self):
        several = [{"name": name, "attributes": [name]} for name in NAMES]
        asked = {**ask(), "quasi_identifiers": several}
        whole = generalize(TABLE, dict.fromkeys(NAMES, TOPPED), (2, 1))
        top = generalize(TABLE, dict.fromkeys(NAMES, TOPPED), (2, 2))
        with pytest.raises(la.RequirementNotMet, match="not 2-anonymous over y"):
            judge(whole, asked=asked, level="attribute")
        assert judge(top, asked=asked, level="attribute").answer == "yes"
        for function in (la.is_k_minimal, la.is_minimal_distortion):
            with pytest.raises(la.InvalidInput, match="defined for one quasi-identifier"):
                function(top, spec=asked, table=TABLE, level="cell")


class TestAttributes:
    def test_the_level_is_read_off_the_rows_of_a_frame(self):
        whole = generalize(TABLE, dict.fromkeys(NAMES, TOPPED), (2, 2))
        assert judge(whole, level=None).levels == {"x": 2, "y": 2}
        assert judge(MINIMAL, level=None).level == "cell"

    def test_bounds_on_levels_bound_the_vectors(self):
        whole = generalize(TABLE, dict.fromkeys(NAMES, TOPPED), (2, 2))
        refused = judge(whole, asked=ask(constraints=["x <= 1"]), level="attribute")
        assert refused.answer == "no"
        assert "[2,2] violates the constraints on levels" in refused.reason

    def test_rows_that_show_nothing_at_the_top_are_not_blank(self):
        asked = ask(la.Suppress(), suppressed_rows="blank")
        found = judge(table_of(NAMES, [("*", "*")] * 4), asked=asked, level="attribute")
        assert found.answer == "yes"

    @pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
    @pytest.mark.parametrize("method", ["datafly", "samarati", "mingen"])
    @pytest.mark.parametrize("max_suppressed", [0, 2])
    def test_it_agrees_with_what_the_methods_say(
        self, tmp_path, method, suppressed_rows, max_suppressed
    ):
        rows = pd.DataFrame([*ROWS, ("d", "d"), ("d", "d"), ("b", "a")], columns=NAMES)
        asked = ask(method=method, suppressed_rows=suppressed_rows, max_suppressed=max_suppressed)
        made = la.release(rows, attributes=asked["attributes"], **asked["release"])
        found = judge(made.table, rows, asked, "attribute")
        assert (found.answer == "yes") == made.recoding.k_minimal
        assert found.levels == made.levels
        made.publish(tmp_path / "out" / "rows.csv")
        assert judge(tmp_path / "out", rows, asked, None) == found


class TestWhatIsRefused:
    def test_rows_that_are_not_true(self):
        false = table_of(NAMES, [("c", "A"), ("c", "A"), ("top", "top"), ("top", "top")])
        with pytest.raises(la.RequirementNotMet, match="generalize no private row of their own"):
            judge(false)

    def test_rows_that_are_not_true_at_the_attribute_level(self):
        with pytest.raises(la.RequirementNotMet, match="several levels; use the cell level"):
            judge(MINIMAL, level="attribute")

    def test_rows_that_are_not_k_anonymous(self):
        with pytest.raises(la.RequirementNotMet, match=r"not 3-anonymous over x, y: 4 of 4 rows"):
            judge(MINIMAL, asked=ask(k=3))

    def test_other_values_that_are_swapped(self):
        table = TABLE.append_column("ill", [["flu", "flu", "gout", "gout"]])
        release = MINIMAL.append_column("ill", [["flu", "gout", "flu", "gout"]])
        asked = ask()
        asked["attributes"]["ill"] = {"role": "sensitive"}
        assert judge(MINIMAL.append_column("ill", [["flu", "flu", "gout", "gout"]]), table, asked)
        with pytest.raises(la.RequirementNotMet, match="of their own"):
            judge(release, table, asked)

    def test_a_column_that_the_private_table_lacks(self):
        with pytest.raises(la.InvalidInput, match="the private table has no column 'ill'"):
            judge(MINIMAL.append_column("ill", [["flu"] * 4]))

    def test_a_quasi_identifier_that_the_release_lacks(self):
        with pytest.raises(la.InvalidInput, match="no column 'y'"):
            judge(MINIMAL.select(["x"]))

    def test_an_unknown_level(self):
        with pytest.raises(
            la.InvalidInput, match="level must be one of attribute, cell, not 'row'"
        ):
            judge(MINIMAL, level="row")

    def test_a_folder_whose_file_was_changed(self, tmp_path):
        asked = ask(method="mingen-cells")
        made = la.release(TABLE, attributes=asked["attributes"], **asked["release"])
        made.publish(tmp_path / "out" / "rows.csv")
        with (tmp_path / "out" / "rows.csv").open("a") as stream:
            stream.write("a,a\n")
        with pytest.raises(la.RequirementNotMet, match="has the digest of the certificate"):
            judge(tmp_path / "out", asked=asked)


def test_no_value_of_the_private_table_is_in_a_representation():
    table = pa.table({"x": ["secret", "secret"], "y": ["a", "a"]})
    asked = ask(la.Suppress())
    found = judge(pa.table({"x": ["*", "*"], "y": ["a", "a"]}), table, asked)
    assert found.finer[0].finer == {"x": "secret"}
    assert "secret" not in repr(found)


def test_the_private_table_may_be_a_path(tmp_path):
    TABLE.to_pandas().to_csv(tmp_path / "rows.csv", index=False)
    assert judge(MINIMAL, tmp_path / "rows.csv")


def test_a_release_that_was_read_shows_no_value_either():
    given = read_existing_release(MINIMAL, ask(), TABLE, "cell")
    assert "top" not in repr(given)


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_release_that_was_made_knows_its_specification_and_its_table(method):
    asked = ask(method=method)
    made = la.release(TABLE, attributes=asked["attributes"], **asked["release"])
    for judged in (la.is_k_minimal, la.is_minimal_distortion):
        assert judged(made) == judged(made.table, spec=asked, table=TABLE)
    with pytest.raises(la.InvalidInput, match="give the specification"):
        la.is_k_minimal(made.table)


def test_a_release_of_a_file_is_judged_by_its_source(tmp_path):
    TABLE.to_pandas().to_csv(tmp_path / "rows.csv", index=False)
    asked = ask(method="mingen")
    made = la.release(tmp_path / "rows.csv", attributes=asked["attributes"], **asked["release"])
    assert la.is_k_minimal(made).levels == made.levels
