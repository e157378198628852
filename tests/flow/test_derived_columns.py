"""Columns from which a finer value of a quasi-identifier follows stop a release, and a draft."""

import json
import random
from datetime import date, timedelta

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.errors import RequirementNotMet
from lookalike.tables import sample

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ROWS = 1000
OTHER = {"role": "other"}
DATES = {"role": "quasi-identifier", "hierarchy": {"kind": "dates"}}
KINDS = {
    "arrow": lambda rows: rows,
    "pandas": lambda rows: rows.to_pandas(),
    "polars": pl.from_arrow,
    "duckdb": lambda rows: duckdb.connect().from_arrow(rows),
}


def intervals(*widths):
    return {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [*widths]}}


def derived(made):
    return [one for one in made.preflight if one.name == "derived-column"]


def make(columns, roles, **fields):
    return la.release(pa.table(columns), attributes=roles, **{"k": 5, "method": "mingen", **fields})


def visits(rows=ROWS, seed=1):
    """Return days and what follows from them, beside an unrelated ward."""
    drawn = random.Random(seed)
    days = [date(2000, 1, 1) + timedelta(days=drawn.randrange(3650)) for _ in range(rows)]
    return {
        "day": [day.isoformat() for day in days],
        "year": [str(day.year) for day in days],
        "ward": [drawn.choice("abcdefgh") for _ in range(rows)],
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_year_beside_a_generalized_date_stops_the_release(kind, method, tmp_path):
    table = KINDS[kind](pa.table(visits()))
    roles = {"day": DATES, "year": OTHER, "ward": SENSITIVE}
    levels = ["day >= 3"] if method == "mingen" else []
    made = la.release(table, k=150, attributes=roles, method=method, constraints=levels)
    [one] = derived(made)
    assert one.severity == "error"
    assert one.sentence.startswith("'year' gives 'day' ")
    with pytest.raises(RequirementNotMet, match="derived-column"):
        made.publish(tmp_path / "released" / "visits.csv")


def test_the_sentence_names_the_levels_and_the_figure():
    roles = {"day": DATES, "year": OTHER, "ward": SENSITIVE}
    [one] = derived(make(visits(), roles, constraints=["day = 3"]))
    assert one.sentence == (
        "'year' gives 'day' at level 2, where the release shows level 3 of 5, in 1,000 of 1,000 "
        "rows (100.0 %)."
    )
    assert "leave 'year' out (role drop)" in one.remedy


def test_nothing_follows_from_a_year_where_the_release_shows_years():
    """The case just beyond: the release shows the year itself, or months."""
    roles = {"day": DATES, "year": OTHER, "ward": SENSITIVE}
    assert derived(make(visits(), roles, constraints=["day = 2"])) == []


def test_an_accepted_finding_does_not_stop(tmp_path):
    roles = {"day": DATES, "year": OTHER, "ward": SENSITIVE}
    made = make(visits(), roles, constraints=["day = 3"], accept=["derived-column"])
    made.publish(tmp_path / "released" / "visits.csv", dossier=tmp_path / "private")
    kept = json.loads((tmp_path / "private" / "preflight.json").read_text())["findings"]
    assert [one["accepted"] for one in kept if one["name"] == "derived-column"] == [True]


def people(pregnant=0.0):
    """Return titles and diagnoses of people; a share of the women is pregnant."""
    drawn = random.Random(2)
    sexes = [drawn.choice("fm") for _ in range(ROWS)]
    return {
        "sex": sexes,
        "zip": [f"{drawn.randrange(100):02}" for _ in sexes],
        "prefix": ["Mr." if sex == "m" else drawn.choice(["Ms.", "Mrs."]) for sex in sexes],
        "ill": [
            "pregnancy" if sex == "f" and drawn.random() < pregnant else drawn.choice("xyz")
            for sex in sexes
        ],
    }


PEOPLE = {"sex": LINKABLE, "zip": MASKED, "prefix": OTHER, "ill": SENSITIVE}


def test_a_title_beside_a_suppressed_sex_stops_the_release():
    [one] = derived(make(people(), PEOPLE, constraints=["sex = 1"]))
    assert (one.severity, "'prefix' gives 'sex'" in one.sentence) == ("error", True)
    assert derived(make(people(), PEOPLE, constraints=["sex = 0"])) == []


@pytest.mark.parametrize(
    ("pregnant", "severity"), [(0, []), (0.02, []), (0.1, ["warning"]), (0.6, ["error"])]
)
def test_a_diagnosis_gives_the_sex_of_few_people(pregnant, severity):
    """One value determines the sex, so the share of its rows decides; ten rows agree by chance."""
    roles = PEOPLE | {"prefix": {"role": "drop"}}
    found = derived(make(people(pregnant), roles, constraints=["sex = 1"]))
    assert [one.severity for one in found] == severity


def test_a_column_with_what_is_shown_of_another_attribute_gives_a_third():
    """The sum of two numbers gives one of them, where the other is shown as it is."""
    drawn = random.Random(3)
    pairs = [(drawn.randrange(20), drawn.randrange(10)) for _ in range(ROWS * 2)]
    columns = {
        "height": [one for one, _ in pairs],
        "weight": [two for _, two in pairs],
        "score": [(one + two) % 10 for one, two in pairs],
    }
    roles = {"height": intervals(10), "weight": intervals(5, 10), "score": SENSITIVE}
    [found] = derived(make(columns, roles, constraints=["height = 0", "weight = 2"]))
    assert found.severity == "error"
    assert found.sentence.startswith("'score' with 'height' give 'weight' at level 0")
    assert derived(make(columns, roles, constraints=["height = 1", "weight = 2"])) == []


def test_two_columns_released_as_they_are_give_what_neither_gives():
    drawn = random.Random(4)
    both = [(drawn.randrange(2), drawn.randrange(2)) for _ in range(ROWS)]
    columns = {
        "sex": ["fm"[one ^ other] for one, other in both],
        "a": [str(one) for one, _ in both],
        "b": [str(other) for _, other in both],
    }
    roles = {"sex": LINKABLE, "a": OTHER, "b": OTHER}
    [one] = derived(make(columns, roles, constraints=["sex = 1"]))
    assert one.sentence.startswith("'a' with 'b' give 'sex'")


@pytest.mark.parametrize("kind", ["arrow", "duckdb"])
def test_a_large_table_is_judged_by_a_sample(kind, monkeypatch):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 3000)
    table = KINDS[kind](pa.table(visits(20_000)))
    roles = {"day": DATES, "year": OTHER, "ward": SENSITIVE}
    made = la.release(table, k=5, attributes=roles, method="mingen", constraints=["day = 3"])
    [one] = derived(made)
    assert (one.severity, "rows (100.0 %) of a sample" in one.sentence) == ("error", True)


def test_a_list_that_stays_outside_of_memory_is_checked(tmp_path):
    file = tmp_path / "visits.parquet"
    pd.DataFrame(visits()).to_parquet(file)
    roles = {"day": DATES, "year": OTHER, "ward": SENSITIVE}
    made = la.release(
        str(file), k=5, attributes=roles, method="mingen", constraints=["day = 3"], max_sequences=50
    )
    assert made.plan.frequency.coarsened is not None
    [one] = derived(made)
    assert "at level 2, where the release shows level 3 of 5, in 1,000 of 1,000" in one.sentence


def test_suppressed_rows_are_not_counted():
    """Titles give the sex only in small ZIP codes, whose rows are suppressed."""
    drawn = random.Random(5)
    sexes = [drawn.choice("fm") for _ in range(ROWS)]
    zips = [f"{10 + row // 4}" for row in range(200)] + ["00"] * (ROWS - 200)
    prefix = [sex if row < 200 else "x" for row, sex in enumerate(sexes)]
    columns = {"sex": sexes, "zip": zips, "prefix": prefix}
    roles = {"sex": LINKABLE, "zip": MASKED, "prefix": OTHER}
    made = make(columns, roles, constraints=["sex = 1", "zip = 0"], max_suppressed=200)
    assert made.plan.rows_out == ROWS - 200
    assert derived(made) == []
    assert derived(make(columns, roles, constraints=["sex = 1", "zip = 2"]))


def test_what_repeats_within_a_person_is_no_rule():
    """A person's account determines the sex in all of their rows, and that of nobody else."""
    drawn = random.Random(6)
    rows = [(f"p{one}", drawn.choice("fm"), f"{one % 4}", f"a{one}") for one in range(300)] * 10
    drawn.shuffle(rows)
    columns = dict(zip(("id", "sex", "zip", "account"), zip(*rows, strict=True), strict=True))
    roles = {"id": IDENTIFIER, "sex": LINKABLE, "zip": MASKED, "account": OTHER}
    made = make(columns, roles, source={"person": "id"}, constraints=["sex = 1"])
    assert derived(made) == []
    by_rows = make(columns, roles, source={"person": "row"}, constraints=["sex = 1"])
    assert derived(by_rows)


def test_no_message_shows_a_value():
    table = {name: [f"{one}" for one in column] for name, column in people().items()}
    table["prefix"] = [f"TELLTALE {one}" for one in table["prefix"]]
    made = make(table, PEOPLE, constraints=["sex = 1"])
    assert derived(made)
    assert "TELLTALE" not in repr(made.preflight)


# Drafts


def places():
    """Return ZIP codes, and regions that are made of them."""
    drawn = random.Random(7)
    codes = [f"{first}{second:02}" for first in (21, 22, 30, 60) for second in range(15)]
    rows = [drawn.choice(codes) for _ in range(3000)]
    return {
        "zip": [f"0{one}" for one in rows],
        "city": [f"town {one[:2]}{int(one) % 3}" for one in rows],
        "county": [f"county {one[:2]}" for one in rows],
        "state": [{"2": "MA", "3": "GA", "6": "IL"}[one[0]] for one in rows],
        "service_unit": [f"unit {one[:3]}" for one in rows],
        "smoker": [drawn.choice(["yes", "no"]) for _ in rows],
    }


def bodies():
    drawn = random.Random(8)
    pairs = [(round(drawn.gauss(172, 8)), round(drawn.gauss(78, 10))) for _ in range(3000)]
    return {
        "sex": [drawn.choice("fm") for _ in pairs],
        "height": [one for one, _ in pairs],
        "weight": [one for _, one in pairs],
        "bmi": [round(w / (h / 100) ** 2, 1) for h, w in pairs],
    }


def born():
    drawn = random.Random(9)
    years = [drawn.randrange(1930, 2005) for _ in range(3000)]
    return {
        "age": [2024 - year - drawn.randrange(2) for year in years],
        "birth_year": years,
        "cohort": [f"cohort {year // 5}" for year in years],
        "smoker": [drawn.choice(["yes", "no"]) for _ in years],
    }


def titles():
    table = people() | {"salutation": ["sir" if one == "m" else "madam" for one in people()["sex"]]}
    return table | {"contact form": [f"form {one[1]}" for one in people()["prefix"]]}


TABLES = {
    "visits": (lambda: visits(3000), {"year"}),
    "titles": (titles, {"prefix", "salutation", "contact form"}),
    "places": (places, {"city", "county", "state", "service_unit"}),
    "bodies": (bodies, {"bmi"}),
    "born": (born, {"age", "birth_year", "cohort"}),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_draft_does_not_release_what_follows(name):
    make_table, follows = TABLES[name]
    roles = la.draft(pa.table(make_table())).decide().roles
    released = {one for one in follows if roles[one] in ("sensitive", "other")}
    assert released == set()


def test_a_draft_gives_the_reason():
    columns = {one.name: one for one in la.draft(pa.table(places())).columns}
    assert columns["service_unit"].stricter == "drop"
    assert 'it follows from "zip"' in columns["service_unit"].reason
    bmi = {one.name: one for one in la.draft(pa.table(bodies())).columns}["bmi"]
    assert (bmi.role, bmi.stricter) == ("?", "drop")
    assert 'it follows from "height" and "weight"' in bmi.reason


def test_the_reason_is_given_for_a_column_on_which_the_holder_decides():
    year = {one.name: one for one in la.draft(pa.table(visits(3000))).columns}["year"]
    assert (year.role, year.stricter) == ("?", "drop")
    assert 'it follows from "day"' in year.reason


def test_a_draft_keeps_columns_that_follow_from_nothing():
    assert la.draft(pa.table(places())).roles["smoker"] == "sensitive"
    assert la.draft(pa.table(people(0.1))).roles["ill"] != "drop"


@pytest.mark.parametrize("name", TABLES)
def test_the_release_of_a_draft_has_no_derived_column(name, tmp_path):
    table = pa.table(TABLES[name][0]())
    la.draft(table).decide().write(tmp_path / "draft.toml")
    made = la.release(table, spec=tmp_path / "draft.toml", source={"person": "row"})
    assert [one for one in derived(made) if one.severity == "error"] == []
