"""`release --ledger` and `lookalike ledger`: what they print, and with which exit code."""

import json
import shutil
from pathlib import Path

import pytest

import lookalike

RELEASE = "release patients.toml --ledger private/ledger.db"
FIRST = f"{RELEASE} -o one/p.csv"
LEDGER = "--ledger private/ledger.db"


@pytest.fixture
def folder(folder, monkeypatch):
    """The twelve patients, whose names are the row key, and settings of our own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
    return folder


def answer(type_in, command):
    """Run a command line that succeeds, and return the JSON that it printed."""
    code, told, complaint = type_in(f"{command} --json")
    assert (code, complaint) == (0, "")
    return json.loads(told)


def test_a_release_tells_what_was_considered(folder, type_in):
    first = answer(type_in, RELEASE)
    code, told, _ = type_in(f"{RELEASE} --replace")

    told_first = {"policy": "based-on", "considered": 0, "new_people": False}
    told_first |= {"leavers": "withdraw", "since": None, "follows": []}
    told_first |= {"protections_over_releases": False}
    assert first["earlier_releases"] == told_first
    assert code == 0
    assert "Recorded in the ledger." in told
    assert "considered: 1 (policy based-on)" in told


def test_a_release_without_a_ledger_tells_so(folder, type_in):
    assert answer(type_in, "release patients.toml")["earlier_releases"] == "not checked"
    assert answer(type_in, "release patients.toml --replace --dry-run")["earlier_releases"] is None


def test_a_dry_run_does_not_touch_the_ledger(folder, type_in):
    answer(type_in, f"{RELEASE} --dry-run")

    assert not (folder / "private").exists()
    assert not (folder / "settings").exists()


def test_releases_are_listed_shown_and_forgotten(folder, after, type_in):
    after(RELEASE, f"{RELEASE} --replace")
    forgotten = answer(type_in, f"ledger forget 1 {LEDGER} --reason 'a trial'")
    listed = answer(type_in, f"ledger list {LEDGER}")
    shown = answer(type_in, f"ledger show 2 {LEDGER}")

    assert forgotten == listed["releases"][0]
    assert [one["state"] for one in listed["releases"]] == ["forgotten", "published"]
    assert listed["releases"][0]["reason"] == "a trial"
    assert (shown["number"], shown["classes"], shown["smallest_class"]) == (2, 5, 2)
    assert shown["specification"]["source"]["row_key"] == "name"
    assert shown["certificate"]["rows_out"] == 10
    assert answer(type_in, f"ledger list {LEDGER} --source others")["releases"] == []


def test_a_person_reads_the_ledger(folder, after, type_in):
    after(RELEASE)
    type_in(f"ledger forget 1 {LEDGER} --reason 'a trial'")
    _, listed, _ = type_in(f"ledger list {LEDGER}")
    _, shown, _ = type_in(f"ledger show 1 {LEDGER}")
    _, nothing, _ = type_in(f"ledger list {LEDGER} --source others")

    assert "forgotten" in listed
    assert "everybody" in listed
    assert "(a trial)" in shown
    assert "Later releases are still checked against it." in shown
    assert "earlier releases: 0 considered, by the policy based-on" in shown
    assert nothing == "The ledger records no release.\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ledger list --ledger nowhere.db", "no ledger is found at nowhere.db"),
        ("ledger list", "Missing option '--ledger'"),
        (f"ledger show 9 {LEDGER}", "has no release 9; see ledger list"),
        (f"ledger forget 1 {LEDGER}", "Missing option '--reason'"),
        (f"ledger forget 1 {LEDGER} --reason ''", "give the reason"),
        ("release patients.toml --ledger mysql://me:sesame@host/x", "mysql is not supported"),
        (
            "release patients.toml --replace --ledger released/x.db",
            "neither inside nor around the release",
        ),
        (
            f"{RELEASE} --policy trust",
            "policy is one of based-on, increments, all-released-attributes, check-only, "
            "not 'trust'",
        ),
        (f"{RELEASE} --replace --ledger-key patients.csv", "patients.csv"),
    ],
)
def test_a_mistake_is_told(command, said, folder, after, type_in):
    after(RELEASE)
    code, told, complaint = type_in(command)

    assert (code, told) == (2, "")
    assert said in complaint.replace("\n", " ")
    assert "sesame" not in complaint


def test_a_policy_that_refuses_exits_with_1(folder, after, type_in, monkeypatch):
    def refuse(earlier, certificate, files):
        raise lookalike.RequirementNotMet("release 1 and this one tell too much together")

    after(RELEASE)
    monkeypatch.setitem(lookalike.ledger.policies.policy.JUDGES, "based-on", refuse)
    code, told, complaint = type_in(f"{RELEASE} --replace")

    assert (code, told) == (1, "")
    assert "tell too much together" in complaint


def test_all_releases_of_a_source_are_attacked(folder, after, type_in):
    after(FIRST, f"{RELEASE} -o two/p.csv")
    attacked = answer(type_in, f"ledger attack {LEDGER}")
    code, told, _ = type_in(f"ledger attack {LEDGER} --source patients --k 3")

    assert (attacked["releases"], attacked["people"]) == (["release 1", "release 2"], 12)
    assert attacked["holds"]
    assert attacked["left"][0]["at_least"] == 2
    assert code == 1
    assert "release 1" in told


def test_the_ledger_and_the_folders_are_attacked_alike(folder, after, type_in):
    """The ledger adds what it proves to what is found in the published files, and nothing else."""
    after(FIRST, "release april.toml --ledger private/ledger.db -o two/p.csv")
    by_ledger = answer(type_in, f"ledger attack {LEDGER} --spec april.toml")
    by_folder = json.loads(type_in("attack one two --spec april.toml --json")[1])

    assert (by_ledger.pop("proved"), by_ledger.pop("same_history")) == (True, 2)
    assert by_ledger.pop("broken_protections") == []
    told = json.dumps(by_folder).replace('"one"', '"release 1"').replace('"two"', '"release 2"')
    assert by_ledger == json.loads(told)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ledger attack", "has 1 release that somebody may have together"),
        (
            "ledger attack --source others",
            "name the source to attack (--source); the ledger remembers",
        ),
        ("ledger attack --recipient lab", "no release for the recipient 'lab'"),
    ],
)
def test_an_attack_needs_two_releases(command, said, folder, after, type_in):
    after(RELEASE)
    code, told, complaint = type_in(f"{command} {LEDGER}")

    assert (code, told) == (2, "")
    assert said in complaint.replace("\n", " ")


def test_a_key_that_is_elsewhere_is_named(folder, type_in):
    key = "--ledger-key private/key"
    answer(type_in, f"{RELEASE} {key} -o one/p.csv")
    code, _, complaint = type_in(f"ledger list {LEDGER}")

    assert code == 2
    assert "is not at" in complaint.replace("\n", " ")
    assert len(answer(type_in, f"ledger list {LEDGER} {key}")["releases"]) == 1
    assert answer(type_in, f"ledger show 1 {LEDGER} {key}")["row_key"] == "name"
    assert answer(type_in, f"ledger forget 1 {LEDGER} {key} --reason 'a trial'")["number"] == 1


def test_an_older_database_is_refused_until_it_is_accepted(folder, after, type_in):
    after(FIRST)
    shutil.copy("private/ledger.db", "copy.db")
    after(f"{RELEASE} -o two/p.csv")
    shutil.copy("copy.db", "private/ledger.db")
    refused, _, complaint = type_in(f"{RELEASE} -o three/p.csv")
    accepted = answer(type_in, f"ledger accept-restore {LEDGER} --reason 'the disk died'")
    again, _, _ = type_in(f"ledger accept-restore {LEDGER} --reason 'the disk died'")

    assert (refused, again) == (2, 2)
    assert "ledger accept-restore" in complaint.replace("\n", " ")
    assert not (folder / "three").exists()
    assert accepted == {"changes_lost": 2}
    assert len(answer(type_in, f"ledger list {LEDGER}")["releases"]) == 1


def test_a_person_reads_that_an_older_database_was_accepted(folder, after, type_in):
    after(FIRST)
    shutil.copy("private/ledger.db", "copy.db")
    after(f"{RELEASE} -o two/p.csv")
    shutil.copy("copy.db", "private/ledger.db")
    code, told, _ = type_in(f"ledger accept-restore {LEDGER} --reason 'the disk died'")

    assert code == 0
    assert "It lacks 2 changes" in told
    [restore] = answer(type_in, f"ledger restores {LEDGER}")["restores"]
    assert restore["reason"] == "the disk died"
    assert type_in(f"ledger restores {LEDGER}")[1].endswith("  the disk died\n")


def test_people_under_another_name_exit_with_1(folder, after, type_in):
    after(FIRST)
    spec = folder / "patients.toml"
    spec.write_text(spec.read_text().replace('name = "patients"', 'name = "ward"'))
    code, told, complaint = type_in(f"{RELEASE} -o two/p.csv")
    spec.write_text(spec.read_text().replace('name = "ward"', 'name = "ward"\nnew_people = true'))
    said = answer(type_in, f"{RELEASE} -o two/p.csv")

    assert (code, told) == (1, "")
    assert "12 of 12 rows have the row key of rows of another source, 'patients'" in (
        complaint.replace("\n", " ")
    )
    assert said["earlier_releases"]["new_people"] is True


def test_contracts_keep_releases_from_an_attacker(folder, type_in):
    spec = folder / "patients.toml"
    spec.write_text(
        spec.read_text() + '[recipients.lab]\ncontract = "1"\n[recipients.office]\ncontract = "2"\n'
    )
    for turn, name in enumerate(["lab", "office", "lab"]):
        type_in(f"{RELEASE} --recipient {name} -o {turn}/p.csv")

    assert answer(type_in, f"ledger attack {LEDGER} --recipient lab")["releases"] == [
        "release 1",
        "release 3",
    ]
    assert len(answer(type_in, f"ledger attack {LEDGER}")["releases"]) == 3


def test_a_release_tells_what_became_of_the_rows(folder, after, type_in):
    after(FIRST)
    table = folder / "patients.csv"
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines[:2], *lines[3:]]) + "\n")
    basis = answer(type_in, f"{RELEASE} --dry-run")["basis"]
    code, told, _ = type_in(f"{RELEASE} -o two/p.csv")

    assert basis["considered"] == 1
    assert sum(basis[f"rows_{what}"] for what in ("kept", "renewed", "joined", "waiting")) == 11
    assert code == 0
    assert "Based on the last release:" in told
    assert f"{basis['rows_waiting']} rows are withheld, 1 of them released last time" in told
    assert type_in(f"verify two --spec patients.toml {LEDGER}")[0] == 0


SEVERAL = """
[source]
path = "people.csv"
row_key = "id"
name = "people"

[release]
k = 2
method = "mingen"
ledger = "private/ledger.db"

[attributes]
id = { role = "identifier" }
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
diagnosis = { role = "sensitive" }
job = { role = "other" }

[recipients.insurer]
columns = ["zip", "diagnosis"]

[recipients.registry]
columns = ["zip", "job"]
"""
PEOPLE = """id,zip,diagnosis,job
ann,02138,flu,cook
bob,02138,gout,cook
cid,02138,flu,nurse
dee,02138,gout,nurse
"""


def test_a_diagnosis_that_changed_is_held_back_though_others_got_the_last_release(
    tmp_path, monkeypatch, type_in
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    Path("people.toml").write_text(SEVERAL)

    def release(recipient, out):
        command = f"release people.toml --recipient {recipient} --out {out}/people.csv"
        shown = answer(type_in, command)
        return shown["basis"], sorted(Path(out, "people.csv").read_text().splitlines())

    Path("people.csv").write_text(PEOPLE)
    _, first = release("insurer", "march")
    release("registry", "april")
    Path("people.csv").write_text(PEOPLE.replace("ann,02138,flu", "ann,02138,ulcer"))
    basis, third = release("insurer", "may")

    assert (basis["considered"], basis["rows_outdated"]) == (2, 1)
    assert third == first
    proved = answer(type_in, f"ledger attack {LEDGER} --spec people.toml")
    assert proved["same_history"] == 4
