"""Checks before publishing: what each finds, the case just beyond it, and what is accepted."""

import json
import re
from datetime import date, timedelta

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.preflight import facts
from lookalike.flow.preflight.run import CHECKS, refuse_to_publish
from lookalike.risk.finding import PreflightFinding, grade
from lookalike.shell.views.check import show_findings
from lookalike.spec.preflight_names import DATES_AS_IS, PREFLIGHT_NAMES, RECORD_NUMBERS

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ROWS = 1000
ZIPS = [f"{number % 10:02}" for number in range(ROWS)]
ILLS = [f"ill {number // 10 % 7}" for number in range(ROWS)]
OTHER = {"role": "other"}
KINDS = {"arrow": lambda rows: rows, "query": lambda rows: duckdb.connect().from_arrow(rows)}


def drawn(most, seed=1):
    """Return a column with values from a number of values, the same for the same seed."""
    return np.random.default_rng(seed).integers(0, most, ROWS).astype(str).tolist()


def make(columns, roles, **fields):
    """Release a table whose ZIP code is already 100-anonymous, with further columns."""
    table = pa.table({"zip": ZIPS, **columns})
    attributes = {"zip": MASKED, **roles}
    return la.release(table, attributes=attributes, **{"k": 5, **fields})


def found(made, name):
    """Return the findings of one check."""
    return [one for one in made.preflight if one.name == name]


def severities(made, name):
    return [one.severity for one in found(made, name)]


def test_every_name_that_can_be_accepted_is_a_check():
    of_records = {DATES_AS_IS, RECORD_NUMBERS}
    assert {*PREFLIGHT_NAMES} - of_records == {check.name for check in CHECKS}


def test_an_ordinary_release_has_no_finding_but_that_earlier_releases_are_unchecked():
    made = make({"ill": ILLS}, {"ill": SENSITIVE})
    assert [one.name for one in made.preflight] == ["earlier-releases"]
    assert made.can_be_published


@pytest.mark.parametrize("rows", [99, 100])
def test_shares_are_judged_from_a_hundred_rows_on(rows):
    assert grade(rows, rows) == ("error" if rows == 100 else "warning")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("most", "severity"), [([40, 40, 40], ["error"]), ([8, 8, 8], ["warning"]), ([2, 2, 2], [])]
)
def test_columns_released_as_they_are_single_out_rows(kind, most, severity):
    columns = {f"c{n}": drawn(values, n) for n, values in enumerate(most)}
    table = KINDS[kind](pa.table({"zip": ZIPS, **columns}))
    made = la.release(table, k=5, attributes={"zip": MASKED} | dict.fromkeys(columns, OTHER))
    assert severities(made, "as-is-unique") == severity


def test_the_sentence_names_the_smallest_subset():
    made = make(
        {"day": drawn(300), "hour": drawn(24, 2), "flag": drawn(2, 3)},
        {"day": OTHER, "hour": OTHER, "flag": OTHER},
    )
    [one] = found(made, "as-is-unique")
    assert "unique over the 3 columns released as they are" in one.sentence
    assert "; 'day', 'hour' alone single out " in one.sentence


def test_four_of_many_columns_are_named():
    columns = {f"c{n}": drawn(20, n) for n in range(6)}
    [one] = found(make(columns, dict.fromkeys(columns, OTHER)), "as-is-unique")
    assert one.severity == "error"
    assert one.sentence.count("'c") == 4
    assert "alone single out" in one.sentence


@pytest.mark.parametrize(("columns", "severity"), [(1, "note"), (2, "warning"), (3, "error")])
def test_few_columns_of_many_values_are_ordinary(columns, severity):
    values = {f"c{n}": drawn(700, n) for n in range(columns)}
    made = make(values, dict.fromkeys(values, SENSITIVE))
    assert severities(made, "as-is-unique") == [severity]


def test_rows_that_are_suppressed_are_not_counted():
    rare = ["99", *ZIPS[1:]]
    table = pa.table({"zip": rare, "a": ["rare", *["x"] * 999], "b": ["rare", *["y"] * 999]})
    roles = {"zip": MASKED, "a": OTHER, "b": OTHER}
    made = la.release(table, k=5, attributes=roles, max_suppressed=1)
    assert made.plan.rows_out == 999
    assert severities(made, "as-is-unique") == []


def test_rows_are_singled_out_within_their_class():
    values = {"day": drawn(90), "hour": drawn(24, 2)}
    [one] = found(make(values, dict.fromkeys(values, OTHER)), "as-is-unique-in-class")
    assert one.severity == "warning"
    assert "unique within their class by 'day'" in one.sentence
    assert "some two of" not in one.sentence
    values["sort"] = drawn(3, 3)
    [one] = found(make(values, dict.fromkeys(values, OTHER)), "as-is-unique-in-class")
    assert re.search(r"In [\d,]+ of .* two of the 3 columns .* fewer than k = \d+", one.sentence)
    few = {"day": drawn(5), "hour": drawn(24, 2)}
    assert found(make(few, dict.fromkeys(few, OTHER)), "as-is-unique-in-class") == []
    assert found(make({"day": drawn(90)}, {"day": OTHER}), "as-is-unique-in-class") == []


@pytest.mark.parametrize(
    ("alike", "severity"), [(0, []), (1, ["warning"]), (2, ["error"]), (10, [])]
)
def test_classes_share_one_sensitive_value(alike, severity):
    """Of ten classes of 100 rows, some have one value; where all have, nothing is learned."""
    ills = ["flu" if int(code) < alike else ill for code, ill in zip(ZIPS, ILLS, strict=True)]
    made = make({"ill": ills}, {"ill": SENSITIVE})
    assert severities(made, "one-sensitive-value") == severity
    assert severities(make({"ill": ills}, {"ill": OTHER}), "one-sensitive-value") == []


def test_a_remedy_names_a_column_as_a_specification_does():
    ills = ["flu" if int(code) < 2 else ill for code, ill in zip(ZIPS, ILLS, strict=True)]
    [one] = found(
        make({"ill, if known": ills}, {"ill, if known": SENSITIVE}), "one-sensitive-value"
    )
    assert 'under [attributes."ill, if known"]' in one.remedy


def test_several_quasi_identifiers_have_classes_of_their_own():
    """Over both attributes a class has one value; over each alone there are several."""
    sexes = [str(number // 10 % 2) for number in range(ROWS)]
    ills = [f"{code}{sex}" for code, sex in zip(ZIPS, sexes, strict=True)]
    table = pa.table({"zip": ZIPS, "sex": sexes, "ill": ills})
    roles = {"zip": MASKED, "sex": LINKABLE, "ill": SENSITIVE}
    groups = [{"name": one, "attributes": [one], "k": 5} for one in ("zip", "sex")]
    both = la.release(table, k=5, attributes=roles)
    each = la.release(table, attributes=roles, quasi_identifiers=groups)
    assert severities(both, "one-sensitive-value") == ["error"]
    assert severities(each, "one-sensitive-value") == []


@pytest.mark.parametrize(
    ("persons", "severity"),
    [(1000, []), (999, ["warning"]), (990, ["error"]), (50, ["error"]), (2, ["error"])],
)
def test_persons_have_several_rows(persons, severity):
    names = [f"person {number % persons}" for number in range(ROWS)]
    made = make({"name": names}, {"name": IDENTIFIER})
    assert severities(made, "repeated-persons") == severity


def test_a_respondent_is_a_person():
    table = pa.table({"zip": ZIPS, "name": [str(number) for number in range(ROWS)]})
    groups = [{"name": "home", "attributes": ["zip"], "k": 5, "respondent": "name"}]
    roles = {"zip": MASKED, "name": IDENTIFIER}
    made = la.release(table, attributes=roles, quasi_identifiers=groups)
    assert severities(made, "repeated-persons") == []


@pytest.mark.parametrize("recipient", [None, "lab"])
def test_a_column_that_is_left_out_is_not_about_persons(recipient):
    """It has the role drop, or a recipient does not get it; identifiers stay identifiers."""
    table = pa.table({"zip": ZIPS, "cost": drawn(300), "name": [str(n // 2) for n in range(ROWS)]})
    made = la.release(
        table,
        k=5,
        attributes={
            "zip": MASKED,
            "cost": {"role": "drop"} if recipient is None else OTHER,
            "name": IDENTIFIER,
        },
        recipients={"lab": {"columns": ["zip"]}},
        recipient=recipient,
    )
    [one] = found(made, "repeated-persons")
    assert "values of 'name' repeat" in one.sentence
    assert made.table.column_names == ["zip"]


def test_free_text_is_found_and_codes_are_not():
    texts = [f"seen on day {number} by the nurse" for number in range(ROWS)]
    notes = {"role": "other", "unique": True}
    assert severities(make({"notes": texts}, {"notes": notes}), "free-text") == ["error"]
    few = [f"a long name of illness {number % 9}" for number in range(ROWS)]
    assert severities(make({"notes": few}, {"notes": notes}), "free-text") == []
    short = [f"day {number}" for number in range(ROWS)]
    assert severities(make({"notes": short}, {"notes": notes}), "free-text") == []


def test_columns_with_one_value_are_named():
    columns, roles = {"ill": ILLS, "land": ["x"] * ROWS}, {"ill": SENSITIVE, "land": OTHER}
    [one] = found(make(columns, roles), "one-value")
    assert one.severity == "note"
    assert one.sentence == "Column 'land' shows the same value in every row."
    [two] = found(make(columns, roles, k=101), "one-value")
    assert two.sentence == "Columns 'zip', 'land' show the same value in every row."


def test_values_that_a_hierarchy_does_not_know_are_counted():
    rule = la.Taxonomy({"*": ["01", "02"]}, unknown="suppress")
    codes = ["01"] * 500 + ["02"] * 400 + ["03"] * 60 + ["04"] * 40
    roles = {"zip": {"role": "quasi-identifier", "hierarchy": rule}}
    [one] = found(la.release(pa.table({"zip": codes}), k=5, attributes=roles), "unknown-values")
    assert one.severity == "warning"
    assert "does not know 2 values, in 100 of 1,000 rows" in one.sentence
    known = la.release(pa.table({"zip": codes[:900]}), k=5, attributes=roles)
    assert found(known, "unknown-values") == []


@pytest.mark.parametrize(("k", "method"), [(4, "mingen-cells"), (5, "mingen-cells"), (4, "mingen")])
def test_a_small_k_at_the_cell_level(k, method):
    made = make({}, {}, k=k, method=method)
    assert len(found(made, "small-k")) == (k < 5 and method == "mingen-cells")


def test_a_ledger_considers_earlier_releases(tmp_path):
    table = pa.table({"zip": ZIPS, "name": [str(number) for number in range(ROWS)]})
    made = la.release(
        table,
        k=5,
        attributes={"zip": MASKED, "name": IDENTIFIER},
        source={"row_key": "name", "name": "people"},
        ledger=str(tmp_path / "ledger.db"),
    )
    assert made.preflight == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_large_table_is_counted_in_its_engine(kind, monkeypatch):
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    columns = {f"c{n}": drawn(40, n) for n in range(3)}
    table = KINDS[kind](pa.table({"zip": ZIPS, "ill": ILLS, **columns}))
    roles = {"zip": MASKED, "ill": SENSITIVE} | dict.fromkeys(columns, OTHER)
    made = la.release(table, k=5, attributes=roles)
    [one] = found(made, "as-is-unique")
    assert one.severity == "error"
    assert "of the private table are unique over the 4 columns" in one.sentence
    assert found(made, "not-checked") == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_rows_of_a_large_table_are_singled_out_in_classes_that_are_drawn(kind, method, monkeypatch):
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    columns = {f"c{n}": drawn(40, n) for n in range(3)}
    table = pa.table({"zip": ZIPS, **columns})
    roles = {"zip": MASKED} | dict.fromkeys(columns, OTHER)
    whole = la.release(KINDS[kind](table), k=5, method=method, attributes=roles)
    [exact] = found(whole, "as-is-unique-in-class")
    monkeypatch.setattr(facts, "DRAWN_ROWS", 150)
    part = la.release(KINDS[kind](table), k=5, method=method, attributes=roles)
    [estimated] = found(part, "as-is-unique-in-class")
    assert "of classes drawn at random" not in exact.sentence
    assert "of classes drawn at random are unique within their class by" in estimated.sentence
    rows = int(estimated.sentence.split(" of ")[1].split(" ")[0].replace(",", ""))
    assert 150 <= rows < ROWS


def test_classes_too_large_for_memory_are_named(monkeypatch):
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    columns = {f"c{n}": drawn(40, n) for n in range(3)}
    roles = {"zip": MASKED} | dict.fromkeys(columns, OTHER)
    table = pa.table({"zip": ["02138"] * ROWS, **columns})
    made = la.release(table, k=5, attributes=roles)
    assert [one.sentence for one in found(made, "not-checked")] == [
        "Not checked: what single rows show in classes of more than 1,000,000 rows."
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_other_checks_of_a_large_table_are_made(kind, monkeypatch):
    monkeypatch.setattr(facts, "MOST_ROWS", 900)
    columns = {
        "ill": ["flu" if code < "03" else ill for code, ill in zip(ZIPS, ILLS, strict=True)],
        "notes": [f"seen on day {number} by the nurse" for number in range(ROWS)],
        "land": ["x"] * ROWS,
        "void": pa.nulls(ROWS, pa.string()),
    }
    roles = {"ill": SENSITIVE, "notes": {"role": "other", "unique": True}}
    table = KINDS[kind](pa.table({"zip": ZIPS, **columns}))
    attributes = {"zip": MASKED, "land": OTHER, "void": OTHER} | roles
    made = la.release(table, k=5, attributes=attributes)
    assert severities(made, "one-sensitive-value") == ["error"]
    assert severities(made, "free-text") == ["error"]
    assert "'land', 'void'" in found(made, "one-value")[0].sentence


def test_lists_and_bytes_are_not_compared():
    columns = {"codes": [[number % 5] for number in range(ROWS)], "raw": [b"x"] * ROWS}
    made = make(columns, dict.fromkeys(columns, OTHER))
    [one] = found(made, "not-checked")
    assert one.severity == "note"
    assert "'codes', 'raw'" in one.sentence


def test_dates_and_numbers_are_compared():
    first = date(2020, 1, 1)
    columns = {
        "day": [first + timedelta(days=number * 7 % 400) for number in range(ROWS)],
        "cost": np.random.default_rng(5).normal(size=ROWS).round(1).tolist(),
        "hours": np.random.default_rng(6).integers(0, 99, ROWS).tolist(),
    }
    made = make(columns, dict.fromkeys(columns, OTHER))
    assert severities(made, "as-is-unique") == ["error"]


# Publishing

EXPOSED = {f"c{n}": drawn(40, n) for n in range(3)}
EXPOSED_ROLES = dict.fromkeys(EXPOSED, OTHER)


def test_an_error_stops_publishing_before_anything_is_written(tmp_path):
    made = make(EXPOSED, EXPOSED_ROLES)
    with pytest.raises(la.RequirementNotMet, match=r'accept = \["as-is-unique"\]') as stopped:
        made.publish(tmp_path / "released" / "rows.csv", dossier=tmp_path / "private")
    assert "Remedy: give the columns" in str(stopped.value)
    assert list(tmp_path.iterdir()) == []
    assert made.table.num_rows == ROWS


def test_a_remedy_of_several_findings_is_written_once():
    found = [
        PreflightFinding(name, "error", f"{name} was found", remedy)
        for name, remedy in (("a", "use k = 5"), ("b", "leave it out"), ("c", "use k = 5"))
    ]
    with pytest.raises(la.RequirementNotMet) as stopped:
        refuse_to_publish(found)
    for told in (str(stopped.value), " ".join(map(str, show_findings(found)))):
        assert told.count("use k = 5") == 1
        assert told.index("c was found") < told.index("as above") < len(told)


def test_an_error_that_is_accepted_does_not_stop(tmp_path):
    made = make(EXPOSED, EXPOSED_ROLES, accept=["as-is-unique"])
    made.publish(tmp_path / "released" / "rows.csv", dossier=tmp_path / "private")
    kept = json.loads((tmp_path / "private" / "preflight.json").read_text())
    [one] = [one for one in kept["findings"] if one["severity"] == "error"]
    assert (one["name"], one["accepted"]) == ("as-is-unique", True)


def test_all_errors_are_listed():
    names = [f"person {number % 500}" for number in range(ROWS)]
    made = make({**EXPOSED, "name": names}, {**EXPOSED_ROLES, "name": IDENTIFIER})
    with pytest.raises(la.RequirementNotMet) as stopped:
        made.publish("nowhere/rows.csv")
    assert "- repeated-persons:" in str(stopped.value)
    assert "- as-is-unique:" in str(stopped.value)
    assert "--accept repeated-persons --accept as-is-unique" in str(stopped.value)


def test_no_message_shows_a_value():
    secret = [f"TELLTALE{value}" for value in drawn(40, 9)]
    made = make({**EXPOSED, "secret": secret}, {**EXPOSED_ROLES, "secret": SENSITIVE})
    assert "TELLTALE" not in repr(made.preflight)


def test_a_name_that_does_not_exist_is_refused_with_the_nearest():
    with pytest.raises(la.InvalidInput, match=r"'as-is-uniqe'; did you mean 'as-is-unique'\?"):
        make(EXPOSED, EXPOSED_ROLES, accept=["as-is-uniqe"])


def test_the_same_classes_are_drawn_each_time(monkeypatch):
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    monkeypatch.setattr(facts, "DRAWN_ROWS", 150)
    columns = {f"c{n}": drawn(40, n) for n in range(3)}
    roles = {"zip": MASKED} | dict.fromkeys(columns, OTHER)
    table = pa.table({"zip": ZIPS, **columns})
    sentences = {
        found(la.release(table, k=5, attributes=roles), "as-is-unique-in-class")[0].sentence
        for _ in range(4)
    }
    assert len(sentences) == 1
