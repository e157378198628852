"""The risk of one table: unique rows, small classes, sensitive values, warnings and mistakes."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.risk.table.attacker_risk import journalist_risk, prosecutor_risk
from lookalike.risk.table.sequences import list_sequences
from lookalike.risk.table.uniqueness import band_sizes, expose_subsets
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

PEOPLE = {
    "zip": ["02138", "02138", "02139", "02139", "02139"],
    "sex": ["m", "m", "f", "f", "m"],
    "ill": ["flu", "flu", "gout", "flu", "gout"],
    "cost": ["9", "10", "100", "9", "10"],
}


@pytest.fixture
def people():
    return pa.table(PEOPLE)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_any_kind_of_frame_is_counted_alike(kind):
    found = la.risk(kind(PEOPLE), ["zip", "sex"], sensitive=["ill"])
    assert (found.whole.classes, found.whole.unique_rows) == (3, 1)
    assert [one.attributes for one in found.singling_out] == [("zip", "sex")]


def test_a_file_is_counted_like_a_frame(people, tmp_path):
    path = tmp_path / "people.csv"
    people.to_pandas().to_csv(path, index=False)
    found = la.risk(path, ["zip", "sex"], ordered=["cost"])
    assert found.whole == la.risk(people, ["zip", "sex"]).whole
    assert found.sensitive[0].distance == "ordered"


def test_size_bounds_the_subsets_but_not_the_whole(people):
    found = la.risk(people, ["zip", "sex", "ill"], size=1)
    assert [one.attributes for one in found.subsets] == [("zip",), ("sex",), ("ill",)]
    assert found.whole.attributes == ("zip", "sex", "ill")


def test_a_table_without_rows_exposes_nobody(people):
    found = la.risk(people.slice(0, 0), ["zip", "sex"], sensitive=["ill"], population=people)
    assert (found.whole.rows, found.whole.smallest, found.whole.unique_share) == (0, 0, 0.0)
    assert found.prosecutor == found.journalist
    assert (found.prosecutor.highest, found.marketer, found.warnings) == (0.0, 0.0, ())
    assert found.sensitive[0].by_distinct == ()


def test_one_row_stands_out(people):
    found = la.risk(people.slice(0, 1), ["zip"], ordered=["cost"])
    assert found.whole.unique_share == 1.0
    assert found.sensitive[0].distances.tolist() == [0.0]


def test_by_distinct_adds_up_to_the_classes(people):
    [ill] = la.risk(people, ["zip"], sensitive=["ill"]).sensitive
    assert ill.by_distinct == ((1, 1, 2), (2, 1, 3))


def test_an_incomplete_population_is_reported(people):
    found = la.risk(people, ["zip"], population=people.slice(0, 3))
    assert (found.population.persons, found.population.rows_beyond) == (3, 3)
    assert found.journalist.highest == 0.5
    assert "the population is incomplete" in found.warnings[-1]


def test_a_population_may_have_values_that_the_table_lacks():
    found = la.risk(
        pa.table({"zip": ["1", None]}),
        ["zip"],
        population=pa.table({"zip": ["0", "1", "1", "2", None, None, None]}),
    )
    assert (found.journalist.highest, found.marketer) == (0.5, pytest.approx((1 / 2 + 1 / 3) / 2))


def test_a_journalist_who_draws_a_person_may_be_right_more_often_than_one_who_draws_a_row():
    found = la.risk(
        pa.table({"zip": ["0", "0", "0", "1"]}),
        ["zip"],
        population=pa.table({"zip": ["0", "0", "0", "1", "1"]}),
    )
    assert found.marketer == (1 + 1 / 2) / 4
    assert found.journalist.average == 2 / 5


@pytest.mark.parametrize(
    ("k", "said"),
    [
        (2, ["1 of 5 rows (20.0 %) is unique over zip, sex"]),
        (3, ["1 of 5 rows", "4 of 5 rows (80.0 %) are in classes of 2 rows", "at most 1 other."]),
        (5, ["classes of 2 to 4 rows", "at most 3 others."]),
    ],
)
def test_warnings_say_what_it_means(people, k, said):
    warnings = " ".join(la.risk(people, ["zip", "sex"], k=k).warnings)
    for piece in said:
        assert piece in warnings


def test_few_attributes_that_are_enough_are_named():
    people = pa.table({"a": ["1", "2", "2"], "b": ["1", "1", "2"], "c": ["1", "1", "1"]})
    warnings = la.risk(people, ["a", "b", "c"]).warnings
    assert "a alone singles out 1 person; so does 1 other minimal subset" in (warnings[1])


def test_where_nobody_stands_out_nothing_is_warned_of():
    assert la.risk(pa.table({"a": ["1"] * 5}), ["a"]).warnings == ()


def test_shown_classes_are_the_smallest(people):
    shown = la.risk(people, ["zip", "sex"], sensitive=["ill"]).show(1)
    assert shown == [
        {
            "values": {"zip": "02139", "sex": "m"},
            "rows": 1,
            "sensitive": {"ill": {"distinct_l": 1, "entropy_l": 1.0, "t": pytest.approx(0.6)}},
        }
    ]


def test_days_have_an_order():
    people = pa.table({"a": ["x", "y", "y"], "day": ["2001-12-01", "2001-02-01", "2001-01-01"]})
    [days] = la.risk(people, ["a"], ordered=["day"]).sensitive
    assert days.distances.tolist() == pytest.approx([1 / 2, 1 / 4])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"quasi_identifier": "zip"}, "as a list of names"),
        ({"sensitive": "ill"}, "as a list of names"),
        ({"quasi_identifier": []}, "name at least one column"),
        ({"quasi_identifier": ["zap"]}, "no column 'zap'"),
        ({"quasi_identifier": ["zip", "zip"]}, "named twice"),
        ({"sensitive": ["zip"]}, "in the quasi-identifier and sensitive"),
        ({"ordered": ["ill"]}, "only numbers, and dates"),
        ({"ordered": ["gap"]}, "missing values have no order"),
        ({"k": 0}, "k must be at least 1, not 0"),
        ({"size": 0}, "size must be at least 1, not 0"),
        ({"population": pa.table({"zap": ["1"]})}, "the population has no column 'zip'"),
        ({"delimiter": ";"}, "for a path only"),
    ],
)
def test_mistakes_are_answered(people, fields, message):
    table = people.append_column("gap", [["1", None, "2", "3", "4"]])
    with pytest.raises(la.InvalidInput, match=message):
        la.risk(table, **{"quasi_identifier": ["zip"], **fields})


def test_progress_is_announced(people):
    announced = []
    la.risk(people, ["zip", "sex"], announce=announced.append)
    assert announced == ["counting", "subset 1 of 3", "subset 2 of 3", "subset 3 of 3"]


def test_each_subset_is_rolled_up_from_one_that_contains_it():
    table = pa.table(
        {name: [str(i >> shift & 1) for i in range(64)] for shift, name in enumerate("abcdef")}
    )
    sequences = list_sequences(count(read_frame(table), list("abcdef")))
    found = expose_subsets(sequences, list("abcdef"), 2, 6, lambda _: None)
    assert len(found) == 63
    assert all(one.smallest == 64 >> len(one.attributes) for one in found)


def test_classes_are_in_the_band_of_their_size():
    sizes = [(1, 2), (2, 1), (3, 1), (4, 2), (5, 1), (10, 1)]
    bands = [(one.low, one.high, one.classes, one.rows) for one in band_sizes(sizes, 30)]
    assert bands == [(1, 1, 2, 2), (2, 2, 1, 2), (3, 4, 3, 11), (5, 9, 1, 5), (10, 19, 1, 10)]


def test_rows_at_risk_are_those_with_fewer_than_k_candidates():
    """A class of k is not at risk; of a population, rows are counted and not its people."""
    assert prosecutor_risk(np.array([2, 3, 4]), k=3).rows_at_risk == 2
    assert journalist_risk(np.array([1, 2, 3]), np.array([2, 3, 4]), k=3).rows_at_risk == 1
