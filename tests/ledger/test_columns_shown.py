"""Releases that show other columns than the last one: new values are found column by column."""

import csv
from collections import Counter

import pyarrow as pa
import pytest

import lookalike as la

from ..flow.monthly_releases import Steward

PEOPLE = [
    ("ann", "02138", "flu", "cook"),
    ("bob", "02138", "gout", "nurse"),
    ("cid", "02138", "pox", "cook"),
    ("dee", "02138", "flu", "smith"),
    ("eve", "02139", "rash", "nurse"),
    ("fay", "02139", "gout", "cook"),
    ("gil", "02139", "cold", "smith"),
    ("hal", "02139", "flu", "nurse"),
]
NAMES = ("id", "zip", "ill", "job")
LEFT_OUT = {"role": "identifier"}
AS_IT_IS = {"role": "other", "unique": True}
SUPPRESS = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
ZIP = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}


def table_of(rows=PEOPLE, names=NAMES, **new):
    """The people; ``ann_ill="ulcer"`` gives Ann another value."""
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    for change, value in new.items():
        person, name = change.split("_")
        columns[name][columns["id"].index(person)] = value
    return pa.table(columns)


def roles_of(table, *shown):
    """Release the generalized ZIP code and some unchanged columns."""
    return {
        "id": LEFT_OUT,
        "zip": ZIP,
        **{
            name: AS_IT_IS if name in shown else LEFT_OUT
            for name in table.column_names
            if name not in ("id", "zip")
        },
    }


class Office(Steward):
    """Publishes releases that show some columns, and reads them."""

    def show(self, table, *shown, **fields):
        attributes = fields.pop("attributes", None) or roles_of(table, *shown)
        return self.release(table, attributes=attributes, **fields)

    def read(self, turn):
        with (self.folder / str(turn) / "table.csv").open(newline="") as stream:
            return Counter(map(tuple, csv.reader(stream)))


@pytest.fixture
def office(tmp_path):
    return Office(tmp_path)


class TestColumnsThatComeAndGo:
    def test_a_value_that_changed_while_another_column_was_shown_is_held_back(self, office):
        """The insurer gets diagnoses, the registry jobs, and then the insurer again."""
        office.show(table_of(), "ill")
        office.show(table_of(), "job")
        made = office.show(table_of(ann_ill="ulcer"), "ill")
        assert made.basis.rows_outdated == 1
        assert office.read(3) == office.read(1)

    def test_old_values_come_from_the_release_that_showed_each_column_last(self, office):
        office.show(table_of(), "ill")
        office.show(table_of(), "job")
        made = office.show(table_of(ann_ill="ulcer", ann_job="clerk"), "ill", "job")
        assert made.basis.rows_outdated == 1
        expected = Counter((zip_, ill, job) for _, zip_, ill, job in PEOPLE)
        expected["zip", "ill", "job"] = 1
        assert office.read(3) == expected

    def test_a_column_that_is_shown_for_the_first_time_is_shown_as_it_is(self, office):
        office.show(table_of(), "ill")
        made = office.show(table_of(ann_job="clerk"), "ill", "job")
        assert made.basis.rows_outdated == 0
        assert office.read(2)["02138", "flu", "clerk"] == 1

    def test_a_value_is_held_back_until_k_rows_have_new_ones_in_that_column(self, office):
        office.show(table_of(), "ill", "job")
        office.show(table_of(), "job")
        made = office.show(table_of(ann_ill="ulcer", bob_job="clerk"), "ill", "job")
        assert (made.basis.rows_renewed, made.basis.rows_outdated) == (0, 2)
        made = office.show(table_of(ann_ill="ulcer", bob_ill="ulcer"), "ill", "job")
        assert (made.basis.rows_renewed, made.basis.rows_outdated) == (2, 0)
        assert office.read(4)["02138", "ulcer", "cook"] == 1

    def test_what_changes_for_everybody_is_shown_and_one_change_besides_is_not(self, office):
        names = ("id", "zip", "ill", "days")
        days = [(*row[:3], number) for number, row in enumerate(PEOPLE)]
        later = [(*row[:3], row[3] + 31) for row in days]
        office.show(table_of(days, names), "ill", "days")
        made = office.show(table_of(later, names, ann_ill="ulcer"), "ill", "days")
        assert (made.basis.rows_renewed, made.basis.rows_partly_renewed) == (8, 1)
        assert office.read(2)["02138", "flu", "31"] == 1

    def test_a_release_with_old_values_of_several_releases_is_verified(self, office):
        office.show(table_of(), "ill")
        office.show(table_of(), "job")
        both = table_of(ann_ill="ulcer", bob_job="clerk")
        made = office.show(both, "ill", "job")
        assert la.verify(office.place, spec=made.specification, table=both).holds

    @pytest.mark.parametrize("gone", ["1", "2"])
    def test_the_file_that_showed_a_column_last_must_be_there(self, gone, office):
        office.show(table_of(), "ill")
        office.show(table_of(), "job")
        (office.folder / gone / "table.csv").unlink()
        changed = {"1": {"ann_ill": "ulcer"}, "2": {"ann_job": "clerk"}}[gone]
        with pytest.raises(la.InvalidInput, match=f"published file of release {gone} is needed"):
            office.show(table_of(**changed), "ill", "job")

    def test_without_based_on_such_a_release_is_refused(self, office):
        office.show(table_of(), "ill")
        office.show(table_of(), "job", policy="check-only")
        with pytest.raises(la.RequirementNotMet):
            office.show(table_of(ann_ill="ulcer"), "ill", policy="check-only")


class TestColumnsUnderAnotherName:
    RENAMED = ("id", "zip", "diagnosis", "job")

    def renamed(self, **new):
        return table_of(PEOPLE, self.RENAMED, **new)

    def test_a_new_name_does_not_hide_whose_value_changed(self, office):
        office.show(table_of(), "ill")
        with pytest.raises(
            la.InvalidInput,
            match=r"column 'diagnosis' has the content of column 'ill' of an earlier release.*"
            r"1 row with a new value .*rename it to 'ill'",
        ):
            office.show(self.renamed(ann_diagnosis="ulcer"), "diagnosis")

    def test_a_new_name_alone_is_no_change(self, office):
        office.show(table_of(), "ill")
        made = office.show(self.renamed(), "diagnosis")
        assert (made.basis.rows_kept, made.basis.rows_renewed) == (8, 0)

    def test_k_rows_may_have_new_values_under_a_new_name(self, office):
        office.show(table_of(), "ill")
        made = office.show(self.renamed(ann_diagnosis="ulcer", bob_diagnosis="ulcer"), "diagnosis")
        assert (made.basis.rows_kept, made.basis.rows_renewed) == (6, 2)

    def test_what_was_shown_under_the_other_name_counts_when_the_old_one_is_back(self, office):
        office.show(table_of(), "ill")
        both = {"ann": "ulcer", "bob": "ulcer"}
        office.show(
            self.renamed(**{f"{one}_diagnosis": ill for one, ill in both.items()}), "diagnosis"
        )
        again = {f"{one}_ill": ill for one, ill in (both | {"bob": "cramp"}).items()}
        with pytest.raises(la.InvalidInput, match="'ill' has the content of column 'diagnosis'"):
            office.show(table_of(**again), "ill")

    def test_columns_that_changed_names_with_each_other_are_known_again(self, office):
        office.show(table_of(), "ill", "job")
        swapped = table_of(PEOPLE, ("id", "zip", "job", "ill"), ann_job="ulcer")
        with pytest.raises(la.InvalidInput, match="column 'job' has the content of column 'ill'"):
            office.show(swapped, "ill", "job")

    def test_a_column_that_has_nothing_to_do_with_one_that_is_gone_is_another(self, office):
        office.show(table_of(), "ill")
        made = office.show(table_of(ann_job="flu"), "job")
        assert made.basis.rows_outdated == 0


class TestColumnsOfTheQuasiIdentifier:
    def test_a_value_that_a_class_showed_before_is_held_back_like_others(self, office):
        office.show(table_of(), attributes=roles_of(table_of()) | {"job": SUPPRESS})
        office.show(table_of(), "ill", policy="check-only")
        with pytest.raises(
            la.InvalidInput,
            match=r"column 'job' is part of the quasi-identifier of an earlier release, and 1 row",
        ):
            office.show(table_of(ann_job="clerk"), "ill", "job")

    def test_a_value_that_was_shown_and_is_part_of_a_class_now_may_be_new(self, office):
        """Two of the three who show gout together had it before; the third did not."""
        rows = [(f"p{n}", "02138", "flu" if n < 4 else "gout", "cook") for n in range(7)]
        office.show(table_of(rows), "ill")
        changed = table_of(rows, p0_ill="gout")
        with pytest.raises(la.RequirementNotMet):
            office.show(changed, "ill", policy="all-released-attributes")
