"""Recipients: the columns, requirement and profile of each."""

from decimal import Decimal

import pyarrow as pa
import pytest

import lookalike as la
from lookalike import Specification

SUPPRESS = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
ATTRIBUTES = {
    "name": {"role": "identifier"},
    "number": {"role": "identifier", "pseudonym": {"key_file": "secret.key"}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "sex": SUPPRESS,
    "job": SUPPRESS,
    "ill": {"role": "sensitive"},
    "ward": {"role": "other"},
}
RELEASE = {
    "k": 5,
    "max_suppressed": 0.1,
    "method": "samarati",
    "prefer": ["minimum-suppression"],
    "constraints": ["zip <= 2", "height <= 4"],
    "out": "released/table.csv",
}


def address(recipient, release=RELEASE, **fields):
    """Build a specification for one recipient named x."""
    return Specification.build(
        {
            "release": {**release, "recipient": "x"},
            "attributes": ATTRIBUTES,
            "recipients": {"x": recipient},
            **fields,
        }
    )


def test_who_has_nothing_different_gets_what_the_specification_says():
    asked = address({}).release
    assert asked.recipient == "x"
    assert (
        asked.model_copy(update={"recipient": None})
        == Specification.build({"release": RELEASE, "attributes": ATTRIBUTES}).release
    )


def test_without_a_name_the_release_is_for_nobody_in_particular():
    specification = Specification.build(
        {"release": RELEASE, "attributes": ATTRIBUTES, "recipients": {"x": {"k": 9}}}
    )
    assert (specification.release.k, specification.release.recipient) == (5, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("k", 9),
        ("max_suppressed", Decimal("0.2")),
        ("method", "mingen"),
        ("objective", "loss"),
        ("prefer", ("maximum-distribution",)),
        ("prefer", ()),
        ("constraints", ("sex = 0",)),
        ("out", "elsewhere/table.parquet"),
    ],
)
def test_what_a_recipient_has_takes_the_place_of_what_the_release_has(field, value):
    assert getattr(address({field: value}).release, field) == value


class TestRequirement:
    def test_an_anonymity_takes_the_place_of_k(self):
        assert address({"anonymity": 1}).requirement(2000).k == 20

    def test_a_k_takes_the_place_of_an_anonymity(self):
        assert address({"k": 3}, {"anonymity": 1}).requirement(2000).k == 3

    def test_a_k_goes_before_an_anonymity_of_the_same_recipient(self):
        assert address({"k": 3, "anonymity": 1}).requirement(2000).k == 3

    def test_a_quasi_identifier_keeps_the_k_of_its_own(self):
        quasi_identifiers = [
            {"name": "a", "attributes": ["zip", "sex"], "k": 4},
            {"name": "b", "attributes": ["job"]},
        ]
        requirement = address({"k": 9}, quasi_identifiers=quasi_identifiers).requirement(100)
        assert [one.k for one in requirement.quasi_identifiers] == [4, 9]


class TestProfile:
    def test_linking_tolerance_and_weights_are_those_of_the_recipient(self):
        profile = {"linking": {"zip": 0.5}, "tolerance": {"sex": 0.1}, "weights": {"job": 3}}
        specification = address(profile)
        assert [(one.attribute, one.k) for one in specification.alone(100)] == [("zip", 3)]
        assert specification.options().tolerances == (1, Decimal("0.1"), 1)
        assert specification.options().weights == (1, 1, 3)

    def test_they_go_before_those_of_a_quasi_identifier(self):
        group = {"name": "a", "attributes": ["zip", "sex", "job"]}
        group |= {"linking": {"zip": 0.2, "job": 0.4}, "tolerance": {"zip": 0.2, "job": 0.4}}
        profile = {"linking": {"zip": 1}, "tolerance": {"zip": 1}}
        specification = address(profile, quasi_identifiers=[group])
        assert [one.attribute for one in specification.alone(100)] == ["job"]
        assert specification.options().tolerances == (1, 1, Decimal("0.4"))


class TestColumns:
    def test_others_are_not_released_and_in_no_quasi_identifier(self):
        quasi_identifiers = [
            {"name": "a", "attributes": ["zip", "sex"], "linking": {"zip": 0.5}},
            {"name": "b", "attributes": ["job"]},
        ]
        fields = {"quasi_identifiers": quasi_identifiers}
        specification = address({"columns": ["sex", "ill"], "linking": {"zip": 0}}, **fields)
        assert list(specification.hierarchies()) == ["sex"]
        assert [one.attributes for one in specification.requirement(100).quasi_identifiers] == [
            ("sex",)
        ]
        roles = {name: one.role for name, one in specification.attributes.items()}
        assert {name for name, role in roles.items() if role not in ("identifier", "drop")} == {
            "sex",
            "ill",
        }

    def test_a_pseudonym_is_released_only_if_it_is_named(self):
        without, with_it = address({"columns": ["sex"]}), address({"columns": ["sex", "number"]})
        assert without.attributes["number"].pseudonym is None
        assert with_it.attributes["number"].pseudonym is not None

    def test_constraints_on_what_is_not_released_fall_away(self):
        assert address({"columns": ["sex"]}).release.constraints == ("height <= 4",)

    def test_a_release_has_these_columns_and_its_certificate_the_recipient(self):
        people = pa.table({"zip": ["1", "2"] * 4, "sex": [*"ffffmmmm"], "ill": [*"abababab"]})
        made = la.release(
            people,
            k=4,
            method="mingen",
            attributes={name: ATTRIBUTES[name] for name in ("zip", "sex", "ill")},
            recipients={"press": {"columns": ["ill", "sex"]}, "clinic": {"k": 2}},
            recipient="press",
        )
        assert made.table.column_names == ["sex", "ill"]
        assert made.levels == {"sex": 0}
        assert made.certificate.recipient == "press"
        assert made.certificate.columns == ("sex", "ill")
        assert list(made.certificate.generalized) == ["sex"]


class TestCommandLine:
    SPECIFICATION = """
        [source]
        path = "people.csv"
        [release]
        anonymity = 1
        anonymity_constant = 1
        max_suppressed = 0
        out = "released/people.csv"
        [attributes]
        name = { role = "identifier" }
        zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
        sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
        ill = { role = "sensitive" }
        [recipients.clinic]
        k = 2
        out = "clinic/people.csv"
        [recipients.press]
        anonymity = 0.5
        columns = ["zip", "ill"]
        method = "samarati"
        prefer = ["minimum-suppression"]
    """

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "spec.toml").write_text(self.SPECIFICATION)
        rows = [f"n{n},{12 + n % 4},{'fm'[n % 2]},{'ab'[n // 4]}" for n in range(8)]
        (tmp_path / "people.csv").write_text("\n".join(["name,zip,sex,ill", *rows]) + "\n")
        return tmp_path

    def test_each_recipient_gets_a_release_that_verifies(self, folder, type_in):
        for name, place in {"clinic": "clinic", "press": "released"}.items():
            assert type_in(f"release spec.toml --recipient {name}")[0] == 0
            assert la.Certificate.read(folder / place).recipient == name
            assert type_in(f"verify {place} --spec spec.toml")[0] == 0
        assert la.Certificate.read(folder / "clinic").quasi_identifiers[0].k == 2
        assert la.Certificate.read(folder / "released").quasi_identifiers[0].k == 4
        assert la.Certificate.read(folder / "released").columns == ("zip", "ill")

    def test_the_file_may_name_the_recipient(self, folder, type_in):
        text = self.SPECIFICATION.replace("[release]", '[release]\nrecipient = "press"')
        (folder / "spec.toml").write_text(text)
        assert type_in("release spec.toml --recipient clinic")[0] == 0
        assert type_in("release spec.toml")[0] == 0
        assert la.Certificate.read(folder / "released").recipient == "press"
        assert type_in("verify clinic --spec spec.toml")[0] == 0

    def test_the_command_line_goes_before_the_recipient(self, folder, type_in):
        command = "release spec.toml --recipient press -k 2 --method mingen --out mine/people.csv"
        assert type_in(command)[0] == 0
        certificate = la.Certificate.read(folder / "mine")
        assert (certificate.quasi_identifiers[0].k, certificate.method) == (2, "mingen")

    def test_policies_of_the_command_line_come_after_those_of_the_recipient(self, folder, type_in):
        command = "release spec.toml --recipient press --prefer maximum-distribution"
        assert type_in(command)[0] == 0
        certificate = la.Certificate.read(folder / "released")
        assert certificate.prefer == ("minimum-suppression", "maximum-distribution")

    def test_minimal_is_for_a_recipient_too(self, type_in):
        assert "sex" in type_in("minimal spec.toml --recipient clinic")[1]
        assert "sex" not in type_in("minimal spec.toml --recipient press")[1]
