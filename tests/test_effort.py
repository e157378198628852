"""Random tests try the same examples each time, whatever else runs in their process."""

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .effort import FUZZING, examples


def list_examples():
    """Return what a property is tried with."""
    tried = []

    @examples(100)
    @given(st.lists(st.integers() | st.text(), max_size=20))
    def note(drawn):
        tried.append(drawn)

    note()
    return tried


@pytest.mark.skipif(FUZZING, reason="make fuzz tries new examples each time")
def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path, monkeypatch):
    before = list_examples()
    module = tmp_path / "full_of_constants.py"
    module.write_text(f"NUMBERS = {list(range(10_000, 11_000))}\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(module.stem)

    assert list_examples() == before
    assert len(before) == 50
