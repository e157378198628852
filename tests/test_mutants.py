"""The list of planted faults fits the source (`make mutants` plants them)."""

from .mutant import ROOT
from .planted_faults import MUTANTS


def test_every_fault_can_be_planted_at_one_place():
    places = [(mutant.name, mutant.occurrences()) for mutant in MUTANTS]
    assert [(name, found) for name, found in places if found != 1] == []


def test_every_fault_changes_something():
    assert [mutant.name for mutant in MUTANTS if mutant.fault == mutant.piece] == []


def test_the_tests_of_every_fault_exist():
    named = {test for mutant in MUTANTS for test in mutant.tests}
    assert [test for test in named if not test.startswith("tests/")] == []
    assert [test for test in named if not (ROOT / test).exists()] == []
