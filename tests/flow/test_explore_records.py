"""What it costs that 0, 1 or 2 records of a person may be known, before a release is made."""

import csv
from dataclasses import replace

import pytest

import lookalike as la
from lookalike.errors import InvalidInput

HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
KEY = {"role": "identifier"}
VISITS = [(n, month) for n in range(24) for month in ("May", "June")[: 1 + n % 2]]


@pytest.fixture
def asked(tmp_path):
    """Of 24 people half have one visit, in May, and half another one in June."""
    for name, header, rows in (
        ("people", ("no", "sex"), [(n, "f" if n % 3 else "m") for n in range(24)]),
        ("visits", ("no", "month"), VISITS),
    ):
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    visits = {"path": str(tmp_path / "visits.csv"), "person": "no", "knows": 2}
    return la.Specification.build(
        {
            "source": {"path": str(tmp_path / "people.csv"), "person": "no"},
            "release": {"k": 5, "max_suppressed": 0},
            "attributes": {"no": KEY, "sex": HIDE},
            "records": {"visits": {**visits, "attributes": {"no": KEY, "month": HIDE}}},
        }
    )


def test_each_point_is_the_release_that_would_be_made(asked):
    found = la.explore_records(spec=asked)
    assert [one.knows for one in found.points] == [{"visits": n} for n in (0, 1, 2)]
    for point in found.points:
        records = {"visits": replace(asked.records["visits"], knows=point.knows["visits"])}
        made = la.release_records(spec=asked.model_copy(update={"records": records}))
        assert (point.levels, point.precision) == (made.levels, made.overall_precision)
        assert point.precision_by_table == made.precision_by_table
    precision = [one.precision for one in found.points]
    assert precision == sorted(precision, reverse=True)
    assert precision[0] > precision[2]


def test_what_is_asked_for_is_tried_beside_the_usual_numbers(asked):
    every = replace(asked.records["visits"], knows="all")
    found = la.explore_records(spec=asked.model_copy(update={"records": {"visits": every}}), ks=[2])
    assert [found.label(one) for one in found.points] == ["0", "1", "2", "all"]
    assert {one.k for one in found.points} == {2}


def test_where_no_release_is_possible_the_reason_is_kept(asked):
    release = asked.release.model_copy(update={"constraints": ("visits.month = 0", "sex = 0")})
    found = la.explore_records(spec=asked.model_copy(update={"release": release}), ks=[4, 9])
    assert [one.error is None for one in found.points] == [True, True, True, False, False, False]
    assert "leave out 8 of 24 persons" in found.points[3].error


def test_points_that_the_time_does_not_allow_are_counted(asked):
    found = la.explore_records(spec=asked, time_limit=0)
    assert (len(found.points), found.left) == (1, 2)


def test_a_fault_of_the_tables_is_no_point(asked):
    gone = replace(asked.records["visits"], path="nowhere.csv")
    with pytest.raises(InvalidInput, match="nowhere"):
        la.explore_records(spec=asked.model_copy(update={"records": {"visits": gone}}))


def test_without_a_link_no_more_than_single_records_are_tried(asked):
    asked.records["visits"] = replace(asked.records["visits"], knows=1)
    release = asked.release.model_copy(update={"link": False})
    found = la.explore_records(spec=asked.model_copy(update={"release": release}))
    assert [one.knows["visits"] for one in found.points] == [0, 1]
