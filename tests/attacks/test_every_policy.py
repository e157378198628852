"""No sequence of releases that a policy lets pass exposes anybody, in all worlds of tiny tables."""

import pytest

from ..fuzz import draw_cases
from .sequences import POLICIES, Office, invent

FEW, MANY = 4000, 20_000
"""How many sequences the tests and ``make fuzz`` try under each policy."""


def attack(story, policy):
    """Return who is exposed by the releases that a policy lets pass, and how many those are."""
    attacker = Office(story, policy).publish_all()
    return attacker.exposed(story.k), len(attacker.releases)


@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_is_exposed_by_releases_that_follow_each_other(policy):
    passed = 0
    for seed, draw in draw_cases(FEW, MANY):
        story = invent(draw)
        exposed, releases = attack(story, policy)
        assert exposed is None, f"seed {seed}: {exposed}\n{story}"
        passed += releases > 1
    assert passed > FEW / 20, "hardly a sequence passes, so nothing is tested"


def test_releases_without_a_ledger_expose_somebody():
    found = sum(attack(invent(draw), "naive")[0] is not None for _, draw in draw_cases(100, 100))
    assert found > 10
