"""Attacks on empty and unusual releases, and on folders, files and frames."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.hierarchy import Dates, Intervals, Mask, Rounding, Suppress, Taxonomy
from lookalike.risk.releases.attack_classes import attack_classes
from lookalike.risk.releases.possible_worlds import MOST_PEOPLE
from lookalike.risk.releases.seen_release import AttackerKnowledge

from ..seen_rows import see_rows

ZIP = {"zip": Mask(length=5)}


def see(name, columns, rows, **fields):
    return see_rows(name, columns, rows, **{"k": 2, "levels": {}, **fields})


def left_of(*releases, rules=ZIP, **options):
    [left] = attack_classes(list(releases), rules, **options).left
    return left


class TestSmall:
    """No row, and one."""

    def test_empty_releases_expose_nobody(self):
        empty = see("R", ["zip"], [], levels={"zip": 0})
        left = left_of(empty, empty)
        assert (left.at_least, left.at_most, left.holds, left.broken) == (None, None, True, False)
        assert left_of(empty, empty, empty).holds

    def test_one_row_is_one_row(self):
        one = see("R", ["zip"], [("02138",)], levels={"zip": 0})
        assert left_of(one, one).at_most == 1

    def test_people_in_only_one_release_count(self):
        first = see("R1", ["zip", "x"], [("02138", "p"), ("02138", "q")], levels={"zip": 0})
        second = see("R2", ["zip", "x"], [("02138", "p")], levels={"zip": 0}, rows_in=2)
        attacked = attack_classes([first, second], ZIP)
        shown = attacked.exposures(attacked.pairs[0], attacked.pairs[0].linked[0])
        assert [(one.rows, one.certain) for one in shown] == [((1, 1), True), ((1, None), True)]

    def test_more_rows_than_the_source_had_are_refused(self):
        with pytest.raises(la.InvalidInput, match="R has 1 rows, but its source has only 0"):
            see("R", ["zip"], [("02138",)], levels={"zip": 0}, rows_in=0)

    def test_too_many_people_are_refused(self):
        one = see("R", ["zip"], [("02138",)], levels={"zip": 0})
        with pytest.raises(la.InvalidInput, match="too many to match"):
            left_of(one, one, people=MOST_PEOPLE + 1)


class TestValues:
    """What is compatible."""

    def compatible(self, rule, one, two, levels, **fields):
        first = see("R1", ["x"], [(one,)], levels={"x": levels[0]}, **fields)
        second = see("R2", ["x"], [(two,)], levels={"x": levels[1]}, **fields)
        return attack_classes([first, second], {"x": rule}).people == 1

    @pytest.mark.parametrize(
        ("rule", "one", "two", "levels", "expected"),
        [
            (Mask(length=5), "0213*", "021**", (1, 2), True),
            (Mask(length=5), "0213*", "022**", (1, 2), False),
            (Mask(length=5), "0213*", "*", (1, 5), True),
            (Mask(length=4), "ßé**", "ßéñ*", (None, None), True),
            (Mask(length=5), None, "0213*", (0, 1), False),
            (Mask(length=5), None, None, (0, 1), True),
            (Mask(length=5), None, "*", (0, 5), True),
            (Dates(), "1965-09", "1960-1969", (1, 4), True),
            (Dates(), "1965-09", "1970-1979", (None, None), False),
            (Dates(formats=["%m/%d/%Y"]), "9/5/1965", "09/05/1965", (0, 0), True),
            (Intervals([10, 20]), "30-39", "20-39", (None, None), True),
            (Intervals([10, 20]), "10-19", "20-39", (1, 2), False),
            (Rounding([10, 100]), "50", "100", (1, 2), True),
            (Rounding([10, 100]), "40", "100", (1, 2), False),
            (Taxonomy({"A": ["a", "b"], "c": []}), "c", "c", (None, None), True),
            (Taxonomy({"A": ["a", "b"], "c": []}), "c", "A", (0, 1), False),
            (Suppress(unknown="suppress"), "é", "*", (0, 1), True),
            (Taxonomy({"t": ["a"]}, unknown="suppress"), "odd", "*", (0, 0), True),
        ],
    )
    def test_values_are_compared_by_their_hierarchy(self, rule, one, two, levels, expected):
        assert self.compatible(rule, one, two, levels) is expected
        assert self.compatible(rule, two, one, levels[::-1]) is expected

    @pytest.mark.parametrize(
        ("one", "two", "levels", "expected"),
        [
            ("*", "a", (0, 0), False),
            ("*", "A", (0, 1), False),
            ("*", "*", (0, 1), True),
            ("*", "t", (1, 2), True),
            ("*", "*", (1, 0), True),
            (None, "*", (0, 1), False),
            (None, "t", (0, 2), True),
        ],
    )
    def test_what_a_hierarchy_does_not_know_is_no_value_that_it_knows(
        self, one, two, levels, expected
    ):
        rule = Taxonomy({"t": {"A": ["a", "b"], "c": []}}, unknown="suppress")
        fields = {"suppresses": "nothing"}
        assert self.compatible(rule, one, two, levels, **fields) is expected
        assert self.compatible(rule, two, one, levels[::-1], **fields) is expected

    def test_a_value_that_a_hierarchy_does_not_know_is_one_of_those_that_it_suppresses(self):
        rule = Taxonomy({"t": ["a"]}, unknown="suppress")
        shown = see("R1", ["x"], [("odd",), ("a",)])
        hidden = see("R2", ["x"], [("*",), ("a",)], levels={"x": 0}, suppresses="nothing")
        attacked = attack_classes([shown, hidden], {"x": rule})
        assert (attacked.people, attacked.left[0].at_most) == (2, 1)

    def test_what_a_file_suppresses_at_a_level_is_what_it_writes_so(self, tmp_path):
        path = tmp_path / "x.csv"
        path.write_text("a;*;top\nb;B;top\n")
        rule = la.File(path)
        assert not self.compatible(rule, "*", "b", (1, 0), suppresses="nothing")
        assert self.compatible(rule, "*", "a", (1, 0), suppresses="nothing")

    def test_a_blank_row_may_be_of_anybody(self):
        rule = Taxonomy({"t": ["a", "b"]}, unknown="suppress")
        assert self.compatible(rule, "*", "a", (0, 0), suppresses="rows")

    def test_an_ambiguous_label_is_refused_where_its_level_is_unknown(self):
        one = see("R", ["x"], [("50",)], levels={"x": None})
        with pytest.raises(la.InvalidInput, match="'50' is ambiguous: it may be at level 0 or 1"):
            left_of(one, one, rules={"x": Rounding([10, 100])})

    def test_columns_released_as_they_are_must_be_equal_and_missing_is_a_value(self):
        rows = [("02138", None), ("02138", "")]
        first = see("R1", ["zip", "x"], rows, levels={"zip": 0})
        attacked = attack_classes([first, first], ZIP)
        assert attacked.left[0].at_least == 2
        alike = see("R2", ["zip", "x"], [("0213*", None), ("02138", "")], levels={"zip": None})
        assert left_of(first, alike).at_most == 1

    def test_the_top_and_the_suppressed_value_are_different_classes(self):
        rule = Taxonomy({"person": ["a", "b"]})
        rows = [("person",), ("*",), ("*",)]
        one = see("R", ["x"], rows, levels={"x": None})
        assert left_of(one, one, rules={"x": rule}).at_most == 1

    def test_without_a_hierarchy_levels_must_be_the_same(self):
        one = see("R1", ["zip"], [("0213*",)] * 2, levels={"zip": 1})
        two = see("R2", ["zip"], [("02138",)] * 2, levels={"zip": 0})
        assert left_of(one, one, rules={}).at_least == 2
        with pytest.raises(la.InvalidInput, match=r"'zip' is at different levels in R1 and R2"):
            left_of(one, two, rules={})

    def test_a_column_may_be_generalized_in_one_release_and_unchanged_in_another(self):
        one = see("R1", ["zip"], [("0213*",)] * 2, levels={"zip": 1})
        two = see("R2", ["zip"], [("02138",), ("02139",)])
        assert left_of(one, two).at_most == 1


class TestQuasiIdentifiers:
    """Several kinds of respondents."""

    rows = (("a", "b"), ("a", "c"), ("d", "b"), ("d", "c"))

    def test_each_is_judged_by_itself(self):
        known = [AttackerKnowledge("patient", ("x",), 2), AttackerKnowledge("doctor", ("y",), 3)]
        one = see("R", ["x", "y"], self.rows, levels={"x": 0, "y": 0}, known=known)
        patient, doctor = attack_classes([one, one], {}).left
        assert (patient.known.attributes, patient.at_least, patient.holds) == (("x",), 2, True)
        assert (doctor.at_least, doctor.known.k, doctor.holds) == (2, 3, False)

    def test_what_either_release_assumes_to_be_known_is_known(self):
        one = see("R1", ["x", "s"], [(x, s) for s, (x, _) in enumerate(self.rows)], levels={"x": 0})
        two = see("R2", ["y", "s"], [(y, s) for s, (_, y) in enumerate(self.rows)], levels={"y": 0})
        [left] = attack_classes([one, two], {}).left
        assert (left.known.attributes, left.at_most) == (("x", "y"), 1)


ATTRIBUTES = {
    "zip": {"role": "quasi-identifier", "hierarchy": Mask(length=5)},
    "ill": {"role": "sensitive"},
}
SPECIFICATION = la.Specification.build({"release": {"k": 2}, "attributes": ATTRIBUTES})
PEOPLE = {"zip": ["02138", "02138", "02139", "02139"], "ill": ["flu", "cold"] * 2}


class TestFrames:
    """Frames of any kind, and releases as they come out."""

    @pytest.mark.parametrize("kind", [pa.table, pd.DataFrame, pl.DataFrame, pl.LazyFrame])
    def test_frames_of_any_kind(self, kind):
        general = {**PEOPLE, "zip": ["0213*"] * 4}
        attacked = la.attack(kind(PEOPLE), kind(general), spec=SPECIFICATION)
        assert attacked.holds
        assert attacked.left[0].at_least == 2

    @pytest.mark.parametrize("method", ["mingen-cells", "k-similar", "datafly"])
    def test_releases_at_the_cell_level_and_with_rows_left_out(self, method):
        table = pa.table(
            {
                "zip": ["02138", "02138", "02139", "02141", "02142", "02142", "99999"],
                "ill": ["flu", "cold", "flu", "flu", "cold", "flu", "cold"],
            }
        )
        made = [
            la.release(table, attributes=ATTRIBUTES, k=2, method=method, max_suppressed=2)
            for _ in range(2)
        ]
        attacked = la.attack(*made, spec=SPECIFICATION)
        assert attacked.people == 7
        assert attacked.left[0].exact

    def test_blank_rows_are_a_class_and_another_label_is_suppressed(self):
        table = pa.table({"zip": ["02138"] * 3 + ["1", "2"], "ill": ["flu"] * 5})
        made = la.release(
            table,
            attributes=ATTRIBUTES,
            k=2,
            method="datafly",
            max_suppressed=2,
            suppressed_rows="blank",
            suppressed_label="hidden",
        )
        attacked = la.attack(made, made, spec=SPECIFICATION)
        assert attacked.left[0].at_least == 2
        assert attacked.holds


def test_two_releases_that_each_hide_a_column_are_joined_on_what_both_show():
    one = see_rows("R1", ["a", "x"], [("a1", "p"), ("a1", "q")], levels={"a": 0}, k=2)
    two = see_rows("R2", ["b", "x"], [("b1", "p"), ("b2", "q")], levels={"b": 0}, k=2)
    attacked = attack_classes([one, two], {})
    assert (attacked.left[0].at_least, attacked.rows_exposed) == (1, 2)


def test_rows_are_seen_as_classes_in_their_order():
    made = see_rows("R1", ["sex"], [("f",), ("m",), ("f",)], levels={"sex": 0}, k=2)
    assert (made.labels, made.codes.tolist()) == ((("f", "m"),), [[0, 1]])
    assert (made.counts.tolist(), made.order.tolist()) == ([2, 1], [0, 1, 0])


@pytest.mark.parametrize(
    ("rows", "kind"), [(2, "complementary release"), (3, "temporal"), (4, "temporal")]
)
def test_releases_of_as_many_rows_are_taken_for_releases_of_the_same_rows(rows, kind):
    one, two = (
        see(name, ["zip"], [("02138",)] * 2, levels={"zip": 0}, rows_in=rows_in)
        for name, rows_in in (("R1", 2), ("R2", rows))
    )
    assert [pair.kind for pair in attack_classes([one, two], ZIP).pairs] == [kind]
    assert [pair.kind for pair in attack_classes([two, one], ZIP).pairs] == [kind]


def test_the_least_k_that_was_promised_is_attacked():
    one, two = (see(f"R{k}", ["zip"], [("02138",)] * 3, levels={"zip": 0}, k=k) for k in (2, 3))
    [left] = attack_classes([one, two], ZIP).left
    assert left.known.k == 2


def test_there_are_at_least_as_many_people_as_rows():
    one = see("R", ["zip"], [("02138",)] * 2, levels={"zip": 0})
    assert left_of(one, one, people=2).holds
    with pytest.raises(la.InvalidInput, match="1 people are too few: a source had 2 rows"):
        left_of(one, one, people=1)


def follow_order(first, second, levels):
    """Link two releases by position, which show ZIP codes at two levels in the order given."""
    one, two = (
        see(name, ["zip"], [(zip_,) for zip_ in zips], levels={"zip": level})
        for name, zips, level in (("R1", first, levels[0]), ("R2", second, levels[1]))
    )
    [unsorted] = attack_classes([one, two], ZIP).pairs[0].unsorted
    return unsorted


def test_an_order_that_may_be_chance_links_nobody():
    few, many = (["02138", "94301"] * times for times in (2, 10))
    assert (follow_order(few, few, (0, 0)).works, follow_order(many, many, (0, 0)).works) == (
        False,
        True,
    )


def test_rows_are_compared_at_the_higher_of_two_levels():
    found = follow_order(["02138", "94301"] * 10, ["0213*", "9430*"] * 10, (0, 1))
    assert (found.compatible, found.works) == (20, True)
