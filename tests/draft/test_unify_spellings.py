"""Values that are spelled in several ways: a map is proposed, with the cells that it changes."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.draft.column import ColumnProfile
from lookalike.draft.meaning import Meaning
from lookalike.draft.unify_spellings import unify_spellings
from lookalike.publish.certificate_sentences import summarize_certificate

SEX = Meaning("sex", "quasi-identifier")


def unify(*values, meaning=None):
    counts = tuple(range(len(values) + 1, 1, -1))
    column = ColumnProfile("x", sum(counts), values, counts, len(values))
    found = unify_spellings(column, meaning)[1]
    return {} if found is None else dict(found.meanings)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("Boston", "boston", "BOSTON"), {"BOSTON": "Boston", "boston": "Boston"}),
        (("New York", "new  york"), {"new  york": "New York"}),
        (("AA", "Aa", "aa"), {}),  # genotypes
        (("A+", "A-", "a+"), {}),
        (("B-ve", "B+ve"), {}),
        (("yes", "Y", "No", "n", "no"), {"Y": "yes", "n": "No", "no": "No"}),
        (("M", "male", "F"), {}),  # anything else than a sex
    ],
)
def test_only_case_and_blanks_of_words_are_unified(values, expected):
    assert unify(*values) == expected


def test_words_for_a_sex_are_unified_and_other_genders_stay():
    values = ("M", "Female", "male", "f", "Agender", "agender", "trans female", "Mrs")
    assert unify(*values, meaning=SEX) == {"male": "M", "f": "Female", "agender": "Agender"}


PEOPLE = {
    "sex": ["M", "M", "male", "F", "F", "female"] * 20,
    "city": ["Arles", "Arles", "arles", "Nîmes", "Nîmes", "Orange"] * 20,
    "age": [str(20 + number % 50) for number in range(120)],
    "notes": [f"came in with fever on day {number}" for number in range(120)],
}


def test_a_draft_maps_spellings_and_says_how_many_cells_that_changes(tmp_path):
    draft = la.draft(pa.table(PEOPLE))
    assert [one.figures.distinct for one in draft.columns[:2]] == [2, 3]
    draft.write(tmp_path / "people.toml")
    text = (tmp_path / "people.toml").read_text()
    assert 'map = { female = "F", male = "M" }' in text
    assert "40 cells in the most frequent spelling (2 others): female 20, male 20" in text
    assert 'map = "city-map.csv"' in text and "rles" not in text  # noqa: PT018  (one column)
    lines = (tmp_path / "city-map.csv").read_text().splitlines()
    assert lines == ['"value","meaning","cells"', '"arles","Arles","20"']
    assert (tmp_path / "city-map.csv").stat().st_mode & 0o077 == 0


def test_a_release_by_the_draft_shows_one_spelling(tmp_path):
    draft = la.draft(pa.table(PEOPLE)).decide()
    draft.write(tmp_path / "people.toml")
    specification = la.Specification.load(tmp_path / "people.toml")
    made = la.release(pa.table(PEOPLE), specification)
    assert made.certificate.mapped == ("sex", "city")
    shown = {*made.table["sex"].to_pylist(), *made.table["city"].to_pylist()}
    assert not shown & {"male", "female", "arles"}
    said = " ".join(summarize_certificate(made.certificate))
    assert "The data holder wrote some values of sex in another way first." in said
    assert "male" not in said


def test_a_column_that_is_not_released_is_not_mapped():
    draft = la.draft(pa.table(PEOPLE)).decide({"city": "drop"})
    assert "city-map" not in draft.toml()
