"""What the command line replaces of a specification: the table, its rows, and where they go."""

import datetime
import json

import pytest

import lookalike as la

SPECIFICATION = """
[source]
path = "people.csv"
[release]
k = 2
method = "samarati"
out = "released/{date}/people.csv"
[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
ill = { role = "sensitive" }
[recipients.press]
[recipients.clinic]
out = "for/{recipient}/people.csv"
"""
TODAY = datetime.date.today().isoformat()


def write_people(path, rows):
    lines = [f"{12 + row % 2},{'fm'[row % 2]},{'ab'[row // 2 % 2]}" for row in range(rows)]
    path.write_text("\n".join(["zip,sex,ill", *lines]) + "\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a specification and its table, and another where the commands are typed."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "specs" / "people.toml").write_text(SPECIFICATION)
    write_people(tmp_path / "specs" / "people.csv", 8)
    write_people(tmp_path / "here" / "more.csv", 12)
    return tmp_path


SPEC = "../specs/people.toml"


def test_the_date_stands_in_the_path(folder, answer):
    answer(f"release {SPEC}")
    assert (folder / "specs" / "released" / TODAY / "people.csv").is_file()


def test_table_and_out_are_relative_to_the_working_folder(folder, answer, type_in):
    made = answer(f"release {SPEC} --table more.csv --out 'mine-{{date}}/t.csv'")
    assert made["rows_in"] == 12
    assert (folder / "here" / f"mine-{TODAY}" / "t.csv").is_file()
    assert type_in(f"verify mine-{TODAY} --spec {SPEC} --table more.csv")[0] == 0
    assert type_in(f"verify mine-{TODAY} --spec {SPEC}")[0] == 1


def test_where_replaces_that_of_the_specification(folder, answer, type_in):
    command = f"""release {SPEC} --where "ill = 'a'" --out mine/t.csv"""
    assert answer(command)["rows_in"] == 4
    assert type_in(f"verify mine --spec {SPEC}")[0] == 1
    assert type_in(f"""verify mine --spec {SPEC} --where "ill = 'a'" """)[0] == 0
    assert type_in(f"""risk mine --spec {SPEC} --where "ill = 'a'" """)[0] == 0


@pytest.mark.parametrize(
    ("command", "rows"),
    [
        ("compare {} --method samarati --table more.csv", 12),
        ("minimal {} --table more.csv", 12),
        ("check more.csv --spec {}", 12),
        ("""check more.csv --spec {} --where "sex = 'f'" """, 6),
    ],
)
def test_other_commands_take_another_table(folder, type_in, command, rows):
    (folder / "specs" / "people.csv").unlink()
    code, printed, complaint = type_in(command.format(SPEC) + " --json")
    assert (code, complaint) == (0, "")
    assert json.loads(printed)


def test_a_recipient_stands_in_the_path(folder, answer):
    answer(f"release {SPEC} --recipient clinic")
    certificate = la.Certificate.read(folder / "specs" / "for" / "clinic")
    assert certificate.recipient == "clinic"
    answer(f"release {SPEC} --recipient press --out '{{recipient}}/{{date}}/t.csv'")
    assert (folder / "here" / "press" / TODAY / "t.csv").is_file()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--out '{{recipient}}/t.csv'", "is different for each recipient; name one"),
        (
            "--out 'a/{{dat}}/t.csv'",
            "out: {dat} stands for nothing; did you mean '{date}'?",
        ),
        ("--out 'a/x}}/t.csv'", "release.out: } stands for nothing; the placeholders are {date}"),
        ("--dossier '{{recipient}}'", "is different for each recipient; name one"),
    ],
)
def test_a_placeholder_that_stands_for_nothing_is_refused(folder, type_in, options, says):
    before = sorted(folder.rglob("*"))
    code, _, complaint = type_in(f"release {SPEC} " + options.format())
    assert code == 2
    assert says in " ".join(complaint.split())
    assert sorted(folder.rglob("*")) == before


def test_a_recipient_cannot_lead_out_of_the_folder(folder, type_in):
    text = SPECIFICATION + '[recipients."../up"]\n'
    (folder / "specs" / "people.toml").write_text(text)
    command = f"release {SPEC} --recipient ../up --out '{{recipient}}/t.csv'"
    assert "cannot be part of a path" in type_in(command)[2]


def test_braces_of_the_working_folder_are_no_placeholders(folder, answer, monkeypatch):
    odd = folder / "odd {x}"
    odd.mkdir()
    monkeypatch.chdir(odd)
    answer(f"release {SPEC} --out mine/t.csv")
    assert (odd / "mine" / "t.csv").is_file()
