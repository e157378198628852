"""Values that a hierarchy does not know count as suppressed cells everywhere."""

import json

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate_sentences import summarize_certificate

HIERARCHIES = {
    "dates": {"kind": "dates", "unknown": "suppress"},
    "taxonomy": {"kind": "taxonomy", "tree": {"any": ["a", "b"]}, "unknown": "suppress"},
}
METHODS = ["datafly", "samarati", "mingen", "mingen-cells", "k-similar", "mu-argus"]
BESIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}


def make(values, hierarchy, method="datafly", **fields):
    table = pa.table({"g": values, "h": ["1"] * len(values)})
    attributes = {"g": {"role": "quasi-identifier", "hierarchy": hierarchy}, "h": BESIDE}
    return la.release(table, k=2, method=method, attributes=attributes, **fields)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("hierarchy", HIERARCHIES)
def test_a_column_of_unknown_values_is_a_suppressed_column(method, hierarchy):
    made = make(["x", "y", "x", "y"], HIERARCHIES[hierarchy], method)
    assert made.table["g"].to_pylist() == ["*"] * 4
    measures, height = made.measures, made.certificate.generalized["g"].height
    assert (measures.cells_suppressed, measures.loss, measures.precision) == (4, 0.5, 0.5)
    assert measures.accuracy == pytest.approx(1 - height / (height + 1))
    assert made.certificate.generalized["g"].cells_suppressed == 4
    assert f"Every value of g was suppressed ({hierarchy})." in summarize_certificate(
        made.certificate
    )
    assert "h is not generalized." in summarize_certificate(made.certificate)


@pytest.mark.parametrize("method", METHODS)
def test_some_unknown_values_are_told_apart_from_those_that_are_shown(method):
    made = make(["x", "y", "a", "a"], HIERARCHIES["taxonomy"], method)
    assert sorted(made.table["g"].to_pylist()) == ["*", "*", "a", "a"]
    assert (made.measures.cells_suppressed, made.measures.precision) == (2, 0.75)
    assert made.measures.accuracy == made.measures.precision
    text = " ".join(summarize_certificate(made.certificate))
    assert "2 of its values were suppressed" in text
    assert "g is not generalized" not in text


@pytest.mark.parametrize("method", ["datafly", "mingen-cells"])
@pytest.mark.parametrize("ways", [{}, {"suppressed_rows": "blank", "max_suppressed": 2}])
def test_verify_counts_them_again(method, ways, tmp_path):
    made = make(["x", "y", "a", "a", "b"], HIERARCHIES["taxonomy"], method, **ways)
    made.publish(tmp_path / "released" / "table.csv")
    assert la.verify(tmp_path / "released").holds
    path = tmp_path / "released" / "certificate.json"
    certificate = json.loads(path.read_text())
    certificate["generalized"]["g"]["cells_suppressed"] -= 1
    path.write_text(json.dumps(certificate))
    found = {one.claim: one.holds for one in la.verify(tmp_path / "released").findings}
    assert any("suppressed values: " in claim and not found[claim] for claim in found)


def test_the_terminal_shows_how_many_there_are(tmp_path, monkeypatch, type_in):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("g\n" + "x\ny\na\na\n")
    (tmp_path / "t.toml").write_text(
        '[source]\npath = "t.csv"\n[release]\nk = 2\nmethod = "datafly"\nout = "out/t.csv"\n'
        '[attributes.g]\nrole = "quasi-identifier"\n'
        'hierarchy = { kind = "taxonomy", tree = { any = ["a", "b"] }, unknown = "suppress" }\n'
    )
    code, shown, _ = type_in("release t.toml --dry-run")
    assert code == 0
    [heading] = [line for line in shown.splitlines() if line.startswith(" attribute")]
    [line] = [line for line in shown.splitlines() if line.strip().startswith("g ")]
    assert (heading.split()[-1], line.split()[-1]) == ("suppressed", "2")
