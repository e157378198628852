"""Values before and after, compared with what can be counted in both tables."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from lookalike.describe.attributes import (
    MOST_FREQUENT,
    compare_attributes,
    distribute,
)

from .invented_people import people, release


def listed(found):
    return {one.label: one.rows for one in found.listed}


@pytest.fixture(params=["mingen", "mingen-cells", "blank"])
def made(request):
    if request.param == "blank":
        return release(suppressed_rows="blank")
    return release(method=request.param)


def test_rows_by_value_are_those_of_the_tables(made):
    table, released = people(), made.table
    for facts in compare_attributes(made.specification, made.plan):
        after = Counter(released[facts.figures.attribute].to_pylist())
        known = listed(facts.after)
        assert known == {label: after[label] for label in known}
        assert facts.after.rows == released.num_rows
        assert facts.after.values == len(after)
        assert facts.after.other_values == len(after) - len(known)
        assert facts.before.rows == table.num_rows
        assert facts.figures.values_before == len(set(table[facts.figures.attribute].to_pylist()))


def test_few_private_values_are_counted_as_they_are_and_missing_ones_too(made):
    zips = compare_attributes(made.specification, made.plan)[1]
    assert zips.before_level == 0
    assert listed(zips.before) == Counter(people()["zip"].to_pylist())
    assert zips.before.listed[-1].label is None


def test_many_private_values_are_counted_by_the_first_level_with_few(made):
    ages = compare_attributes(made.specification, made.plan)[0]
    assert ages.before_level == 1
    expected = Counter(
        None if age is None else f"{age[0]}0-{age[0]}9" for age in people()["age"].to_pylist()
    )
    assert listed(ages.before) == expected
    assert list(listed(ages.before)) == [*sorted(filter(None, expected)), None]


def test_every_released_cell_is_on_one_level_or_suppressed(made):
    for facts in compare_attributes(made.specification, made.plan):
        assert facts.cells == made.table.num_rows
        hidden = made.table[facts.figures.attribute].to_pylist().count("*")
        assert facts.cells_suppressed == hidden
        blank = int(made.recoding.suppressed.sum()) if made.plan.blank else 0
        assert sum(one.hidden for one in facts.levels[:-1]) == 0
        assert facts.levels[-1].hidden == hidden - blank
        assert [one.level for one in facts.levels] == list(range(len(facts.levels)))


def test_levels_show_how_the_most_frequent_value_becomes_more_general(made):
    zips = compare_attributes(made.specification, made.plan)[1]
    most = Counter(people()["zip"].to_pylist()).most_common(1)[0][0]
    assert [one.example for one in zips.levels] == [most, f"{most[:2]}*", f"{most[0]}**", "*"]
    prefixes = [len({zip_ and zip_[:n] for zip_ in people()["zip"].to_pylist()}) for n in (3, 2, 1)]
    assert [one.values for one in zips.levels][:3] == prefixes


def test_a_missing_value_is_no_example_unless_there_is_no_other():
    table = people().set_column(3, "sex", [[None] * 119 + ["f"]])
    made = release(table=table, max_suppressed=0)
    assert [one.example for one in compare_attributes(made.specification, made.plan)[2].levels] == [
        "f",
        "*",
    ]
    nothing = table.set_column(3, "sex", pa.nulls(120, pa.string()))
    made = release(table=nothing, max_suppressed=0)
    assert compare_attributes(made.specification, made.plan)[2].levels[0].example is None


def test_suppressed_rows_are_those_that_the_release_lacks():
    made = release()
    gone = made.recoding.rows_suppressed
    assert gone
    for facts in compare_attributes(made.specification, made.plan):
        private = Counter(people()[facts.figures.attribute].to_pylist())
        assert facts.suppressed.rows == gone
        for one in facts.suppressed.listed:
            assert one.of_rows == private[one.label]
            assert 0 < one.rows <= one.of_rows
    sexes = compare_attributes(made.specification, made.plan)[2]
    assert sexes.levels[0].cells == made.table.num_rows
    left = Counter(made.table["sex"].to_pylist())
    before = Counter(people()["sex"].to_pylist())
    assert listed(sexes.suppressed) == {
        label: before[label] - left[label] for label in before if before[label] - left[label]
    }


def test_of_many_values_the_most_frequent_are_listed_and_the_others_counted():
    found = distribute([f"value {number}" for number in range(30)], np.arange(30))
    assert [one.rows for one in found.listed] == list(range(29, 29 - MOST_FREQUENT, -1))
    assert (found.other_values, found.other_rows) == (29 - MOST_FREQUENT, sum(range(20)))
    assert found.rows == sum(range(30))


def test_values_without_numbers_come_by_their_frequency():
    found = distribute(["b", "a", None], np.array([1, 2, 3]))
    assert [one.label for one in found.listed] == [None, "a", "b"]
