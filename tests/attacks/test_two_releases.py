"""Linking two releases is exact: the flow agrees with enumerating every world."""

from hypothesis import given

from lookalike.risk.releases.attack_classes import attack_classes
from lookalike.risk.releases.link_classes import NO_CLASS

from ..effort import examples
from .brute import certain_sequences, least_left, possible_rows
from .invented import DOMAINS, KNOWN, RULES, sets

K = 3


def write_sequences(comparable, invented, exposed):
    """Write exposed sequences as the brute-force attacker does."""
    return [
        tuple(
            write_class(comparable, release, nodes, node)
            for release, nodes, node in zip(
                invented.releases, comparable.releases, pair, strict=True
            )
        )
        for pair in zip(exposed.left.tolist(), exposed.right.tolist(), strict=True)
    ]


def write_class(comparable, release, nodes, node):
    if node == NO_CLASS:
        return None
    shown = comparable.write_linked((nodes, nodes), (node, NO_CLASS), KNOWN)
    return tuple(shown[name] for name in KNOWN if name in release.columns)


def is_small(one, rows):
    return one is not None and len(rows) < K


@examples(60)
@given(sets())
def test_linking_leaves_what_all_worlds_leave(invented):
    attacked = attack_classes(invented.classes(K), RULES)
    comparable, linked = attacked.comparable, attacked.pairs[0].linked[0]
    found = possible_rows(invented.releases, RULES, DOMAINS, invented.people, KNOWN)
    assert linked.k == least_left(found)
    assert linked.sequences == len(found)

    exposed = linked.exposed
    sequences = write_sequences(comparable, invented, exposed)
    rows = zip(exposed.left_rows.tolist(), exposed.right_rows.tolist(), strict=True)
    assert dict(zip(sequences, rows, strict=True)) == {
        sequence: tuple(map(len, each))
        for sequence, each in found.items()
        if any(map(is_small, sequence, each))
    }
    marked = [
        set().union(*(each[side] for s, each in found.items() if is_small(s[side], each[side])))
        for side in (0, 1)
    ]
    assert [linked.left_exposed, linked.right_exposed] == list(map(len, marked))

    certain = certain_sequences(invented.releases, RULES, DOMAINS, invented.people, KNOWN)
    assert exposed.decided.all()
    found_certain = {s for s, sure in zip(sequences, exposed.certain, strict=True) if sure}
    assert found_certain == certain & set(sequences)
