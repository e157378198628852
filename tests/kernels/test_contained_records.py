"""Who holds all known records: against every way to give each known record another released one."""

import itertools

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from lookalike.kernels.contained_records import NOBODY, find_holders

CLASSES = st.integers(0, 3)
FITS = st.lists(st.sets(CLASSES), min_size=4, max_size=4)
"""For each of four known records, the classes of released records that fit."""
SEVERAL = st.lists(st.lists(CLASSES, max_size=4), max_size=4)


def as_parts(lists):
    """Put lists behind each other; return where each begins, too."""
    starts = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)
    return starts, np.array([*itertools.chain(*lists)], dtype=np.int32)


def holds(wanted, own, fits):
    """Whether each wanted record fits one of somebody's, by trying every order of these."""
    return any(
        all(shown in fits[record] for record, shown in zip(wanted, some, strict=True))
        for some in itertools.permutations(own, len(wanted))
    )


@given(FITS, SEVERAL, SEVERAL)
@example([{0, 1}, {0}, set(), set()], [[0, 1]], [[0, 1]])
@example([{0}, set(), set(), set()], [[0, 0]], [[0, 1], [0, 0]])
@example([set(), set(), set(), set()], [[]], [[]])
def test_holders_are_those_of_some_assignment(fits, known, shown):
    own = [sorted(one) for one in shown]
    having = [[at for at, one in enumerate(own) if number in one] for number in range(4)]
    weights = np.arange(1, len(known) + 1)
    number, only, fitting, last = find_holders(
        *as_parts(known),
        *as_parts([sorted(one) for one in fits]),
        *as_parts(having),
        *as_parts(own),
        weights,
    )
    found = [[at for at, one in enumerate(own) if holds(wanted, one, fits)] for wanted in known]
    assert number.tolist() == [len(one) for one in found]
    assert only.tolist() == [one[0] if len(one) == 1 else NOBODY for one in found]
    fitted = [[at for at, one in enumerate(found) if person in one] for person in range(len(own))]
    assert fitting.tolist() == [sum(at + 1 for at in one) for one in fitted]
    assert last.tolist() == [one[-1] if one else NOBODY for one in fitted]
