"""Publish only on a proof."""

from dataclasses import dataclass

import pytest

from lookalike.errors import RequirementNotMet
from lookalike.ledger.check_only import WAYS_OUT, check_only


@dataclass(frozen=True)
class Result:
    lower_bound: int
    upper_bound: int
    attack: str = "complementary release"
    release: str = "march"
    exposed_rows: int = 7


def refusal(*results, k=5):
    with pytest.raises(RequirementNotMet) as refused:
        check_only(results, k)
    return str(refused.value)


def test_a_proof_lets_it_pass():
    check_only([Result(5, 9), Result(6, 6)], 5)


def test_without_an_earlier_release_it_passes():
    check_only([], 5)


def test_an_attack_that_was_found_is_told():
    assert refusal(Result(1, 2)) == (
        "together with march, the complementary release attack leaves only 2 possible "
        f"rows where k = 5; 7 rows would be exposed. {WAYS_OUT}"
    )


def test_that_none_was_found_is_not_a_proof():
    assert refusal(Result(3, 8, attack="temporal")) == (
        "together with march, the temporal attack is not ruled out: no way was found to "
        "fewer than 8 possible rows, but no more than 3 are proved where k = 5; 7 rows may be "
        f"exposed. {WAYS_OUT}"
    )


def test_the_worst_attack_is_told_first():
    told = refusal(Result(4, 9), Result(5, 5), Result(2, 3, release="may"), Result(1, 4))
    assert "together with may" in told
