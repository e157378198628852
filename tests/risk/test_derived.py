"""Columns that determine a finer label: the figure against its definition, and chance."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lookalike.hierarchy import Mask, Taxonomy
from lookalike.risk.table.derived import (
    Determined,
    ShownAttribute,
    count_determined,
    find_level,
)

TILTS = [2.0**power for power in range(-18, 5)]


def codes(values):
    return np.array(values, dtype=np.int32)


def define(rows):
    """Return the rows determined beyond chance and the rows judged, by the definition."""
    shown, groups = defaultdict(Counter), defaultdict(Counter)
    for value, label, finer in rows:
        shown[label][finer] += 1
        groups[value, label][finer] += 1
    if all(len(finer) == 1 for finer in shown.values()):
        return None
    determined, expected, judged, odds = 0, 0.0, 0, []
    for (_, label), finer in groups.items():
        n, most = finer.total(), max(finer.values())
        p = max(shown[label].values()) / shown[label].total()
        if p == 1:
            judged += n
            continue
        needed = next(m for m in range(n + 1) if 20 * m >= 19 * n and _is_rare(n - m, n, p))
        chance = _chance(n, needed / n, p)
        if chance > 0.5:
            continue
        judged += n
        expected += n * chance
        odds.append((n, chance))
        if most >= needed:
            determined += n
    beyond = round(determined - expected)
    return (beyond if beyond > 0 and _bits(determined, odds) >= 20 else 0), judged


def _is_rare(exceptions, n, p):
    return 5 * exceptions <= n * (1 - p) + 1e-9


def _chance(n, t, p):
    apart = t * math.log(t / p)
    if t < 1:
        apart += (1 - t) * math.log((1 - t) / (1 - p))
    return math.exp(-n * apart) / p


def _bits(reached, odds):
    return max(
        (
            tilt * reached
            - sum(
                math.log1p(-chance)
                if chance == 0
                else np.logaddexp(math.log1p(-chance), math.log(chance) + tilt * n)
                for n, chance in odds
            )
        )
        / math.log(2)
        for tilt in TILTS
    )


def expand(groups):
    """Return the rows of groups: a value, what is shown, and how often each finer label occurs."""
    return [
        (value, shown, finer)
        for value, shown, counts in groups
        for finer, count in enumerate(counts)
        for _ in range(count)
    ]


GROUPS = st.lists(
    st.tuples(
        st.integers(0, 8),
        st.integers(0, 2),
        st.tuples(st.integers(0, 60), st.integers(0, 3), st.integers(0, 60)),
    ),
    min_size=1,
    max_size=12,
).filter(lambda groups: any(sum(counts) for _, _, counts in groups))


@given(groups=GROUPS)
@example(groups=[(0, 0, (40, 2, 0)), (1, 0, (0, 0, 40))])
@example(groups=[(0, 0, (40, 3, 0)), (1, 0, (0, 0, 40))])
@example(groups=[(0, 0, (60, 0, 0)), (1, 1, (60, 0, 0))])
def test_the_figure_is_that_of_the_definition(groups):
    rows = expand(groups)
    found = count_determined(*(codes(line) for line in zip(*rows, strict=True)))
    assert (None if found is None else (found.rows, found.judged)) == define(rows)


@pytest.mark.parametrize(("exceptions", "rows"), [(0, 200), (5, 200), (6, 100)])
def test_one_row_in_twenty_may_be_an_exception(exceptions, rows):
    finer = [0] * (100 - exceptions) + [1] * exceptions + [1] * 100
    found = count_determined(codes([0] * 100 + [1] * 100), codes([0] * 200), codes(finer))
    assert (found.rows, found.judged) == (rows, 200)


def test_a_value_that_occurs_once_is_not_judged():
    found = count_determined(codes(range(100)), codes([0] * 100), codes([0, 1] * 50))
    assert (found.rows, found.judged) == (0, 0)


def test_many_small_groups_are_evidence_that_one_is_not():
    """Five rows agree on one of two labels by chance in one of sixteen groups."""
    value = codes(np.repeat(np.arange(200), 5))
    nothing = np.zeros_like(value)
    found = count_determined(value, nothing, value % 2)
    assert found.rows == 1000 - 62
    assert count_determined(value[:10], nothing[:10], value[:10] % 2).rows == 0


def test_what_most_rows_have_follows_from_nothing():
    """A value with 96 % of what 90 % of the rows have is no rule."""
    finer = [0] * 96 + [1] * 4 + [0] * 84 + [1] * 16
    value = codes([0] * 100 + [1] * 100)
    found = count_determined(np.tile(value, 50), np.zeros(10_000, np.int32), np.tile(finer, 50))
    assert found.rows == 0


@pytest.mark.parametrize("values", [2, 30, 300])
@pytest.mark.parametrize("labels", [2, 5, 40])
def test_columns_without_a_rule_are_explained_by_chance(values, labels):
    for seed in range(30):
        drawn = np.random.default_rng(seed)
        given, finer = codes(drawn.integers(0, values, 900)), codes(drawn.integers(0, labels, 900))
        assert count_determined(given, finer // 2 % 2, finer).rows == 0


def test_the_rows_of_one_person_are_no_rule():
    person = codes(np.repeat(np.arange(40), 25))
    sex, nothing = person % 2, np.zeros_like(person)
    assert count_determined(person, nothing, sex).rows == 1000
    assert count_determined(person, nothing, sex, person).judged == 0


def test_the_finest_of_equally_determined_levels_is_named():
    zips = [f"{number:03}" for number in range(200)]
    bound = Mask().bind("zip", zips, "*")
    ground = codes(np.repeat(np.arange(200), 10))
    hidden = ShownAttribute(bound, ground, np.full(2000, 3), np.zeros_like(ground))
    assert find_level(ground, hidden) == (3, count_determined(ground, hidden.labels, ground))
    steps, found = find_level(ground // 10, hidden)
    assert (steps, found.rows, found.judged) == (2, 2000, 2000)


def test_rows_that_are_shown_as_finely_are_not_concerned():
    """At the cell level, levels differ: half of the rows show their value."""
    bound = Mask().bind("x", "01", "*")
    ground = codes([0, 1] * 200)
    levels = codes([0] * 200 + [1] * 200)
    labels = np.where(levels == 0, ground + 1, 0).astype(np.int32)
    steps, found = find_level(ground, ShownAttribute(bound, ground, levels, labels))
    assert (steps, found.rows, found.judged) == (1, 200, 400)


def test_what_another_attribute_shows_is_known_already():
    """The column repeats the other attribute, so that it adds nothing to it."""
    bound = Mask().bind("x", "01", "*")
    ground = codes([0, 1] * 200)
    hidden = ShownAttribute(bound, ground, np.ones_like(ground), np.zeros_like(ground))
    assert find_level(ground, hidden)[1].rows == 400
    assert find_level(ground, hidden, beside=ground)[1].rows == 0


@pytest.mark.parametrize("hidden", [1, 34])
def test_a_rule_that_other_rows_show_gives_the_few_cells_that_are_hidden(hidden):
    """At the cell level, titles beside the sexes that are shown say what the hidden ones are."""
    sexes = Taxonomy({"*": ["f", "m"]}).bind("sex", ["f", "m"], "*")
    sex = np.repeat(np.arange(2, dtype=np.int32), 1000)
    levels = np.zeros(2000, dtype=np.int32)
    levels[:hidden] = 1
    shown = ShownAttribute(sexes, sex, levels, np.where(levels, 2, sex).astype(np.int32))
    assert find_level(sex, shown) == (1, Determined(hidden, 2000))
    unrelated = np.tile(np.arange(2, dtype=np.int32), 1000)
    assert find_level(unrelated, shown)[1].rows == 0


def test_a_column_that_is_the_first_digit_gives_a_hidden_code_away():
    codes = Mask().bind("zip", ["11", "12", "21", "22"], "*")
    ground = np.repeat(np.arange(4, dtype=np.int32), 25)
    hidden = ShownAttribute(codes, ground, np.full(100, 2), np.zeros(100, np.int32))
    assert find_level(ground // 2, hidden) == (1, Determined(rows=100, judged=100))
