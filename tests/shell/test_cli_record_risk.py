"""`lookalike risk --record-columns`: persons whom some of their records single out."""

import pytest

PATIENTS = "patient_no,sex\n1,f\n2,f\n3,m\n"
VISITS = "patient,month\n1,May\n1,June\n2,May\n2,July\n3,June\n3,July\n9,May\n"
BOTH = "risk p.csv --person patient_no -q sex --records v.csv --record-person patient"


@pytest.fixture
def hospital(folder):
    """A table of persons and one of their visits."""
    (folder / "p.csv").write_text(PATIENTS)
    (folder / "v.csv").write_text(VISITS)
    return folder


def test_the_persons_are_counted_by_what_is_known_of_them(hospital, answer):
    found = answer(f"{BOTH} --record-columns month --json")
    assert (found["persons"], found["rows"], found["most_records"], found["unlinked"]) == (
        3,
        6,
        2,
        1,
    )
    assert [one["unique_persons"] for one in found["known"]] == [1, 3, 3, 3, 3]
    assert [one["persons_below_k"] for one in found["known"]] == [3] * 5


def test_a_table_of_records_alone_has_no_line_without_records(hospital, type_in):
    code, printed, _ = type_in("risk v.csv --person patient --record-columns month")
    assert code == 0
    assert "2 records" in printed
    assert "nothing" not in printed
    assert all(len(line) <= 80 for line in printed.splitlines() if not line.startswith("!"))


def test_the_number_of_records_alone_may_be_known(hospital, answer):
    known = answer(f"{BOTH} --json")["known"]
    assert [one["unique_persons"] for one in known] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("risk v.csv --record-columns month", "name the column that identifies persons"),
        ("risk v.csv --person patient --records v.csv", "name the columns that can be linked"),
        ("risk v.csv --person patient -q month --record-columns month", "--record-columns"),
        (f"{BOTH} --size 2 --sensitive sex", "leave out --sensitive, --size"),
        (f"{BOTH} --record-columns mont", "did you mean 'month'?"),
        (f"{BOTH} --population p.csv", "leave out --population"),
    ],
)
def test_what_does_not_fit_is_refused(hospital, type_in, words, complaint):
    code, printed, said = type_in(words)
    assert (code, printed) == (2, "")
    assert complaint in said
