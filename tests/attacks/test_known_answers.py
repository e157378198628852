"""The attacker who knows a person's quasi-identifier and any few of their true answers."""

from collections import Counter, defaultdict
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.hierarchy import Mask
from lookalike.kernels.rare_answers import WITHHELD, leave_out_rare
from lookalike.spec.specification import Specification
from lookalike.tables.read import read_frame
from lookalike.tables.recode import recode

from ..roles import MASKED, UNIQUE

K = 2
QUESTIONS = ("q1", "q2", "q3")
VALUES = st.sampled_from(["a", "b", None])
PEOPLE = st.lists(
    st.tuples(st.sampled_from(["11", "12", "21"]), VALUES, VALUES, VALUES), min_size=4, max_size=8
)
"""The ZIP code and the three answers of each person."""


def release(people, **fields):
    columns = zip(*people, strict=True)
    names = ("zip", *QUESTIONS)
    table = pa.table({n: pa.array(one, pa.string()) for n, one in zip(names, columns, strict=True)})
    attributes = {"zip": MASKED} | dict.fromkeys(QUESTIONS, UNIQUE)
    asked = {"k": K, "max_suppressed": 0, "method": "mingen"} | fields
    specification = Specification.build({"release": asked, "attributes": attributes})
    made = prepare(specification, frame=read_frame(table), given=table)
    rows = [tuple(row.values()) for row in recode(made.plan).to_native().to_pylist()]
    return rows, made.levels["zip"]


def attack(people, released, level, known):
    """Yield for everybody, and each choice of their answers, the rows that may be theirs.

    They are counted twice: the rows of the class that contradict nothing, and those that show what
    the person's own row shows, which the attacker cannot tell apart in any way.
    """
    for own, *answers in people:
        label = Mask(length=2).generalize(own, level)
        rows = [row[1:] for row in released if row[0] == label]
        shown = [
            one if any(row[place] == one for row in rows) else "*"
            for place, one in enumerate(answers)
        ]
        for chosen in combinations(range(len(QUESTIONS)), known):
            possible = [r for r in rows if all(r[one] in (answers[one], "*") for one in chosen)]
            alike = [row for row in rows if all(row[one] == shown[one] for one in chosen)]
            yield len(possible), len(alike)


@settings(max_examples=40)
@given(PEOPLE, st.sampled_from([1, 2, 3]))
def test_whoever_knows_some_answers_is_left_with_k_rows_that_look_alike(people, known):
    try:
        released, level = release(people, knows_answers=known)
    except la.Infeasible:
        reject()
    for possible, alike in attack(people, released, level, known):
        assert possible >= alike >= K


PAIRS = [("11", "a", "a", None), ("11", "a", "b", None), ("12", "b", "a", None)] * 2
ALL_PAIRS = [*PAIRS, ("12", "b", "b", None)]
"""One person has their two answers alone."""


@pytest.mark.parametrize(("known", "is_found"), [(None, True), (1, True), (2, False)])
def test_two_answers_find_a_person_unless_so_many_are_provided_for(known, is_found):
    released, level = release(ALL_PAIRS, constraints=["zip = 2"], knows_answers=known)
    fewest = min(possible for possible, _ in attack(ALL_PAIRS, released, level, 2))
    assert (fewest < K) == is_found


def list_worlds(columns, values, rows, k, known):
    """Every class of so many rows by what it shows: of each row the true answers and the shown."""
    true = [*combinations_with_replacement(product(range(1, values + 1), repeat=columns), rows)]
    codes = np.array(true, dtype=np.int32).reshape(-1, columns).T.copy()
    leave_out_rare(codes, np.arange(0, len(true) * rows + 1, rows, dtype=np.int32), k, known)
    worlds = defaultdict(list)
    for answers, shown in zip(true, codes.T.reshape(-1, rows, columns).tolist(), strict=True):
        pairs = [*zip(answers, map(tuple, shown), strict=True)]
        worlds[tuple(sorted(one for _, one in pairs))].append(pairs)
    return worlds


@pytest.mark.parametrize(
    ("columns", "values", "rows", "k", "known"),
    [(1, 3, 7, 2, 1), (2, 3, 7, 2, 2), (3, 2, 7, 2, 2), (3, 2, 9, 3, 2), (4, 2, 5, 2, 3)],
)
def test_how_values_are_left_out_finds_nobody_and_no_value(columns, values, rows, k, known):
    """The attacker also knows the rule and all possible values, and excludes what it excludes."""
    for released, worlds in list_worlds(columns, values, rows, k, known).items():
        possible, shows, showing = defaultdict(set), defaultdict(set), Counter(released)
        for answers, shown in (pair for world in worlds for pair in world):
            for chosen in combinations(range(columns), known):
                possible[chosen, tuple(answers[one] for one in chosen)].add(shown)
            for place in (one for one in range(columns) if shown[one] == WITHHELD):
                shows[shown, place].add(answers[place])
        assert all(sum(map(showing.get, alike)) >= k for alike in possible.values())
        assert all(len(one) > 1 for one in shows.values())
