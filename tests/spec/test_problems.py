"""All problems of a specification are reported at once, each with its place."""

import pytest

from lookalike import InvalidInput, Specification

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

GOOD = {
    "source": {"path": "people.csv"},
    "release": {"k": 5},
    "attributes": {"name": IDENTIFIER, "zip": MASKED, "sex": LINKABLE, "ill": SENSITIVE},
}


def problems(**tables):
    """Return the problems of a good specification in which some tables are replaced."""
    with pytest.raises(InvalidInput) as refused:
        Specification.build({**GOOD, **tables}, "spec.toml")
    message = str(refused.value)
    first, *others = message.splitlines()
    if not others:
        return [first.removeprefix("spec.toml: ")]
    assert first == f"spec.toml: {len(others)} problems:"
    return [line.removeprefix("- ") for line in others]


def assert_named(found, *pieces):
    """Check that there is one problem for each piece, in any order."""
    assert len(found) == len(pieces), found
    for piece in pieces:
        assert sum(piece in problem for problem in found) == 1, (piece, found)


def test_one_problem_is_one_line():
    assert problems(release={"k": 1}) == ["release.k: k must be at least 2 for a release, not 1"]


def test_fields_do_not_hide_what_is_wrong_between_tables():
    found = problems(
        source={"path": "people.csv", "person": "nmae", "row_key": "zip", "delimitter": ";"},
        release={
            "k": "five",
            "method": "datafli",
            "prefer": ["cheapest", "minimum-supression"],
            "constraints": ["zpi <= 2", "sex ~ 1", "height <= 4"],
            "accept": ["free-txt"],
        },
        attributes={
            "name": IDENTIFIER,
            "zip": {**MASKED, "wieght": 2},
            "sex": {"role": "quasi-identifier", "unique": True, "linking": 2},
            "ill": {"role": "sensitve"},
        },
        quasi_identifiers=[
            {"name": "a", "attributes": ["zip", "sx"], "linking": {"zipp": 1}},
            {"name": "b", "attributes": ["zip"], "respondent": "dotcor"},
        ],
    )
    assert_named(
        found,
        "source.delimitter: not a field; did you mean 'delimiter'?",
        "release.k: ",
        "release.method: method is one of",
        "release.prefer.0: prefer is one of",
        "release.prefer.1: prefer is one of",
        "release.constraints.1: constraints: 'sex ~ 1' is not a comparison",
        "release.accept.0: no check is named 'free-txt'; did you mean 'free-text'?",
        "attributes.zip.wieght: not a field; did you mean 'weight'?",
        "attributes.sex.linking: write a number from 0 to 1",
        "attributes.sex: a quasi-identifier needs a hierarchy",
        "attributes.sex: unique is for columns released as they are",
        "attributes.ill.role: ",
        "source.person: 'nmae' must never be released",
        "source.person: 'dotcor' must never be released",
        "source.row_key: 'zip' must never be released",
        "quasi_identifiers.a: 'sx' does not have the role quasi-identifier",
        "quasi_identifiers.a.linking: 'zipp' is not one of its attributes zip, sx",
        "quasi_identifiers.b.respondent: no column is named 'dotcor'",
        "quasi_identifiers: 'sex' is in none of them",
    )


@pytest.mark.parametrize(
    ("tables", "near"),
    [
        ({"release": {"k": 5, "constraints": ["zpi <= 2"]}}, "did you mean 'zip'?"),
        ({"release": {"k": 5, "generalize": ["sexx"]}}, "did you mean 'sex'?"),
        ({"source": {"path": "a.csv", "person": "nmae"}}, "did you mean 'name'?"),
        ({"source": {"path": "a.csv", "row_key": "nmae"}}, "did you mean 'name'?"),
        ({"release": {"k": 5, "method": "samarti"}}, "did you mean 'samarati'?"),
        ({"recipients": {"x": {"columns": ["zip", "il"]}}}, "did you mean 'ill'?"),
        ({"recipients": {"x": {"weights": {"zp": 2}}}}, "did you mean 'zip'?"),
        (
            {"release": {"k": 5, "recipient": "pres"}, "recipients": {"press": {}}},
            "did you mean 'press'?",
        ),
        (
            {"attributes": {**GOOD["attributes"], "ill": {"role": "sensitve"}}},
            "did you mean 'sensitive'?",
        ),
    ],
)
def test_the_nearest_name_is_suggested(tables, near):
    [problem] = problems(**tables)
    assert near in problem


def test_what_is_wrong_for_a_recipient_is_beside_what_is_wrong_for_all():
    found = problems(
        release={"k": 5, "contract": "signed"},
        recipients={
            "press": {"method": "magic", "columns": ["zap"]},
            "clinic": {"k": 3, "highest_risk": 0.1},
            "office": {"colums": ["zip"], "constraints": ["age <= 1"]},
        },
    )
    assert_named(
        found,
        "release.contract belongs to a recipient",
        "recipients.press.method: method is one of",
        "recipients.press.columns: no column is named 'zap'",
        "recipients.press.columns: none has the role quasi-identifier",
        "recipients.clinic: release: k and highest_risk say the same thing",
        "recipients.office.colums: not a field; did you mean 'columns'?",
        "recipients.office: release.constraints: 'age' is neither",
    )


@pytest.mark.parametrize(
    "release",
    [
        {"k": "five"},
        {"highest_risk": 2},
        {"anonymity": "much"},
        {"k": 5, "recipient": 3, "contract": "signed"},
        {"k": 5, "ledger": "ledger.db", "policy": "trust"},
    ],
)
def test_what_was_taken_out_is_not_missed(release):
    source = {"path": "people.csv", "row_key": "name"}
    assert len(problems(release=release, source=source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        {"path": 5},
        {"path": "a.csv", "row_key": 5},
        {"path": "a.csv", "row_key": "name", "memory": "much"},
        "people.csv",
    ],
)
def test_a_wrong_source_is_one_problem(source):
    assert len(problems(source=source, release={"k": 5, "ledger": "ledger.db"})) == 1


def test_all_that_is_wrong_with_a_source_is_named():
    source = {"path": "a.csv", "table": "people", "master": "yarn", "encoding": "klingon"}
    [problem] = problems(source=source)
    assert "table is one of a database" in problem
    assert "master is for Spark" in problem
    assert "encoding 'klingon' is not known" in problem


def test_a_missing_table_leaves_nothing_to_compare():
    with pytest.raises(InvalidInput) as refused:
        Specification.build({}, "spec.toml")
    assert str(refused.value).splitlines() == [
        "spec.toml: 2 problems:",
        "- release: is required",
        "- attributes: is required",
    ]


def test_a_specification_that_is_made_directly_is_checked_too():
    with pytest.raises(ValueError, match="'zpi' is neither a quasi-identifier attribute"):
        Specification.model_validate({**GOOD, "release": {"k": 5, "constraints": ["zpi <= 2"]}})
