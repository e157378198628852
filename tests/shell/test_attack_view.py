"""What a steward reads of an attack on the releases of a ledger."""

from io import StringIO

import pandas as pd
import pytest
from rich.console import Console

import lookalike as la
from lookalike.flow.attack_ledger import AttackedSource
from lookalike.shell.views.attack import show_attacked_source


@pytest.fixture
def attacked():
    """Attack two releases that give the private table back, joined on what both show."""
    specification = la.Specification.build(
        {
            "release": {"k": 2},
            "attributes": {
                "a": {"role": "quasi-identifier", "hierarchy": la.Suppress()},
                "b": {"role": "quasi-identifier", "hierarchy": la.Suppress()},
                "problem": {"role": "sensitive"},
            },
        }
    )
    first = pd.DataFrame({"a": list("1122"), "b": list("****"), "problem": list("pqpq")})
    next_one = pd.DataFrame({"a": list("****"), "b": list("1212"), "problem": list("pqpq")})
    return la.attack(first, next_one, spec=specification)


def told_of(found):
    console = Console(width=400, file=StringIO())
    with console.capture() as captured:
        console.print(show_attacked_source(found, show=False))
    return captured.get()


def test_an_attack_that_the_ledger_does_not_rule_out_is_told_with_what_to_do(attacked):
    told = told_of(AttackedSource(attacked, same_history=1))
    assert "Not proved by the ledger: only 1 row shares a history" in told
    assert "An attack was found" in told
    assert "→ Withdraw one of them" in told


def test_an_attack_that_the_ledger_rules_out_is_told_as_a_mistake(attacked):
    told = told_of(AttackedSource(attacked, same_history=2))
    assert told.startswith("Proved by the ledger: at least 2 rows")
    assert "rests on a sequence of classes that nobody has" in told
    assert "→" not in told
