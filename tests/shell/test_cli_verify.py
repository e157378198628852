"""The command line of verify: its findings, its inputs and its exit code."""

import shutil

from rich.console import Console

from lookalike.examine.verify import Verification
from lookalike.shell.views.check import show_verification
from lookalike.verify.recount import Finding


def test_verify_answers_with_its_findings(folder, answer):
    answer("release patients.toml")
    verified = answer("verify released")
    assert list(verified) == ["holds", "complete", "findings"]
    assert verified["holds"]
    assert verified["complete"]
    fields = ["claim", "holds", "found", "checked"]
    assert all(list(finding) == fields for finding in verified["findings"])
    assert len(verified["findings"]) == 9


def test_verify_needs_nothing_but_the_release(folder, after, answer, tmp_path_factory, monkeypatch):
    after("release patients.toml")
    elsewhere = tmp_path_factory.mktemp("recipient")
    shutil.copytree(folder / "released", elsewhere / "got")
    monkeypatch.chdir(elsewhere)
    assert answer("verify got")["holds"]


def test_verify_compares_with_the_private_table_on_request(folder, after, answer):
    after("release patients.toml")
    (folder / "patients.csv").rename(folder / "moved.csv")
    verified = answer("verify released --spec patients.toml --table moved.csv")
    assert verified["holds"]
    assert verified["findings"][-1] == {
        "claim": "every released row generalizes a private row of its own",
        "holds": True,
        "found": "all do",
        "checked": True,
    }


def test_verify_says_which_claim_does_not_hold(folder, after, answer):
    after("release patients.toml")
    file = folder / "released" / "patients.csv"
    file.write_text(file.read_text().replace("chest pain", "chest pains"))
    verified = answer("verify released --spec patients.toml", code=1)
    assert [finding["found"] for finding in verified["findings"] if not finding["holds"]] == [
        "the file was changed after it was published",
        "2 rows do not",
    ]


def test_each_check_has_the_mark_of_its_result(capsys):
    """Passed, failed, and not made, which proves nothing."""
    findings = (
        Finding("a", True, "it is"),
        Finding("b", False, "it is not"),
        Finding("c", True, "nobody knows", checked=False),
    )
    Console().print(show_verification(Verification(findings)))
    marks = [line[:3] for line in capsys.readouterr().out.splitlines()]
    assert marks[:3] == ["✓ a", "✗ b", "? c"]
