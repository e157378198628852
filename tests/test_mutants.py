"""The list of planted faults fits the source (`make mutants` plants them)."""

from .mutant import ROOT, Mutant
from .mutants import HANDFUL, choose_some
from .planted_faults import MUTANTS


def test_every_fault_can_be_planted_at_one_place():
    places = [(mutant.name, mutant.occurrences()) for mutant in MUTANTS]
    assert [(name, found) for name, found in places if found != 1] == []


def test_every_fault_changes_something():
    assert [mutant.name for mutant in MUTANTS if mutant.fault == mutant.piece] == []


def test_the_tests_of_every_fault_exist():
    named = {test.partition("::")[0] for mutant in MUTANTS for test in mutant.tests}
    assert [test for test in named if not test.startswith("tests/")] == []
    assert [test for test in named if not (ROOT / test).exists()] == []


def test_a_piece_is_found_in_its_function_however_it_is_written(tmp_path):
    text = "def one():\n    return 1 < (\n        é\n    )\n\n\ndef two():\n    return 1 < é\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    fault = Mutant("", "a.py::one", "1 < é", "1 <= é", ())
    assert fault.occurrences(tmp_path) == 1
    fault.plant(tmp_path)
    planted = (tmp_path / "a.py").read_text(encoding="utf-8")
    assert planted.count("1 <= é") == planted.count("1 < é") == 1
    assert planted.index("1 <= é") < planted.index("def two")


def test_a_commit_chooses_a_handful_and_another_one_others():
    names = [[one.name for one in choose_some(commit)] for commit in ("a", "a", "b")]
    assert names[0] == names[1] != names[2]
    assert len(set(names[0])) == HANDFUL
