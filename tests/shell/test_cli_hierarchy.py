"""The command ``hierarchy``: proposals, previews and checks at a terminal."""

import json

import pytest
from rich.cells import cell_len

from lookalike.hierarchy import File
from lookalike.shell.views.printing import shorten

HOSTILE = ["\x1b[2J\x1b]0;owned\x07", "\u202ereversed", "a" * 10_000, "[red]b[/red]", "東京" * 40]
LEVEL_FIELDS = ["level", "values", "smallest", "largest", "rows_below_k"]


@pytest.fixture
def hostile(folder):
    """A table with a column of values that would harm a terminal."""
    rows = "".join(f'"{value}"\n' * (60 - place) for place, value in enumerate(HOSTILE))
    rare = "".join(f"rare \x1b[3{number}m{number}\n" for number in range(10))
    (folder / "hostile.csv").write_text(f'"na[1mme"\n{rows}{rare}', encoding="utf-8")
    return folder


# propose


def test_a_proposal_has_a_reason_a_preview_and_the_line_to_copy(folder, type_in):
    code, printed, complaint = type_in("hierarchy propose patients.csv birth_date")
    assert (code, complaint) == (0, "")
    assert "Dates written as %m/%d/%Y; level 1 writes all of them as YYYY-MM-DD." in printed
    assert 'hierarchy = { kind = "dates", steps = ["day", "quarter", "year"' in printed
    assert "Alone, this column is 5-anonymous from level 4 on." in printed


def test_a_proposal_as_json(folder, answer):
    proposed = answer("hierarchy propose patients.csv zip --kind 'postal code' -k 3")
    assert proposed["hierarchy"] == '{ kind = "mask", length = 5, keep = [4] }'
    assert (proposed["column"], proposed["kind"], proposed["k"]) == ("zip", "mask", 3)
    assert [list(level) for level in proposed["levels"]] == [LEVEL_FIELDS] * 3
    assert (proposed["lines"], proposed["file"]) == (0, None)


def test_a_proposal_is_written_to_a_file_that_can_be_used(folder, type_in):
    code, printed, _ = type_in("hierarchy propose patients.csv zip --out zip.csv")
    assert code == 0
    assert 'hierarchy = { kind = "file", path = "zip.csv" }' in printed
    assert File(folder / "zip.csv").ancestors("02138") == ("02138", "0213*", "*")
    code, printed, complaint = type_in("hierarchy propose patients.csv zip --out zip.csv")
    assert (code, printed) == (6, "")
    assert "zip.csv exists already" in complaint


def test_texts_for_missing_values_and_blanks_are_given_as_for_check(folder, answer):
    ages = "".join(f" {age} \n" for age in range(20, 60))
    (folder / "t.csv").write_text(f"age\nNA\n?\n{ages}")
    proposed = answer("hierarchy propose t.csv age --kind age --missing NA --missing ? --trim")
    assert proposed["hierarchy"] == '{ kind = "intervals", widths = [5, 10, 20] }'
    preview = answer(
        f"hierarchy preview t.csv age '{proposed['hierarchy']}' --missing NA --missing ? --trim"
    )
    assert preview["levels"] == proposed["levels"]
    assert preview["levels"][0]["values"] == 41


def test_an_ambiguous_date_is_an_error_that_shows_how_to_decide(folder, type_in):
    (folder / "t.csv").write_text("day\n01/02/1965\n03/04/1965\n")
    code, printed, complaint = type_in("hierarchy propose t.csv day")
    assert (code, printed) == (2, "")
    assert 'formats = ["%d/%m/%Y"] or formats = ["%m/%d/%Y"]' in complaint


def test_kinds_that_do_not_exist_are_refused(folder, type_in):
    code, _, complaint = type_in("hierarchy propose patients.csv zip --kind zip")
    assert code == 2
    assert "kind is one of date, postal code" in complaint


def test_long_lists_of_a_proposal_fit_80_columns(folder, type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    values = "".join(f"{int(10 * 1.02**number)}\n" for number in range(400))
    (folder / "t.csv").write_text(f"income\n{values}")
    code, printed, _ = type_in("hierarchy propose t.csv income --kind amount")
    assert code == 0
    assert "ranges = [[[0," in printed
    assert max(map(len, printed.splitlines())) <= 80


# preview and show


def test_a_preview_takes_the_hierarchy_as_a_specification_writes_it(folder, answer):
    preview = answer("""hierarchy preview patients.csv zip '{ kind = "mask", keep = [3] }'""")
    assert [level["values"] for level in preview["levels"]] == [3, 1, 1]
    assert preview["examples"][0] == ["02138", "021**", "*"]
    assert preview["reaches_k"] == 1


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("mask", "not an inline table of TOML"),
        ('{ kind = "mask", kep = [3] }', "did you mean 'keep'"),
        ('{ kind = "taxonomy", tree = { a = ["b"] } }', "that the hierarchy does not know"),
    ],
)
def test_a_hierarchy_that_cannot_be_read_or_does_not_fit(folder, type_in, given, problem):
    code, printed, complaint = type_in(f"hierarchy preview patients.csv zip '{given}'")
    assert (code, printed) == (2, "")
    assert problem in complaint


def test_show_uses_the_hierarchy_and_the_k_of_the_specification(folder, answer):
    shown = answer("hierarchy show patients.toml zip")
    assert (shown["kind"], shown["k"]) == ("mask", 2)
    assert answer("hierarchy show patients.toml zip -k 7")["k"] == 7


def test_show_refuses_a_column_without_a_hierarchy(folder, type_in):
    code, _, complaint = type_in("hierarchy show patients.toml problem")
    assert code == 2
    assert "column 'problem' has no hierarchy" in complaint


# check


def test_check_of_a_specification_that_fits(folder, type_in):
    code, printed, complaint = type_in("hierarchy check patients.toml")
    assert (code, complaint) == (0, "")
    assert printed.endswith("Every hierarchy fits its column.\n")


def test_check_lists_what_is_wrong_with_every_column(folder, answer, type_in):
    text = (folder / "patients.toml").read_text()
    changed = text.replace('["black", "white", "asian"]', '["white"]')
    (folder / "patients.toml").write_text(changed.replace("%m/%d/%Y", "%d.%m.%Y"))
    code, printed, _ = type_in("hierarchy check patients.toml")
    checked = answer("hierarchy check patients.toml", code=1)
    assert code == 1
    broken = [one["column"] for one in checked["columns"] if not one["holds"]]
    assert broken == ["race", "birth_date"]
    assert "does not know: 'black'; add it to tree" in " ".join(printed.split())
    assert printed.endswith("These hierarchies do not fit: race, birth_date.\n")


def test_check_of_one_column(folder, answer):
    checked = answer("hierarchy check patients.toml zip")
    assert [one["column"] for one in checked["columns"]] == ["zip"]


# Values that would harm a terminal


@pytest.mark.parametrize("columns", ["80", "120"])
def test_hostile_names_and_values_break_no_output(hostile, type_in, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    code, printed, complaint = type_in("hierarchy propose hostile.csv 'na[1mme'")
    assert (code, complaint) == (0, "")
    assert all(one.isprintable() or one == "\n" for one in printed)
    assert max(map(len, printed.splitlines())) <= 80


def test_hostile_values_are_whole_in_json(hostile, type_in):
    code, printed, _ = type_in("hierarchy propose hostile.csv 'na[1mme' --json")
    assert code == 0
    assert printed[:-1].isprintable()
    assert json.loads(printed)["examples"][0][0] == HOSTILE[0]


@pytest.mark.parametrize("text", ["", "short", *HOSTILE, "e\u0301" * 5000, "\n" * 50, "\udcff"])
def test_a_shortened_text_is_printable_and_no_wider_than_asked(text):
    for width in (2, 10, 22):
        shown = shorten(text, width)
        assert shown == "" or shown.isprintable()
        assert cell_len(shown) <= width
        assert len(shown) <= 2 * width
