"""Grouping of equal sequences, cells that break combinations, compilation on the first call."""

import warnings
from collections import Counter

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels import compiled as compiling
from lookalike.kernels import (
    group_sequences,
    grouping,
    small_classes,
    sum_largest,
    sum_small_classes,
)
from lookalike.kernels.break_combinations import break_combinations
from lookalike.kernels.compiled import compiled


def group(sequences, sizes, counts=None):
    """Group sequences of lifted codes, each from a code of its own, and return plain lists."""
    columns = list(zip(*sequences, strict=True)) or [()] * len(sizes)
    lifts = [np.unique(np.array(column, dtype=np.int32)) for column in columns]
    codes = np.empty((len(sizes), len(sequences)), dtype=np.int32)
    for attribute, (lift, column) in enumerate(zip(lifts, columns, strict=True)):
        codes[attribute] = np.searchsorted(lift, column)
    counts = np.ones(len(sequences), dtype=np.int64) if counts is None else np.array(counts)
    return tuple(found.tolist() for found in group_sequences(codes, lifts, sizes, counts))


class TestGroupSequences:
    """A hash table or an array numbers the keys."""

    @pytest.fixture(autouse=True, params=[10**9, 0], ids=["hashed", "direct"])
    def few(self, request, monkeypatch):
        """How many sequences are few."""
        monkeypatch.setattr(grouping, "HASHED_SEQUENCES", request.param)

    def test_classes_are_numbered_as_they_first_appear(self):
        class_of, first, totals = group([(1, 2), (0, 0), (1, 2), (0, 1), (0, 0)], (2, 3))
        assert class_of == [0, 1, 0, 2, 1]
        assert first == [0, 1, 3]
        assert totals == [2, 2, 1]

    def test_counts_of_equal_sequences_add_up(self):
        assert group([(0,), (1,), (0,)], (2,), [5, 1, 2]) == ([0, 1, 0], [0, 1], [7, 1])

    def test_counts_beyond_32_bits_add_up(self):
        assert group([(0,), (0,)], (1,), [2**40, 2**40])[2] == [2**41]

    def test_no_sequence_has_no_class(self):
        assert group([], (2, 3)) == ([], [], [])

    def test_no_sequence_over_empty_domains_has_no_class(self):
        assert group([], (0, 0)) == ([], [], [])

    def test_one_sequence_is_one_class(self):
        assert group([(1, 0, 3)], (2, 1, 4)) == ([0], [0], [1])

    def test_no_attribute_makes_all_sequences_alike(self):
        assert group([(), (), ()], ()) == ([0, 0, 0], [0], [3])

    def test_order_of_attributes_matters(self):
        assert group([(0, 1), (1, 0)], (2, 2))[2] == [1, 1]

    def test_codes_that_are_lifted_to_the_same_are_alike(self):
        codes = np.array([[0, 1, 2, 3]], dtype=np.int32)
        lift = np.array([1, 0, 1, 0], dtype=np.int32)
        class_of, _, totals = group_sequences(codes, [lift], (2,), np.array([1, 10, 100, 1000]))
        assert class_of.tolist() == [0, 1, 0, 1]
        assert totals.tolist() == [101, 1010]

    def test_many_sequences_are_counted_like_a_counter_does(self):
        generator = np.random.default_rng(7)
        sizes = (3, 50, 7, 11)
        sequences = list(
            zip(*(generator.integers(n, size=20_000).tolist() for n in sizes), strict=True)
        )
        _, first, totals = group(sequences, sizes)
        found = {sequences[position]: total for position, total in zip(first, totals, strict=True)}
        assert found == Counter(sequences)

    def test_sequences_that_would_meet_in_64_bits_stay_apart(self):
        # The first digit weighs 2**62, so 4 of it would vanish in a key of 64 bits.
        assert group([(0, 0, 0), (4, 0, 0), (0, 0, 0)], (5, 2**31, 2**31))[2] == [2, 1]

    def test_sequences_that_would_meet_once_renumbered_stay_apart(self):
        # Renumbered 0 … 4, the first two digits would again weigh 2**62.
        sequences = [(number, 0, 0, 0) for number in range(5)]
        assert group(sequences, (2**31,) * 4)[2] == [1] * 5

    def test_domains_of_exactly_2_to_the_63_keep_their_ends_apart(self):
        last = 2**31 - 1
        sequences = [(0, 0, 0), (last, last, 1), (last, last, 0), (0, 0, 1), (last, last, 1)]
        assert group(sequences, (2**31, 2**31, 2))[0] == [0, 1, 2, 3, 1]

    def test_twenty_wide_attributes_are_distinguished_in_each_of_them(self):
        sizes = (2**31 - 1,) * 20
        sequences = [tuple(2**31 - 2 if i == j else 0 for i in range(20)) for j in range(20)]
        class_of, _, totals = group([*sequences, *sequences], sizes)
        assert class_of == [*range(20), *range(20)]
        assert totals == [2] * 20


class TestSumSmallClasses:
    """The sum of the classes below k equals that of grouping, with an array and with a table."""

    @pytest.fixture(params=[0, 64, 2**40], ids=["hashed", "as it is", "direct"])
    def room(self, request, monkeypatch):
        """Memory per sequence for an array of totals, within the memory of a test."""
        monkeypatch.setattr(grouping, "DIRECT_BYTES", request.param)
        return request.param

    def compare(self, generator, number, sizes):
        """Compare with grouping on random sequences whose codes are lifted at random."""
        ground = [min(size, 40) + 3 for size in sizes]
        codes = np.array([generator.integers(n, size=number) for n in ground], dtype=np.int32)
        codes = codes.reshape(len(sizes), number)
        lifts = [
            generator.integers(size, size=n).astype(np.int32)
            for size, n in zip(sizes, ground, strict=True)
        ]
        counts = generator.integers(1, 5, size=number)
        totals = group_sequences(codes, lifts, sizes, counts)[2]
        for k in (1, 2, 3, 7, 10**6):
            expected = int(totals[totals < k].sum())
            assert sum_small_classes(codes, lifts, sizes, counts, k) == expected

    @pytest.mark.parametrize("number", [0, 1, 2, 30, 500])
    @pytest.mark.parametrize("sizes", [(), (1,), (2,), (1, 1), (3, 4), (2, 1, 5, 3), (7,) * 6])
    def test_few_keys(self, room, number, sizes):
        self.compare(np.random.default_rng(number), number, sizes)

    @pytest.mark.parametrize("number", [1, 30, 500])
    @pytest.mark.parametrize(
        "sizes",
        [
            (2**31 - 1,) * 3,
            (2**31 - 1, 2**31 - 1, 2),
            (2**31 - 1, 2**31 - 1, 2**31 - 1, 3, 2),
            (40,) * 12,
            (2**21,) * 3,
        ],
    )
    @pytest.mark.parametrize("room", [0, 64], ids=["hashed", "as it is"], indirect=True)
    def test_keys_beyond_63_bits(self, room, number, sizes):
        self.compare(np.random.default_rng(number), number, sizes)

    def test_more_sequences_than_are_packed_together(self, room):
        self.compare(np.random.default_rng(7), 2 * small_classes.CHUNK + 300, (3, 4, 5))

    @pytest.mark.parametrize("k", [2, 127, 128, 200, 254, 255, 256, 300, 508])
    def test_counts_that_are_cut_to_k_give_the_same_sum(self, room, k):
        generator = np.random.default_rng(k)
        codes = generator.integers(30, size=(1, 60)).astype(np.int32)
        counts, same = generator.integers(1, 600, size=60), np.arange(30, dtype=np.int32)
        totals = np.bincount(codes[0], counts)
        cut = small_classes.cut_counts(counts, k)
        assert sum_small_classes(codes, [same], (30,), cut, k) == totals[totals < k].sum()

    def test_all_sequences_of_a_class_count_together(self):
        codes = np.array([[0, 1, 2, 0]], dtype=np.int32)
        lift = np.array([0, 0, 1], dtype=np.int32)
        counts = np.array([1, 1, 2, 1])
        assert sum_small_classes(codes, [lift], (2,), counts, 3) == 2
        assert sum_small_classes(codes, [lift], (2,), counts, 4) == 5

    def test_counts_beyond_32_bits_are_no_outliers(self):
        codes = np.zeros((1, 2), dtype=np.int32)
        lift = np.zeros(1, dtype=np.int32)
        counts = np.array([2**40, 2**40])
        assert sum_small_classes(codes, [lift], (1,), counts, 2**41) == 0
        assert sum_small_classes(codes, [lift], (1,), counts, 2**41 + 1) == 2**41


def break_plainly(unsafe, combinations, order, costs):
    """Suppress values of one sequence until no unsafe combination is complete; return them."""
    left = [chosen for chosen, rare in zip(combinations, unsafe, strict=True) if rare]
    suppressed = set()
    while left:
        found = Counter(attribute for chosen in left for attribute in chosen)
        best = None
        for attribute in order:
            if found[attribute] and (
                best is None or found[attribute] * costs[best] > found[best] * costs[attribute]
            ):
                best = attribute
        suppressed.add(best)
        left = [chosen for chosen in left if best not in chosen]
    return suppressed


@st.composite
def problems(draw):
    """Invent combinations of up to six attributes, and which are rare in up to five sequences."""
    attributes = draw(st.integers(2, 6))
    chosen = st.sets(st.integers(0, attributes - 1), min_size=1)
    combinations = draw(st.lists(chosen, max_size=8))
    flags = st.lists(st.booleans(), min_size=len(combinations), max_size=len(combinations))
    costs = st.lists(st.integers(0, 3), min_size=attributes, max_size=attributes)
    order = draw(st.permutations(range(attributes)))
    return combinations, draw(st.lists(flags, max_size=5)), order, draw(costs)


class TestBreakCombinations:
    """Values are suppressed by how many unsafe combinations they break for their cost."""

    def suppress(self, combinations, unsafe, order, costs):
        """Return the suppressed attributes of every sequence."""
        members = np.array([[a in one for a in range(len(order))] for one in combinations])
        suppressed = break_combinations(
            np.array(unsafe, dtype=np.bool_).reshape(len(unsafe), len(combinations)),
            members.astype(np.bool_).reshape(len(combinations), len(order)),
            np.array(order, dtype=np.int64),
            np.array(costs, dtype=np.int64),
        )
        return [set(np.flatnonzero(flags).tolist()) for flags in suppressed]

    @given(problems())
    def test_it_suppresses_what_plain_python_does(self, problem):
        combinations, unsafe, order, costs = problem
        expected = [break_plainly(rare, combinations, order, costs) for rare in unsafe]
        assert self.suppress(combinations, unsafe, order, costs) == expected

    @given(problems())
    def test_it_breaks_every_unsafe_combination_and_suppresses_nothing_else(self, problem):
        combinations, unsafe, *_ = problem
        for rare, gone in zip(unsafe, self.suppress(*problem), strict=True):
            broken = [chosen for chosen, flag in zip(combinations, rare, strict=True) if flag]
            assert all(chosen & gone for chosen in broken)
            assert gone <= set().union(*broken)

    def test_counts_begin_anew_after_each_suppression(self):
        combinations = [{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}]
        assert self.suppress(combinations, [[True] * 5], range(5), [1] * 5) == [{0, 1}]
        assert self.suppress(combinations[:4], [[True] * 4], range(5), [1] * 5) == [{0, 1}]

    def test_the_first_in_order_is_suppressed_of_several(self):
        assert self.suppress([{0, 1, 2}], [[True]], [2, 0, 1], [1, 1, 1]) == [{2}]

    def test_a_value_that_costs_nothing_goes_before_one_that_breaks_more(self):
        assert self.suppress([{0, 1}, {0, 2}], [[True, True]], range(3), [1, 0, 5]) == [{0, 1}]

    def test_large_costs_are_compared_exactly(self):
        costs = [10**12 + 1, 10**12, 10**12]
        assert self.suppress([{0, 1}], [[True]], range(3), costs) == [{1}]


class TestCompiled:
    @pytest.fixture(autouse=True)
    def say_anew(self):
        compiling._say_uncached.cache_clear()
        yield
        compiling._say_uncached.cache_clear()

    @pytest.fixture
    def no_cache(self, monkeypatch):
        """Have no folder that is safe, and compile nothing."""
        monkeypatch.setattr(compiling, "cache_folder", lambda: None)
        monkeypatch.setattr(numba, "njit", lambda **_: lambda function: function)

    def test_nothing_is_compiled_before_the_first_call(self, monkeypatch):
        monkeypatch.setattr(numba, "njit", lambda **_: pytest.fail("compiled too soon"))
        compiled(lambda number: number)

    def test_a_function_is_compiled_once(self, monkeypatch):
        decorated = []
        monkeypatch.setattr(numba, "njit", lambda **_: lambda f: decorated.append(f) or f)
        double = compiled(lambda number: 2 * number)
        assert [double(1), double(2)] == [2, 4]
        assert len(decorated) == 1

    def test_without_a_cache_folder_it_works_and_says_so(self, no_cache):
        double = compiled(lambda number: 2 * number)
        with pytest.warns(UserWarning, match="compiles it at each start.*NUMBA_CACHE_DIR"):
            assert double(21) == 42

    def test_without_a_cache_folder_it_says_so_once(self, no_cache):
        double, triple = compiled(lambda number: 2 * number), compiled(lambda number: 3 * number)
        with pytest.warns(UserWarning, match="compiles it at each start"):
            double(1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert (double(2), triple(2)) == (4, 6)

    def test_a_function_that_numba_itself_cannot_cache_is_compiled(self):
        scope = {}
        exec("def double(number):\n    return 2 * number", scope)
        double = compiled(scope["double"])
        with pytest.warns(UserWarning, match="compiles it at each start"):
            assert double(21) == 42

    def test_compiled_functions_call_each_other(self):
        assert quadruple(21) == 84
        assert sum_doubles(np.array([1, 2, 3])) == 12

    def test_what_a_compiled_function_calls_is_compiled_too(self):
        linked = compiling._link(quadruple.__wrapped__)
        assert isinstance(linked.__globals__["double"], numba.core.dispatcher.Dispatcher)
        assert quadruple.__wrapped__.__globals__["double"] is double
        assert linked.__doc__ == quadruple.__doc__


@compiled
def double(number):
    """Return twice a number."""
    return 2 * number


@compiled
def quadruple(number):
    """Return four times a number."""
    return double(double(number))


@compiled
def sum_doubles(numbers):
    """Add up twice each number."""
    total = 0
    for number in numbers:
        total += double(number)
    return total


class TestSumLargest:
    @staticmethod
    def add_up(rows, classes, k):
        """Add up the values of (class, count, value), and return plain lists."""
        falling = sorted(rows, key=lambda row: -row[2])
        class_of, counts, values = (np.array(column) for column in zip(*falling, strict=True))
        found = sum_largest(class_of.astype(np.int32), counts, values, classes, k)
        return tuple(numbers.tolist() for numbers in found)

    def test_a_value_counts_once_for_each_of_its_rows(self):
        assert self.add_up([(0, 2, 5), (0, 4, 3), (0, 1, 9)], 1, 4) == ([9 + 5 + 5 + 3], [4])

    def test_a_class_with_fewer_rows_adds_up_all(self):
        assert self.add_up([(0, 2, 5), (1, 9, 1)], 2, 4) == ([10, 4], [2, 4])

    def test_values_below_0_are_added_where_there_are_no_larger(self):
        assert self.add_up([(0, 1, 5), (0, 3, -4)], 1, 3) == ([-3], [3])

    def test_sums_beyond_32_bits_are_exact(self):
        assert self.add_up([(0, 2**30, 2**31)], 1, 2**30) == ([2**61], [2**30])

    @given(
        rows=st.lists(
            st.tuples(st.integers(0, 3), st.integers(1, 9), st.integers(-9, 9)), min_size=1
        ),
        k=st.integers(1, 40),
    )
    def test_it_agrees_with_sorting(self, rows, k):
        values = {number: [] for number in range(4)}
        for one, count, value in rows:
            values[one] += [value] * count
        largest = [sorted(found, reverse=True)[:k] for found in values.values()]
        assert self.add_up(rows, 4, k) == ([sum(f) for f in largest], [len(f) for f in largest])
