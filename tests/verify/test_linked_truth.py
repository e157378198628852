"""The truth of linked tables: each released person, with all records, is one private person."""

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookalike import InvalidInput, RequirementNotMet
from lookalike.hierarchy import Mask
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_frame
from lookalike.verify import match_persons
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.linked_truth import (
    LinkedPair,
    count_apart,
    count_untruthful_persons,
    require_linked_truth,
    require_true_apart,
)

CONNECTION = Connection()
CLAIM = TruthClaim({"zip": Mask(length=2)}, {"zip": 1}, ("ill",), False, "*")
ZIPS = [None, "11", "12", "21"]
ROWS = st.tuples(st.sampled_from(ZIPS), st.sampled_from(["flu", None]))
PERSONS = st.tuples(ROWS, st.lists(ROWS, max_size=4))
"""The row of a person, and the person's records."""


def generalize(row):
    return (None if row[0] is None else row[0][0] + "*", row[1])


def frame(lines, link):
    links, zips, ills = zip(*lines, strict=True) if lines else ((), (), ())
    text = pa.string()
    return pa.table({link: links, "zip": pa.array(zips, text), "ill": pa.array(ills, text)})


def pairs(private, released, partial=False, at_most=None):
    """The person table and the record table of both worlds, each a list of persons."""
    tables = []
    for place in range(2):
        sides = []
        for world, link in ((private, "patient"), (released, "pseudonym")):
            rows = [
                (f"{link} {number}", *row)
                for number, person in enumerate(world)
                for row in ([person[0]] if place == 0 else person[1])
            ]
            sides.append(frame(rows, link))
        ours, theirs = read_frame(sides[0]), CONNECTION.duckdb.from_arrow(sides[1])
        left_out = (partial, at_most) if place == 1 else (False, None)
        tables.append(LinkedPair(ours, theirs, CLAIM, "patient", "pseudonym", *left_out))
    return tables


def count(private, released, partial=False, at_most=None):
    return count_untruthful_persons(CONNECTION, pairs(private, released, partial, at_most))


def fits(released, private, partial, at_most=None):
    """Whether a released person generalizes a private person."""
    shown, own = Counter(released[1]), Counter(map(generalize, private[1]))
    kept = own.total() if at_most is None else min(own.total(), at_most)
    enough = partial or shown.total() == kept
    return released[0] == generalize(private[0]) and enough and not shown - own


def unmatched(private, released, partial, at_most=None):
    """The released persons without a private person of their own, in the best of all mappings."""
    if not released:
        return 0
    first, *others = released
    best = 1 + unmatched(private, others, partial, at_most)
    for place, person in enumerate(private):
        if fits(first, person, partial, at_most):
            rest = private[:place] + private[place + 1 :]
            best = min(best, unmatched(rest, others, partial, at_most))
    return best


@st.composite
def both_worlds(draw):
    """Private persons, and released ones: some of them, with records left out or changed."""
    private = draw(st.lists(PERSONS, min_size=1, max_size=5))
    chosen = draw(st.lists(st.sampled_from(range(len(private))), unique=True))
    released = [
        (generalize(private[one][0]), [*map(generalize, private[one][1])]) for one in chosen
    ]
    released = [
        (
            row,
            draw(st.lists(st.sampled_from(records), max_size=3))
            if records and draw(st.booleans())
            else records,
        )
        for row, records in released
    ]
    strangers = draw(st.lists(PERSONS, max_size=1))
    released += [(generalize(row), [*map(generalize, rows)]) for row, rows in strangers]
    return private, draw(st.permutations(released))


@settings(max_examples=60)
@given(both_worlds(), st.booleans(), st.sampled_from([None, 1, 2, 3]))
def test_the_count_is_that_of_the_best_of_all_mappings(worlds, partial, at_most):
    private, released = worlds
    expected = unmatched(private, released, partial, at_most)
    assert count(private, released, partial, at_most) == expected


F, M = ("11", "flu"), ("21", None)
ALIKE = ("1*", "flu")


def test_records_of_two_persons_do_not_make_one():
    private = [(F, [F, M]), (F, [M, F, F])]
    assert count(private, [(ALIKE, [("1*", "flu"), ("2*", None)])]) == 0
    assert count(private, [(ALIKE, [("1*", "flu"), ("1*", "flu")])]) == 1
    assert count(private, [(ALIKE, [("1*", "flu"), ("1*", "flu")])], partial=True) == 0
    assert count(private, [(ALIKE, [("2*", None), ("2*", None)])], partial=True) == 1


def test_records_of_one_person_are_not_exchanged_with_those_of_another():
    """Row by row, every record is true; only the persons show the fault."""
    private = [(F, [F]), (M, [M])]
    assert count(private, [(ALIKE, [generalize(M)]), (generalize(M), [ALIKE])]) == 2


def test_each_record_of_a_person_is_needed():
    both = [ALIKE, generalize(M)]
    assert count([(F, [F])], [(ALIKE, both)], partial=True) == 1
    assert count([(F, [F, M])], [(ALIKE, both)], partial=True) == 0
    assert count([(F, [F]), (F, [F, M])], [(ALIKE, both), (ALIKE, both)], partial=True) == 1


def test_a_private_person_is_released_once():
    assert count([(F, [F]), (M, [])], [(ALIKE, [ALIKE])] * 2) == 1


def test_records_are_left_out_only_where_the_claim_says_so():
    assert count([(F, [F, M])], [(ALIKE, [ALIKE])]) == 1
    assert count([(F, [F, M])], [(ALIKE, [ALIKE])], partial=True) == 0


def test_the_best_mapping_is_found_where_the_first_fit_is_not():
    private = [(F, [F, M]), (F, [F])]
    released = [(ALIKE, [ALIKE]), (ALIKE, [generalize(M)])]
    assert count(private, released, partial=True) == 0


def test_persons_without_records_take_whom_the_others_leave():
    private = [(F, [F]), (F, [M])]
    assert count(private, [(ALIKE, []), (ALIKE, [generalize(M)])], partial=True) == 0
    assert count(private, [(ALIKE, []), (ALIKE, []), (ALIKE, [ALIKE])], partial=True) == 1


def test_records_without_a_person_table_are_compared_by_person():
    private, released = [(F, [F, M]), (M, [F])], [(ALIKE, [ALIKE, generalize(M)])]
    assert count_untruthful_persons(CONNECTION, pairs(private, released)[1:]) == 0
    wrong = [(ALIKE, [ALIKE, ALIKE])]
    assert count_untruthful_persons(CONNECTION, pairs(private, wrong)[1:]) == 1


def pair_apart(private, released):
    """The records of both worlds, released without a link."""
    [_, records] = pairs([(F, rows) for rows in private], [(ALIKE, released)])
    rows = records.released.project("zip, ill")
    return replace(records, released=rows, released_link=None)


def apart(private, released):
    """The least persons of a class of records, released without a link."""
    return require_true_apart(CONNECTION, pair_apart(private, released))


def compare_apart(private, released):
    """Compare the records of both worlds, of which some may be left out."""
    return count_apart(CONNECTION, pair_apart(private, released))


def test_without_a_link_persons_are_counted_in_the_private_records():
    assert apart([[F, F], [F]], [ALIKE] * 3) == 2
    assert apart([[F, F, M], [F]], [*[ALIKE] * 3, generalize(M)]) == 1
    assert apart([[F], [("12", "cold")]], [ALIKE, ("1*", "cold")]) == 2


@pytest.mark.parametrize("released", [[ALIKE] * 2, [ALIKE] * 4, [ALIKE, ALIKE, ("1*", None)]])
def test_without_a_link_all_records_of_the_persons_are_released_and_no_others(released):
    with pytest.raises(RequirementNotMet, match="have no counterpart in the other table"):
        apart([[F, F], [F]], released)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.lists(ROWS, max_size=3), st.booleans()), min_size=1, max_size=6))
def test_without_a_link_the_persons_are_bounded_if_some_are_left_out(persons):
    private = [rows for rows, _ in persons]
    shown = [[*map(generalize, rows)] for rows, is_released in persons if is_released]
    classes = {row[0]: 0 for rows in shown for row in rows}
    for zip_code in classes:
        classes[zip_code] = sum(any(row[0] == zip_code for row in rows) for rows in shown)
    fewest = min(classes.values(), default=0)
    found = compare_apart(private, [row for rows in shown for row in rows])
    missing = sum(map(len, private)) - sum(map(len, shown))
    assert (found.untrue, found.missing) == (0, missing)
    assert found.least <= fewest <= found.most
    assert missing or found.least == found.most


def test_without_a_link_rows_beyond_those_of_the_private_table_are_counted():
    found = compare_apart([[F, F], [M]], [ALIKE, ALIKE, ALIKE])
    assert (found.untrue, found.missing) == (1, 1)


@pytest.mark.parametrize("level", [0, 2, 3])
def test_another_level_is_not_true(level):
    tables = [
        replace(pair, claim=replace(CLAIM, levels={"zip": level}))
        for pair in pairs([(F, [])], [(ALIKE, [])])
    ]
    assert count_untruthful_persons(CONNECTION, tables) == 1


def test_untrue_persons_are_refused():
    require_linked_truth(CONNECTION, pairs([(F, [F])], [(ALIKE, [ALIKE])]))
    with pytest.raises(RequirementNotMet, match="1 released persons are not"):
        require_linked_truth(CONNECTION, pairs([(F, [F])], [(ALIKE, [generalize(M)])]))


def test_persons_who_fit_too_many_others_are_refused_before_memory_is_full(monkeypatch):
    worlds = [(F, [F, M])] * 3, [(ALIKE, [ALIKE])] * 3
    room = CONNECTION.resources.bytes // 2  # one kind of person, with one row, fits another
    monkeypatch.setattr(match_persons, "BYTES_OF_COMPARISON", room)
    require_linked_truth(CONNECTION, pairs(*worlds, partial=True))
    monkeypatch.setattr(match_persons, "BYTES_OF_COMPARISON", 8 * room)
    with pytest.raises(InvalidInput, match="takes more memory than may be used"):
        require_linked_truth(CONNECTION, pairs(*worlds, partial=True))


def test_a_column_that_the_claim_does_not_name_is_refused():
    [persons, _] = pairs([(F, [])], [(ALIKE, [])])
    more = replace(persons, released=persons.released.project("*, 'Ann' AS name"))
    with pytest.raises(RequirementNotMet, match="'name'"):
        count_untruthful_persons(CONNECTION, [more])


def test_the_link_must_be_there():
    [persons, _] = pairs([(F, [])], [(ALIKE, [])])
    with pytest.raises(InvalidInput, match="no_link"):
        count_untruthful_persons(CONNECTION, [replace(persons, released_link="no_link")])


def test_neither_rows_nor_tables_stay():
    connection = Connection()
    [persons, _] = pairs([(F, [])], [(ALIKE, [])])
    own = replace(persons, released=connection.duckdb.from_arrow(persons.released.to_arrow_table()))
    assert count_untruthful_persons(connection, [own]) == 0
    assert connection.duckdb.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)
    assert "patient" not in repr(own)
