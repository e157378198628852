"""Every method takes what it declares, and refuses everything else.

The documentation and the help texts must state the same declaration.
"""

import re
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.model.beside import Sensitive
from lookalike.model.population import KMap, PresenceBounds
from lookalike.model.protections import Distinct
from lookalike.model.requirement import ColumnProtection, QuasiIdentifier, Requirement
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.search.options import SearchOptions
from lookalike.search.takes import ASPECTS, Takes, keep_taken, methods_taking
from lookalike.shell.cli import load_command

from ..invented import Invented
from ..registered import Registered
from ..small_tables import TREE, frequencies, frequency_beside, table_of

METHODS = Path(__file__).parents[2] / "docs" / "methods.md"
FREQUENCY = frequencies(*["ab", "ab", "cd", "cd", "ad", "ad"], one=TREE, two=TREE)
ILL = Sensitive(
    "ill",
    np.array([0, 1, 0, 1, 0, 1], np.int32),
    reference=np.array([3, 3]),
    levels=np.empty((0, 2), np.int32),
)
PROTECTED = frequency_beside(
    table_of(("one", "two"), ["ab", "ab", "cd", "cd", "ad", "ad"]),
    {"one": TREE, "two": TREE},
    [ILL],
)
PEOPLE = [tuple(person) for person in ["ab", "ab", "cd", "cd", "ad", "ad", "bc"] * 3]
REGISTERED = Registered(
    Invented(table_of(("one", "two"), PEOPLE[:6]), {"one": TREE, "two": TREE}), PEOPLE
).frequency
PLAIN, BOTH = SearchOptions(), Requirement(2)
DIVERSE = Requirement(2, protections=(ColumnProtection("ill", Distinct(2)),))


def run(name, requirement, options):
    """Run a method on a list that knows what the requirement asks for."""
    listed = PROTECTED if requirement.protections else FREQUENCY
    listed = REGISTERED if requirement.registers else listed
    return ALGORITHMS[name](listed, requirement, options)


def protecting(*parts):
    """Return a requirement for some sets of attributes, each with its k."""
    named = tuple(QuasiIdentifier(str(n), names, k) for n, (names, k) in enumerate(parts))
    return Requirement(2, quasi_identifiers=named)


def constrained(text):
    return SearchOptions(constraints=(Constraint.parse(text),))


def of_argus(**asked):
    return SearchOptions(argus=ArgusOptions(**asked))


ASKED = [
    ("quasi_identifiers", "several", protecting((("one",), 2), (("two",), 3)), PLAIN),
    ("linking", "apart", protecting((("one",), 2)), PLAIN),
    (
        "linking",
        "apart",
        Requirement(
            2,
            quasi_identifiers=(
                QuasiIdentifier("all", ("one", "two"), 2),
                QuasiIdentifier("one", ("one",), 3, alone=True),
            ),
        ),
        PLAIN,
    ),
    ("constraints", "level_bounds", BOTH, constrained("one <= 1")),
    ("constraints", "conditions", BOTH, constrained("suppressed <= 4")),
    ("keep", "keep", BOTH, SearchOptions(keep=(Decimal("0.1"), Decimal(0)))),
    ("person", "persons", Requirement(2, person="patient"), PLAIN),
    ("protect", "protections", DIVERSE, PLAIN),
    ("average_risk", "average_risk", Requirement(2, average_risk=Fraction(1, 2)), PLAIN),
    ("k_map", "registers", Requirement(2, registers=(KMap(3),)), PLAIN),
    (
        "presence",
        "registers",
        Requirement(2, registers=(PresenceBounds(Fraction(0), Fraction(1, 2)),)),
        PLAIN,
    ),
    ("secrecy", "lottery", Requirement(2, secrecy="lottery"), PLAIN),
    ("prefer", "prefer", BOTH, SearchOptions(prefer=("minimum-suppression",))),
    ("objective", "loss", BOTH, SearchOptions(objective="loss")),
    ("objective", "objective", BOTH, SearchOptions(objective="entropy")),
    ("tolerance", "tolerance", BOTH, SearchOptions(tolerances=(Decimal(1), Decimal("0.5")))),
    ("bound", "bound", BOTH, SearchOptions(bound=True)),
    ("effort", "effort", BOTH, SearchOptions(effort="exact")),
    ("decoys", "decoys", BOTH, SearchOptions(decoys=Decimal("0.1"))),
    ("dimension", "argus", BOTH, of_argus(dimension=2)),
    ("combinations", "argus", BOTH, of_argus(combinations="program")),
    ("suppress_by", "argus", BOTH, of_argus(suppress_by="weight")),
    ("repair", "argus", BOTH, of_argus(repair=True)),
    ("generalize", "argus", BOTH, SearchOptions(decide=lambda _: None)),
]


def test_every_aspect_is_asked_here_and_every_field_is_an_aspect():
    assert {(option, field) for option, field, *_ in ASKED} == {
        (aspect.option, aspect.takes) for aspect in ASPECTS
    }
    declared = {field.name for field in fields(Takes)}
    assert {aspect.takes for aspect in ASPECTS} == declared - {
        "cells",
        "optimizes",
        "result",
        "meaning",
    }
    assert list(TAKES) == list(ALGORITHMS)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_result_is_at_the_level_that_the_method_declares(name):
    recoding = ALGORITHMS[name](FREQUENCY, BOTH, PLAIN)
    assert (recoding.tuples is not None) == TAKES[name].cells


@pytest.mark.parametrize("bound", [False, True])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_result_has_the_objective_that_the_method_declares(name, bound):
    takes = TAKES[name]
    objective = "loss" if takes.loss else "precision"
    options = SearchOptions(objective=objective, bound=bound and takes.bound)
    optimality = ALGORITHMS[name](FREQUENCY, BOTH, options).optimality
    reached = None if optimality is None else optimality.objective
    assert reached == takes.objective_of(objective, bound=options.bound)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize(("option", "field", "requirement", "options"), ASKED)
def test_a_method_takes_what_it_declares_and_refuses_the_rest(
    name, option, field, requirement, options
):
    if getattr(TAKES[name], field):
        assert run(name, requirement, options) is not None
        return
    with pytest.raises(la.InvalidInput) as refused:
        run(name, requirement, options)
    message = str(refused.value)
    assert message.startswith(f"{option}: method {name} does not take ")
    assert all(other in message for other in methods_taking(field))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_is_not_asked_is_not_refused(name):
    everything = Requirement(2, Decimal("0.5"), "blank")
    options = SearchOptions(
        weights=(Decimal(1), Decimal(2)),
        time_limit=60.0,
        argus=ArgusOptions(identification=(1, 2)),
    )
    assert ALGORITHMS[name](FREQUENCY, everything, options) is not None


def test_the_effort_of_k_similar_is_that_of_its_bound():
    asked = SearchOptions(effort="quick", bound=True)
    assert ALGORITHMS["k-similar"](FREQUENCY, BOTH, asked).optimality is not None


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize(("option", "field", "requirement", "options"), ASKED)
def test_a_comparison_leaves_out_only_how_to_search(name, option, field, requirement, options):
    kept = keep_taken(name, FREQUENCY.attributes, requirement, options)
    says_how = field in ("loss", "tolerance", "bound", "effort", "argus")
    if says_how or getattr(TAKES[name], field):
        assert run(name, requirement, kept) is not None
    else:
        assert kept == options


@pytest.mark.parametrize("name", ["mingen-cells", "k-similar", "mu-argus"])
@pytest.mark.parametrize("linking", [0, 0.5])
def test_a_linking_weight_is_refused_by_name_before_the_table_is_read(name, linking, tmp_path):
    masked = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    with pytest.raises(la.InvalidInput, match=f"linking: method {name} does not take"):
        la.release(
            tmp_path / "missing.csv",
            k=2,
            method=name,
            attributes={"zip": masked, "age": {**masked, "linking": linking}},
        )


def test_a_greater_k_of_one_attribute_is_refused_once_the_rows_are_counted():
    masked = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    with pytest.raises(la.InvalidInput, match="linking: method k-similar does not take"):
        la.release(
            pa.table({"zip": list("aabb") * 5, "age": list("xxyy") * 5}),
            k=2,
            method="k-similar",
            anonymity_constant=1,
            attributes={"zip": masked, "age": {**masked, "anonymity": 0.5}},
        )


def test_the_table_of_the_documentation_is_what_they_declare():
    lines = [line for line in METHODS.read_text().splitlines() if line.startswith("| asked")]
    after = METHODS.read_text().split(lines[0])[1].split("\n\n")[0].splitlines()[2:]
    names = re.findall(r"`([a-z-]+)`", lines[0])
    assert names == list(ALGORITHMS)
    documented = {}
    for line in after:
        asked, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert set(cells) <= {"yes", "", "with a bound"}
        takers = [name for name, cell in zip(names, cells, strict=True) if cell == "yes"]
        documented |= dict.fromkeys(re.findall(r"`([a-z_-]+)`", asked), takers)
        if asked == "`effort`":
            with_bound = {n for n, cell in zip(names, cells, strict=True) if cell == "with a bound"}
    expected = {
        label: [name for name in ALGORITHMS if getattr(TAKES[name], field)]
        for label, field in (
            ({"conditions": "suppressed", "loss": "loss"}.get(takes, option), takes)
            for option, takes in ((aspect.option, aspect.takes) for aspect in ASPECTS)
        )
    }
    assert documented == expected
    assert with_bound == {n for n, takes in TAKES.items() if takes.bound and not takes.effort}


@pytest.mark.parametrize(
    ("option", "field"),
    [
        ("prefer", "prefer"),
        ("constraint", "level_bounds"),
        ("objective", "loss"),
        ("effort", "effort"),
        ("bound", "bound"),
        ("generalize", "argus"),
        ("repair", "argus"),
    ],
)
def test_the_help_of_an_option_names_the_methods_that_take_it(option, field):
    command = load_command("release")
    [text] = [one.help for one in command.params if f"--{option}" in one.opts]
    names = [name for name in ALGORITHMS if getattr(TAKES[name], field)]
    assert f"({', '.join(names)}" in text
