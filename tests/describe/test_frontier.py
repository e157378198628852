"""The frontier holds the best releases at the attribute level."""

import lookalike as la
from lookalike.describe import frontier as finding
from lookalike.describe.frontier import find_frontier

from .invented_people import ROLES, people, release


def find(made):
    return find_frontier(made.specification, made.plan, made.measures.precision)


def test_each_point_is_what_a_release_with_that_k_keeps():
    made = release(method="mingen-cells", k=4)
    found = find(made)
    assert (found.release.k, found.release.precision) == (4, made.measures.precision)
    assert [one.k for one in found.points] == [2, 3, 4, 5, 10, 11, 20, 50]
    for one in found.points[:4]:
        best = release(k=one.k)
        assert one.precision == best.measures.precision
        assert one.rows_suppressed == best.recoding.rows_suppressed


def test_a_greater_k_than_rows_is_impossible():
    found = find(release(table=people(12)))
    assert found.impossible == (20, 50)
    assert max(one.k for one in found.points) == 11


def test_what_a_short_search_did_not_find_is_said_so(monkeypatch):
    monkeypatch.setattr(finding, "FRONTIER_WORK", 0)
    found = find(release())
    assert (found.points, found.impossible) == ((), ())
    assert found.unfinished == (2, 3, 5, 10, 11, 20, 50)


def test_every_quasi_identifier_has_the_k_that_is_tried():
    groups = [
        {"name": "voters", "attributes": ["age", "zip"], "k": 3},
        {"name": "staff", "attributes": ["zip", "sex"], "k": 4},
    ]
    found = find(release(quasi_identifiers=groups, k=2))
    tried = [{**one, "k": 5} for one in groups]
    best = la.release(
        people(), k=5, method="mingen", max_suppressed=8, attributes=ROLES, quasi_identifiers=tried
    )
    assert {one.k: one.precision for one in found.points}[5] == best.measures.precision


def test_the_clock_decides_nothing(monkeypatch):
    made = release()
    monkeypatch.setattr(finding, "FRONTIER_WORK", 40_000)
    found = find(made)
    assert found.points
    assert found.unfinished
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    assert find(made) == found
