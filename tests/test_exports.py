"""What ``import lookalike`` gives, and what it costs."""

import ast
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

VERBS = {
    "attack",
    "attack_ledger",
    "check",
    "compare",
    "compare_records",
    "count_column",
    "draft",
    "draft_records",
    "explore",
    "explore_records",
    "exposure",
    "forecast",
    "is_generalization",
    "is_k_minimal",
    "is_minimal_distortion",
    "JoinedRelease",
    "join_releases",
    "link",
    "link_records",
    "open_ledger",
    "preview_hierarchy",
    "propose_hierarchy",
    "propose_quasi_identifiers",
    "record_risk",
    "release",
    "release_records",
    "report",
    "review",
    "risk",
    "trace_search",
    "utility",
    "verify",
    "write_hierarchy",
}
RESULTS = {
    "Announcement",
    "Attacked",
    "AttackedSource",
    "Certificate",
    "Checked",
    "ColumnProfile",
    "Draft",
    "Exploration",
    "Exposure",
    "Forecast",
    "HierarchyPreview",
    "KMinimality",
    "Ledger",
    "LinkedCertificate",
    "LinkedDraft",
    "LinkedExploration",
    "LinkedPoint",
    "LinkedRelease",
    "Linkage",
    "Measures",
    "MinimalDistortion",
    "Presence",
    "Proposal",
    "ProposedHierarchy",
    "Recoding",
    "RecordLinkage",
    "RecordRisk",
    "RecordUniqueness",
    "Release",
    "RemadeReport",
    "Review",
    "ReviewPage",
    "Risk",
    "SearchTrace",
    "Utility",
    "Verification",
}
DECISIONS = {"UNDO", "Unsafe", "Grid"}
RULES = {"Dates", "File", "Hierarchy", "Intervals", "Mask", "Rounding", "Suppress", "Taxonomy"}
ERRORS = {
    "AlreadyExists",
    "Infeasible",
    "InternalError",
    "InvalidInput",
    "LookalikeError",
    "RequirementNotMet",
    "Unavailable",
    "UnknownValue",
}
HEAVY = (
    "duckdb",
    "highspy",
    "narwhals",
    "numba",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "pydantic",
    "scipy",
    "sqlalchemy",
)


def test_the_exported_names_are_the_intended_ones():
    named = VERBS | RESULTS | DECISIONS | RULES | ERRORS | {"Specification"}
    assert set(lookalike.__all__) == named


def test_the_exported_names_are_sorted_constants_first_and_named_once():
    names = sorted(set(lookalike.__all__), key=lambda name: (not name.isupper(), name))
    assert lookalike.__all__ == names


def test_every_exported_name_has_a_docstring_of_its_own():
    documented = {
        name: inspect.getdoc(getattr(lookalike, name)) or f"{name}("
        for name in lookalike.__all__
        if not name.isupper()
    }
    assert [name for name, text in documented.items() if text.startswith(f"{name}(")] == []


def test_every_error_is_a_lookalike_error():
    errors = [getattr(lookalike, name) for name in ERRORS]
    assert [one for one in errors if not issubclass(one, lookalike.LookalikeError)] == []


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
        "Unavailable": 5,
        "AlreadyExists": 6,
    }


@pytest.mark.parametrize("name", sorted(VERBS))
def test_every_option_of_a_verb_is_named(name):
    parameters = inspect.signature(getattr(lookalike, name)).parameters.values()
    assert [one.name for one in parameters if one.kind is one.VAR_KEYWORD] == []


def test_the_signatures_name_the_fields_of_a_specification():
    for verb in (lookalike.release, lookalike.compare, lookalike.explore, lookalike.trace_search):
        assert {"k", "method", "time_limit", "attributes"} <= set(
            inspect.signature(verb).parameters
        )


@pytest.mark.parametrize("name", sorted(VERBS))
def test_a_specification_is_given_as_spec(name):
    parameters = inspect.signature(getattr(lookalike, name)).parameters
    assert [one for one in parameters if one.startswith("spec") and one != "spec"] == []


def run_python(program):
    """Run a program in a new interpreter, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["lookalike", "lookalike.errors", "lookalike.shell.cli"])
def test_importing_does_not_import_heavy_modules(module):
    program = f"import sys, {module}; print([n for n in {HEAVY!r} if n in sys.modules])"
    assert run_python(program) == "[]"


def test_dir_lists_the_exported_names_only():
    listed = {name for name in dir(lookalike) if not name.startswith("__")}
    assert listed == {*lookalike.__all__, "sklearn"}


def test_a_name_that_is_not_exported_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'lookalike' has no attribute 'relaese'"):
        lookalike.relaese  # noqa: B018


def test_type_checkers_see_every_exported_name():
    """A stub exports ``from module import name as name``, and no other import."""
    stub = ast.parse(Path(lookalike.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    exported = [one for node in stub.body for one in node.names if one.asname == one.name]
    assert {one.name for one in exported} == {*lookalike.__all__, "sklearn"}
    assert len(exported) == len(stub.body)


IMPORTS = [
    "import lookalike.risk.table.assess, lookalike.verify.recount",
    "import lookalike.risk, lookalike.verify",
    "from lookalike.risk import table; from lookalike.verify import recount",
    "import lookalike; lookalike.risk, lookalike.verify; import lookalike.risk.table.assess",
    "from lookalike import Release",
]
FORGET = """
import sys
for name in [name for name in sys.modules if name.split(".")[0] == "lookalike"]:
    del sys.modules[name]
"""
AFTERWARDS = """
import lookalike
from lookalike import risk, verify
assert lookalike.risk is risk and lookalike.verify is verify
print(type(risk).__name__, risk.__name__, type(verify).__name__, verify.__name__)
"""


def test_a_function_is_not_hidden_by_the_sub_package_of_its_name():
    """Each time the package is imported anew, in another way."""
    program = "".join(f"{FORGET}\n{before}\n{AFTERWARDS}" for before in IMPORTS)
    assert run_python(program).splitlines() == ["function risk function verify"] * len(IMPORTS)


def test_modules_of_a_hidden_sub_package_can_be_imported():
    program = (
        "import lookalike; lookalike.risk; from lookalike.risk.table import assess; "
        "from lookalike.risk.table.assess import Risk; "
        "print(assess.risk is lookalike.risk, Risk is lookalike.Risk)"
    )
    assert run_python(program) == "True True"


def test_every_exported_function_and_class_can_be_pickled():
    exported = [getattr(lookalike, name) for name in lookalike.__all__ if name != "UNDO"]
    assert [one for one in exported if pickle.loads(pickle.dumps(one)) is not one] == []
