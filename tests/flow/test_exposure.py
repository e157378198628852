"""Releases know their exposure; certificates and verification state what can be counted."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.publish.certified import CertifiedDecoys
from lookalike.search.cells import decoys

LINKABLE = {"role": "quasi-identifier"}
SEX = LINKABLE | {"hierarchy": {"kind": "taxonomy", "tree": {"human": ["f", "m"]}}}
AGE = LINKABLE | {"hierarchy": {"kind": "intervals", "widths": [5, 10, 40]}}
ZIP = LINKABLE | {"hierarchy": {"kind": "mask"}}
ATTRIBUTES = {"sex": SEX, "age": AGE, "zip": ZIP, "ill": {"role": "sensitive"}}
COLUMNS = {
    "sex": ["f", "f", "m", "f", "m", "m", "f", "f", None, "f", "m", "m"],
    "age": [31, 33, 38, 52, 57, 58, 21, 24, 24, 71, 72, 74],
    "zip": ["101", "102", "101", "111", "112", "112", "201", "201", "202", "101", None, None],
    "ill": ["flu", "cold", "gout"] * 4,
}
TABLE = pa.table(COLUMNS)


@pytest.fixture
def holder(tmp_path):
    """Write the table, and return a function that publishes a release of it."""
    pa.csv.write_csv(TABLE, tmp_path / "people.csv")

    def publish(suffix="csv", **fields):
        asked = {"k": 3, "method": "mingen-cells", **fields}
        made = la.release(tmp_path / "people.csv", attributes=ATTRIBUTES, **asked)
        made.publish(tmp_path / "released" / f"people.{suffix}", replace=True)
        return made

    return publish


def figures(found):
    """Return the figures of an exposure; sums may have been rounded in another order."""
    sums = [round(found.mean_gain, 12), round(found.bits, 12)]
    return found.cells, found.certain_cells, found.announcements, sums


def specification(folder, **fields):
    return la.Specification.build(
        {
            "source": {"path": str(folder / "people.csv")},
            "release": {"k": 3, "method": "mingen-cells", **fields},
            "attributes": ATTRIBUTES,
        }
    )


@pytest.mark.parametrize(
    ("suffix", "fields"),
    [
        ("csv", {}),
        ("csv", {"method": "k-similar"}),
        ("parquet", {"constraints": ["age >= 1", "zip <= 2"], "max_suppressed": 6}),
        (
            "parquet",
            {"max_suppressed": 4, "suppressed_rows": "blank", "method": "k-similar", "k": 2},
        ),
        ("csv", {"decoys": 0.3}),
        ("parquet", {"suppressed_label": "any"}),
    ],
)
def test_a_published_release_has_the_exposure_of_the_release(holder, tmp_path, suffix, fields):
    made = holder(suffix, **fields)
    found = la.exposure(tmp_path / "released", specification(tmp_path, **fields))
    assert figures(found) == figures(made.exposure)
    assert found.cells > 0
    certificate = Certificate.read(tmp_path / "released")
    assert certificate.certain_share == found.certain_share
    verified = la.verify(tmp_path / "released", spec=specification(tmp_path, **fields))
    assert verified.holds


def test_typed_values_are_recognized(tmp_path):
    made = la.release(TABLE, attributes=ATTRIBUTES, k=3, method="mingen-cells")
    made.publish(tmp_path / "released" / "people.parquet")
    found = la.exposure(tmp_path / "released", specification(tmp_path), table=TABLE)
    assert figures(found) == figures(made.exposure)


def test_at_the_attribute_level_a_class_shows_nothing_beyond_its_values(holder, tmp_path):
    made = holder(method="datafly")
    found = la.exposure(tmp_path / "released", specification(tmp_path, method="datafly"))
    assert made.exposure is None
    assert made.certificate.certain_share is None
    assert (found.cells, found.greatest_gain, found.announcements) == (0, 0.0, ())


def test_presence_is_measured_at_both_levels(holder, tmp_path):
    for method in ("datafly", "mingen-cells"):
        holder(method=method)
        asked = specification(tmp_path, method=method)
        found = la.exposure(tmp_path / "released", asked, population=TABLE).presence
        assert found.people == 12
        assert found.classes_left_out == 0
        assert 0 < found.mean_before <= found.mean_after <= found.greatest <= 1


def test_a_population_must_fit_the_hierarchies(holder, tmp_path):
    holder()
    longer = TABLE.set_column(2, "zip", pa.array(["10100"] * 12))
    with pytest.raises(la.InvalidInput, match="'zip'"):
        la.exposure(tmp_path / "released", specification(tmp_path), population=longer)
    with pytest.raises(la.InvalidInput, match="zip"):
        la.exposure(tmp_path / "released", specification(tmp_path), population=TABLE.drop(["zip"]))


def test_classes_that_are_no_joins_have_no_exposure(holder, tmp_path):
    made = holder(method="mu-argus", repair=True)
    assert made.exposure is None
    with pytest.raises(la.InvalidInput, match="not defined for method mu-argus"):
        la.exposure(tmp_path / "released", specification(tmp_path, method="mu-argus"))
    with pytest.raises(la.InvalidInput, match="max_exposure: exposure is not defined"):
        holder(method="mu-argus", max_exposure=0.1)


def test_a_comparison_refuses_methods_whose_exposure_is_not_defined():
    compared = la.compare(TABLE, attributes=ATTRIBUTES, k=3, max_exposure=0.5).to_pylist()
    failed = {one["method"]: one["error"] for one in compared if one["error"]}
    assert list(failed) == ["mu-argus"]
    assert "exposure is not defined" in failed["mu-argus"]


def test_a_list_that_begins_above_the_ground_has_the_same_exposure(holder, tmp_path):
    fields = {"constraints": ["age >= 1", "zip >= 1"], "max_sequences": 11}
    coarsened, whole = holder(**fields), holder(constraints=fields["constraints"])
    assert coarsened.plan.frequency.coarsened is not None
    assert figures(coarsened.exposure) == figures(whole.exposure)


def test_another_specification_is_refused(holder, tmp_path):
    holder()
    other = {name: role for name, role in ATTRIBUTES.items() if name != "zip"}
    asked = la.Specification.build(
        {"source": {"path": "x.csv"}, "release": {"k": 3}, "attributes": other}
    )
    with pytest.raises(la.InvalidInput, match="not that of this release"):
        la.exposure(tmp_path / "released", asked)


def test_a_release_that_is_too_exposed_is_refused(holder, tmp_path):
    made = holder()
    most = made.exposure.greatest_gain
    holder(max_exposure=round(most + 0.001, 4))
    worst = made.exposure.announcements[0]
    with pytest.raises(la.RequirementNotMet, match=worst.attribute) as refused:
        holder(max_exposure=round(most - 0.001, 4))
    assert f"{most:.4f}" in str(refused.value)
    assert "hierarchy" in str(refused.value)
    assert repr(worst.value) in str(refused.value)
    holder(method="datafly", max_exposure=0)


def test_the_certificate_states_what_decoys_protect_from(holder, tmp_path):
    plain, decoyed = holder().certificate, holder(decoys=0.02).certificate
    assert plain.decoys is None
    assert plain.is_blind
    assert plain.precision_bound is not None
    assert decoyed.decoys.rate == "0.02"
    assert "each with probability 0.02" in decoyed.decoys.statement
    assert "at most 50-fold" in decoyed.decoys.statement
    assert (decoyed.certain_share, decoyed.precision_bound) == (0.0, None)


def test_no_figure_of_the_certificate_shows_whether_decoys_were_drawn(monkeypatch):
    """Next to the bound, the precision would show it where optimality is proved."""
    outcomes = {}
    for drawn in (0, 1):
        monkeypatch.setattr(decoys, "_draw_floors", partial(all_at, drawn))
        made = la.release(
            TABLE, attributes=ATTRIBUTES, k=3, method="mingen-cells", effort="exact", decoys=0.02
        )
        assert made.recoding.optimality.proved
        assert made.is_optimal is False
        fields = json.loads(made.certificate.to_json())
        countable = {"precision", "accuracy", "generalized", "quasi_identifiers", "statement"}
        outcomes[drawn] = {name: one for name, one in fields.items() if name not in countable}
        assert made.certificate.optimality == "proved before decoys"
    assert outcomes[0] == outcomes[1]


def all_at(level, lattice, classes, _):
    """Return a level for each attribute and class, the same for all."""
    return np.full((len(lattice.top), classes), level, dtype=np.int32)


@pytest.mark.parametrize("effort", ["standard", "exact"])
@pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
def test_optimality_before_decoys_is_proved_again(tmp_path, effort, suppressed_rows):
    fields = {
        "k": 3,
        "method": "mingen-cells",
        "effort": effort,
        "decoys": 0.3,
        "max_suppressed": 3,
        "suppressed_rows": suppressed_rows,
    }
    made = la.release(TABLE, attributes=ATTRIBUTES, **fields)
    made.publish(tmp_path / "released" / "people.csv", dossier=tmp_path / "dossier")
    asked = specification(tmp_path, **fields)
    verified = la.verify(
        tmp_path / "released", spec=asked, table=TABLE, optimality=tmp_path / "dossier"
    )
    assert verified.holds
    assert made.precision_before_decoys >= made.measures.precision
    proof = tmp_path / "dossier" / "optimality.json"
    fields = json.loads(proof.read_text())
    for forged in (
        {"cost_before": fields["cost_before"] - 1},
        {"tuples_before": None},
    ):
        proof.write_text(json.dumps(fields | forged))
        verified = la.verify(
            tmp_path / "released", spec=asked, table=TABLE, optimality=tmp_path / "dossier"
        )
        assert not verified.holds


def forge(folder, **changed):
    """Write a certificate with other fields."""
    certificate = replace(Certificate.read(folder), **changed)
    (folder / "certificate.json").write_text(certificate.to_json())


def test_verification_finds_another_certain_share(holder, tmp_path):
    holder()
    folder = tmp_path / "released"
    forge(folder, certain_share=0.01)
    findings = la.verify(folder, spec=specification(tmp_path)).findings
    wrong = [one for one in findings if not one.holds]
    assert [one.claim.split(" ")[:4] for one in wrong] == [["a", "finer", "value", "is"]]


def test_verification_finds_other_words_about_decoys(holder, tmp_path):
    holder(decoys=0.1)
    folder = tmp_path / "released"
    stated = Certificate.read(folder).decoys
    forge(folder, decoys=replace(stated, statement="nothing can be learned"))
    assert not la.verify(folder).holds
    forge(folder, decoys=replace(stated, rate="0.0"))
    assert not la.verify(folder).holds
    forge(folder, decoys=stated, certain_share=0.5)
    assert not la.verify(folder).holds
    forge(folder, certain_share=0.0)
    assert la.verify(folder).holds
    findings = la.verify(folder, spec=specification(tmp_path, decoys=0.2)).findings
    assert [one for one in findings if not one.checked and "decoys" in one.found]


EARLIER = (
    "In each class and attribute, one cell in 50 shows one level more than needed, by lot, unless "
    "it has its greatest level. So no generalized cell proves that the rows of its class differ, "
    "and the odds that they agree fall at most 50-fold."
)


def test_what_an_earlier_version_said_of_decoys_is_not_repeated(holder, tmp_path):
    holder(decoys=0.02)
    folder = tmp_path / "released"
    forge(folder, decoys=CertifiedDecoys("0.02", EARLIER), report=None)
    assert not la.verify(folder).holds
    said = [*summarize_certificate(Certificate.read(folder)), la.report(folder).html]
    assert not [text for text in said if "no generalized cell proves" in text]
    assert len([text for text in said if "an earlier version and is not true" in text]) == 2
    with pytest.raises(la.InvalidInput, match="an earlier version drew its decoys"):
        la.exposure(folder, specification(tmp_path, decoys=0.02))


@pytest.mark.parametrize("field", ["decoys", "max_exposure"])
def test_a_release_based_on_earlier_ones_refuses_what_it_cannot_honour(tmp_path, field):
    keyed = TABLE.append_column("no", [[str(n) for n in range(12)]])

    def publish(number, **fields):
        made = la.release(
            keyed,
            attributes=ATTRIBUTES | {"no": {"role": "identifier"}},
            source={"row_key": "no", "name": "people"},
            ledger=str(tmp_path / "ledger.db"),
            k=3,
            method="mingen-cells",
            **fields,
        )
        made.publish(tmp_path / f"released {number}" / "people.csv")
        return made

    first = publish(1, **{field: 0.5})
    assert first.exposure is not None
    with pytest.raises(la.InvalidInput, match=f"{field}: a release that is based on earlier"):
        publish(2, **{field: 0.5})
    again = publish(2)
    assert again.exposure is None
    assert again.certificate.certain_share is None
