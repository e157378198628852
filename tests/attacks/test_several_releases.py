"""Three releases: the lower bound never exceeds the exact number, and every attack found works."""

from hypothesis import given

from lookalike.risk.releases.attack_classes import attack_classes

from ..effort import examples
from .brute import least_left, possible_rows
from .invented import DOMAINS, KNOWN, RULES, sets

relaxed = examples(40)


@relaxed
@given(sets(number=3, most=3))
def test_the_k_of_all_worlds_lies_between_the_bounds(invented):
    releases = [one for one in invented.classes() if one.rows]
    attacked = attack_classes(invented.classes(), RULES) if len(releases) > 1 else None
    found = possible_rows(invented.releases, RULES, DOMAINS, invented.people, KNOWN)
    least = least_left(found)
    if attacked is not None and least is not None:
        [left] = attacked.left
        assert left.at_least <= least
        assert left.at_most >= least or any(
            one.works for pair in attacked.pairs for one in pair.unsorted
        )
