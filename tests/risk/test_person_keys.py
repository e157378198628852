"""Who is a person: columns whose groups share what is known of people, and those that do not."""

import numpy as np
import pyarrow as pa
import pytest

from lookalike.risk.table.person_keys import (
    FEW_REPEATS,
    REPEATED,
    find_repeated_people,
    judge_columns,
    repeats_people,
)
from lookalike.tables import sample
from lookalike.tables.read import read_table
from lookalike.tables.sample import sample_groups

LINKABLE = ("age", "sex", "zip", "city")


def people(persons, each, seed=0):
    """Return rows of people who have several, with two columns that change from row to row."""
    drawn = np.random.default_rng(seed)
    of = np.repeat(np.arange(persons), each)
    drawn.shuffle(of)
    zips = drawn.integers(0, 20, persons)
    return {
        "key": of,
        "age": drawn.integers(20, 90, persons)[of],
        "sex": drawn.integers(0, 2, persons)[of],
        "zip": zips[of],
        "city": zips[of] // 4,
        "ward": drawn.integers(0, 8, len(of)),
        "level": drawn.integers(0, 900, len(of)) + 0.5,
    }


def judge(columns, linkable=LINKABLE, lasting=("sex",), person=None):
    frame = read_table(pa.table(columns), {})
    samples = sample_groups(frame, [*columns], linkable, len(columns["age"]))
    return {one.column: one for one in judge_columns(samples, linkable, lasting, person)}


def repeats(columns, linkable=("age", "sex", "zip")):
    frame = read_table(pa.table(columns), {})
    return find_repeated_people(
        sample_groups(frame, [*columns], linkable, len(columns["age"])), linkable
    )


@pytest.mark.parametrize(("persons", "each"), [(300, 2), (300, 25), (40, 500), (3000, 3)])
def test_a_key_of_persons_shares_what_is_known_of_them_however_many_rows_they_have(persons, each):
    found = judge(people(persons, each))
    assert found["key"].shared == LINKABLE
    assert found["key"].repeated == pytest.approx(1 - 1 / each)
    assert [name for name, one in found.items() if one.is_person] == ["key"]


def test_a_part_of_a_large_table_is_enough(monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 4000)
    for persons, each in ((5000, 4), (40, 500)):
        found = judge(people(persons, each))
        assert [name for name, one in found.items() if one.is_person] == ["key"]
        assert found["key"].rows < persons * each - persons


def test_places_share_places_and_not_people():
    """All rows of a ZIP code are in one city, but of both sexes; a ward shares nothing."""
    found = judge(people(2000, 1))
    assert found["zip"].shared == ("city",)
    assert found["zip"].differ
    assert not found["zip"].is_person
    assert found["ward"].shared == ()
    assert "key" not in found


def test_without_what_people_keep_for_life_most_attributes_must_be_shared():
    found = judge(people(300, 5) | {"event": people(300, 5)["level"]}, ("age", "zip", "ward"), ())
    assert found["key"].is_person
    assert not judge(people(300, 5), ("age", "ward", "level"), ())["key"].is_person
    assert judge(people(300, 5), ("age", "sex", "ward", "level"), ("age", "sex"))["key"].is_person


def test_the_sex_of_somebody_else_does_not_speak_against_a_person():
    columns = people(300, 5)
    columns["doctor"] = columns["ward"] % 2
    found = judge(columns, (*LINKABLE, "doctor"), ("sex", "doctor"))
    assert found["key"].sharing["doctor"] < 0.5
    assert found["key"].is_person


def test_numbers_with_a_fraction_are_no_key():
    columns = people(300, 5)
    columns["weight"] = columns["key"] + 0.5
    assert "weight" not in judge(columns)


def test_a_few_rows_that_agree_by_chance_are_no_evidence():
    columns = people(300, 1)
    columns["key"] = np.where(np.arange(300) < 2, 0, np.arange(300))
    columns["sex"] = np.zeros(300, dtype=np.int64) + (np.arange(300) % 5 == 4)
    assert not judge(columns, ("sex", "age"))["key"].is_person


def test_several_persons_of_one_key_are_found():
    """Visits are counted as persons, but the patients have several visits each."""
    columns = people(300, 6)
    number = np.arange(len(columns["key"]))
    columns["visit"] = columns["key"] * 2 + number % 2
    found = judge(columns, person="visit")
    assert found["key"].is_person
    pairs = {*zip(columns["key"].tolist(), columns["visit"].tolist(), strict=True)}
    assert found["key"].rows == len(pairs) - 300
    assert "visit" not in found
    assert "key" not in judge(columns, person="key")


@pytest.mark.parametrize(
    ("persons", "each", "several"), [(300, 2, True), (300, 25, True), (5000, 1, False)]
)
def test_combinations_repeat_if_people_have_several_rows(persons, each, several):
    found = repeats(people(persons, each))
    assert repeats_people(found) == several
    assert (min(found.sharing.values()) >= REPEATED) == several


def test_a_few_repeated_combinations_are_a_matter_of_chance():
    found = repeats(people(FEW_REPEATS // 4, 2), ("age", "zip"))
    assert found.rows < FEW_REPEATS
    assert not repeats_people(found)


def test_a_table_of_one_row_has_no_evidence():
    assert judge(people(1, 1)) == {}
    assert not repeats_people(repeats(people(1, 1)))
