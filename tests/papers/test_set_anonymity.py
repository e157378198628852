"""Promises of the literature that linked records contain: sets, relations and households.

kᵐ-anonymity (Terrovitis, Mamoulis and Kalnis, VLDB 2008): whoever knows m items of a transaction
finds at least k transactions. k-anonymity of several relations (Nergiz, Clifton and Nergiz, TKDE
2009): whoever knows all records of a person finds at least k persons.
"""

import pytest

from lookalike.tables.connection import Connection
from lookalike.verify.records import recount_linked

from ..known_records import World

CONNECTION = Connection()
TRANSACTIONS = {
    "t1": ["a1", "b1", "b2"],
    "t2": ["a2", "b1"],
    "t3": ["a2", "b1", "b2"],
    "t4": ["a1", "a2", "b2"],
}
"""The running example of the paper on kᵐ-anonymity, which generalizes a1 and a2 to A."""


def count(persons, transactions, knows):
    records = tuple((name, item) for name, items in transactions.items() for item in items)
    return recount_linked(
        CONNECTION, World(persons, (records,), (knows,)).promise(CONNECTION)
    ).smallest


def generalize(items):
    return ["A" if item in ("a1", "a2") else item for item in items]


def as_set(items):
    return [*dict.fromkeys(items)]


def test_two_items_single_out_a_transaction_and_generalized_ones_do_not():
    assert count(None, TRANSACTIONS, 1) == 2
    assert count(None, TRANSACTIONS, 2) == 1
    released = {name: as_set(generalize(items)) for name, items in TRANSACTIONS.items()}
    assert [count(None, released, knows) for knows in (1, 2)] == [3, 2]


def test_items_that_become_equal_count_twice_here_and_once_in_a_set():
    """The definitions differ: in a set, a1 and a2 of t4 become one A; as records they are two."""
    released = {name: generalize(items) for name, items in TRANSACTIONS.items()}
    assert count(None, released, 2) == 1


@pytest.mark.parametrize(("knows", "least"), [(0, 2), (1, 1), (2, 1), ("all", 1)])
def test_attributes_of_a_person_are_known_together_with_items(knows, least):
    """(k, kᵐ)-anonymity (Poulis, Loukides and others, 2013): demographics and a set."""
    persons = {"p": "f", "q": "f", "r": "m", "s": "m"}
    items = {"p": ["x", "y"], "q": ["x", "y"], "r": ["x", "z"], "s": ["x", "z"]}
    assert count(persons, items, knows) == 2
    assert count(persons, {**items, "q": ["x", "y", "z"]}, knows) == least


HOUSEHOLDS = {
    "h1": ["adult", "adult", "child"],
    "h2": ["adult", "adult", "child"],
    "h3": ["adult", "child", "child"],
    "h4": ["adult", "child", "child"],
    "h5": ["adult", "adult", "child", "child"],
}
"""A household is a person here, and its members are its records."""


@pytest.mark.parametrize(("knows", "least"), [(1, 5), (2, 3), (3, 3), ("all", 1)])
def test_a_household_is_a_person_whose_records_are_its_members(knows, least):
    assert count(dict.fromkeys(HOUSEHOLDS, "north"), HOUSEHOLDS, knows) == least


def test_households_of_equal_members_hide_each_other():
    others = {name: HOUSEHOLDS[name] for name in ("h1", "h2", "h3", "h4")}
    assert count(dict.fromkeys(others, "north"), others, "all") == 2
    assert count({**dict.fromkeys(others, "north"), "h1": "south"}, others, "all") == 1


COURSES = (("p", "law"), ("q", "law"), ("r", "art"), ("s", "art"))
CLUBS = (("p", "chess"), ("q", "choir"), ("r", "chess"), ("s", "choir"))


def test_relations_that_are_anonymous_alone_are_not_together():
    """Multirelational k-anonymity counts who has the same course and the same club."""
    alone = [World(None, (one,), ("all",)) for one in (COURSES, CLUBS)]
    together = World(None, (COURSES, CLUBS), ("all", "all"))
    counted = [recount_linked(CONNECTION, one.promise(CONNECTION)) for one in (*alone, together)]
    assert [one.smallest for one in counted] == [2, 2, 1]
