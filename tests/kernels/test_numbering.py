"""Keys of several words are numbered alike exactly if all of their words are equal."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.numbering import number_keys

WORDS = [b"ann.....", b"bob.....", b"cid....."]


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), min_size=1))
def test_keys_are_numbered_as_they_first_appear(pairs):
    keys = [one + other for one, other in pairs]
    number, first = number_keys(np.array(keys))
    order = list(dict.fromkeys(keys))
    assert number.tolist() == [order.index(key) for key in keys]
    assert first.tolist() == [keys.index(key) for key in order]
