"""Releases that cannot be based on earlier ones, and what the ledger records of those that are."""

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import lookalike as la

from .monthly_releases import MARCH, ROLES, Steward, changed, fates


@pytest.fixture
def steward(tmp_path):
    return Steward(tmp_path)


class TestRefusals:
    def test_a_hierarchy_that_has_changed(self, steward):
        people = [(f"p{n}", f"0213{n % 2}", "flu") for n in range(4)]
        steward.release(people, k=4, max_suppressed=0)
        roles = ROLES | {
            "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask", "from_left": True}}
        }
        with pytest.raises(la.InvalidInput, match=r"column 'zip': its hierarchy.*since release 1"):
            steward.release(people, k=4, max_suppressed=0, attributes=roles)

    def test_a_hierarchy_that_has_become_lower(self, steward):
        people = [(f"p{n}", f"0{n}138", "flu") for n in range(4)]
        steward.release(people, k=4, max_suppressed=0)
        roles = ROLES | {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
        with pytest.raises(la.InvalidInput, match=r"column 'zip': its hierarchy.*since release 1"):
            steward.release(people, k=4, max_suppressed=0, attributes=roles)

    def test_another_way_to_write_what_is_suppressed(self, steward):
        rows = [*MARCH, ("gil", "99999", "flu")]
        steward.release(rows, suppressed_rows="blank")
        with pytest.raises(la.InvalidInput, match="its suppressed_label has changed"):
            steward.release(rows, suppressed_label="?")

    def test_other_attributes(self, steward):
        steward.release(MARCH)
        roles = ROLES | {"ill": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
        with pytest.raises(
            la.InvalidInput,
            match="chosen over zip, and rows of one class differ in ill",
        ):
            steward.release(MARCH, attributes=roles)

    def test_several_quasi_identifiers(self, steward):
        several = [{"name": "who", "attributes": ["zip"], "k": 2}]
        steward.release(MARCH)
        with pytest.raises(la.InvalidInput, match=r"single quasi-identifier over all.*check-only"):
            steward.release(MARCH, quasi_identifiers=several)

    def test_pseudonyms(self, steward, tmp_path):
        key = tmp_path / "pseudonyms"
        key.write_bytes(bytes(32))
        key.chmod(0o600)
        rows = [(*row, row[0]) for row in MARCH]
        table = pa.table(
            dict(zip(["id", "zip", "ill", "name"], zip(*rows, strict=True), strict=True))
        )
        roles = ROLES | {"name": {"role": "identifier", "pseudonym": {"key_file": str(key)}}}
        steward.release(table, attributes=roles)
        with pytest.raises(la.InvalidInput, match="does not support pseudonyms"):
            steward.release(table, attributes=roles)

    def test_labels_that_would_mean_two_things(self, steward):
        roles = ROLES | {
            "zip": {
                "role": "quasi-identifier",
                "hierarchy": {"kind": "rounding", "bases": [10, 100]},
            }
        }
        people = [(f"p{n}", str(46 + n), "flu") for n in range(4)]
        steward.release(people, k=4, max_suppressed=0, attributes=roles)
        new = [(f"q{n}", "50", "flu") for n in range(4)]
        with pytest.raises(la.InvalidInput, match="writes different values alike"):
            steward.release([*people, *new], k=4, attributes=roles)
        bound = {"constraints": ["zip >= 1"], "method": "mingen"}
        assert fates(steward.release([*people, *new], k=4, attributes=roles, **bound))[2] == 4


class TestTheLedger:
    def test_a_release_that_was_planned_before_another_was_published(self, steward):
        steward.release(MARCH)
        april = [*MARCH, ("gil", "02141", "flu"), ("hal", "02141", "flu")]
        late = steward.prepare([row for row in april if row[0] != "hal"])
        steward.release(april)
        with pytest.raises(
            la.RequirementNotMet,
            match=(
                r"the next release would expose \d rows? together with release 1 and release 2: "
                r"fewer than k = 2 .* based on the releases published by now"
            ),
        ):
            late.publish(steward.folder / "late" / "table.csv")
        assert not (steward.folder / "late").exists()
        assert len(steward.ledger().releases()) == 2

    def test_one_that_does_no_harm_may_still_be_published(self, steward):
        first, second = steward.prepare(MARCH), steward.prepare(MARCH)
        for turn, made in enumerate([first, second]):
            certificate = made.publish(steward.folder / f"x{turn}" / "table.csv")
            assert certificate.earlier_releases.considered == turn

    def test_what_was_forgotten_counts(self, steward):
        steward.release(MARCH)
        steward.ledger().forget(1, "a trial")
        assert fates(steward.release(MARCH[1:])) == (3, 0, 0, 2)

    def test_recipients_with_contracts_are_not_based_on_each_other(self, steward):
        recipients = {name: {"contract": f"DUA {name}"} for name in ("lab", "office")}
        asked = {"recipients": recipients}
        steward.release(MARCH, recipient="lab", **asked)
        assert steward.release(MARCH[1:], recipient="office", **asked).basis is None
        assert steward.release(MARCH[1:], recipient="lab", **asked).basis.considered == 1
        assert steward.release(MARCH[1:]).basis.considered == 3

    def test_the_row_map_has_the_digest_of_what_is_shown(self, steward):
        steward.release(MARCH)
        steward.release(changed(MARCH, ann="ulcer"))
        first, second = (
            entry.files.read_rows(["key", "value ill"]) for entry in steward.ledger().releases()
        )
        assert first == second

    def test_a_dry_run_has_the_basis_and_writes_nothing(self, steward):
        steward.release(MARCH)
        before = sorted(path for path in steward.folder.rglob("*"))
        assert steward.prepare(MARCH).basis.considered == 1
        assert sorted(path for path in steward.folder.rglob("*")) == before
