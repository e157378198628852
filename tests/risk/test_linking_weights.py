"""Linking weights in a release: what is promised, what is told, and what verify finds of it."""

import json
from collections import Counter

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate_sentences import summarize_certificate

SPECIFICATION = """
[source]
path = "people.csv"
[release]
k = 4
max_suppressed = 0
out = "released/people.csv"
[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
linking = 0.5
[attributes.sex]
role = "quasi-identifier"
hierarchy = { kind = "suppress" }
[attributes.job]
role = "quasi-identifier"
hierarchy = { kind = "suppress" }
linking = 0
[attributes.ill]
role = "sensitive"
"""
PEOPLE = {
    "zip": ["11", "11", "12", "12", "13", "13", "21", "21", "22", "23"],
    "sex": [*"ffffffmmmm"],
    "job": [*"abcdefghij"],
    "ill": [*"xyxyxyxyxy"],
}
COMBINED = "every combination of sex occurs at least 4 times"
ZIP = "the rarest value of zip occurs 4 times, at least 2"
JOB = "the rarest value of job occurs 1 times"
ALL = "the smallest class over all attributes together has 1 rows"


@pytest.fixture
def released(tmp_path, monkeypatch, type_in):
    """A release, made on the command line: zip by its first digit, sex and job as they are."""
    monkeypatch.chdir(tmp_path)
    lines = [",".join(PEOPLE), *(",".join(row) for row in zip(*PEOPLE.values(), strict=True))]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "spec.toml").write_text(SPECIFICATION)
    assert type_in("release spec.toml")[0] == 0
    return tmp_path / "released"


def test_each_is_protected_as_far_as_it_is_likely_to_be_linked(released):
    _, *rows = (line.split(",") for line in (released / "people.csv").read_text().splitlines())
    assert Counter(row[0] for row in rows) == {"1*": 6, "2*": 4}
    assert Counter(row[1] for row in rows) == {"f": 6, "m": 4}
    assert Counter(row[2] for row in rows) == dict.fromkeys("abcdefghij", 1)


def test_the_certificate_names_only_what_is_protected_in_combination(released):
    told = json.loads((released / "certificate.json").read_text())
    [combined] = told["quasi_identifiers"]
    assert (combined["attributes"], combined["k"], combined["k_reached"]) == (["sex"], 4, 4)
    of = {"quasi_identifier": "quasi-identifier"}
    assert told["alone"] == [
        {**of, "attribute": "zip", "linking": "0.5", "k": 2, "k_reached": 4},
        {**of, "attribute": "job", "linking": "0", "k": 0, "k_reached": 1},
    ]
    assert told["k_over_all"] == 1


def test_the_recipient_is_warned_in_words(released):
    certificate = la.Certificate.read(released)
    statement, *lines = summarize_certificate(certificate)
    assert statement.endswith(
        "Warning: zip and job are protected only by themselves, if at all, and not in combination."
    )
    assert lines[:3] == [
        "zip has linking 0.5 and is outside the combination: each of its values occurs at "
        "least 4 times (2 asked for).",
        "job has linking 0 and is outside the combination: each of its values occurs at "
        "least 1 times (no minimum was asked for).",
        "Over zip, sex and job together the smallest class has 1 rows: whoever knows all of "
        "these values of a person may narrow the search down to that many.",
    ]


def test_k_reached_is_that_of_the_combination(released, type_in):
    answer = json.loads(type_in("release spec.toml --replace --dry-run --json")[1])
    assert (answer["k"], answer["k_reached"]) == (4, 4)


def test_the_terminal_tells_what_is_outside_of_the_combination(released, type_in):
    told = " ".join(type_in("release spec.toml --replace --dry-run")[1].split())
    assert "every combination of those with linking 1 has at least 4 rows (k = 4)" in told
    assert "zip (linking 0.5): not part of the combination; each value in at least 2 rows." in told
    assert "job (linking 0): not part of the combination; nothing required." in told


def test_verify_counts_all_of_it_again(released, type_in):
    code, told, _ = type_in("verify released --spec spec.toml --json")
    claims = [finding["claim"] for finding in json.loads(told)["findings"]]
    assert code == 0
    assert {COMBINED, ZIP, JOB, ALL} <= set(claims)


def tamper(released, change):
    path = released / "certificate.json"
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))


UNTOLD = "every quasi-identifier attribute is protected in combination or listed by itself"
FOLLOWS = "the statement, columns, levels and measures of the certificate agree with each other"
TAMPERED = {
    "more was asked": (
        lambda told: told["alone"][0].update(k=5),
        ["the rarest value of zip occurs 4 times, at least 5"],
    ),
    "more was reached": (
        lambda told: told["alone"][1].update(k_reached=2),
        ["the rarest value of job occurs 2 times"],
    ),
    "more over all": (
        lambda told: told.update(k_over_all=4),
        ["the smallest class over all attributes together has 4 rows"],
    ),
    "nothing is told over all": (
        lambda told: told.update(k_over_all=None),
        ["the smallest class over all attributes together has None rows"],
    ),
    "nothing is told of one": (lambda told: told["alone"].pop(), [UNTOLD, FOLLOWS]),
    "nothing is told of any": (
        lambda told: told.update(alone=[], k_over_all=None),
        [UNTOLD, FOLLOWS],
    ),
    "one is said to be combined": (
        lambda told: told["alone"][1].update(linking="1"),
        [UNTOLD, FOLLOWS],
    ),
    "one is said to be in the combination": (
        lambda told: told["quasi_identifiers"][0]["attributes"].append("job"),
        [
            "every combination of sex, job occurs at least 4 times",
            "it has 2 classes, the smallest of 4 rows",
            FOLLOWS,
        ],
    ),
}


@pytest.mark.parametrize("tampered", TAMPERED.values(), ids=TAMPERED)
def test_a_changed_certificate_is_found(tampered, released, type_in):
    change, failed = tampered
    tamper(released, change)
    code, told, _ = type_in("verify released --json")
    assert code == 1
    findings = json.loads(told)["findings"]
    assert [finding["claim"] for finding in findings if not finding["holds"]] == failed


def test_a_weight_that_is_none_is_refused(released, type_in):
    tamper(released, lambda told: told["alone"][0].update(linking="much"))
    code, _, complaint = type_in("verify released")
    assert code == 2
    assert "alone.0.linking" in complaint


@pytest.mark.parametrize("method", ["datafly", "samarati", "mingen"])
@pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
def test_every_method_protects_attributes_by_themselves(method, suppressed_rows):
    attributes = {
        "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}, "linking": 0.5},
        "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}, "anonymity": 1},
        "job": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
        "ill": {"role": "sensitive"},
    }
    made = la.release(
        pa.table(PEOPLE),
        k=3,
        anonymity_constant=0.4,
        max_suppressed=3,
        method=method,
        suppressed_rows=suppressed_rows,
        attributes=attributes,
    )
    rows = made.table.to_pylist()
    assert min(Counter((row["sex"], row["job"]) for row in rows).values()) >= 3
    assert min(Counter(row["zip"] for row in rows).values()) >= 2
    assert min(Counter(row["sex"] for row in rows).values()) >= 4
    assert [(one.attribute, one.k) for one in made.certificate.alone] == [("zip", 2), ("sex", 4)]


def test_an_own_anonymity_without_weights_warns_of_nothing():
    attributes = {
        "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}, "anonymity": 1},
        "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    }
    people = pa.table({name: PEOPLE[name] for name in attributes})
    certificate = la.release(people, k=2, anonymity_constant=0.3, attributes=attributes).certificate
    assert [(one.attribute, one.linking, one.k) for one in certificate.alone] == [("zip", "1", 3)]
    assert certificate.k_over_all is None
    assert "Warning" not in certificate.statement
    assert certificate.quasi_identifiers[0].attributes == ("zip", "sex")


def test_a_release_without_weights_tells_of_none():
    attributes = {"sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
    certificate = la.release(
        pa.table({"sex": PEOPLE["sex"]}), k=2, attributes=attributes
    ).certificate
    assert (certificate.alone, certificate.k_over_all, certificate.recipient) == ((), None, None)
