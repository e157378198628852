"""Numbers are rounded and cut in the same way in every kind of table."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning, ColumnCleaning, NumberCoarsening
from lookalike.tables.read import read_frame, read_table

from ..roles import MASKED

PAY = ["0", "-1600", "1499.50", "1500", "2500", "98000", "NA", None]


def coarse(engine, values, *, missing=("NA",), **asked):
    """Return the values of a column as they are read."""
    table = engine({"pay": values})
    frame = read_table(table, {}) if isinstance(table, str) else read_frame(table)
    rules = {"pay": ColumnCleaning(coarsening=NumberCoarsening(**asked))}
    rows = clean(frame, Cleaning(tuple(missing), columns=rules))
    return [value for (value,) in engine.to_rows(rows.to_native())]


def test_text_is_rounded_and_cut(engine):
    assert coarse(engine, PAY, round=1000, top=90000, bottom=0) == [
        *("0", "0", "1000", "2000", "3000", "90000"),
        *(None, None),
    ]


def test_what_is_only_cut_stays_as_it_is_written(engine):
    assert coarse(engine, PAY, top=2000) == [
        *("0", "-1600", "1499.50", "1500", "2000", "2000"),
        *(None, None),
    ]


def test_numbers_keep_their_type(engine):
    assert coarse(engine, [1234, 1500, 99999, None], round=1000, top=50000) == [
        *("1000", "2000", "50000"),
        None,
    ]


def test_values_that_are_no_numbers_are_counted_and_not_shown(engine):
    with pytest.raises(la.InvalidInput, match="2 of its values are not numbers") as refused:
        coarse(engine, ["1", "many", "1e5", "3"], round=10)
    assert "many" not in str(refused.value)


PEOPLE = pa.table(
    {
        "zip": ["02138", "02139"] * 6,
        "pay": [str(1100 * number) for number in range(12)],
    }
)
ATTRIBUTES = {"zip": MASKED, "pay": {"role": "sensitive", "round": 5000, "top": 10000}}


def release(**fields):
    return la.release(PEOPLE, k=3, method="mingen", attributes=ATTRIBUTES, **fields)


def test_a_release_shows_coarse_numbers_and_its_certificate_says_so(tmp_path):
    certificate = release().publish(tmp_path / "released" / "table.csv")
    assert certificate.coarsened == {"pay": NumberCoarsening(5000, 10000)}
    rows = (tmp_path / "released" / "table.csv").read_text().splitlines()[1:]
    assert {row.split(",")[1] for row in rows} == {"0", "5000", "10000"}
    found = la.verify(tmp_path / "released", spec=release().specification, table=PEOPLE)
    assert found.holds
    assert any(
        "rounded to multiples of 5,000, and at most 10,000" in one.claim for one in found.findings
    )


@pytest.mark.parametrize("value", ["5001", "15000", "much"])
def test_a_finer_number_in_the_file_is_found(tmp_path, value):
    release().publish(tmp_path / "released" / "table.csv")
    path = tmp_path / "released" / "table.csv"
    path.write_text(path.read_text().replace(",5000", f",{value}", 1))
    wrong = [one.claim for one in la.verify(tmp_path / "released").findings if not one.holds]
    assert any(claim.startswith("the numbers of pay are rounded") for claim in wrong)


def test_finer_rows_are_not_published(tmp_path, monkeypatch):
    made = release()
    frame, trail = made._recoded
    monkeypatch.setitem(vars(made), "_recoded", (finer(frame), trail))
    with pytest.raises(la.RequirementNotMet):
        made.publish(tmp_path / "released" / "table.csv")
    assert not (tmp_path / "released").exists()


def finer(frame):
    """Return released rows in which one number is not rounded."""
    table = frame.to_native()
    values = table["pay"].to_pylist()
    return read_frame(table.set_column(1, "pay", pa.array(["1234", *values[1:]])))


def test_protections_are_judged_on_the_numbers_that_are_released():
    fields = ATTRIBUTES["pay"] | {"round": 100000, "protect": {"distinct": 2}}
    with pytest.raises((la.Infeasible, la.RequirementNotMet)):
        la.release(PEOPLE, k=3, method="mingen", attributes=ATTRIBUTES | {"pay": fields})


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"role": "identifier", "round": 10}, "round, top and bottom are for columns released"),
        ({"role": "other", "top": 1, "bottom": 1}, "bottom must be below top"),
        ({"role": "other", "round": 0}, "greater than or equal to 1"),
        ({"role": "other", "round": 0.5}, "attributes.pay.round"),
    ],
)
def test_what_cannot_be_done_is_refused(fields, problem):
    with pytest.raises(la.InvalidInput, match=problem):
        la.release(PEOPLE, k=3, attributes=ATTRIBUTES | {"pay": fields})
