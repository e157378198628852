"""Answers of which an attacker may know some, from the specification to the verified folder."""

import json
import re
from io import StringIO

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from rich.console import Console

import lookalike as la
from lookalike.examine.verify import verify
from lookalike.flow.review import draw_review
from lookalike.publish.certificate import Certificate
from lookalike.publish.review import Subject
from lookalike.shell.views.release import show_release
from lookalike.tables import known_answers
from lookalike.verify import answers

from ..roles import IDENTIFIER, MASKED, SENSITIVE

ROLES = {"zip": MASKED, "q*": {"role": "other"}, "ill": SENSITIVE}


def draw_people(rows=150):
    """People with four answers, one of them a number, and an illness."""
    draw = np.random.default_rng(3)
    answers = {
        f"q{one}": draw.choice(["no", "yes", "?"], rows, p=[0.6, 0.35, 0.05]) for one in "123"
    }
    return pa.table(
        {
            "zip": draw.choice(["02138", "02139", "02141"], rows),
            **{
                name: pa.array([None if v == "?" else str(v) for v in one])
                for name, one in answers.items()
            },
            "q4": draw.integers(1, 4, rows) * 10,
            "ill": draw.choice(["flu", "cold"], rows),
        }
    )


PEOPLE = draw_people()


def make(table=PEOPLE, *, attributes=ROLES, **fields):
    asked = {"k": 5, "max_suppressed": 0, "method": "mingen", "knows_answers": 2} | fields
    return la.release(table, attributes=attributes, **asked)


@pytest.fixture(scope="module")
def made():
    return make()


def test_the_certificate_states_what_is_left_out(made):
    stated = made.certificate.answers
    shown = made.table.to_pydict()
    assert (stated.known, stated.k, [*stated.left_out]) == (2, 5, ["q1", "q2", "q3", "q4"])
    assert stated.left_out == {name: shown[name].count("*") for name in stated.left_out}
    assert 0 < sum(stated.left_out.values()) < 4 * len(PEOPLE)
    assert stated.state("zip") in made.certificate.statement
    assert made.certificate.released_as_they_are == ("ill",)


def test_the_classes_are_those_without_it(made):
    assert made.levels == make(knows_answers=None).levels


@pytest.mark.parametrize(("known", "is_advised"), [(1, False), (2, True)])
def test_the_terminal_says_how_to_keep_more_where_much_is_left_out(known, is_advised):
    console = Console(width=400, file=StringIO())
    console.print(show_release(make(knows_answers=known)))
    said = " ".join(console.file.getvalue().split())
    assert f"Any {known} of 4 answers leave at least 5 rows of a class" in said
    assert ("More are kept in larger classes" in said) == is_advised


def test_a_column_that_shows_all_of_its_values_keeps_its_type():
    release = make(knows_answers=1)
    assert release.certificate.answers.left_out["q4"] == 0
    assert release.table.schema.field("q4").type == pa.int64()


@pytest.mark.parametrize("kind", ["pandas", "polars", "duckdb"])
def test_the_same_kind_of_frame_comes_back(kind, made):
    given = {"pandas": PEOPLE.to_pandas, "polars": lambda: pl.from_arrow(PEOPLE)}
    table = duckdb.from_arrow(PEOPLE) if kind == "duckdb" else given[kind]()
    other = make(table)
    assert isinstance(other.table, pd.DataFrame | pl.DataFrame | duckdb.DuckDBPyRelation)
    assert type(other.table) is type(table)
    assert other.certificate.answers == made.certificate.answers


@pytest.mark.parametrize("name", ["table.csv", "table.parquet"])
@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_published_release_is_verified_by_its_holder(tmp_path, name, method):
    release = make(method=method, attributes=ROLES | {"q4": {"role": "other", "round": 20}})
    release.publish(tmp_path / "out" / name)
    found = verify(tmp_path / "out", spec=release.specification, table=PEOPLE)
    assert [one.claim for one in found.findings if not (one.holds and one.checked)] == []


@pytest.fixture
def folder(tmp_path, made):
    made.publish(tmp_path / "out" / "table.csv")
    return tmp_path / "out"


def forge(folder, **stated):
    """State something else of answers, in a certificate that agrees with itself."""
    path = folder / "certificate.json"
    fields = json.loads(path.read_text())
    before = Certificate.read(folder).answers
    fields["answers"] |= stated
    path.write_text(json.dumps(fields))
    after = Certificate.read(folder).answers
    fields["statement"] = fields["statement"].replace(before.state("zip"), after.state("zip"))
    path.write_text(json.dumps(fields))


@pytest.mark.parametrize(
    "stated",
    [{"known": 3}, {"k": 50, "k_reached": 50}, {"left_out": {"q1": 0, "q2": 0, "q3": 0, "q4": 0}}],
)
def test_a_recipient_finds_a_certificate_that_states_more(folder, stated):
    assert verify(folder).holds
    forge(folder, **stated)
    assert not verify(folder).holds


def test_the_specification_may_ask_for_less_than_the_certificate(folder):
    less = make(knows_answers=None).specification
    more = make(knows_answers=2, k_answers=4, k=5).specification
    assert verify(folder, spec=less, table=PEOPLE).holds
    assert verify(folder, spec=more, table=PEOPLE).holds


def test_rows_of_other_answers_are_not_of_this_table(folder, made):
    other = PEOPLE.set_column(1, "q1", pa.array(["never"] * len(PEOPLE)))
    found = verify(folder, spec=made.specification, table=other)
    assert not found.holds


def test_answers_that_are_bounded_do_not_stop_a_release(made):
    """Without it, they are compared as any column that is released as it is."""
    [note] = [one for one in made.preflight if one.name == "as-is-unique"]
    assert note.severity == "note"
    assert "knows any 2 of the 4 columns of answers" in note.sentence
    assert "all 5 single out 11 rows" in note.sentence


def test_persons_with_one_row_each_are_counted_as_rows():
    numbers = pa.array([*range(len(PEOPLE))])
    known = {"attributes": ROLES | {"who": IDENTIFIER}, "source": {"person": "who"}}
    assert make(PEOPLE.append_column("who", numbers), **known).certificate.answers is not None
    halves = PEOPLE.append_column("who", pa.array([one // 2 for one in range(len(PEOPLE))]))
    with pytest.raises(la.RequirementNotMet, match="give each person one row"):
        make(halves, accept=["repeated-persons"], **known).table  # noqa: B018


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"k_answers": 6}, "classes of k = 5 rows cannot have 6 with the same answers"),
        ({"knows_answers": None, "k_answers": 3}, "k_answers is for knows_answers"),
        ({"knows_answers": 4}, "less than or equal to 3"),
        ({"ledger": "memory.db"}, "release without a ledger"),
        ({"attributes": {"zip": MASKED, "q*": SENSITIVE, "ill": SENSITIVE}}, "there is none"),
        (
            {"quasi_identifiers": [{"name": "one", "attributes": ["zip"]}]},
            "is for a single quasi-identifier",
        ),
        (
            {"attributes": ROLES | {"age": {**MASKED, "linking": 0.5}}},
            "linking below 1 takes age out of it",
        ),
    ],
)
def test_what_it_cannot_be_combined_with_is_refused(fields, said):
    with pytest.raises(la.InvalidInput, match=said):
        make(**fields)


def test_an_answer_that_equals_the_suppressed_label_is_refused():
    stars = PEOPLE.set_column(1, "q1", pa.array(["*", "no"] * (len(PEOPLE) // 2)))
    with pytest.raises(la.InvalidInput, match="choose another suppressed_label"):
        make(stars)


def test_classes_of_fewer_rows_are_refused():
    """Without a k of its own, the k of a level of anonymity is known when the rows are."""
    with pytest.raises(la.RequirementNotMet, match="raise k, or lower k_answers"):
        make(k=None, anonymity=0.05, anonymity_constant=1, k_answers=60)


def test_an_attribute_with_a_greater_k_of_its_own_is_in_the_classes():
    zipped = MASKED | {"anonymity": 0.2}
    release = make(attributes=ROLES | {"zip": zipped}, anonymity_constant=1, k_answers=3)
    assert [one.k for one in release.certificate.alone] == [30]
    assert release.certificate.answers.k_reached >= 3


def read_text(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.reports
@pytest.mark.parametrize("ill", [SENSITIVE, {"role": "drop"}])
def test_the_holder_is_told_what_must_not_be_known(tmp_path, ill):
    release = make(attributes=ROLES | {"ill": ill})
    page = read_text(draw_review(release, Subject("", "", None, None)).html)
    assert "Answers q1, q2, q3, q4: whoever knows any 2 of them" in page
    release.publish(tmp_path / "out" / "table.csv", dossier=tmp_path / "private")
    text = read_text((tmp_path / "private" / "report.html").read_text())
    assert "zip; and of answers, no more than any 2 of the 4 columns of answers." in text
    assert "any 2 of the 4 columns of answers may be known with the quasi-identifier" in text
    assert "None: every released column is a part of the quasi-identifier" not in text
    assert "does not cover 1 column" in text or ill is not SENSITIVE
    written = tmp_path / "regulator.html"
    la.report(tmp_path / "out", dossier=tmp_path / "private", regulator=written)
    left_out = release.certificate.answers.left_out["q1"]
    said = f"q1 answer released as it is; values that are rare in a class left out: {left_out:,}"
    assert said in read_text(written.read_text())


def test_what_depends_on_the_answers_of_one_release_is_refused(tmp_path, folder, made):
    from lookalike.flow.apply import apply_levels

    with pytest.raises(la.InvalidInput, match="without knows_answers"):
        apply_levels(folder, PEOPLE, made.specification, tmp_path / "new.csv")
    with pytest.raises(la.InvalidInput, match="without knows_answers"):
        la.utility(made)


def test_a_release_that_leaves_out_nothing_is_refused_by_the_recount(monkeypatch):
    monkeypatch.setattr("lookalike.tables.known_answers.leave_out_rare", lambda *_: None)
    with pytest.raises(la.RequirementNotMet, match="combinations of answers leave fewer than 5"):
        make().table  # noqa: B018


def test_a_release_of_other_answers_is_refused_by_the_proof(monkeypatch):
    def swap(codes, *_):
        codes[:] = 0
        codes[0, len(codes[0]) // 2 :] = 1

    monkeypatch.setattr("lookalike.tables.known_answers.leave_out_rare", swap)
    with pytest.raises(la.RequirementNotMet, match="do not have the answers of a private row"):
        make().table  # noqa: B018


def test_more_combinations_than_can_be_compared_are_refused_with_the_remedy(monkeypatch):
    """150 rows of four columns have 4 + 6 sets of one or two columns each."""
    monkeypatch.setattr(known_answers, "SETS_COMPARED", 1_500)
    make()
    monkeypatch.setattr(known_answers, "SETS_COMPARED", 1_499)
    with pytest.raises(la.InvalidInput, match=r"have 1,500 combinations of answers, .* lower it"):
        make()
    make(knows_answers=1)


def test_what_is_too_much_to_count_again_is_neither_published_nor_verified(monkeypatch, tmp_path):
    make().publish(tmp_path / "made/people.csv")
    monkeypatch.setattr(answers, "MOST_COUNTED", 10)
    with pytest.raises(la.InvalidInput, match="to count again, more than the 10"):
        make().publish(tmp_path / "again/people.csv")
    assert not (tmp_path / "again").exists()
    with pytest.raises(la.InvalidInput, match="to count again, more than the 10"):
        verify(tmp_path / "made")
