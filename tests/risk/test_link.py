"""Linking a release with an external table: folders, tables, levels, truth and mistakes."""

import datetime
import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.risk.linking.linkage import Truth
from lookalike.risk.linking.linking_columns import ReleaseFacts, read_column

from ..small_tables import table_of
from ..voters import PATIENTS, VOTERS

SPEC = PATIENTS / "patients.toml"
ON = {"birth_date": "dob", "gender": "sex", "zip": "zip"}
ZIPS = {"zip": la.Mask(length=5)}


def publish(folder, **fields):
    """Publish the twelve patients, differently than their specification says."""
    prepare(la.Specification.load(SPEC, fields)).publish(folder / "patients.csv")
    return folder


def numbers(linked):
    """Return the persons of each row, and the rows of each person."""
    return linked.rows.matches.number.tolist(), linked.persons.matches.number.tolist()


def link_zips(released, external, **fields):
    """Link two lists of ZIP codes."""
    tables = (table_of(["zip"], [[one] for one in zips]) for zips in (released, external))
    return la.link(*tables, ["zip"], hierarchies=ZIPS, **fields)


# What a release may be


@pytest.mark.parametrize("method", ["datafly", "mingen", "mingen-cells", "k-similar"])
def test_a_published_folder_is_linked_by_its_certificate(tmp_path, method):
    folder = publish(tmp_path / "released", method=method)
    linked = la.link(folder, VOTERS, ON, spec=SPEC)
    assert linked.protection == "k-map"
    assert linked.rows.total == len(pd.read_csv(folder / "patients.csv"))
    table = la.link(folder / "patients.csv", VOTERS, ON, spec=SPEC)
    assert table.rows.distribution == linked.rows.distribution
    assert table.persons.distribution == linked.persons.distribution


def test_cell_by_cell_every_vector_is_timed(tmp_path):
    folder = publish(tmp_path / "released", method="mingen-cells")
    assert len(la.link(folder, VOTERS, ON, spec=SPEC).seconds) > 1


def test_the_certificate_gives_levels_that_labels_do_not(tmp_path):
    """50 is rounded to the nearest ten, or it is 50."""
    fields = {"age": {"role": "quasi-identifier", "hierarchy": la.Rounding([10])}}
    ages = pa.table({"age": ["48", "50", "51", "52"]})
    la.release(ages, attributes=fields, k=4, method="datafly", max_suppressed=0).publish(
        tmp_path / "released" / "ages.csv"
    )
    people = pa.table({"age": ["50", "46", "56"]})
    rules = {"age": la.Rounding([10])}
    linked = la.link(tmp_path / "released", people, ["age"], hierarchies=rules)
    assert linked.persons.matches.number.tolist() == [4, 4, 0]
    with pytest.raises(la.InvalidInput, match="is ambiguous"):
        la.link(tmp_path / "released" / "ages.csv", people, ["age"], hierarchies=rules)


def test_the_length_of_a_mask_is_that_of_the_private_values(tmp_path):
    """The longest ZIP code was suppressed, and the voters have longer ones."""
    fields = {"zip": {"role": "quasi-identifier", "hierarchy": la.Mask(length=5)}}
    zips = pa.table({"zip": ["0213", "0213", "0213", "02139"]})
    made = la.release(zips, attributes=fields, k=3, method="datafly", max_suppressed=1)
    made.publish(tmp_path / "released" / "zips.csv")
    people = pa.table({"zip": ["0213", "02138", "02139-1234"]})
    linked = la.link(tmp_path / "released", people, ["zip"], hierarchies=ZIPS)
    assert made.levels == {"zip": 0}
    assert linked.persons.matches.number.tolist() == [3, 0, 0]
    assert linked.unknown == {"zip": 1}


def test_columns_released_as_they_are_are_compared_as_they_are(tmp_path):
    folder = publish(tmp_path / "released")
    people = pa.table({"problem": ["obesity", "Obesity", None]})
    linked = la.link(folder, people, ["problem"])
    assert linked.persons.matches.number.tolist() == [2, 0, 10]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_any_kind_of_frame_is_linked_alike(kind):
    linked = la.link(
        kind({"zip": ["0213*", "02141"]}),
        kind({"plz": ["02138", "02141"]}),
        {"zip": "plz"},
        hierarchies=ZIPS,
    )
    assert numbers(linked) == ([1, 1], [1, 1])


def test_typed_values_are_compared_as_text(tmp_path):
    path = tmp_path / "people.parquet"
    days = [datetime.date(1965, 9, 20), datetime.date(1964, 9, 20)]
    parquet.write_table(pa.table({"born": days, "age": [3.0, 4.0]}), path)
    released = pa.table({"born": ["1965", "1965-09"], "age": ["3", "3"]})
    linked = la.link(released, path, ["born", "age"], hierarchies={"born": la.Dates()})
    assert linked.rows.matches.number.tolist() == [1, 1]


# What matches


def test_two_ways_to_write_a_day_are_one():
    days = {"dob": la.Dates(formats=["%m/%d/%y"], century=1900)}
    released, people = pa.table({"dob": ["09/15/61"]}), pa.table({"dob": ["9/15/61", "9/5/61"]})
    assert numbers(la.link(released, people, ["dob"], hierarchies=days)) == ([1], [1, 0])


def test_missing_and_suppressed_match_anything():
    linked = link_zips(["02138", "*", None], ["02138", "02141", None, "*"])
    assert numbers(linked) == ([3, 4, 4], [3, 2, 3, 3])


def test_as_written_missing_matches_missing_alone():
    linked = link_zips(["02138", "0213*", None], ["02138", None], as_written=True)
    assert numbers(linked) == ([1, 1, 1], [2, 1])


def test_as_written_a_blank_row_of_the_attribute_level_matches_nobody(tmp_path):
    folder = publish(tmp_path / "released", suppressed_rows="blank")
    anything = la.link(folder, VOTERS, ON, spec=SPEC)
    literal = la.link(folder, VOTERS, ON, spec=SPEC, as_written=True)
    assert (anything.rows.count(0, 0), anything.persons.smallest) == (0, 2)
    assert (literal.rows.count(0, 0), anything.rows.count(400, 400)) == (2, 2)


def test_a_value_that_the_hierarchy_does_not_know_matches_suppressed_ones_only():
    linked = link_zips(["02138", "*"], ["02138", "02138-1234"])
    assert numbers(linked) == ([1, 2], [2, 1])
    assert linked.unknown == {"zip": 1}
    assert "not in its hierarchy" in linked.warnings[-1]


def test_names_and_values_of_any_script_match():
    rules = {"stadt": la.Suppress()}
    released, people = pa.table({"stadt": ["Köln", "東京"]}), pa.table({"город": ["東京", "Ко"]})
    linked = la.link(released, people, {"stadt": "город"}, hierarchies=rules)
    assert numbers(linked) == ([0, 1], [1, 0])


@pytest.mark.parametrize(("released", "external"), [([], ["02138"]), (["02138"], []), ([], [])])
def test_without_rows_or_persons_nobody_is_found(released, external):
    linked = link_zips(released, external)
    assert (linked.protection, linked.holds) == ("null-map", True)
    assert (linked.rows.count(1, 9), linked.persons.count(1, 9)) == (0, 0)
    assert linked.show(5) == []


def test_counts_of_candidates_add_up():
    linked = link_zips(["0213*"] * 3 + ["02141"], ["02138", "02139", "02141", "02142"])
    assert linked.rows.distribution == ((1, 1), (2, 3))
    assert linked.persons.distribution == ((0, 1), (1, 1), (3, 2))
    assert (linked.rows.total, linked.persons.total) == (4, 4)


def test_warnings_say_what_it_means():
    linked = link_zips(["0213*", "0213*", "02141"], ["02138", "02139", "02141"], k=3)
    assert linked.warnings == (
        "1 of 3 released rows matches exactly one person: if the external table is complete, the "
        "row belongs to that person.",
        "2 of 3 released rows match only 2 persons.",
        "1 of 3 persons matches exactly one released row: anyone who knows that such a person is "
        "in the release finds their row.",
    )


# The truth


def test_true_identities_come_from_a_private_file(tmp_path):
    path = tmp_path / "truth.csv"
    path.write_text("pseudonym,voter\nx1,7\nx2,8\nx3,nobody\n", encoding="utf-8")
    released = pa.table({"zip": ["0213*", "0213*", "02141"], "pseudonym": ["x1", "x2", "x3"]})
    people = pa.table({"zip": ["02138", "02141", "02139", "02141"], "voter": [7, 8, 9, 10]})
    linked = la.link(released, people, ["zip"], hierarchies=ZIPS, identity="voter", truth=path, k=3)
    assert linked.truth == Truth(1, 2, pinned_right=0, pinned_wrong=0, small_right=1)


@pytest.mark.parametrize("unknown", [None, "*"])
def test_the_true_person_of_a_row_may_lack_values(unknown):
    """A missing or suppressed value matches any, in the truth as in the number of matches."""
    released = pa.table({"zip": ["02138", "02139"], "sex": ["f", "m"], "who": ["ann", "bob"]})
    people = pa.table({"zip": [unknown, "02141"], "sex": ["f", unknown], "who": ["ann", "bob"]})
    linked = la.link(released, people, ["zip", "sex"], identity="who", truth="who")
    assert linked.truth == Truth(1, 0, pinned_right=1, pinned_wrong=0, small_right=1)


def test_rows_without_a_true_identity_are_not_right():
    released = pa.table({"zip": ["02138", "02138"], "who": ["ann", None]})
    people = pa.table({"zip": ["02138", "02139"], "who": ["ann", None]})
    linked = la.link(released, people, ["zip"], identity="who", truth="who")
    assert (linked.truth.rows_right, linked.truth.rows_wrong) == (1, 1)


# Mistakes


def test_a_generalized_column_needs_its_hierarchy(tmp_path):
    folder = publish(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match=r"'zip' was generalized.*--spec"):
        la.link(folder, VOTERS, ["zip"])


def test_the_specification_must_be_that_of_the_release(tmp_path):
    folder = publish(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match="height 5, but the certificate states 3"):
        la.link(folder, VOTERS, ["zip"], hierarchies=ZIPS)


def test_a_column_of_which_the_hierarchy_knows_nothing_is_refused():
    released = pa.table({"born": ["1965", "1966"]})
    people = pa.table({"born": ["20.9.1965", None]})
    with pytest.raises(
        la.InvalidInput, match=r"no value of the external table.*'20\.9\.1965'.*formats"
    ):
        la.link(released, people, ["born"], hierarchies={"born": la.Dates()})


def test_a_certificate_without_a_file_is_refused(tmp_path):
    folder = publish(tmp_path / "released")
    certificate = json.loads((folder / "certificate.json").read_text())
    (folder / "certificate.json").write_text(json.dumps(certificate | {"files": {}}))
    with pytest.raises(la.InvalidInput, match="the certificate names no released file"):
        la.link(folder, VOTERS, ON, spec=SPEC)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"on": "zip"}, "as a list or a mapping"),
        ({"on": []}, "at least one attribute"),
        ({"on": ["zap"]}, "the release has no column 'zap'"),
        ({"on": {"zip": "plz"}}, "the external table has no column 'plz'"),
        ({"identity": "name"}, "the external table has no column 'name'"),
        ({"truth": "who"}, "--identity"),
        ({"identity": "who", "truth": pa.table({"who": ["a"]})}, "a table with two columns"),
        ({"identity": "twice", "truth": "who"}, "1 of its values occur several times"),
        ({"k": 1}, "k must be at least 2, not 1"),
    ],
)
def test_mistakes_are_answered(fields, message):
    released = pa.table({"zip": ["02138"], "who": ["ann"]})
    people = pa.table({"zip": ["02138", "02139"], "who": ["ann", "bob"], "twice": ["x", "x"]})
    with pytest.raises(la.InvalidInput, match=message):
        la.link(released, people, **{"on": ["zip"], "hierarchies": ZIPS, **fields})


def test_a_table_of_true_identities_names_one_for_each_row():
    released = pa.table({"zip": ["02138"], "row": ["1"]})
    people = pa.table({"zip": ["02138", "02139"], "who": ["ann", "bob"]})
    truth = pa.table({"row": ["1", "1"], "who": ["ann", "bob"]})
    with pytest.raises(la.InvalidInput, match="several identities for one value of 'row'"):
        la.link(released, people, ["zip"], identity="who", truth=truth)


def test_a_column_that_is_all_suppressed_needs_no_known_length():
    column = read_column("zip", ["02138"], ["*"], ReleaseFacts({"zip": la.Mask(steps=2)}))
    assert column.row_levels.tolist() == [len(column.attribute.lifts) - 1]


def test_a_row_points_to_its_only_person():
    linked = link_zips(["02141", "02138"], ["02138", "02139", "02139", "02141"])
    assert linked.rows.matches.number.tolist() == [1, 1]
    assert linked.rows.matches.only.tolist() == [3, 0]
