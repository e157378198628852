"""Patterns, defaults and undecided roles in every verb that makes or checks a release."""

import pytest

import lookalike as la
from lookalike import InvalidInput, Specification
from lookalike.flow.check_specification import preflight_table
from lookalike.flow.compare import compare_methods
from lookalike.flow.explain import explain
from lookalike.flow.make_release import make_release
from lookalike.flow.minimal import minimal, trace_specified

SPECIFICATION = """
[source]
path = "visits.csv"
[release]
k = 2
method = "samarati"
out = "released/visits.csv"
[defaults]
role = "other"
[attributes.name]
role = "identifier"
[attributes."home_*"]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
[attributes."lab_*"]
role = "sensitive"
"""
ROWS = [f"n{row},{10 + row % 3},{20 + row % 2},{row % 2},{row % 3},b{row % 2}" for row in range(12)]


@pytest.fixture
def specification(tmp_path):
    header = "name,home_zip,home_street,lab_hb,lab_na,ward"
    (tmp_path / "visits.csv").write_text("\n".join([header, *ROWS]) + "\n")
    (tmp_path / "visits.toml").write_text(SPECIFICATION)
    return tmp_path / "visits.toml"


def test_a_release_by_rules_is_published_and_verifies(specification):
    made = make_release(Specification.load(specification))
    folder = specification.parent / "released"
    assert made.certificate.columns == ("home_zip", "home_street", "lab_hb", "lab_na", "ward")
    assert list(made.certificate.generalized) == ["home_zip", "home_street"]
    assert made.certificate.released_as_they_are == ("lab_hb", "lab_na", "ward")
    verified = la.verify(folder, spec=specification)
    assert verified.holds
    assert verified.complete
    assert la.exposure(folder, specification).mean_gain >= 0
    assert la.is_k_minimal(folder, spec=specification).answer == "yes"


def test_the_roles_given_by_rules_are_listed_before_publishing(specification):
    [note] = [
        one
        for one in preflight_table(Specification.load(specification)).findings
        if one.name == "roles-by-rule"
    ]
    assert note.severity == "note"
    assert "home_* gives the role quasi-identifier to 'home_zip', 'home_street'" in note.sentence
    assert "lab_* gives the role sensitive to 'lab_hb', 'lab_na'" in note.sentence
    assert "[defaults] gives the role other to 'ward'" in note.sentence
    assert "'name'" not in note.sentence


def test_the_private_table_of_verify_may_be_elsewhere(specification):
    make_release(Specification.load(specification))
    table = specification.parent / "visits.csv"
    table.rename(specification.parent / "moved.csv")
    folder, moved = specification.parent / "released", specification.parent / "moved.csv"
    assert la.verify(folder, spec=specification, table=moved).holds


def test_linking_knows_the_hierarchy_of_a_pattern(specification):
    make_release(Specification.load(specification))
    folder = specification.parent / "released"
    columns = ["home_zip", "home_street"]
    found = la.link(folder, specification.parent / "visits.csv", on=columns, spec=specification)
    assert found.k_map >= 2


@pytest.mark.parametrize(
    "run",
    [
        make_release,
        lambda asked: make_release(asked, dry_run=True),
        compare_methods,
        minimal,
        lambda asked: trace_specified(asked, "find-vector"),
        explain,
        preflight_table,
        lambda asked: la.verify(asked.release.out.rsplit("/", 1)[0], spec=asked),
        lambda asked: la.exposure(asked.release.out.rsplit("/", 1)[0], asked),
    ],
)
def test_an_undecided_role_is_refused_everywhere(specification, run):
    make_release(Specification.load(specification))
    undecided = SPECIFICATION.replace('"sensitive"', '"?"').replace('"other"', '"?"')
    specification.write_text(undecided)
    with pytest.raises(InvalidInput) as refused:
        run(Specification.load(specification))
    assert str(refused.value) == (
        "the role of 'lab_hb', 'lab_na', 'ward' is not decided; replace role = \"?\" by one of "
        "identifier, quasi-identifier, sensitive, other, drop"
    )
