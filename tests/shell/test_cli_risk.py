"""`lookalike risk` and `lookalike link`: what they print, and what they keep to themselves."""

import pytest

from lookalike.risk.table import propose

from ..voters import PATIENTS

LINKABLE = "race,birth_date,gender,zip"
ON = "--on birth_date=dob,gender=sex,zip --spec patients.toml"
SENSITIVE_FIELDS = [
    "attribute",
    "different",
    "homogeneous_classes",
    "homogeneous_rows",
    "distance",
    "alpha",
    "distinct_l",
    "entropy_l",
    "recursive_c",
    "t",
    "beta",
    "enhanced_beta",
    "delta",
    "delta_present",
    "by_distinct_l",
]
RISK_FIELDS = [
    "k",
    "counts",
    "attributes",
    "rows",
    "classes",
    "smallest",
    "unique_rows",
    "rows_below_k",
    "unique_share",
    "share_below_k",
    "subsets",
    "singling_out",
    "class_sizes",
    "prosecutor",
    "journalist",
    "marketer",
    "population",
    "sensitive",
    "budget",
    "warnings",
]
PROPOSAL_FIELDS = [
    "rows",
    "columns",
    "k",
    "share",
    "size",
    "quasi_identifiers",
    "unique_keys",
    "linkable",
    "counted",
    "not_counted",
    "complete",
]
LINK_FIELDS = [
    "k",
    "holds",
    "protection",
    "k_map",
    "on",
    "rows",
    "persons",
    "truth",
    "unknown",
    "vectors",
    "seconds_per_vector",
    "warnings",
]


def private_values():
    """Return every value of the patients and the voters that tells of somebody."""
    lines = "".join((PATIENTS / name).read_text() for name in ("patients.csv", "voters.csv"))
    values = set(lines.replace("\n", ",").split(","))
    return {value for value in values if len(value) > 5 and not value.isidentifier()}


def test_risk_answers_with_the_documented_fields(folder, answer):
    found = answer(f"risk patients.csv -q {LINKABLE} --sensitive problem --size 4")
    assert list(found) == RISK_FIELDS
    assert (found["rows"], found["unique_rows"], found["unique_share"]) == (12, 12, 1.0)
    assert len(found["subsets"]) == 15
    assert found["singling_out"][0] == ["birth_date"]
    assert list(found["sensitive"][0]) == SENSITIVE_FIELDS
    assert found["sensitive"][0]["homogeneous_classes"] == 12
    assert found["sensitive"][0]["delta"] is None


def test_many_sensitive_columns_fit_a_terminal(folder, type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = type_in("risk patients.csv -q zip --sensitive problem,race,gender,birth_date")[1]
    figures = told[told.index("the worst class of") :].splitlines()
    assert sum("the worst class of" in line for line in figures) == 2
    assert max(map(len, figures)) <= 80
    assert sum("enhanced β" in line for line in figures) == 2


def test_risk_says_it_in_words(folder, type_in):
    code, told, complaint = type_in("risk patients.csv -q race,gender,zip --sensitive problem")
    assert (code, complaint) == (0, "")
    assert "! 1 of 12 rows (8.3 %) is unique over race, gender, zip:" in told
    assert "Smallest subsets that single out a row: race, gender; " in told
    assert "prosecutor" in told


def test_risk_of_a_safe_table_says_so(folder, type_in):
    told = type_in("risk patients.csv -q race")[1]
    assert told.startswith("Nobody stands out: every class has at least 5 rows.\n")


def test_risk_with_a_population_tells_the_journalists(folder, answer, type_in):
    command = "risk patients.csv -q zip --population voters.csv"
    found = answer(command)
    assert found["population"] == {"persons": 400, "rows_beyond": 0}
    assert found["journalist"]["highest"] < found["prosecutor"]["highest"]
    assert "a population of 400" in type_in(command)[1]


def test_risk_proposes_quasi_identifiers_where_none_is_named(folder, answer):
    found = answer("risk patients.csv")
    assert list(found) == PROPOSAL_FIELDS
    sets = [one["attributes"] for one in found["quasi_identifiers"]]
    assert sets == [["name"], ["birth_date"], ["problem"], ["race", "gender"], ["gender", "zip"]]
    assert found["unique_keys"][2:] == [["zip", "problem"], ["race", "gender", "problem"]]
    assert (found["complete"], found["not_counted"]) == (True, 0)


def test_a_proposal_is_read_at_80_columns_and_says_how_to_go_on(folder, type_in):
    code, told, complaint = type_in("risk patients.csv --size 2")
    assert (code, complaint) == (0, "")
    assert max(map(len, told.splitlines())) <= 80
    assert "Minimal unique keys, which distinguish all rows: name; birth_date;" in told
    assert "Sets of more than 2 columns were not counted; see --size." in told
    told = type_in("risk patients.csv --share 1 --size 1 --where \"name < 'C'\"")[1]
    assert told.endswith("lookalike risk patients.csv -q name,birth_date,problem\n")


def test_a_proposal_that_was_cut_says_so(folder, type_in, monkeypatch):
    monkeypatch.setattr(propose, "MOST_VALUES_READ", 0)
    told = " ".join(type_in("risk patients.csv")[1].split())
    assert "Incomplete: 5 more sets, and larger ones that contain them, were not counted" in told


def test_a_table_that_singles_out_nobody_has_no_quasi_identifier_to_propose(folder, type_in):
    (folder / "alike.csv").write_text("a,b\n1,x\n1,x\n")
    told = type_in("risk alike.csv")[1]
    assert told.startswith("No set of up to 3 columns singles out 5.0 % of the 2 rows or more.\n")
    assert "No unique key: no set of up to 3 columns distinguishes all rows." in told


def test_risk_of_no_rows(folder, type_in):
    code, told, _ = type_in("risk patients.csv -q race --where \"race = 'none'\"")
    assert (code, told) == (0, "The table is empty.\n")


def test_link_answers_with_the_documented_fields(folder, answer, type_in):
    type_in("release patients.toml")
    linked = answer(f"link released voters.csv {ON}")
    assert list(linked) == LINK_FIELDS
    assert (linked["protection"], linked["k_map"], linked["holds"]) == ("k-map", 2, True)
    assert sum(one["total"] for one in linked["rows"]["candidates"]) == 10


def test_link_of_the_raw_table_finds_everybody(folder, answer):
    linked = answer(f"link patients.csv voters.csv {ON} --identity name --truth name", code=1)
    assert linked["protection"] == "none"
    assert linked["rows"]["one"] == linked["truth"]["pinned_right"] == 12


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"risk patients.csv -q {LINKABLE} --sensitive problem,name", 0),
        ("risk patients.csv --share 0", 0),
        (f"link patients.csv voters.csv {ON} --identity name --truth name", 1),
    ],
)
@pytest.mark.parametrize("form", ["", " --json"])
def test_no_row_is_printed_unless_asked_for(folder, type_in, command, code, form):
    actual, told, complaint = type_in(command + form)
    assert actual == code
    assert [value for value in private_values() if value in told + complaint] == []


def test_rows_are_shown_where_asked_for(folder, answer, type_in):
    command = f"link patients.csv voters.csv {ON} --identity name --where \"name = 'K. King'\""
    [shown] = answer(f"{command} --show", code=1)["shown"]
    assert shown["person"]["name"] == "K. King"
    assert shown["row"] == {"birth_date": "2/13/1967", "gender": "male", "zip": "02138"}
    assert "K. King" in type_in(f"{command} --show")[1]
    assert "2/13/1967" in type_in(f"risk patients.csv -q {LINKABLE} --show --most 12")[1]


def test_link_tells_the_time_of_each_vector_at_the_cell_level(folder, answer, type_in):
    type_in("release patients.toml --method mingen-cells")
    assert answer(f"link released voters.csv {ON}")["vectors"] > 1
    told = type_in(f"link released voters.csv {ON}")[1]
    assert "vectors of levels; each took" in told


def test_link_says_that_truth_makes_a_wrong_map(folder, type_in):
    (folder / "moved.csv").write_text("name,zip\nA. Adams,02138\nZ. Zorn,02141\n")
    (folder / "one.csv").write_text("name,zip\nA. Adams,02141\n")
    code, told, _ = type_in("link one.csv moved.csv --on zip --identity name --truth name")
    assert code == 0
    assert told.startswith(
        "Wrong-map over zip: a row that matches fewer than 2 people belongs to none"
    )
    assert "0 match the right one and 1 a wrong one." in told


def test_link_says_null_map(folder, type_in):
    (folder / "far.csv").write_text("zip\n94138\n")
    code, told, _ = type_in("link patients.csv far.csv --on zip --spec patients.toml")
    assert (code, told.split(":")[0]) == (0, "Null-map over zip")
