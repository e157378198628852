"""The figures of releases, compared with what can be counted in their rows."""

from collections import Counter

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.measure_for_rules import measure_for_rules
from lookalike.report.rules.judge import judge_rules

MASK = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
SUPPRESS = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}


def people(rows=48):
    """Return invented patients with two equal rows each, three of every combination."""
    return pa.table(
        {
            "patient": [f"P{row // 2:03}" for row in range(rows)],
            "zip": [("02138", "02139", "02141", "02142")[row // 2 % 4] for row in range(rows)],
            "sex": ["fm"[row // 8 % 2] for row in range(rows)],
            "diagnosis": ["flu" if row // 2 % 4 < 2 else "cold" for row in range(rows)],
            "income": [str(1000 + 10 * (row // 3)) for row in range(rows)],
        }
    )


def release(k=6, method="mingen", source=None, **changes):
    """Release the patients; keyword arguments change the roles of columns or the release."""
    roles = {
        "patient": {"role": "drop"},
        "zip": MASK,
        "sex": SUPPRESS,
        "diagnosis": {"role": "sensitive"},
        "income": {"role": "drop"},
    }
    roles |= changes.pop("roles", {})
    return la.release(people(), k=k, method=method, source=source, attributes=roles, **changes)


def count(made, *columns):
    """Count the released rows by some columns."""
    table = made.table
    return Counter(zip(*(table[name].to_pylist() for name in columns), strict=True))


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_classes_and_unique_rows_are_those_of_the_released_rows(method):
    made = release(method=method, roles={"income": {"role": "other"}})
    found = measure_for_rules(made)
    classes = count(made, "zip", "sex")
    assert found.least.size == found.smallest_together == min(classes.values())
    assert found.least.classes == len(classes)
    assert (found.rows, found.rows_suppressed) == (48, 0)
    assert found.as_is == ("diagnosis", "income")
    joint, whole = (
        sum(number == 1 for number in count(made, *columns).values())
        for columns in (("diagnosis", "income"), ("zip", "sex", "diagnosis", "income"))
    )
    assert (found.unique_as_is, found.unique_rows) == (joint, whole)
    assert joint > 0


def test_persons_are_counted_where_k_counts_persons():
    assert measure_for_rules(release(k=6)).least.counts == "rows"
    person = {"source": {"person": "patient"}, "roles": {"patient": {"role": "identifier"}}}
    made = release(k=6, **person)
    persons = measure_for_rules(made)
    assert persons.least.counts == "persons"
    assert 2 * persons.least.size == persons.smallest_together
    assert persons.smallest_together == min(count(made, "zip", "sex").values())
    assert persons.average_risk is None
    verdicts = {one.rule: one for one in judge_rules(persons)}
    assert "persons" in verdicts["CMS cell size"].measured


def test_several_quasi_identifiers_are_measured_each_and_together():
    groups = [
        {"name": "home", "attributes": ["zip"], "k": 12},
        {"name": "person", "attributes": ["sex"], "k": 12},
    ]
    made = release(k=12, quasi_identifiers=groups)
    found = measure_for_rules(made)
    assert [one.size for one in found.smallest] == [12, 24]
    assert found.smallest_together == min(count(made, "zip", "sex").values()) == 6
    verdicts = {one.rule: one.verdict for one in judge_rules(found)}
    assert verdicts["CMS cell size"] == "not met"
    assert verdicts["EMA Policy 0070"] == "met"


def test_classes_with_one_sensitive_value_are_counted():
    found = measure_for_rules(release(k=6))
    [column] = found.sensitive
    assert (column.column, column.alike_rows, column.alike_classes) == ("diagnosis", 48, 8)
    assert not column.protected
    protect = {"diagnosis": {"role": "sensitive", "protect": {"distinct": 2}}}
    protected = release(k=6, secrecy="search", roles=protect)
    [column] = measure_for_rules(protected).sensitive
    assert (column.alike_rows, column.protected) == (0, True)


def test_identifiers_are_judged_as_they_are_released():
    roles = {"patient": {"role": "other", "unique": True}, "income": {"role": "other"}}
    found = measure_for_rules(release(k=6, roles=roles, accept=["as-is-unique"]))
    states = {one.column: (one.group, one.state) for one in found.identifiers}
    assert states == {"patient": ("others", "shown"), "zip": ("places", "shown")}
    assert found.unrecognized == ()
    coarse = measure_for_rules(release(k=24, constraints=["zip >= 2", "sex <= 0"]))
    assert [one.state for one in coarse.identifiers] == ["unclear"]


def test_pseudonyms_are_named(tmp_path):
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)
    pseudonym = {"role": "identifier", "pseudonym": {"key_file": str(key)}}
    found = measure_for_rules(release(k=6, roles={"patient": pseudonym}))
    assert found.pseudonyms == ("patient",)
    assert {one.column: one.state for one in found.identifiers}["patient"] == "unclear"


def test_blank_rows_are_a_class_and_columns_of_lists_are_not_counted():
    table = people(49).append_column("list", [pa.array([[1]] * 49)])
    made = la.release(
        table,
        k=7,
        method="mingen",
        max_suppressed=1.0,
        suppressed_rows="blank",
        constraints=["zip <= 0", "sex <= 0"],
        attributes={
            "zip": MASK,
            "sex": SUPPRESS,
            "list": {"role": "other"},
            **{name: {"role": "drop"} for name in ("patient", "diagnosis", "income")},
        },
    )
    found = measure_for_rules(made)
    assert (found.rows, found.rows_suppressed) == (49, 42)
    assert (found.unique_as_is, found.unique_rows) == (None, None)
    assert found.unrecognized == ("list",)
    assert found.least.size == min(count(made, "zip", "sex").values())


def test_the_certificate_of_the_published_file_is_used(tmp_path):
    made = release(k=6, accept=["repeated-persons"])
    certificate = made.publish(tmp_path / "released" / "table.csv")
    assert measure_for_rules(made, certificate) == measure_for_rules(made)


def test_rows_that_columns_single_out_have_one_figure_wherever_they_are_stated():
    """The row without a day is unique, but nothing that is known of it singles it out."""
    days = [None, *(str(row // 2) for row in range(1, 48))]
    table = people().drop(["income"]).append_column("day", [days])
    other = {"role": "other", "unique": True}
    roles = {"patient": {"role": "drop"}, "zip": MASK, "sex": SUPPRESS}
    made = la.release(table, k=6, attributes=roles | {"diagnosis": other, "day": other})
    [found] = [one for one in made.preflight if one.name == "as-is-unique"]
    assert found.sentence.startswith("1 of 48 rows")
    assert measure_for_rules(made).unique_as_is == 1
    assert sum(one == 1 for one in count(made, "diagnosis", "day").values()) == 2
