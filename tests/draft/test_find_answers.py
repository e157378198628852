"""Answers of a survey: recognized as a block, released by one rule, and not without a decision."""

import random
import tomllib

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.draft.column import ColumnProfile
from lookalike.draft.find_answers import find_answers
from lookalike.errors import RequirementNotMet

LIKERT = ("often", "sometimes", "rarely", "never")


def make_column(name, values):
    return ColumnProfile(name, 100, tuple(values), (100 // len(values),) * len(values), len(values))


def find(*columns):
    found = find_answers([make_column(name, values) for name, values in columns])
    return {name: block.pattern for name, block in found.items()}


def test_numbered_names_with_few_values_are_a_block_with_a_pattern():
    columns = [(f"Q{number}_{item}", "12") for number in (2, 3) for item in range(1, 4)]
    assert find(*columns) == dict.fromkeys((name for name, _ in columns), "Q*_*")


def test_items_of_one_question_are_a_block_with_a_pattern():
    columns = [(f"Which of these do you eat? - {item}", [item]) for item in "abcde"]
    assert {*find(*columns).values()} == {"Which of these do you eat? - *"}


def test_columns_with_the_same_few_values_are_a_block():
    columns = [(name, LIKERT) for name in ("reads", "swims", "sings", "cooks", "rests")]
    assert len(find(*columns)) == 5
    assert not find(*columns[:4])
    assert not find(*columns[:4], ("rests", "1234"))


def test_yes_and_no_are_a_block_only_side_by_side():
    asked = [(name, ("yes", "no")) for name in ("reads", "swims", "sings", "cooks", "rests")]
    assert len(find(*asked)) == 5
    assert not find(*asked[:3], ("amount", "1234567"), *asked[3:])


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Q9", ("Married", "Divorced", "Never married", "Widowed")),
        ("Q9", ("College graduate", "Some college", "High school or less")),
        ("Q9", ("Employed, full-time", "Not employed, retired", "Student")),
        ("Q9", ("Has children", "No children")),
        ("Q9", ("$0-$9,999", "$10,000-$24,999", "$25,000+")),
        ("Q9", ("Straight", "Gay", "Bisexual", "No answer")),
        ("Q9", ("New England", "Middle Atlantic", "Mountain", "Pacific")),
        ("age9", "1234"),
    ],
)
def test_what_shows_who_people_are_is_no_answer(name, values):
    answers = [(f"Q{number}", LIKERT) for number in range(1, 7)]
    found = find(*answers, (name, values))
    assert name not in found
    assert len(found) == 6


def test_numbered_columns_with_many_values_are_no_answers():
    assert not find(*((f"lab{number}", [*map(str, range(30))]) for number in range(9)))


QUESTIONS = {
    "How often do you travel by plane?": "123",
    "Do you typically pray before the meal?": ("Yes", "No"),
    "In general, is it rude to recline your seat?": ("Very", "Somewhat", "Not"),
    "Would you eliminate the possibility of reclining seats?": "345",
    'Have you ever attended a "Friendsgiving?"': ("No", "Yes, once"),
}
FACTS = (
    *("Where do you live now, most of the time?", "Do you work in retail, or used to?"),
    *("What is your zodiac sign, if you know it?", "How many siblings do you have?"),
    *("Do you have a mustache or a beard?", "Do you identify as one of these?"),
)


ITEMS = [(f"Q{number}", LIKERT) for number in range(1, 7)]


def test_beside_a_block_questions_are_answers_but_for_facts_of_a_life():
    columns = [*QUESTIONS.items(), *((name, f"6789{n}") for n, name in enumerate(FACTS))]
    assert {*find(*ITEMS, *columns)} - {*dict(ITEMS)} == {*QUESTIONS}
    assert not find(*columns)


def test_a_few_questions_are_no_survey():
    assert {*find(*ITEMS, *[*QUESTIONS.items()][1:])} == {*dict(ITEMS)}


def make_survey(rows=400, items=30):
    draw = random.Random(5)
    table = {
        "age": [str(draw.randrange(20, 60)) for _ in range(rows)],
        "sex": [draw.choice("MF") for _ in range(rows)],
    }
    table |= {f"Q{n}": [draw.choice(LIKERT) for _ in range(rows)] for n in range(1, items + 1)}
    table |= {
        name: [draw.choice("12345") for _ in range(rows)] for name in ["folk", "rock", "jazz"]
    }
    table |= {name: [draw.choice("12345") for _ in range(rows)] for name in ["opera", "punk"]}
    return pa.table(table)


def test_a_draft_has_one_rule_for_a_block_and_a_line_for_other_answers(tmp_path):
    survey = make_survey()
    draft = la.draft(survey).decide()
    text = draft.toml()
    assert '[attributes."Q*"]\nrole = "other"' in text
    assert 'jazz = { role = "other" }' in text
    assert "[attributes.Q7]" not in text
    assert "35 columns are answers" in text
    assert "single out 400 of 400 rows (100.0 %)" in text.replace("\n# ", " ")
    draft.write(tmp_path / "survey.toml")
    asked = la.Specification.load(tmp_path / "survey.toml").completed(survey.column_names)
    roles = {name: one.role for name, one in asked.attributes.items()}
    assert roles == draft.roles
    assert {name for name, role in roles.items() if role != "other"} == {"age", "sex"}


def test_a_drafted_survey_is_not_published_until_its_holder_decides(tmp_path):
    survey = make_survey(items=6)
    la.draft(survey).decide().write(tmp_path / "survey.toml")
    asked = la.Specification.load(tmp_path / "survey.toml")
    made = la.release(survey, asked, k=5, out=str(tmp_path / "released" / "survey.csv"))
    with pytest.raises(RequirementNotMet, match="as-is-unique"):
        made.publish(tmp_path / "released" / "survey.csv")
    assert not (tmp_path / "released").exists()


def test_an_answer_keeps_its_own_missing_values():
    draw = random.Random(5)
    answers, codes = ("yes", "no", "maybe", "NA"), ("BE", "DE", "FR", "IT", "ES", "NA", "CH")
    table = {f"Q{number}": draw.choices(answers, k=300) for number in range(6)}
    table |= {"Q9": draw.choices(codes, k=300), "age": ["31", "42", "53"] * 100}
    draft = la.draft(pa.table(table)).decide()
    assert draft.source["missing"] == ["NA"]
    asked = la.Specification.build(tomllib.loads(draft.toml())).completed([*table])
    drafted = {column.name: column.missing for column in draft.columns}
    assert {name: one.missing for name, one in asked.attributes.items()} == drafted
    assert drafted["Q9"] is not None


def test_a_decision_about_an_answer_takes_it_out_of_its_block():
    text = la.draft(make_survey()).decide({"Q7": "drop"}).toml()
    assert '[attributes.Q7]\nrole = "drop"' in text
    assert "29 answers, Q1 … Q30" in text
