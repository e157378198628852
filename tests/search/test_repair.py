"""The repair of µ-Argus: suppression continues until every tuple occurs k times."""

from collections import Counter
from decimal import Decimal

import pytest

from lookalike import Mask, Suppress
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.methods import mu_argus
from lookalike.search.options import SearchOptions

from ..small_tables import frequencies, released_rows

ZIP = Mask(length=3)


def run(freq, k=2, weights=(), **asked):
    """Run the method; `asked` has the options of µ-Argus."""
    options = SearchOptions(argus=ArgusOptions(**asked), weights=weights)
    return mu_argus(freq, Requirement(k), options)


def test_nothing_more_is_suppressed_where_k_holds():
    rows = [("a", "x"), ("a", "x"), ("c", "y"), ("c", "y")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    assert released_rows(freq, run(freq, repair=True)) == Counter(rows)


def test_rows_that_lose_everything_number_k_a_class_gives_what_it_can_spare():
    rows = [("a", "x")] * 3 + [("c", "y")] * 4 + [("a", "y")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    assert released_rows(freq, run(freq)) == {("a", "x"): 3, ("c", "y"): 4, ("*", "y"): 1}
    recoding = run(freq, repair=True)
    assert released_rows(freq, recoding) == {("a", "x"): 3, ("c", "y"): 3, ("*", "*"): 2}
    assert Counter(recoding.tuples.sequence.tolist()).most_common(1)[0][1] == 2
    assert not recoding.suppressed.any()


def test_rows_that_lose_everything_number_k_a_class_gives_all_where_none_can_spare():
    rows = [("a", "x")] * 2 + [("c", "y")] * 2 + [("a", "y")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    found = released_rows(freq, run(freq, repair=True))
    assert found["*", "*"] == 3
    assert sorted(found.values()) == [2, 3]


def test_rows_that_lose_everything_and_number_k_need_no_more():
    rows = [("a", "x")] * 3 + [("c", "y")] * 3 + [("a", "y"), ("c", "x")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    assert released_rows(freq, run(freq, repair=True)) == {
        ("a", "x"): 3,
        ("c", "y"): 3,
        ("*", "*"): 2,
    }


def test_which_sequence_of_a_class_gives_rows_is_drawn():
    rows = [("a", "x", f"1{n}0") for n in range(4)] + [("c", "y", "200")] * 2
    rows += [("a", "y", "250")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress(), zip=ZIP)
    given = set()
    for _ in range(100):
        tuples = run(freq, repair=True).tuples
        blank = (tuples.levels == SUPPRESSED_CELL).all(axis=0)
        given.add(tuple(tuples.sequence[blank].tolist()))
    lonely = freq.sequences().index(("a", "y", "250"))
    alike = [n for n, row in enumerate(freq.sequences()) if row[:2] == ("a", "x")]
    assert given == {tuple(sorted((n, lonely))) for n in alike}


def test_an_attribute_that_is_not_identifying_counts_too():
    rows = [("a", "1"), ("a", "2"), ("c", "3"), ("c", "4")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    asked = {"identification": (1, 0)}
    assert released_rows(freq, run(freq, **asked)) == Counter(rows)
    assert released_rows(freq, run(freq, repair=True, **asked)) == {("a", "*"): 2, ("c", "*"): 2}


SQUARE = (("a", "1"), ("a", "2"), ("c", "1"), ("c", "2"))
WITHOUT_ONE, WITHOUT_TWO = {("*", "1"): 2, ("*", "2"): 2}, {("a", "*"): 2, ("c", "*"): 2}


@pytest.mark.parametrize(("levels", "expected"), [((1, 0), WITHOUT_ONE), ((0, 1), WITHOUT_TWO)])
def test_of_values_that_help_alike_the_more_identifying_goes(levels, expected):
    freq = frequencies(*SQUARE, one=Suppress(), two=Suppress())
    assert released_rows(freq, run(freq, repair=True, identification=levels)) == expected


@pytest.mark.parametrize(("weights", "expected"), [((1, 2), WITHOUT_ONE), ((2, 1), WITHOUT_TWO)])
def test_of_values_that_help_alike_the_cheaper_goes(weights, expected):
    freq = frequencies(*SQUARE, one=Suppress(), two=Suppress())
    asked = {"suppress_by": "weight", "weights": tuple(map(Decimal, weights))}
    assert released_rows(freq, run(freq, repair=True, identification=(1, 0), **asked)) == expected


def test_the_value_goes_without_which_most_rows_are_alike():
    rows = [("a", "1"), ("b", "1"), ("c", "1"), ("c", "2"), ("a", "2"), ("b", "2")]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    asked = {"identification": (0, 1), "k": 3, "repair": True}
    assert released_rows(freq, run(freq, **asked)) == {("*", "1"): 3, ("*", "2"): 3}


def test_missing_is_a_value_like_any_other():
    rows = [("a", None)] * 2 + [("c", "y")] * 2 + [("a", "y"), ("c", None)]
    freq = frequencies(*rows, one=Suppress(), two=Suppress())
    assert released_rows(freq, run(freq, repair=True)) == {
        ("a", None): 2,
        ("c", "y"): 2,
        ("*", "*"): 2,
    }
