"""Records that refer to records of another table: checked, numbered afresh, and proved true."""

from collections import Counter

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_frame
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.linked_rows import LinkedRows, count_broken_keys
from lookalike.verify.linked_truth import LinkedPair, count_untruthful_persons

KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
AS_IS = {"role": "sensitive"}
ADMISSIONS = [(n, visit, "May") for n in range(12) for visit in range(1 + n % 2)]
DIAGNOSES = [(n, visit, code) for n, visit, _ in ADMISSIONS for code in "AB"[: 1 + visit]]


def table(rows, *names):
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def describe(admissions=ADMISSIONS, diagnoses=DIAGNOSES, changes=None):
    """Return the tables of records; the numbers of visits begin anew for each person."""
    records = {
        "admissions": {
            "table": table(admissions, "no", "visit", "month"),
            "person": "no",
            "key": "visit",
            "knows": 2,
            "attributes": {"no": KEY, "visit": KEY, "month": HIDE},
        },
        "diagnoses": {
            "table": table(diagnoses, "no", "of", "code"),
            "person": "no",
            "refers": {"of": "admissions"},
            "knows": 0,
            "attributes": {"no": KEY, "of": KEY, "code": AS_IS},
        },
    }
    return {name: one | (changes or {}).get(name, {}) for name, one in records.items()}


def release(records, **changes):
    people = pa.table({"no": range(12), "sex": ["f"] * 12})
    attributes = {"no": KEY, "sex": HIDE}
    source = {"person": "no"}
    return la.release_records(
        people, records=records, source=source, attributes=attributes, k=3, **changes
    )


def count_structures(admissions, diagnoses):
    """Count persons by their admissions, each with its diagnoses."""
    persons = {}
    for who, visit, _ in admissions:
        own = sorted(code for one, of, code in diagnoses if (one, of) == (who, visit))
        persons.setdefault(who, []).append(tuple(own))
    return Counter(tuple(sorted(own)) for own in persons.values())


def read_rows(made, name):
    return [tuple(row.values()) for row in made.tables[name].to_pylist()]


def test_numbers_are_drawn_afresh_and_join_the_same_records(tmp_path):
    shown = []
    for _ in range(2):
        made = release(describe())
        rows = read_rows(made, "admissions"), read_rows(made, "diagnoses")
        assert count_structures(*rows) == count_structures(ADMISSIONS, DIAGNOSES)
        shown.append({visit for _, visit, _ in rows[0]})
        assert len(shown[-1]) == len(ADMISSIONS)
    assert not shown[0] & shown[1]
    assert "which of diagnoses belong to which of admissions" in made.certificate.statement
    made.publish(tmp_path / "out/people.csv")
    assert la.verify(tmp_path / "out").holds


def test_a_key_to_which_nothing_refers_is_not_released():
    made = release({"admissions": describe()["admissions"]})
    assert made.tables["admissions"].column_names == ["no", "month"]


def test_a_record_may_refer_to_none():
    diagnoses = [(n, None if code == "B" else of, code) for n, of, code in DIAGNOSES]
    rows = read_rows(release(describe(diagnoses=diagnoses)), "diagnoses")
    assert {code for _, of, code in rows if of is None} == {"B"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"diagnoses": [*DIAGNOSES, (0, 7, "A")]},
            "diagnoses: 1 of 25 records refer by 'of' to no",
        ),
        ({"diagnoses": [*DIAGNOSES, (0, 1, "A")]}, "of 'admissions' of the same person"),
        ({"admissions": [*ADMISSIONS, (0, 0, "May")]}, "in 1 it repeats that of another record"),
        ({"admissions": [*ADMISSIONS, (0, None, "May")]}, "'visit' is missing in 1 rows"),
    ],
)
def test_references_that_lead_nowhere_are_counted_and_refused(given, message):
    with pytest.raises(la.InvalidInput, match=message):
        release(describe(**given))


CODED = {"attributes": {"no": KEY, "of": KEY, "code": HIDE}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"diagnoses": {**CODED, "knows": "all"}}, "knows which of them belong to the same"),
        ({"diagnoses": {**CODED, "knows": "all"}, "admissions": {"knows": 0}}, "the same of"),
        ({"diagnoses": {"refers": {"of": "visits"}}}, "must refer to another table of records"),
        ({"admissions": {"at_most": 1}}, "keep all of its records"),
        ({"admissions": {"refers": {"visit": "diagnoses"}, "key": None}}, "must refer to another"),
        ({"diagnoses": {"refers": {"of": "admissions", "no": "admissions"}}}, "one other table"),
        ({"diagnoses": {"attributes": {"no": KEY, "of": AS_IS, "code": AS_IS}}}, "'of' the role"),
    ],
)
def test_what_the_promise_does_not_cover_is_refused(changes, message):
    with pytest.raises(la.InvalidInput, match=message):
        release(describe(changes=changes))


def test_references_need_a_link():
    records = describe()
    records["admissions"]["knows"] = 1
    with pytest.raises(la.InvalidInput, match="refers links records with each other"):
        release(records, link=False)


@pytest.mark.parametrize(("knows", "admissions"), [(2, 0), (1, 1), (3, 2), (2, "all")])
def test_both_sides_of_a_reference_may_be_known(tmp_path, knows, admissions):
    changes = {"diagnoses": {**CODED, "knows": knows}, "admissions": {"knows": admissions}}
    made = release(describe(changes=changes))
    assert made.k_reached >= 3
    belong = "the same row of admissions" if knows > 1 else "also knows its row of admissions"
    assert belong in made.certificate.statement
    made.publish(tmp_path / "out/people.csv")
    assert la.verify(tmp_path / "out").holds


def test_which_diagnoses_belong_together_gives_persons_away():
    """All have two admissions in May with an A and a B; two of them have both in one."""
    stays = [(n, visit, "May") for n in range(12) for visit in range(2)]
    ills = [(n, 0, "A") for n in range(12)] + [(n, int(n > 1), "B") for n in range(12)]
    changes = {"diagnoses": {**CODED, "knows": 2}, "admissions": {"knows": 1}}
    kept = ["diagnoses.code = 0", "admissions.month = 0"]
    asked = {"constraints": kept, "max_suppressed": 2}
    made = release(describe(stays, ills, changes), **asked)
    assert made.persons_suppressed == 2
    changes["diagnoses"] = {**CODED, "knows": 1}
    assert release(describe(stays, ills, changes), **asked).persons_suppressed == 0


def test_one_diagnosis_may_be_known_if_nothing_is_known_of_admissions():
    changes = {"diagnoses": {**CODED, "knows": 1}, "admissions": {"knows": 0}}
    made = release(describe(changes=changes))
    assert "any one of their diagnoses" in made.certificate.statement


CONNECTION = Connection()
CLAIM = TruthClaim({}, {}, ("code",), False, "*")


def pairs(released):
    """Two visits of one person, of which one has a diagnosis; both tables as they are."""
    private = ([("p", 1, "x"), ("p", 2, "x")], [("p", 1, "A"), ("p", 2, "B")])
    both = []
    for place, own in enumerate(private):
        rows = CONNECTION.duckdb.from_arrow(table(released[place], "who", "visit", "code"))
        frame = read_frame(table(own, "who", "visit", "code"))
        links = {"key": "visit"} if place == 0 else {"refers": ("visit", 0)}
        both.append(LinkedPair(frame, rows, CLAIM, "who", "who", **links))
    return both


@pytest.mark.parametrize(("of", "false"), [((7, 8), 0), ((8, 7), 0), ((7, 7), 1), ((7, None), 1)])
def test_records_belong_to_the_same_record_as_in_the_private_tables(of, false):
    """Row by row, and person by person, all of these are true."""
    diagnoses = [("q", of[0], "A"), ("q", of[1], "B")]
    released = ([("q", 7, "x"), ("q", 8, "x")], diagnoses)
    assert count_untruthful_persons(CONNECTION, pairs(released)) == false


def test_references_are_counted_again_in_the_files():
    visits = [("p", 1, "x"), ("p", 1, "x"), ("q", 3, "x"), ("q", None, "x")]
    diagnoses = [("p", 1, "A"), ("p", 3, "A"), ("q", 3, "A"), ("q", 4, "A"), ("q", None, "A")]
    tables = [
        LinkedRows(name, CONNECTION.duckdb.from_arrow(rows), "who", (), **links)
        for name, rows, links in (
            ("visits", table(visits, "who", "visit", "x"), {"key": "visit"}),
            ("ills", table(diagnoses, "who", "of", "x"), {"refers": ("of", "visits")}),
        )
    ]
    assert count_broken_keys(tables) == 4
