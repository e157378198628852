"""Values must be generalized in the same way in all releases of a source, under every policy."""

import pyarrow as pa
import pytest

import lookalike as la

from ..flow.monthly_releases import Steward

pytestmark = pytest.mark.slow

POLICIES = ("based-on", "all-released-attributes", "check-only")
STATES = ("Maine", "Ohio", "Utah", "Iowa")


def table_of(states=STATES):
    return pa.table({"id": [f"p{n}" for n in range(8)], "state": list(states) * 2})


def roles_of(**hierarchy):
    return {
        "id": {"role": "identifier"},
        "state": {"role": "quasi-identifier", "hierarchy": hierarchy},
    }


def tree(top="US", **groups):
    groups = groups or {"East": ["Maine", "Ohio"], "West": ["Utah", "Iowa"]}
    return {"kind": "taxonomy", "tree": {top: groups}}


@pytest.fixture
def steward(tmp_path):
    return Steward(tmp_path)


def release(steward, hierarchy, table=None, **fields):
    asked = {"k": 4, "max_suppressed": 0, "method": "mingen", **fields}
    return steward.release(table or table_of(), attributes=roles_of(**hierarchy), **asked)


OTHERS = {
    "another top": (tree("USA"), {}),
    "another kind": ({"kind": "suppress"}, {}),
    "another group": (tree(East=["Maine"], West=["Ohio", "Utah", "Iowa"]), {}),
    "another level below": (tree(East=["Maine", "Ohio"], Else=["Utah", "Iowa"]), {}),
    "one level more": (tree() | {"suppression_level": True}, {}),
    "another suppressed label": (tree(), {"suppressed_label": "?"}),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("other", OTHERS)
def test_another_hierarchy_is_refused(other, policy, steward):
    hierarchy, fields = OTHERS[other]
    release(steward, tree())
    with pytest.raises(la.InvalidInput) as refused:
        release(steward, hierarchy, policy=policy, **fields)
    assert str(refused.value) == (
        "column 'state': its hierarchy or its suppressed_label has changed since release 1, "
        "so the labels of the two releases cannot be compared; use the hierarchy and the "
        "suppressed_label of release 1 (for a mask with longer values now, its length)"
    )
    assert len(steward.ledger().releases()) == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_values_that_did_not_occur_before_may_join_a_hierarchy(policy, steward):
    release(steward, tree())
    longer = tree(East=["Maine", "Ohio", "Vermont"], West=["Utah", "Iowa"])
    assert release(steward, longer, policy=policy).basis or policy != "based-on"
    assert len(steward.ledger().releases()) == 2


def test_it_is_compared_with_every_earlier_release(steward):
    release(steward, tree())
    others = pa.table({"id": [f"q{n}" for n in range(8)], "state": ["Texas"] * 8})
    new = {"row_key": "id", "name": "people", "new_people": True}
    release(steward, tree("USA", South=["Texas"]), others, policy="check-only", source=new)
    with pytest.raises(la.InvalidInput, match="has changed since release 1"):
        release(steward, tree("USA"), policy="check-only")


@pytest.mark.parametrize("length", [None, 4])
def test_a_mask_with_longer_values_is_another_hierarchy_unless_its_length_is_given(length, steward):
    def people(*codes):
        return pa.table({"id": [f"p{n}" for n in range(len(codes))], "state": list(codes)})

    mask = {"kind": "mask", "steps": 2, "suppression_level": True}
    mask |= {} if length is None else {"length": length}
    release(steward, mask, people(*["123"] * 4))
    longer = people(*["123"] * 4, *["4567"] * 4)
    if length is None:
        with pytest.raises(la.InvalidInput, match="for a mask with longer values now"):
            release(steward, mask, longer)
    else:
        assert release(steward, mask, longer).basis.rows_joined == 4


def test_releases_that_a_contract_keeps_apart_may_have_others(steward):
    recipients = {name: {"contract": f"DUA {name}"} for name in ("lab", "office")}
    release(steward, tree(), recipients=recipients, recipient="lab")
    release(steward, tree("USA"), recipients=recipients, recipient="office")
    assert len(steward.ledger().releases()) == 2
