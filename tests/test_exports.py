"""What ``import lookalike`` gives, and what it costs."""

import inspect
import subprocess
import sys

import pytest

import lookalike

VERBS = {
    "attack",
    "attack_ledger",
    "check",
    "compare",
    "is_generalization",
    "is_k_minimal",
    "is_minimal_distortion",
    "link",
    "open_ledger",
    "propose_quasi_identifiers",
    "release",
    "risk",
    "trace_search",
    "verify",
    "write_hierarchy",
}
RESULTS = {
    "Attacked",
    "AttackedSource",
    "Certificate",
    "Checked",
    "KMinimality",
    "Ledger",
    "Linkage",
    "Measures",
    "MinimalDistortion",
    "Proposal",
    "Recoding",
    "Release",
    "Risk",
    "SearchTrace",
    "Verification",
}
DECISIONS = {"UNDO", "Unsafe"}
RULES = {"Dates", "File", "Hierarchy", "Intervals", "Mask", "Rounding", "Suppress", "Taxonomy"}
ERRORS = {
    "Infeasible",
    "InternalError",
    "InvalidInput",
    "LookalikeError",
    "RequirementNotMet",
    "UnknownValue",
}
SLOW = ("numba", "pandas", "polars")


def test_the_exported_names_are_the_intended_ones():
    named = VERBS | RESULTS | DECISIONS | RULES | ERRORS | {"Specification"}
    assert set(lookalike.__all__) == named


def test_the_exported_names_are_sorted_constants_first_and_named_once():
    names = sorted(set(lookalike.__all__), key=lambda name: (not name.isupper(), name))
    assert lookalike.__all__ == names


@pytest.mark.parametrize("name", [name for name in lookalike.__all__ if not name.isupper()])
def test_every_exported_name_has_a_docstring_of_its_own(name):
    documentation = inspect.getdoc(getattr(lookalike, name))
    assert documentation
    assert not documentation.startswith(f"{name}(")


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_every_error_is_a_lookalike_error(name):
    assert issubclass(getattr(lookalike, name), lookalike.LookalikeError)


def test_a_users_mistake_is_a_value_error():
    assert issubclass(lookalike.InvalidInput, ValueError)


def test_each_error_has_the_exit_code_that_is_documented():
    codes = {name: getattr(lookalike, name).exit_code for name in ERRORS}
    assert codes == {
        "RequirementNotMet": 1,
        "InvalidInput": 2,
        "UnknownValue": 2,
        "Infeasible": 3,
        "InternalError": 4,
        "LookalikeError": 4,
    }


@pytest.mark.parametrize("module", ["lookalike", "lookalike.shell.cli"])
def test_importing_does_not_import_what_is_slow(module):
    program = f"import sys, {module}; print([n for n in {SLOW!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
