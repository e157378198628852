"""The dossier keeps the proof of a release private, complete and in step with the release."""

import json
import os
import stat
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.dossier import PREFLIGHT, WAITING, keeping_records, read_release_digest
from lookalike.tables.files.file_format import REPORT
from lookalike.verify.bound.proof import (
    OPTIMALITY,
    READY,
    Proof,
    decode_values,
    encode_values,
    find_proof,
)

from ..roles import LINKABLE, MASKED
from .nine_people import names

ATTRIBUTES = {"zip": MASKED, "sex": LINKABLE}
TABLE = pa.table({"zip": ["02138", "02139", "02139", "02141", "99999"], "sex": [*"ffmmm"]})


def make(method="mingen-cells", **fields):
    asked = {"k": 2, "attributes": ATTRIBUTES, "method": method, "effort": "quick", **fields}
    return la.release(TABLE, **asked)


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}


def digest_of(certificate):
    return next(iter(certificate.files.values())).sha256


def test_a_proof_is_kept_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        certificate = make().publish(
            tmp_path / "released" / "table.csv", dossier=tmp_path / "private" / "patients"
        )
    finally:
        os.umask(before)

    assert modes(tmp_path / "private" / "patients") == {
        "patients": 0o700,
        OPTIMALITY: 0o600,
        PREFLIGHT: 0o600,
    }
    assert names(tmp_path / "released") == ["certificate.json", "table.csv"]
    proof = Proof.read(tmp_path / "private" / "patients" / OPTIMALITY)
    assert proof.release_sha256 == digest_of(certificate)


def test_it_says_what_was_asked_and_what_proves_the_bound(tmp_path):
    made = make(max_suppressed=1, constraints=["zip >= 1", "zip <= 4"])
    certificate = made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    kept = json.loads((tmp_path / "private" / OPTIMALITY).read_text())

    duals = made.recoding.optimality.duals
    asked = {
        "format": "lookalike optimality 1",
        "method": "mingen-cells",
        "software": certificate.software,
        "attributes": ["zip", "sex"],
        "heights": [5, 1],
        "weights": ["1", "1"],
        "k": 2,
        "allowed": 1,
        "bottom": [1, 0],
        "top": [4, 1],
        "scale": duals.scale,
        "price": 0,
        "precision": certificate.precision,
        "precision_bound": made.recoding.precision_bound,
        "proved": certificate.optimality == "proved",
    }
    assert {name: kept[name] for name in asked} == asked
    assert decode_values(kept["values"]).tolist() == duals.values.tolist()
    assert kept["bound"] == int(duals.values.sum())
    lost = (1 - certificate.precision) * TABLE.num_rows * 2 * duals.scale
    assert kept["cost"] == pytest.approx(lost)


def test_the_specification_names_it_relative_to_itself(tmp_path):
    fields = {"k": 2, "out": "released/table.csv", "dossier": "private/table"}
    specification = la.Specification.build({"release": fields, "attributes": ATTRIBUTES})
    assert specification.located(tmp_path).release.dossier == str(tmp_path / "private" / "table")


def test_a_recipient_may_have_one_of_its_own():
    fields = {
        "release": {"k": 2, "dossier": "private/all", "recipient": "x"},
        "attributes": ATTRIBUTES,
        "recipients": {"x": {"dossier": "private/x"}},
    }
    assert la.Specification.build(fields).release.dossier == "private/x"


def test_a_method_without_a_proof_keeps_the_findings_only(tmp_path):
    make("mingen").publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert names(tmp_path) == ["private", "released"]
    assert names(tmp_path / "private") == [PREFLIGHT]


@pytest.mark.parametrize("dossier", ["released", "released/private", ".", "link/private"])
def test_it_must_be_apart_from_the_release(dossier, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match="neither inside nor around the release"):
        make().publish("released/table.csv", dossier=dossier)
    assert names(tmp_path) == ["link"]


def test_it_does_not_lie_in_another_release(tmp_path):
    make().publish(tmp_path / "other" / "table.csv")
    with pytest.raises(la.InvalidInput, match=r"is inside the release .*other"):
        make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "other" / "private")
    assert names(tmp_path) == ["other"]


def test_a_folder_that_others_may_enter_is_refused(tmp_path):
    (tmp_path / "private").mkdir()
    (tmp_path / "private").chmod(0o750)
    with pytest.raises(la.InvalidInput, match=r"is accessible to other users; run chmod 700"):
        make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert names(tmp_path) == ["private"]


def test_a_file_in_its_place_is_left_alone(tmp_path):
    (tmp_path / "private").write_text("mine")
    with pytest.raises(la.InvalidInput, match="private is a file"):
        make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert (tmp_path / "private").read_text() == "mine"


def test_other_files_of_the_dossier_stay(tmp_path):
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "private" / "notes.txt").write_text("mine")
    make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert names(tmp_path / "private") == ["notes.txt", OPTIMALITY, PREFLIGHT]


def test_a_proof_is_replaced_on_request_only(tmp_path):
    first = make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    with pytest.raises(la.AlreadyExists, match=r"holds the optimality\.json of a release already"):
        make().publish(tmp_path / "other" / "table.csv", dossier=tmp_path / "private")
    assert names(tmp_path) == ["private", "released"]
    assert find_proof(tmp_path / "private", "").release_sha256 == digest_of(first)

    certificate = make(max_suppressed=1).publish(
        tmp_path / "released" / "table.csv", dossier=tmp_path / "private", replace=True
    )
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT]
    assert find_proof(tmp_path / "private", "").release_sha256 == digest_of(certificate)


def test_a_release_that_is_not_published_leaves_no_proof(tmp_path, monkeypatch):
    made = make()
    monkeypatch.setattr("lookalike.publish.publish.put_in_place", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert names(tmp_path / "private") == []


def leave_waiting(tmp_path):
    """Leave the files of a process that died just after its release was put in place."""
    made = make()
    made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    waiting = tmp_path / "private" / f"{READY}0123456789abcdef"
    (tmp_path / "private" / OPTIMALITY).rename(waiting)
    return made, waiting


def test_a_proof_that_waits_is_found(tmp_path):
    made, waiting = leave_waiting(tmp_path)
    half = waiting.with_name(f"{READY}0000000000000000")
    half.write_text('{"format": "lookalike opt')
    proof = la.verify(
        tmp_path / "released",
        spec=made.specification,
        table=TABLE,
        optimality=tmp_path / "private",
    )
    assert proof.holds


def test_the_next_start_puts_a_proof_that_waits_into_its_place(tmp_path, monkeypatch):
    made, waiting = leave_waiting(tmp_path)
    content = waiting.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("lookalike.publish.publish.put_in_place", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            made.publish(
                tmp_path / "released" / "new.csv", dossier=tmp_path / "private", replace=True
            )
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT]
    assert (tmp_path / "private" / OPTIMALITY).read_bytes() == content


def test_the_next_start_removes_what_waits_in_vain(tmp_path):
    made, waiting = leave_waiting(tmp_path)
    waiting.rename(tmp_path / "private" / OPTIMALITY)
    waiting.write_text("{")
    made.publish(tmp_path / "released" / "new.csv", dossier=tmp_path / "private", replace=True)
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT]


def test_a_dossier_without_a_proof_says_where_one_comes_from(tmp_path):
    with pytest.raises(
        la.InvalidInput, match=r"has no optimality\.json; make the release with --dossier"
    ):
        find_proof(tmp_path, "")


def test_many_values_take_little_room():
    values = np.random.default_rng(7).integers(-(10**7), 10**7, 800_000)
    written = encode_values(values)
    assert len(written) < 6_000_000
    assert np.array_equal(decode_values(written), values)


def test_the_findings_are_kept_with_what_was_accepted_and_when(tmp_path):
    made = make(accept=["small-k"])
    certificate = made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    kept = json.loads((tmp_path / "private" / PREFLIGHT).read_text())
    found = {one["name"]: one for one in kept["findings"]}
    assert kept["release_sha256"] == digest_of(certificate)
    assert datetime.now(UTC) - datetime.fromisoformat(kept["recorded"]) < timedelta(minutes=5)
    assert found["small-k"]["accepted"]
    assert not found["earlier-releases"]["accepted"]
    assert found["small-k"]["sentence"].startswith("k = 2 is small")


def test_findings_that_wait_are_put_into_their_place_by_the_next_start(tmp_path, monkeypatch):
    made = make()
    made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    kept = json.loads((tmp_path / "private" / PREFLIGHT).read_text())
    waiting = tmp_path / "private" / f"{WAITING[PREFLIGHT]}0123456789abcdef"
    (tmp_path / "private" / PREFLIGHT).rename(waiting)
    with monkeypatch.context() as patch:
        patch.setattr("lookalike.publish.publish.put_in_place", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            made.publish(
                tmp_path / "released" / "new.csv", dossier=tmp_path / "private", replace=True
            )
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT]
    found = json.loads((tmp_path / "private" / PREFLIGHT).read_text())
    assert found["release_sha256"] == kept["release_sha256"]


@pytest.mark.reports
def test_the_holders_report_is_kept_for_its_owner_alone(tmp_path):
    certificate = make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert modes(tmp_path / "private")[REPORT] == 0o600
    assert read_release_digest(tmp_path / "private" / REPORT) == digest_of(certificate)
    assert la.verify(tmp_path / "released").holds


@pytest.mark.reports
def test_a_specification_without_reports_has_none(tmp_path):
    made = make(report=False)
    made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT]


PAGE = '<!doctype html>\n<meta name="release-sha256" content="{}">\n{}</html>\n'


@pytest.mark.parametrize(
    ("written", "kept"),
    [(PAGE, True), (PAGE.removesuffix("</html>\n"), False), (PAGE.replace("sha256", ""), False)],
    ids=["whole", "half", "of nothing"],
)
def test_a_page_that_waits_is_kept_if_it_is_a_whole_one_of_the_release(written, kept, tmp_path):
    made = make()
    certificate = made.publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    waiting = tmp_path / "private" / f"{WAITING[REPORT]}0123456789abcdef"
    waiting.write_text(written.format(digest_of(certificate), "x" * 10_000))
    with keeping_records({}, tmp_path / "private", tmp_path / "released", replace=True):
        pass
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT, *([REPORT] if kept else [])]


def test_a_page_of_another_release_is_removed(tmp_path):
    make().publish(tmp_path / "released" / "table.csv", dossier=tmp_path / "private")
    waiting = tmp_path / "private" / f"{WAITING[REPORT]}0123456789abcdef"
    waiting.write_text(PAGE.format("0" * 64, ""))
    with keeping_records({}, tmp_path / "private", tmp_path / "released", replace=True):
        pass
    assert names(tmp_path / "private") == [OPTIMALITY, PREFLIGHT]
