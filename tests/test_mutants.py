"""The list of planted faults fits the source (`make mutants` plants them)."""

import pytest

from .mutant import ROOT
from .planted_faults import MUTANTS


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_fault_can_be_planted_at_one_place(mutant):
    assert mutant.occurrences() == 1
    assert mutant.fault != mutant.piece
    assert all(test.startswith("tests/") and (ROOT / test).exists() for test in mutant.tests)
