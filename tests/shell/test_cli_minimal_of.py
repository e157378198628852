"""`lookalike minimal --of`: a published release, judged on the command line."""

import pytest

FIELDS = [
    "level",
    "k",
    "max_suppressed",
    "rows_suppressed",
    "levels",
    "precision",
    "k_minimal",
    "reason",
    "below",
    "finer",
    "minimal_distortion",
]


@pytest.fixture
def datafly(folder, after):
    """The release that Datafly makes of the twelve patients."""
    after("release patients.toml")
    return "--of released --spec patients.toml"


def test_json_has_the_documented_fields(datafly, answer):
    told = answer(f"minimal {datafly}")
    assert list(told) == FIELDS
    assert told["levels"] == {"race": 0, "birth_date": 2, "gender": 0, "zip": 0}
    assert (told["k_minimal"], told["minimal_distortion"]["holds"]) == (True, True)


def test_the_specification_may_be_the_argument(datafly, answer):
    assert answer("minimal patients.toml --of released")["k_minimal"]


def test_a_release_that_is_not_minimal_is_exit_code_1_with_what_is_finer(datafly, answer):
    told = answer(f"minimal {datafly} --max-suppressed 12", code=1)
    assert [one["suppressed"] for one in told["below"]] == [12]
    cells = answer(f"minimal {datafly} --level cell", code=1)
    assert (cells["k_minimal"], cells["levels"]) == (False, None)
    [finer] = cells["finer"]
    assert (finer["rows"], finer["levels"]["zip"]) == (2, [3, 1])
    assert "finer" not in finer
    assert cells["minimal_distortion"]["precision_possible"] == pytest.approx(0.8486, abs=5e-5)


def test_values_of_a_finer_table_are_shown_on_request_only(datafly, answer, type_in):
    command = f"minimal {datafly} --level cell"
    assert answer(f"{command} --show", code=1)["finer"][0]["finer"]["zip"] == "0213*"
    assert "0213*" not in type_in(command)[1]
    assert "zip at level 1 instead of 3 (0213*)" in " ".join(
        type_in(f"{command} --show")[1].split()
    )


def test_what_is_undecided_is_null_and_exit_code_1(folder, after, answer, type_in):
    after("release patients.toml --method mingen-cells")
    command = "minimal --of released --spec patients.toml --time-limit 1e-9"
    assert answer(command, code=1)["k_minimal"] is None
    assert "k-minimal: undecided: " in type_in(command)[1]


def test_mingen_cells_is_proved_to_be_both(folder, after, answer):
    after("release patients.toml --method mingen-cells")
    told = answer("minimal --of released --spec patients.toml")
    assert (told["level"], told["max_suppressed"]) == ("cell", 0)
    assert (told["k_minimal"], told["minimal_distortion"]["holds"]) == (True, True)
    assert told["minimal_distortion"]["gap"] == 0


@pytest.mark.parametrize("options", ["", " --level cell", " --max-suppressed 0"])
def test_a_person_reads_it_at_80_columns(datafly, type_in, options):
    told = type_in(f"minimal {datafly}{options}")[1]
    assert "k-minimal: " in told
    assert "minimal distortion: " in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "no specification: use"),
        ("--of released", "no specification: use"),
        ("patients.toml --of released --spec patients.toml", "given twice"),
        ("patients.toml --of nowhere", "nowhere is not a release"),
        ("patients.toml --of released --search halving", "give one of them"),
        ("patients.toml --of released --prefer minimum-suppression", "leave it out with --of"),
        ("patients.toml --level cell", "--level needs --of"),
        ("patients.toml --show", "--show needs --of"),
        ("patients.toml --of released --level row", "one of attribute, cell, not 'row'"),
    ],
)
def test_mistakes_are_answered(datafly, type_in, options, message):
    code, told, complaint = type_in(f"minimal {options}")
    assert (code, told) == (2, "")
    assert message in complaint


def test_a_release_of_another_table_is_not_judged(datafly, folder, type_in):
    lines = (folder / "patients.csv").read_text().splitlines()
    (folder / "patients.csv").write_text("\n".join(lines[:8]) + "\n")
    code, told, complaint = type_in(f"minimal {datafly}")
    assert (code, told) == (1, "")
    assert "released cannot be judged: it does not hold that" in complaint
    assert "rows_in is 12, not 7" in complaint
