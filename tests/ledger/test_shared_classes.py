"""Recipients with other columns are shown some columns of the same classes."""

from random import Random

import pyarrow as pa
import pytest

import lookalike as la

LINKABLE = {"role": "quasi-identifier", "hierarchy": la.Mask(length=2)}
ATTRIBUTES = {
    "id": {"role": "identifier"},
    **dict.fromkeys(["age", "zip", "job"], LINKABLE),
    "ill": {"role": "sensitive"},
}
PLANNED = {"insurer": {"columns": ["age", "zip", "ill"]}, "registry": {"columns": ["zip", "job"]}}


def people(rows=40, *, seed=1, without=()):
    """Return a table of people, the same for each seed."""
    draw, codes = Random(seed), ["00", "01", "10", "11"]
    lines = [
        {
            "id": f"p{one}",
            **{name: draw.choice(codes) for name in ("age", "zip", "job")},
            "ill": draw.choice(["flu", "gout", "ulcer"]),
        }
        for one in range(rows)
    ]
    return pa.Table.from_pylist([line for line in lines if line["id"] not in without])


class Office:
    """Releases tables for recipients, with one ledger."""

    def __init__(self, folder):
        self.folder, self.turn = folder, 0

    def release(self, recipient, table=None, planned=PLANNED, **fields):
        self.made = la.release(
            people() if table is None else table,
            attributes=fields.pop("attributes", ATTRIBUTES),
            source={"row_key": "id", "name": "people"},
            recipients=planned,
            recipient=recipient,
            ledger=str(self.folder / "ledger.db"),
            ledger_key=str(self.folder / "key"),
            **{"k": 3, "max_suppressed": 0.1, "method": "mingen", **fields},
        )
        self.turn += 1
        return self.made.publish(self.folder / str(self.turn) / "table.csv")

    def refusal(self, *given, **fields):
        with pytest.raises(la.LookalikeError) as caught:
            self.release(*given, **fields)
        return str(caught.value)

    def classes(self):
        """Return the rows of each class of each release, as the ledger knows them."""
        ledger = la.open_ledger(str(self.folder / "ledger.db"), key=str(self.folder / "key"))
        for entry in ledger.releases():
            rows = entry.files.read_rows()
            labels = list(zip(*entry.files.read_classes().labels, strict=True))
            places = zip(rows["key"].to_pylist(), rows["class"].to_pylist(), strict=True)
            yield {key: None if place is None else labels[place] for key, place in places}


@pytest.fixture
def office(tmp_path):
    return Office(tmp_path)


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_every_recipient_is_shown_the_same_classes(office, method):
    first = office.release("insurer", method=method)
    second = office.release("registry", method=method)
    before, after = office.classes()

    assert before == after
    assert first.columns == ("age", "zip", "ill")
    assert second.columns == ("zip", "job")
    assert first.shares_classes
    assert second.shares_classes
    assert first.rows_out == second.rows_out


def test_rows_that_one_recipient_did_not_get_the_next_one_does_not_get_either(office):
    first = office.release("insurer", max_suppressed=0.3)
    second = office.release("registry", max_suppressed=0.9)
    assert first.rows_suppressed > 0
    assert second.rows_suppressed == first.rows_suppressed


def test_rows_that_waited_join_when_a_recipient_gets_the_next_release(office):
    office.release("insurer", people(20))
    office.release("registry", people(20))
    third = office.release("insurer", people(40))
    fourth = office.release("registry", people(40))
    assert third.rows_out > 20
    assert fourth.rows_out == third.rows_out


def test_the_greatest_k_of_all_recipients_is_promised_to_each(office):
    planned = {**PLANNED, "registry": {**PLANNED["registry"], "k": 5}}
    assert office.release("insurer", planned=planned).least_k == 5
    assert office.release("registry", planned=planned).least_k == 5


def test_whoever_comes_later_is_shown_columns_that_the_classes_were_chosen_over(office):
    office.release("insurer")
    later = {**PLANNED, "press": {"columns": ["age", "job"]}}
    certificate = office.release("press", planned=later)
    before, after = office.classes()
    assert before == after
    assert certificate.columns == ("age", "job")


def test_other_columns_are_refused_with_the_reason_the_price_and_the_ways_out(office):
    planned = {"insurer": PLANNED["insurer"]}
    office.release("insurer", planned=planned)
    refused = office.refusal("registry", planned=PLANNED)
    assert "chosen over age, zip" in refused
    assert "rows of one class differ in job" in refused
    assert "costs this recipient 1 of 2 attributes" in refused
    assert "contract" in refused
    assert office.release("insurer", planned=PLANNED).columns == ("age", "zip", "ill")


def test_recipients_who_are_bound_by_contracts_have_classes_of_their_own(office):
    planned = {name: {**one, "contract": name} for name, one in PLANNED.items()}
    first = office.release("insurer", planned=planned)
    second = office.release("registry", planned=planned)
    assert not first.shares_classes
    assert not second.shares_classes
    assert second.earlier_releases.considered == 0


def test_a_column_of_the_classes_must_stay_in_the_specification(office):
    office.release("insurer")
    lacking = {**ATTRIBUTES, "job": {"role": "drop"}}
    refused = office.refusal("insurer", planned={"insurer": PLANNED["insurer"]}, attributes=lacking)
    assert "chosen over job, too" in refused


@pytest.mark.parametrize("leavers", ["withdraw", "keep"])
def test_the_classes_stay_shared_when_people_leave_and_come(office, leavers):
    for month in range(3):
        gone = {f"p{one}" for one in range(month * 3)}
        table = people(36 + 4 * month, without=gone)
        for name in ("insurer", "registry"):
            office.release(name, table, leavers=leavers)
        *_, before, after = office.classes()
        assert {key: one for key, one in before.items() if one} == {
            key: one for key, one in after.items() if one
        }


def test_verification_compares_the_rows_with_the_classes_of_the_ledger(office, tmp_path):
    office.release("insurer")
    place = {"ledger": str(tmp_path / "ledger.db"), "ledger_key": str(tmp_path / "key")}
    found = la.verify(tmp_path / "1", spec=office.made.specification, table=people(), **place)
    [shared] = [one for one in found.findings if "that the ledger holds" in one.claim]
    assert found.holds
    assert shared.holds
