"""The policies check-only and all-released-attributes, through the whole flow."""

import pyarrow as pa
import pytest

import lookalike as la

MARCH = {
    "id": [f"p{number}" for number in range(8)],
    "zip": ["02138", "02138", "02139", "02139"] * 2,
    "sex": ["f", "m"] * 4,
    "ill": ["flu", "gout", "pox", "rash"] * 2,
}
ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "ill": {"role": "sensitive"},
}
BY_ZIP = ["zip = 0", "sex = 1"]
BY_SEX = ["zip = 1", "sex = 0"]
TOP = ["zip = 1", "sex = 1"]


class Steward:
    def __init__(self, folder):
        self.folder, self.turn = folder, 0

    def release(self, columns=MARCH, *, constraints=(), roles=ROLES, policy="check-only", **fields):
        made = la.release(
            pa.table(columns),
            k=4,
            method="mingen",
            attributes=roles,
            constraints=constraints,
            source={"row_key": "id", "name": "people"},
            ledger=str(self.folder / "ledger.db"),
            ledger_key=str(self.folder / "key"),
            policy=policy,
            **fields,
        )
        certificate = made.publish(self.folder / str(self.turn) / "table.csv")
        self.turn += 1
        return made, certificate

    def refusal(self, *arguments, **fields):
        with pytest.raises(la.RequirementNotMet) as refused:
            self.release(*arguments, **fields)
        assert not (self.folder / str(self.turn)).exists()
        return str(refused.value)


@pytest.fixture
def steward(tmp_path):
    return Steward(tmp_path)


class TestCheckOnly:
    def test_a_release_that_takes_no_notice_of_the_last_is_refused(self, steward):
        steward.release(constraints=BY_ZIP)
        assert steward.refusal(constraints=BY_SEX) == (
            "the next release would expose 8 rows together with release 1: fewer than k = 4 rows "
            "share their history, which is the class in every release and the columns with new "
            'values. Base the release on the earlier ones (policy = "based-on"), raise levels, '
            "leave out the columns that changed, or bind this recipient and the others by a "
            'contract each that keeps them from sharing what they get (contract = "…" under '
            "[recipients.NAME])"
        )

    def test_based_on_the_last_it_passes(self, steward):
        steward.release(constraints=BY_ZIP)
        made, certificate = steward.release(constraints=BY_SEX, policy="based-on")
        assert made.levels == {"zip": 0, "sex": 1}
        assert certificate.earlier_releases.considered == 1
        assert steward.release(constraints=BY_ZIP)[1].earlier_releases.policy == "check-only"

    def test_higher_levels_than_the_last_pass(self, steward):
        steward.release(constraints=BY_ZIP)
        certificate = steward.release(constraints=TOP)[1]
        assert certificate.earlier_releases.considered == 1

    def test_without_a_column_that_links_rows_classes_that_cross_are_refused_all_the_same(
        self, steward
    ):
        steward.release(constraints=BY_ZIP)
        hidden = ROLES | {"ill": {"role": "identifier"}}
        assert "would expose 8 rows" in steward.refusal(constraints=BY_SEX, roles=hidden)

    def test_one_person_who_left_is_found(self, steward):
        alike = MARCH | {"zip": ["02138"] * 8, "sex": ["f"] * 8}
        steward.release(alike)
        fewer = {name: values[1:] for name, values in alike.items()}
        assert "would expose 1 row together with release 1" in steward.refusal(fewer)

    def test_one_value_that_changed_is_found(self, steward):
        steward.release(constraints=BY_ZIP)
        changed = MARCH | {"ill": ["cured", *MARCH["ill"][1:]]}
        assert "would expose 4 rows" in steward.refusal(changed, constraints=BY_ZIP)

    def test_a_column_that_changed_for_everybody_is_not_a_difference(self, steward):
        steward.release(constraints=BY_ZIP)
        changed = MARCH | {"ill": [f"{ill} again" for ill in MARCH["ill"]]}
        steward.release(changed, constraints=BY_ZIP)

    def test_a_release_before_the_last_counts(self, steward):
        steward.release(constraints=BY_ZIP)
        steward.release(constraints=TOP)
        assert "with release 1 and release 2" in steward.refusal(constraints=BY_SEX)

    def test_the_files_of_earlier_releases_are_not_needed(self, steward):
        for _ in range(3):
            steward.release(constraints=BY_ZIP)
            (steward.folder / str(steward.turn - 1) / "table.csv").unlink()

    def test_recipients_with_contracts_are_not_put_together(self, steward):
        apart = {"recipients": {name: {"contract": name} for name in ("lab", "office")}}
        steward.release(constraints=BY_ZIP, recipient="lab", **apart)
        steward.release(constraints=BY_SEX, recipient="office", **apart)
        assert "release 2" in steward.refusal(constraints=BY_ZIP, recipient="office", **apart)
        assert "together with release" in steward.refusal(constraints=BY_SEX)

    @pytest.mark.parametrize("first", ["zip", "ill"])
    def test_a_column_that_is_protected_once_and_shown_once_is_refused(self, steward, first):
        """An attacker who knows the values finds rows by them where they are shown unchanged."""
        protected = ROLES | {"ill": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
        one, two = (ROLES, protected) if first == "zip" else (protected, ROLES)
        steward.release(roles=one, constraints=TOP)
        with pytest.raises(la.InvalidInput, match="'ill' is a quasi-identifier in one release"):
            steward.release(roles=two, constraints=TOP)

    def test_several_quasi_identifiers_are_judged_by_classes_over_all_attributes(self, steward):
        several = [{"name": name, "attributes": [name]} for name in ("zip", "sex")]
        steward.release(quasi_identifiers=several, constraints=["zip = 0", "sex = 0"])
        refusal = steward.refusal(quasi_identifiers=several, constraints=["zip = 0", "sex = 0"])
        assert "would expose 8 rows" in refusal


class TestAllReleasedAttributes:
    POLICY = "all-released-attributes"

    def test_a_first_release_is_as_specified(self, steward):
        assert steward.release(policy=self.POLICY)[0].levels == {"zip": 1, "sex": 0}

    def test_what_was_released_joins_the_quasi_identifier(self, steward):
        steward.release(constraints=BY_ZIP)
        made, certificate = steward.release(policy=self.POLICY, constraints=BY_ZIP)
        assert made.levels == {"zip": 0, "sex": 1, "ill": 1}
        assert certificate.released_as_they_are == ()
        place = steward.folder / "1"
        specification = la.Specification.build(
            {"release": {"k": 4}, "attributes": ROLES, "source": {"row_key": "id"}}
        )
        assert la.verify(place, spec=specification, table=pa.table(MARCH)).holds
        assert la.attack(steward.folder / "0", place, spec=specification).holds

    def test_several_quasi_identifiers_are_joined_each(self, steward):
        several = [{"name": name, "attributes": [name]} for name in ("zip", "sex")]
        fields = {"quasi_identifiers": several, "policy": self.POLICY, "constraints": TOP}
        steward.release(**fields)
        made, _ = steward.release(**fields)
        assert [one.attributes for one in made.plan.requirement.quasi_identifiers] == [
            ("zip", "ill"),
            ("sex", "ill"),
        ]


COUNTEREXAMPLE = {
    "id": ["1", "2", "3", "4"],
    "A": ["a1", "a1", "a2", "a2"],
    "B": ["b1", "b2", "b1", "b2"],
    "Problem": ["p", "q", "p", "q"],
}
COUNTEREXAMPLE_ROLES = {
    "id": {"role": "identifier"},
    "A": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "B": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "Problem": {"role": "sensitive"},
}


class TestTheRemedyThatIsNotSufficient:
    """Model, section 4.2: all released attributes join the quasi-identifier. It does not hold."""

    def release(self, folder, number, policy, constraints):
        made = la.release(
            pa.table(COUNTEREXAMPLE),
            k=2,
            method="mingen",
            attributes=COUNTEREXAMPLE_ROLES,
            constraints=constraints,
            source={"row_key": "id", "name": "PT"},
            ledger=str(folder / "ledger.db"),
            ledger_key=str(folder / "key"),
            policy=policy,
        )
        made.publish(folder / number / "table.csv")
        return made

    @pytest.mark.parametrize("problem", [0, 1])
    def test_the_proof_by_history_refuses_what_the_remedy_alone_lets_pass(self, tmp_path, problem):
        self.release(tmp_path, "1", "all-released-attributes", ("A = 0", "B = 1"))
        second = ("A = 1", "B = 0", f"Problem = {problem}")
        with pytest.raises(la.RequirementNotMet, match="would expose 4 rows together with release"):
            self.release(tmp_path, "2", "all-released-attributes", second)
        assert not (tmp_path / "2").exists()

    def test_based_on_the_first_nothing_is_lost(self, tmp_path):
        self.release(tmp_path, "1", "based-on", ("A = 0", "B = 1"))
        made = self.release(tmp_path, "2", "based-on", ("A = 1", "B = 0"))
        assert (made.levels, made.basis.rows_kept) == ({"A": 0, "B": 1}, 4)
