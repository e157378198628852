"""Checking a proof of optimality: a valid proof holds, and every change to it is found."""

import base64
import json
import zlib
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.verify.bound.proof import OPTIMALITY, decode_values, encode_values
from lookalike.verify.bound.search_again import EXACT_LIMIT

from .kept_release import (
    ATTRIBUTES,
    BOUND,
    COLUMNS,
    COST,
    EXACTLY,
    GROUPS,
    HIERARCHIES,
    LEVELS,
    OBJECTIVE,
    PRICE,
    PRIVATE,
    PROVED,
    RELEASE,
    SEARCHED,
    TABLE,
    VALUES,
    WEIGHTS,
    Kept,
    starts,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path)


def test_what_was_proved_holds(kept):
    assert kept.failures() == {}
    assert starts(
        [finding.claim for finding in kept.findings()][-15:],
        RELEASE,
        TABLE,
        HIERARCHIES,
        OBJECTIVE,
        "the proof is for k = 2 over all attributes together",
        "the proof is for at most 0 suppressed rows",
        WEIGHTS,
        LEVELS,
        EXACTLY,
        PRICE,
        GROUPS,
        VALUES,
        BOUND,
        COST,
        PROVED,
    )


@pytest.mark.parametrize(
    ("price", "fields"),
    [
        (0, {"max_suppressed": 1}),
        (5, {"max_suppressed": 1}),
        (5, {"max_suppressed": Decimal("0.25")}),
        (5, {"max_suppressed": 0}),
        (0, {"constraints": ["zip >= 1", "job <= 2"]}),
        (0, {"constraints": ["zip <= 4"], "max_suppressed": 3}),
        (2, {"max_suppressed": 3, "suppressed_rows": "blank"}),
        (0, {"suppressed_label": "hidden"}),
        (0, {"k": 9}),
    ],
)
def test_it_holds_whatever_was_asked(price, fields, tmp_path):
    assert Kept(tmp_path, price, **fields).failures() == {}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"k": 9},
        {"effort": "exact"},
        {"max_suppressed": 2},
        {"constraints": ["zip >= 1", "job <= 2"]},
        {"decoys": Decimal("0.2")},
        {"method": "k-similar", "bound": True},
    ],
)
def test_what_was_proved_of_the_loss_holds(fields, tmp_path):
    kept = Kept(tmp_path, objective="loss", **fields)
    assert kept.failures() == {}
    claims = [finding.claim for finding in kept.findings()]
    assert f"the release has a loss of {kept.proof['loss']:.6f}" in claims


@pytest.mark.parametrize(
    ("changes", "claims"),
    [
        ({"objective": "precision"}, [OBJECTIVE]),
        ({"loss": 0.1}, ["the release has a loss of 0.1"]),
        ({"loss": None}, [OBJECTIVE]),
        ({"loss_bound": 0.1}, ["no release has a loss below 0.1"]),
        ({"precision_bound": 0.9}, [OBJECTIVE]),
        ({"cost": 1}, ["the release has a loss of", PROVED]),
    ],
)
def test_a_changed_proof_of_the_loss_is_found(changes, claims, tmp_path):
    kept = Kept(tmp_path, objective="loss")
    kept.change(**changes)
    assert starts(kept.failed(), *claims)


def test_a_release_that_loses_the_least_is_proved(tmp_path):
    kept = Kept(tmp_path, k=9)
    assert kept.recoding.optimality.proved
    assert (kept.findings()[-1].claim, kept.findings()[-1].found) == (
        "no release is better",
        "the gap is 0.000000",
    )


def test_a_bound_below_the_cost_by_less_than_any_difference_proves_it(tmp_path):
    kept = Kept(tmp_path, k=9)
    values = decode_values(kept.proof["values"])
    values[0] -= 1
    proof = kept.proof
    kept.change(values=encode_values(values), bound=proof["bound"] - 1)
    assert kept.failures() == {}
    assert kept.findings()[-1].found.endswith(", smaller than any difference between two releases")

    values[0] -= 3 * proof["scale"]
    kept.change(values=encode_values(values), bound=proof["bound"] - 1 - 3 * proof["scale"])
    assert starts(kept.failed(), BOUND, "no release is better")


@pytest.mark.parametrize(
    ("field", "value", "claims"),
    [
        ("software", "lookalike 0", [RELEASE]),
        ("method", "mingen", [RELEASE]),
        ("release_sha256", "0" * 64, [RELEASE]),
        ("table_sha256", "0" * 64, [TABLE]),
        ("hierarchies_sha256", "0" * 64, [HIERARCHIES]),
        ("attributes", ["job", "zip"], [HIERARCHIES]),
        ("heights", [5, 3], [HIERARCHIES]),
        ("weights", ["1.5", "2"], [WEIGHTS]),
        ("weights", ["1.5"], [WEIGHTS]),
        ("objective", "loss", [OBJECTIVE]),
        ("k", 3, ["the proof is for k = 3 over all attributes together"]),
        ("allowed", 1, ["the proof is for at most 1 suppressed rows"]),
        ("bottom", [1, 0], [LEVELS]),
        ("top", [5, 1], [LEVELS]),
        ("price", -1, [PRICE]),
        ("cost", 1, [COST, PROVED]),
        ("precision", 0.5, [COST]),
        ("bound", 1, [VALUES, BOUND]),
        ("searched", 10**9, [SEARCHED, BOUND, PROVED]),
        ("searched", 1, []),
        ("precision_bound", 0.5, [BOUND]),
        ("precision_bound", None, [BOUND]),
        ("proved", True, [PROVED]),
        ("values", encode_values(np.zeros(3)), [EXACTLY]),
    ],
)
def test_a_changed_field_is_found(field, value, claims, kept):
    assert kept.proof[field] != value
    kept.change(**{field: value})
    assert starts(kept.failed(), *claims)


@pytest.mark.parametrize(("factor", "claims"), [(2, [BOUND, COST]), (10**20, [EXACTLY])])
def test_another_scale_is_found(factor, claims, kept):
    kept.change(scale=kept.proof["scale"] * factor)
    assert starts(kept.failed(), *claims)


def test_units_that_do_not_divide_a_level_are_found(kept):
    kept.change(scale=7)
    assert kept.failures() == {
        EXACTLY: "with 7 units for a cell, a level does not cost a whole number"
    }


def test_values_that_cannot_be_added_exactly_are_found(kept):
    values = decode_values(kept.proof["values"])
    values[0] = -(EXACT_LIMIT // 2)
    kept.change(values=encode_values(values))
    assert kept.failures() == {EXACTLY: "2 of the largest values cannot be added up exactly"}


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("format", "lookalike optimality 2", "format: "),
        ("k", 0, "k: "),
        ("scale", 0, "scale: "),
        ("allowed", -1, "allowed: "),
        ("weights", ["x", "1"], r"weights\.0: "),
        ("bound", "many", "bound: "),
        ("more", 1, "more: "),
        ("values", "!", "values: not 64-bit integers"),
        ("values", "AAAA", "values: not 64-bit integers"),
        ("values", base64.b64encode(zlib.compress(b"x")).decode(), "values: not 64-bit integers"),
    ],
)
def test_a_field_that_cannot_be_is_refused(field, value, problem, kept):
    kept.change(**{field: value})
    with pytest.raises(la.InvalidInput, match=rf"optimality\.json: {problem}"):
        kept.findings()


def test_a_raised_value_breaks_a_tuple(kept):
    sequences = [("02138", "nurse"), ("02139", "doctor"), ("02139", "nurse"), ("02141", "smith")]
    kept.change_value(sequences.index(("02141", "smith")), 1)
    failed = kept.failures()
    assert starts([*failed], GROUPS, VALUES)
    assert failed[GROUPS] == (
        "at the levels [0, 0] the values of a tuple sum to 2 units, but the rows cost 0"
    )


def test_a_lowered_value_breaks_only_the_bound(kept):
    kept.change_value(0, -1)
    assert starts(kept.failed(), VALUES)


def test_a_value_above_the_price_is_found_where_rows_may_be_suppressed(tmp_path):
    kept = Kept(tmp_path, price=5, max_suppressed=1)
    highest = int(decode_values(kept.proof["values"]).argmax())
    kept.change_value(highest, 10**6)
    failed = kept.failures()
    assert PRICE in failed
    assert failed[PRICE].startswith("1 values are above ")


def test_a_lower_price_is_another_bound(tmp_path):
    kept = Kept(tmp_path, price=5, max_suppressed=1)
    kept.change(price=4)
    assert starts(kept.failed(), VALUES)


@pytest.mark.parametrize(
    ("field", "value", "claims"),
    [
        ("precision", 0.99, [COST]),
        ("precision_bound", 0.99999, [BOUND]),
        ("precision_bound", None, [BOUND]),
        ("optimality", "proved", ["no release is better"]),
        ("max_suppressed", "0.5", ["the proof is for at most 0 suppressed rows"]),
        ("max_suppressed", "2", ["the proof is for at most 0 suppressed rows"]),
        ("constraints", ["zip <= 4"], [LEVELS]),
        ("method", "mingen", [RELEASE]),
    ],
)
def test_a_changed_certificate_is_found(field, value, claims, kept):
    kept.certify(**{field: value})
    failed = kept.failed()
    assert all(any(claim.startswith(one) for claim in failed) for one in claims)


@pytest.mark.parametrize("text", ["many", "NaN"])
def test_a_certificate_without_numbers_is_refused(text, kept):
    kept.certify(max_suppressed=text)
    with pytest.raises(la.InvalidInput, match=r"certificate\.json: max_suppressed: not a number"):
        kept.findings()


def test_a_release_with_a_better_cell_is_found(kept):
    kept.edit("0213*,nurse", "02138,nurse")
    assert starts([claim for claim in kept.failed() if claim.startswith(COST)], COST)


def test_a_value_of_no_level_is_found(kept):
    kept.edit("0213*,nurse", "0213?,nurse")
    found = [why for claim, why in kept.failures().items() if claim.startswith(COST)]
    assert found == ["zip has values that no allowed level has"]


def test_another_private_table_is_found(kept):
    other = pa.table(COLUMNS | {"zip": ["02138", "02138", *COLUMNS["zip"][2:]]})
    assert TABLE in kept.failed(table=other)


def test_the_private_table_in_another_order_is_the_same(kept):
    assert kept.failures(table=PRIVATE.take(list(range(8, -1, -1)))) == {}


def test_other_hierarchies_are_found(kept, tmp_path):
    tree = {"care": ["nurse", "smith"], "craft": ["doctor", "baker"]}
    job = ATTRIBUTES["job"]
    job = {**job, "hierarchy": {**job["hierarchy"], "tree": tree}}
    other = la.Specification.build({"release": {"k": 2}, "attributes": {**ATTRIBUTES, "job": job}})
    failed = kept.failures(specification=other)
    assert failed[HIERARCHIES] == (
        "the attributes, their heights or their generalized values differ"
    )


def test_the_proof_of_another_release_is_found(kept, tmp_path):
    other = Kept(tmp_path / "other", max_suppressed=1)
    other.dossier = kept.dossier
    assert other.failures()[RELEASE] == "it belongs to another release"


def test_no_private_value_is_shown(kept):
    kept.change_value(3, 10**6)
    shown = json.dumps([(one.claim, one.found) for one in kept.findings()])
    assert not [value for value in COLUMNS["zip"] + COLUMNS["job"] if value and value in shown]


def test_a_bound_needs_the_hierarchies(kept):
    with pytest.raises(la.InvalidInput, match=r"to check a bound again .* give the specification"):
        la.verify(kept.folder, optimality=kept.dossier)


SPECIFICATION = """
[source]
path = "table.csv"
[release]
k = 2
method = "mingen-cells"
out = "released/table.csv"
[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
ill = { role = "sensitive" }
"""


def test_from_the_command_line(tmp_path, monkeypatch, type_in):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.toml").write_text(SPECIFICATION)
    rows = zip(COLUMNS["zip"][:7], COLUMNS["ill"][:7], strict=True)
    (tmp_path / "table.csv").write_text("zip,ill\n" + "".join(f"{z},{i}\n" for z, i in rows))
    code, printed, _ = type_in("release spec.toml --dossier private/table")
    assert code == 0
    assert "bound on precision, private: private/table/optimality.json" in " ".join(printed.split())
    answer = json.loads(type_in("release spec.toml --dossier private/table --replace --json")[1])
    assert answer["dossier"] == str(tmp_path / "private" / "table" / OPTIMALITY)
    assert not [path for path in answer["files"] if "private" in path]
    asked = "release spec.toml --dossier private/table --replace"
    dry = json.loads(type_in(f"{asked} --dry-run --json")[1])
    assert dry["dossier"] is None
    code, printed, _ = type_in("verify released --spec spec.toml --optimality private/table")
    assert code == 0
    assert "no release has a precision above" in printed
    code, printed, _ = type_in("release spec.toml --method mingen --dossier mine --out b/table.csv")
    assert code == 0
    assert "The method proves no bound at the cell level: the dossier holds no proof." in printed
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["preflight.json"]
