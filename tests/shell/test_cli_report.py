"""``lookalike report``: the recipient's report, made again where the private table is not known."""

import json
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.reports

ELSEWHERE = """
import sys
from lookalike.shell.cli import main
sys.argv = ["lookalike", "report", "copy", "--out", "again.html"]
main()
"""


@pytest.fixture
def released(folder, after):
    """The release of the twelve patients, with its report."""
    after("release patients.toml")
    return folder / "released"


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_on_a_machine_that_has_only_the_folder(released, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(released, elsewhere / "copy")
    for private in ("patients.csv", "patients.toml"):
        (released.parent / private).unlink()
    subprocess.run([sys.executable, "-c", ELSEWHERE], cwd=elsewhere, check=True)
    assert (elsewhere / "again.html").read_bytes() == (released / "report.html").read_bytes()


def test_a_report_that_is_the_same(released, type_in, answer):
    before = {file: file.read_bytes() for file in released.iterdir()}
    code, printed, _ = type_in("report released")
    assert (code, printed) == (0, "report.html is the same, made again from the folder.\n")
    assert answer("report released") == {
        "published": True,
        "same": True,
        "differences": [],
        "out": None,
        "pdf": None,
        "regulator": None,
    }
    assert {file: file.read_bytes() for file in released.iterdir()} == before


CHANGES = {
    "the report": ("report.html", "k = 2", "k = 9", "report.html was changed after publication"),
    "the table": ("patients.csv", "fever", "fewer", "patients.csv was changed after publication"),
    "the certificate": ("certificate.json", '"rows_in": 12', '"rows_in": 13', "certificate was"),
    "the version": ("certificate.json", '"software": "lookalike ', '"software": "old ', "by old"),
}


@pytest.mark.parametrize("changed", CHANGES)
def test_what_was_changed_is_named(changed, released, type_in):
    name, old, new, named = CHANGES[changed]
    change(released / name, old, new)
    code, printed, _ = type_in("report released")
    assert code == 1
    assert named in " ".join(printed.split())
    assert "report.html is NOT the one that the folder gives." in printed


def test_a_report_that_the_certificate_does_not_name(released, type_in):
    path = released / "certificate.json"
    certificate = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(certificate | {"report": None}), encoding="utf-8")
    assert "was added after publication" in " ".join(type_in("report released")[1].split())
    code, printed, _ = type_in("verify released")
    assert (code, "not of this release: report.html" in printed) == (1, True)


def test_a_report_that_is_missing_or_changed_fails_verification(released, type_in):
    change(released / "report.html", "k = 2", "k = 9")
    code, printed, _ = type_in("verify released")
    assert (code, "✗ report.html has the digest" in printed) == (1, True)
    (released / "report.html").unlink()
    code, printed, _ = type_in("verify released")
    assert (code, "missing, or a link: report.html" in printed) == (1, True)
    code, printed, _ = type_in("report released")
    assert (code, "is missing or a link, although" in printed) == (1, True)


def test_a_release_without_a_report(folder, type_in, answer):
    answer("release patients.toml --no-report")
    released = folder / "released"
    assert {file.name for file in released.iterdir()} == {"patients.csv", "certificate.json"}
    assert type_in("verify released")[0] == 0
    code, printed, _ = type_in("report released")
    assert (code, "Write the report that it gives with --out FILE." in printed) == (1, True)
    assert type_in("report released --out made.html")[0] == 0
    assert "<!doctype html>" in (folder / "made.html").read_text(encoding="utf-8")


def test_a_certificate_of_a_version_without_reports_still_verifies(folder, after, type_in):
    after("release patients.toml --no-report")
    path = folder / "released" / "certificate.json"
    certificate = json.loads(path.read_text(encoding="utf-8"))
    assert certificate.pop("report") is None
    path.write_text(json.dumps(certificate), encoding="utf-8")
    assert type_in("verify released")[0] == 0
    assert type_in("release patients.toml --replace")[0] == 0


def test_release_names_the_report(folder, type_in, answer):
    code, printed, _ = type_in("release patients.toml")
    assert (code, "Report for the recipient: released/report.html" in printed) == (0, True)
    made = answer("release patients.toml --replace")
    assert made["files"][1:] == ["released/certificate.json", "released/report.html"]
    assert answer("release patients.toml --replace --no-report")["files"] == made["files"][:2]


def test_where_a_report_is_not_written(released, type_in):
    for out, why, expected in [
        ("released/mine.html", "inside the release", 2),
        ("patients.csv", "exists", 6),
        ("nowhere/mine.html", "cannot be written", 2),
    ]:
        code, _, complaint = type_in(f"report released --out {out}")
        assert (code, why in complaint) == (expected, True)
    assert type_in("verify released")[0] == 0


def test_other_commands_read_a_release_with_a_report(released, type_in):
    assert type_in("release april.toml")[0] == 0
    assert type_in("attack released april --spec patients.toml")[0] in (0, 1)
    assert type_in("link released voters.csv --on gender=sex,zip --spec patients.toml")[0] == 0
    assert type_in("release patients.toml --replace")[0] == 0
    assert type_in("report released")[0] == 0
