"""History: what every row showed in every release."""

import numpy as np
import pytest

from lookalike.errors import InternalError
from lookalike.kernels.numbering import number_keys
from lookalike.ledger.policies.history import (
    NEVER_SHOWN,
    RowMap,
    build_history,
    count_exposed_rows,
    smallest_part,
)
from lookalike.ledger.policies.shown_columns import ABSENT


def shown(name, keys, classes, quasi_identifier=None, other=None):
    none = [0] * len(keys)
    keys, classes, linkable, values = (
        np.array(each, dtype=np.int64)
        for each in (keys, classes, quasi_identifier or none, other or none)
    )
    return RowMap(name, keys, classes, linkable, {"ill": values})


class TestLeastHistory:
    def test_without_a_release_nobody_has_a_history(self):
        assert smallest_part(build_history([])) == 0

    def test_of_one_release_it_is_its_smallest_class(self):
        assert smallest_part(build_history([shown("a", range(5), [0, 0, 0, 1, 1])])) == 2

    def test_rows_that_were_never_shown_do_not_count(self):
        assert smallest_part(build_history([shown("a", range(3), [0, 0, ABSENT])])) == 2
        assert smallest_part(build_history([shown("a", range(3), [ABSENT] * 3)])) == 0

    def test_a_row_that_leaves_alone_has_a_history_of_its_own(self):
        first = shown("a", [1, 2, 3], [0, 0, 0])
        assert smallest_part(build_history([first, shown("b", [2, 3], [0, 0])])) == 1

    def test_left_out_and_gone_is_the_same(self):
        first = shown("a", [1, 2, 3, 4], [0, 0, 0, 0])
        second = shown("b", [2, 3, 4], [0, 0, ABSENT])
        assert smallest_part(build_history([first, second])) == 2

    def test_the_number_of_a_class_means_nothing_from_release_to_release(self):
        first = shown("a", [1, 2, 3, 4], [7, 7, 900, 900])
        second = shown("b", [3, 4, 1, 2], [7, 7, 3, 3])
        assert smallest_part(build_history([first, second])) == 2

    def test_a_row_that_alone_shows_new_values_has_a_history_of_its_own(self):
        first = shown("a", [1, 2, 3], [0, 0, 0], other=[5, 5, 5])
        second = shown("b", [1, 2, 3], [0, 0, 0], other=[5, 5, 6])
        assert smallest_part(build_history([first, second])) == 1


class TestParts:
    def test_rows_that_were_never_shown_have_their_part_even_if_there_are_none(self):
        part, rows = build_history([shown("a", [1, 2], [0, 0])]).parts
        assert part.tolist() == [1, 1]
        assert rows.tolist() == [0, 2]

    def test_rows_that_were_never_shown_are_one_part(self):
        history = build_history([shown("a", [1, 2], [ABSENT, 0]), shown("b", [3], [ABSENT])])
        part, rows = history.parts
        assert part.tolist() == [NEVER_SHOWN, 1, NEVER_SHOWN]
        assert rows.tolist() == [2, 1]


class TestLastShown:
    def test_it_is_the_last_release_that_showed_the_row(self):
        history = build_history(
            [
                shown("a", [1, 2], [4, 4]),
                shown("c", [1, 2], [ABSENT, 8]),
                shown("d", [3], [ABSENT]),
            ]
        )
        assert history.releases == ("a", "c", "d")
        assert history.linkable.release.tolist() == [0, 1, ABSENT]
        assert history.last_class.tolist() == [4, 8, ABSENT]

    def test_rows_are_compared_with_what_was_last_shown_of_them(self):
        first = shown("a", [1, 2, 3], [0, 0, 0], [1, 1, 1], [1, 1, 1])
        second = shown("b", [1, 2, 4], [0, ABSENT, ABSENT], [2, 9, 9], [2, 9, 9])
        history = build_history([first, second])
        keys, now = np.array([4, 3, 2, 1, 5]), np.array([7, 1, 1, 1, 7])
        assert history.moved(keys, now).tolist() == [False, False, False, True, False]
        [ill] = history.compare(keys, {"ill": now + (keys == 3)})
        assert (ill.name, ill.before) == ("ill", "ill")
        assert ill.differs.tolist() == [False, True, False, True, False]


class TestExposedRows:
    def test_rows_left_alone_are_exposed_and_so_are_those_shown_alone(self):
        first = shown("a", range(6), [0, 0, 0, 1, 1, 1])
        second = shown("b", range(6), [0, 0, ABSENT, ABSENT, ABSENT, 1])
        assert count_exposed_rows(build_history([first, second]), 2) == 2

    def test_rows_that_too_few_shared_before_count_only_if_they_are_shown(self):
        first = shown("a", range(5), [0, 0, 1, 1, 1])
        hidden = shown("b", range(5), [ABSENT, ABSENT, 1, 1, 1])
        again = shown("b", range(5), [0, 0, 1, 1, 1])
        assert count_exposed_rows(build_history([first, hidden]), 3) == 0
        assert count_exposed_rows(build_history([first, again]), 3) == 2

    def test_without_a_release_nothing_is(self):
        assert count_exposed_rows(build_history([]), 2) == 0


class TestKeys:
    @pytest.mark.parametrize("kind", ["V16", "S32", "<U8", "int64"])
    def test_any_whole_number_of_words_is_a_key(self, kind):
        keys = np.arange(1, 6, dtype=np.int64)
        raw = np.zeros((5, np.dtype(kind).itemsize), dtype=np.uint8)
        raw[:, 0] = keys if kind != "<U8" else keys + 48
        typed = raw.view(kind).ravel()
        release = RowMap("a", typed, np.zeros(5, dtype=np.int64), typed, {"ill": typed})
        history = build_history([release])
        assert history.find(typed[::-1]).tolist() == [4, 3, 2, 1, 0]
        assert history.moved(typed[:2], typed[1:3]).tolist() == [True, True]
        [ill] = history.compare(typed[:2], {"ill": typed[:2]})
        assert ill.differs.tolist() == [False, False]

    def test_keys_that_differ_in_their_last_byte_only_are_different(self):
        keys = np.array([b"." * 31 + b"a", b"." * 31 + b"b"])
        assert number_keys(keys)[0].tolist() == [0, 1]

    def test_a_row_twice_in_one_map_is_our_fault(self):
        with pytest.raises(InternalError, match="the row map of a has a row twice"):
            build_history([shown("a", [1, 1], [0, 0])])

    def test_keys_that_are_no_whole_words_are_our_fault(self):
        with pytest.raises(InternalError, match="not whole words"):
            number_keys(np.array([b"short"]))
        with pytest.raises(InternalError, match="not whole words"):
            number_keys(np.array(["a", None], dtype=object))

    def test_many_rows_are_numbered_like_a_dictionary_does(self):
        keys = np.random.default_rng(1).integers(0, 500, 5_000)
        known: dict[int, int] = {}
        expected = [known.setdefault(key, len(known)) for key in keys.tolist()]
        number, first = number_keys(keys)
        assert number.tolist() == expected
        assert keys[first].tolist() == list(known)


def test_a_row_that_came_later_has_a_history_of_its_own():
    keys, digests = np.array([1, 2, 3]), np.array([0, 0, 0])
    first = RowMap("march", keys, np.array([0, 0, ABSENT]), digests, {"ill": digests})
    second = RowMap("april", keys, np.array([0, 0, 0]), digests, {"ill": digests})
    assert smallest_part(build_history([first])) == 2
    assert smallest_part(build_history([first, second])) == 1
