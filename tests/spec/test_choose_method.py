"""The method of a specification that names none: the best that takes what is asked."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.spec.choose_method import choose_method, names_method, with_default_method

TABLE = pa.table({"zip": ["1", "1"]})
SUPPRESS = {"kind": "suppress"}
ZIP = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
SEX = {"role": "quasi-identifier", "hierarchy": SUPPRESS}
SEVERAL = [
    {"name": "patient", "attributes": ["zip"]},
    {"name": "doctor", "attributes": ["sex"]},
]


def build(release=(), attributes=(), **parts):
    columns = {"zip": ZIP, "sex": SEX} | dict(attributes)
    asked = {"k": 2} | dict(release)
    return la.Specification.build({"release": asked, "attributes": columns, **parts})


def test_it_is_mingen_at_the_cell_level_and_counts_as_not_named():
    specification = build()
    assert (specification.release.method, names_method(specification)) == ("mingen-cells", False)
    assert choose_method(specification) == (specification, None)


@pytest.mark.parametrize(
    ("parts", "method", "because"),
    [
        ({"quasi_identifiers": SEVERAL}, "mingen", "several quasi-identifiers"),
        ({"release": {"prefer": ["minimum-suppression"]}}, "mingen", "preferences (prefer)"),
        ({"release": {"objective": "entropy"}}, "mingen", "(objective)"),
        ({"release": {"constraints": ["suppressed <= 3"]}}, "samarati", "conditions on solutions"),
        ({"attributes": {"zip": ZIP | {"tolerance": 0.5}}}, "datafly", "tolerances"),
    ],
)
def test_what_it_does_not_take_falls_to_the_first_that_does(parts, method, because):
    specification, reason = choose_method(build(**parts))
    assert specification.release.method == method
    assert because in reason
    assert reason.startswith("mingen-cells does not take")


def test_blind_protections_are_not_left_to_small_classes():
    ill = {"role": "sensitive", "protect": {"distinct": 2}}
    specification, reason = choose_method(build(attributes={"ill": ill}))
    assert specification.release.method == "mingen"
    assert "blind" in reason
    share = {"role": "sensitive", "protect": {"share": 0.5}}
    assert build(attributes={"ill": share}).release.method == "mingen-cells"


def test_what_no_default_method_takes_is_refused_by_name():
    specification = build({"repair": True})
    assert specification.release.method == "mingen-cells"
    with pytest.raises(la.InvalidInput, match="repair: method mingen-cells does not take"):
        la.release(TABLE, k=2, repair=True, attributes={"zip": ZIP})


def test_a_named_method_is_kept():
    specification = build({"method": "datafly"}, quasi_identifiers=SEVERAL)
    assert choose_method(specification) == (specification, None)
    with pytest.raises(la.InvalidInput, match="several"):
        la.release(
            TABLE,
            method="mingen-cells",
            k=2,
            attributes={"zip": ZIP},
            quasi_identifiers=[{"name": name, "attributes": ["zip"]} for name in "ab"],
        )


def test_each_recipient_has_its_own():
    recipients = {"press": {"columns": ["zip"]}, "clinic": {"prefer": ["minimum-suppression"]}}
    for name, method in (("press", "mingen-cells"), ("clinic", "mingen")):
        asked = build({"recipient": name}, recipients=recipients)
        assert asked.release.method == method


def test_a_method_of_a_wrong_certificate_changes_nothing():
    specification = build()
    assert with_default_method(specification, "nonsense") is specification
    assert with_default_method(specification, "datafly").release.method == "datafly"
