"""Releases whose row key or source was renamed, and people whom the ledger does not recognize."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate_sentences import summarize_certificate

from .steward import fields_of, make_pending, publish, reopen, states, table_of

pytestmark = pytest.mark.slow


def people(first, number):
    """A table of people with consecutive numbers."""
    return table_of(number, ids=[f"person-{person}" for person in range(first, first + number)])


def renamed(table, name):
    """The table with another name for its row key, and the fields that go with it."""
    roles = fields_of({})["attributes"]
    return {
        "table": table.rename_columns([name, *table.column_names[1:]]),
        "attributes": {name: roles["id"], **{key: roles[key] for key in ("zip", "ill")}},
    }


def release_of(place, row_key, table, attributes, **name):
    """Prepare a release whose rows are identified by a column of some name."""
    own = {"attributes": attributes, "source": {"row_key": row_key, **name}}
    return la.release(table, **fields_of(place) | own)


def test_another_row_key_column_is_refused_before_anything_is_decided(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(
        la.InvalidInput, match="release 1 of 'people' has the row key 'id'"
    ) as refused:
        release_of(place, "number", **renamed(table_of(), "number"), name="people")

    assert "'number'" in str(refused.value)
    assert "Use the same column under the same name" in str(refused.value)
    assert states(place) == ["published"]


def test_another_row_key_column_is_refused_when_it_is_published(place, tmp_path):
    late = release_of(place, "number", **renamed(table_of(), "number"), name="people")
    publish(place, tmp_path / "1")
    with pytest.raises(la.InvalidInput, match="release 1 of 'people' has the row key 'id'"):
        late.publish(tmp_path / "2" / "table.csv")

    assert not (tmp_path / "2").exists()
    assert reopen(place).release(1).row_key == "id"


def test_row_keys_that_are_written_in_another_way_are_refused(place, tmp_path):
    publish(place, tmp_path / "1")
    other = table_of(ids=[f"PERSON {row}" for row in range(9)])
    with pytest.raises(la.RequirementNotMet, match="recognizes too few rows") as refused:
        publish(place, tmp_path / "2", table=other)

    assert "release 1 of 'people' has 9 rows, this one 9, and they share 0" in str(refused.value)
    assert "new_people = true" in str(refused.value)
    assert not (tmp_path / "2").exists()


def test_people_who_are_said_to_be_new_are_not_counted_as_considered(place, tmp_path):
    publish(place, tmp_path / "1")
    earlier = publish(place, tmp_path / "2", table=people(100, 9), new_people=True).earlier_releases

    assert (earlier.considered, earlier.new_people) == (0, True)
    assert [entry.new_people for entry in reopen(place).releases()] == [False, True]
    words = summarize_certificate(la.Certificate.read(tmp_path / "2"))
    assert "the holder declared that people with an unknown row key are new" in words[-1]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (people(0, 10), people(5, 10)),
        (people(0, 10), people(0, 40)),
        (people(0, 40), people(30, 10)),
        (people(0, 10), people(5, 40)),
    ],
    ids=["half is exchanged", "it grew", "it shrank", "half left, and it grew"],
)
def test_a_table_may_grow_shrink_and_exchange_half_of_its_rows(before, now, place, tmp_path):
    publish(place, tmp_path / "1", table=before)
    earlier = publish(place, tmp_path / "2", table=now).earlier_releases

    assert (earlier.considered, earlier.new_people) == (1, False)


@pytest.mark.parametrize("now", [people(6, 10), people(6, 40)])
def test_fewer_than_half_of_the_smaller_table_are_too_few(now, place, tmp_path):
    publish(place, tmp_path / "1", table=people(0, 10))
    with pytest.raises(la.RequirementNotMet, match="they share 4, fewer than half"):
        publish(place, tmp_path / "2", table=now)


def test_people_may_be_known_from_any_earlier_release(place, tmp_path):
    publish(place, tmp_path / "1", table=people(0, 9))
    publish(place, tmp_path / "2", table=people(100, 9), new_people=True)
    earlier = publish(place, tmp_path / "3", table=people(0, 9)).earlier_releases

    assert earlier.considered == 1


def test_the_same_people_under_another_name_are_refused(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(
        la.RequirementNotMet, match="9 of 9 rows have the row key of rows"
    ) as refused:
        publish(place, tmp_path / "2", source="patients")

    assert 'name = "people" under [source]' in str(refused.value)
    assert "person-" not in str(refused.value)
    assert not (tmp_path / "2").exists()
    assert states(place) == ["published"]


def test_one_person_under_another_name_is_enough(place, tmp_path):
    publish(place, tmp_path / "1", table=people(0, 9))
    with pytest.raises(la.RequirementNotMet, match="1 of 9 rows"):
        publish(place, tmp_path / "2", table=people(8, 9), source="patients")


def test_a_row_key_that_was_the_name_and_is_called_otherwise_is_seen_through(place, tmp_path):
    roles = fields_of({})["attributes"]
    release_of(place, "id", table_of(), roles).publish(tmp_path / "1" / "table.csv")
    late = release_of(place, "number", **renamed(table_of(), "number"))
    with pytest.raises(la.RequirementNotMet, match="another source, 'id'"):
        late.publish(tmp_path / "2" / "table.csv")


def test_a_source_that_grows_into_another_is_refused(place, tmp_path):
    publish(place, tmp_path / "1", table=people(0, 9))
    publish(place, tmp_path / "2", table=people(9, 9), source="patients")
    with pytest.raises(la.RequirementNotMet, match=r"9 of 18 rows .* 'patients'"):
        publish(place, tmp_path / "3", table=people(0, 18))


def test_sources_that_were_declared_different_stay_different(place, tmp_path):
    publish(place, tmp_path / "1", source="patients")
    publish(place, tmp_path / "2", source="doctors", new_people=True)
    publish(place, tmp_path / "3", source="patients")
    earlier = publish(place, tmp_path / "4", source="doctors").earlier_releases
    with pytest.raises(la.RequirementNotMet, match="another source, 'patients'"):
        publish(place, tmp_path / "5", source="nurses")

    assert (earlier.considered, earlier.new_people) == (1, False)


def test_what_was_said_before_the_other_source_came_does_not_make_them_different(place, tmp_path):
    publish(place, tmp_path / "1", source="patients", new_people=True)
    with pytest.raises(la.RequirementNotMet, match="another source, 'patients'"):
        publish(place, tmp_path / "2", source="doctors")


def test_a_release_that_is_pending_under_another_name_counts(place, tmp_path):
    publish(place, tmp_path / "1")
    make_pending(place, host="another machine")
    with pytest.raises(la.RequirementNotMet, match="another source, 'people'"):
        publish(place, tmp_path / "2", source="patients")


def test_a_release_that_is_only_being_entered_is_left_to_its_own_process(place, tmp_path):
    publish(place, tmp_path / "1")
    for path in reopen(place).release(1).files.locations:
        path.unlink()
    make_pending(place, host="another machine")

    assert publish(place, tmp_path / "2", source="patients").earlier_releases.considered == 0


def test_new_people_needs_a_row_key():
    with pytest.raises(la.InvalidInput, match="new_people is about the people of row_key"):
        la.release(
            pa.table({"zip": ["1"] * 3}),
            k=3,
            attributes={"zip": fields_of({})["attributes"]["zip"]},
            source={"name": "people", "new_people": True},
        )
