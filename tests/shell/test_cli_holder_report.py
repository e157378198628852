"""The command line names the holder's report, or says how to get it."""

import stat

import pytest

HINT = "For a private report on the risk before and after: --dossier private\n"


@pytest.mark.reports
def test_release_names_the_report_in_the_dossier(folder, type_in):
    code, told, complaint = type_in("release patients.toml --dossier private")
    assert (code, complaint) == (0, "")
    assert "Report for the data holder, private: private/report.html\n" in told
    assert HINT not in told
    report = folder / "private" / "report.html"
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert "02139" in report.read_text()


def test_release_without_a_dossier_says_how_to_get_one(folder, type_in):
    assert HINT in type_in("release patients.toml")[1]
    assert not list(folder.rglob("private"))


@pytest.mark.reports
@pytest.mark.parametrize("options", ["--no-report", "--no-report --dossier private"])
def test_who_wants_no_reports_gets_none_and_no_hint(options, folder, type_in):
    code, told, complaint = type_in(f"release patients.toml {options}")
    assert (code, complaint) == (0, "")
    assert "report" not in told.lower()
    assert not list(folder.rglob("report.html"))


@pytest.mark.reports
def test_a_drafted_specification_keeps_a_report(folder, type_in):
    assert type_in("init patients.csv --yes --out drafted.toml")[0] == 0
    assert 'dossier = "private/{date}/patients"\n' in (folder / "drafted.toml").read_text()
    assert type_in("release drafted.toml -k 2")[0] == 0
    assert len([*folder.glob("private/*/patients/report.html")]) == 1
