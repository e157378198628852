"""Quasi-identifiers are chosen by the bits that the labels of a release can carry."""

import tomllib
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.draft.choose_linkable import LEAST_CHOSEN, choose_linkable
from lookalike.draft.linkable_columns import LinkableColumns, code_columns
from lookalike.risk.table.budget import SLACK_BITS
from lookalike.tables.sample import Sample

from ..effort import examples
from ..hospital import PLACE

some = examples(40)
random = np.random.default_rng(7)
MEANT = ("married", "race", "education", "country", "language", "employed", "insurance")
"""Names of columns that others may know."""


def draw(values, rows):
    return [f"v{one}" for one in random.integers(0, values, rows)]


def make_people(rows, **columns):
    """Invent people with a sex, an age, and further columns with so many values."""
    ages = [str(one) for one in random.integers(18, 90, rows)]
    drawn = {name: draw(values, rows) for name, values in columns.items()}
    return pa.table({"sex": draw(2, rows), "age": ages, **drawn})


def test_more_than_eight_cheap_columns_are_kept_where_there_is_room():
    cheap = {f"{name} {place}": 2 for place in (1, 2) for name in MEANT}
    found = la.draft(make_people(100_000, **cheap))
    assert sum(role == "quasi-identifier" for role in found.roles.values()) > 8
    assert found.budget.fits


def test_a_small_table_keeps_few_columns_and_says_what_the_others_cost():
    found = la.draft(make_people(300, **dict.fromkeys(MEANT, 6)))
    dropped = [one for one in found.columns if one.role == "drop"]
    assert len(found.quasi_identifier) == LEAST_CHOSEN
    assert len(dropped) == len(MEANT) + 2 - LEAST_CHOSEN
    assert all(" bits as it is, and " in one.reason for one in dropped)
    assert all(one.hierarchy is None for one in dropped)


def test_what_most_analyses_use_comes_before_what_is_nearly_unique():
    towns = [f"Town {one}" for one in random.integers(0, 200, 600)]
    table = make_people(600, married=2, race=3, ethnicity=2, education=3, language=2)
    table = table.append_column("birthplace", [towns])
    found = la.draft(table)
    assert {"sex", "age", "married", "education"} <= set(found.quasi_identifier)
    assert found.roles["birthplace"] == "drop"


def test_a_second_column_of_one_meaning_gives_way_to_other_meanings():
    races = {"race 1": 4, "race 2": 4, "race 3": 4}
    table = make_people(600, married=2, education=3, **races, language=2)
    kept = la.draft(table).quasi_identifier
    assert {"sex", "age", "married", "education", "language"} <= set(kept)
    assert "race 3" not in kept


def test_the_plainest_name_of_a_meaning_comes_first():
    table = make_people(300, **dict.fromkeys(MEANT, 4))
    ages = [str(one) for one in random.integers(10, 19, 300)]
    found = la.draft(table.append_column("age from which children sit apart", [ages]))
    assert "age" in found.quasi_identifier
    assert "age from which children sit apart" not in found.quasi_identifier


def test_columns_that_matter_are_kept_before_others():
    table = make_people(300, **dict.fromkeys(MEANT, 6))
    asked = la.draft(table, keep=["insurance", "employed"])
    assert la.draft(table).roles["insurance"] == "drop"
    assert asked.roles["insurance"] == asked.roles["employed"] == "quasi-identifier"
    assert (
        asked.quasi_identifier == la.draft(table).keep(["insurance", "employed"]).quasi_identifier
    )
    assert "kept, as asked" in asked.toml()
    drafted = tomllib.loads(asked.decide().toml())["attributes"]
    weighted = {name: one["weight"] for name, one in drafted.items() if "weight" in one}
    assert weighted == {"insurance": 2, "employed": 2}


def test_more_columns_than_fit_are_kept_if_asked_and_the_budget_says_so():
    found = la.draft(make_people(300, **dict.fromkeys(MEANT, 6)), keep=MEANT)
    assert set(MEANT) <= set(found.quasi_identifier)
    assert not found.budget.fits


def test_a_column_that_nobody_decided_on_becomes_a_quasi_identifier_if_it_is_kept():
    table = make_people(400, zz=30)
    assert la.draft(table).roles["zz"] == "?"
    assert la.draft(table, keep=["zz"]).roles["zz"] == "quasi-identifier"


def test_keeping_does_not_change_a_column_that_is_released_as_it_is():
    table = make_people(400, diagnosis=4)
    assert la.draft(table, keep=["diagnosis"]).roles["diagnosis"] == "sensitive"


@pytest.mark.parametrize("column", ["record_no", "last_name", "notes"])
def test_an_identifier_or_free_text_cannot_be_kept(column):
    with pytest.raises(la.InvalidInput, match=f"'{column}' cannot be kept"):
        la.draft(PLACE, keep=[column])


def test_a_column_to_keep_must_exist():
    with pytest.raises(la.InvalidInput, match="column to keep"):
        la.draft(PLACE, keep=["zipp"])


def test_six_columns_of_the_hospital_do_not_fit_and_the_budget_says_so():
    found = la.draft(PLACE, person="row")
    costs = {one.column: round(one.alone, 1) for one in found.budget.chosen.columns}
    assert {name: costs[name] for name in ("birth_date", "sex", "zip", "ward")} == {
        "birth_date": 3.0,
        "sex": 1.2,
        "zip": 1.9,
        "ward": 2.0,
    }
    assert len(costs) == LEAST_CHOSEN
    assert round(found.budget.bits, 1) == 6.9
    assert found.budget.chosen.bits > 7.5
    assert not found.budget.fits
    assert found.as_json()["budget"]["most_classes"] == 120


@some
@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=12),
    st.integers(2, 30),
    st.integers(5, 80),
    st.integers(0, 2**32 - 1),
)
def test_no_column_that_may_be_linked_is_released_as_it_is(values, k, rows, seed):
    drawn = np.random.default_rng(seed)
    table = pa.table(
        {
            f"city {n}": [f"T{one}" for one in drawn.integers(0, most, rows)]
            for n, most in enumerate(values)
        }
    )
    found = la.draft(table, k=k)
    before = {one.name: one.stricter for one in found.before}
    for one in found.columns:
        if before[one.name] == "quasi-identifier":
            assert one.stricter in ("quasi-identifier", "drop")
            assert one.role in ("quasi-identifier", "drop", "?")
        else:
            assert one.stricter == before[one.name]
    assert found.budget.fits or len(found.quasi_identifier) <= LEAST_CHOSEN or not found.undecided


@some
@given(st.lists(st.lists(st.integers(0, 3), min_size=30, max_size=30), min_size=1, max_size=6))
def test_the_cost_in_a_sample_is_an_upper_bound_of_the_joint_entropy(lines):
    codes = [np.array(line, dtype=np.int32) for line in lines]
    named = {str(place): line for place, line in enumerate(codes)}
    whole, part = LinkableColumns(30, named, {}), LinkableColumns(3000, named, {})
    places = range(len(codes))
    assert whole.sampled is None
    assert part.sampled == 30
    exact, bound = (one.joint_bits(codes)(places) for one in (whole, part))
    assert bound >= exact - SLACK_BITS
    assert whole.count_protected(["0"], "0") == len(set(lines[0]))
    assert part.count_protected(["0"], "0") == 3000
    assert "30 rows drawn at random" in part.measure(list(named), 5).sentences[-1]


def test_levels_of_a_sample_are_those_that_are_of_use():
    codes = np.array([*range(10)] * 12, dtype=np.int32)
    drawn = Sample(
        {"zip": tuple(f"0213{n}" for n in range(10))}, {"zip": codes}, codes >= 0, {}, codes < 0, 9
    )
    column = la.draft(pa.table({"zip": [f"0213{n}" for n in codes.tolist()]})).before[0]
    coded = code_columns(drawn, [replace(column, hierarchy=None)], 120)
    assert coded.useful["zip"][0] == 0
    assert choose_linkable([column], coded, 5)[0].name == "zip"
