"""Linking two releases is exact: the flow agrees with a look at every world."""

from hypothesis import given, settings

from lookalike.attacks.linked import ABSENT, link
from lookalike.attacks.nodes import lay_out
from lookalike.attacks.seen import Known

from .brute import certain_sequences, least_left, possible_rows
from .invented import DOMAINS, KNOWN, RULES, sets

relaxed = settings(deadline=None, max_examples=150)
PROMISED = Known("everything", KNOWN, 3)


def link_naive(invented, known=PROMISED):
    ground = lay_out(invented.classes(), RULES, [known])
    left, right = ground.releases
    return ground, link(ground, left, right, invented.people, [known])[0]


def sequence_of(ground, release, nodes, node):
    """Write the class of a node as the brute-force attacker does."""
    if node == ABSENT:
        return None
    shown = ground.write_linked((nodes, nodes), (node, ABSENT), KNOWN)
    return tuple(shown[name] for name in KNOWN if name in release.columns)


@relaxed
@given(sets())
def test_the_k_that_is_left_is_that_of_all_worlds(invented):
    _, linked = link_naive(invented)
    found = possible_rows(invented.releases, RULES, DOMAINS, invented.people, KNOWN)
    assert linked.k == least_left(found)
    assert linked.sequences == len(found)


@relaxed
@given(sets())
def test_the_exposed_sequences_and_their_rows_are_those_of_all_worlds(invented):
    ground, linked = link_naive(invented)
    found = possible_rows(invented.releases, RULES, DOMAINS, invented.people, KNOWN)
    expected = {
        sequence: (len(ours), len(theirs))
        for sequence, (ours, theirs) in found.items()
        if any(
            one is not None and len(rows) < PROMISED.k
            for one, rows in zip(sequence, (ours, theirs), strict=True)
        )
    }
    exposed = linked.exposed
    told = {
        tuple(
            sequence_of(ground, release, nodes, int(node))
            for release, nodes, node in zip(invented.releases, ground.releases, pair, strict=True)
        ): (int(left), int(right))
        for *pair, left, right in zip(
            exposed.left, exposed.right, exposed.left_rows, exposed.right_rows, strict=True
        )
    }
    assert told == expected
    rows = [
        set().union(
            *(
                each[side]
                for sequence, each in found.items()
                if sequence[side] is not None and len(each[side]) < PROMISED.k
            )
        )
        for side in (0, 1)
    ]
    assert (linked.left_exposed, linked.right_exposed) == tuple(map(len, rows))


@relaxed
@given(sets())
def test_what_is_certain_is_in_every_world(invented):
    ground, linked = link_naive(invented)
    certain = certain_sequences(invented.releases, RULES, DOMAINS, invented.people, KNOWN)
    for left, right, sure in zip(
        linked.exposed.left, linked.exposed.right, linked.exposed.certain, strict=True
    ):
        pair = tuple(
            sequence_of(ground, release, nodes, int(node))
            for release, nodes, node in zip(
                invented.releases, ground.releases, (left, right), strict=True
            )
        )
        assert not sure or pair in certain
