"""Two releases of the same people with records: fresh pseudonyms do not keep them apart."""

import pyarrow as pa
import pytest

import lookalike as la

KEY = {"role": "identifier"}
HIDDEN = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
MASKED = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
PEOPLE = pa.table(
    {
        "no": [*range(8)],
        "sex": ["f", "f", "m", "m"] * 2,
        "zip": ["11"] * 4 + ["22"] * 4,
    }
)
"""Each sex and each zip code has four persons, and each pair of them two."""


def visits(months):
    """A visit of each person, in one of some months."""
    return pa.table({"no": [*range(8)], "month": [months[no % len(months)] for no in range(8)]})


def publish(folder, seen, constraints, k=4):
    """Publish a release of these people; the month of a visit is released as it is."""
    asked = {
        "source": {"person": "no"},
        "release": {"k": k, "constraints": constraints},
        "attributes": {"no": KEY, "sex": HIDDEN, "zip": MASKED},
        "records": {
            "visits": {
                "path": "visits.csv",
                "person": "no",
                "knows": 0,
                "attributes": {"no": KEY, "month": {"role": "other"}},
            }
        },
    }
    spec = la.Specification.build(asked)
    la.release_records(PEOPLE, records={"visits": seen}, spec=spec).publish(folder / "people.csv")
    return spec


def attack(folder, seen, again=None):
    """Release the sex of all, then their zip code, and attack both releases."""
    spec = publish(folder / "one", seen, ["sex = 0"])
    publish(folder / "two", again or seen, ["zip = 0"])
    return la.attack(folder / "one", folder / "two", spec=spec)


def test_visits_join_releases_that_show_the_sex_or_the_zip_code(tmp_path):
    """Whoever has the same visits in both is one of two: their sex and zip code are known."""
    attacked = attack(tmp_path, visits(["05", "06", "07", "08"]))
    [left] = attacked.left
    assert left.known.attributes == ("sex", "zip")
    assert left.broken
    assert left.at_most == 2


def test_equal_visits_join_nobody(tmp_path):
    """Any of four persons of a sex may be any of four persons with a zip code."""
    assert attack(tmp_path, visits(["05"])).holds


def test_more_visits_of_everybody_are_another_source(tmp_path):
    """What most rows contradict is not used to link them."""
    more = pa.concat_tables([visits(["05", "06", "07", "08"]), visits(["09"])])
    attacked = attack(tmp_path, visits(["05", "06", "07", "08"]), more)
    assert attacked.assumed.changed == ("visits",)
    assert attacked.holds


def test_releases_of_one_level_need_no_specification(tmp_path):
    seen = visits(["05"])
    publish(tmp_path / "one", seen, ["sex = 0"])
    publish(tmp_path / "two", seen, ["sex = 0"])
    assert la.attack(tmp_path / "one", tmp_path / "two").holds


def test_records_at_different_levels_are_compared_at_the_higher_one(tmp_path):
    """Months in one release and nothing of them in the other: nobody is told apart."""
    month = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    records = {
        "path": "v.csv",
        "person": "no",
        "knows": 1,
        "attributes": {"no": KEY, "month": month},
    }
    asked = {
        "source": {"person": "no"},
        "release": {"k": 2},
        "attributes": {"no": KEY, "sex": HIDDEN, "zip": MASKED},
        "records": {"visits": records},
    }
    spec, seen = la.Specification.build(asked), visits(["11", "12"])
    for name, level, other in (("one", 1, "zip = 0"), ("two", 2, "sex = 0")):
        wanted = [f"visits.month = {level}", other]
        made = la.release_records(PEOPLE, records={"visits": seen}, spec=spec, constraints=wanted)
        made.publish(tmp_path / name / "people.csv")
    attacked = la.attack(tmp_path / "one", tmp_path / "two", spec=spec)
    assert attacked.holds
    assert "visits" in attacked.columns


def test_records_alone_show_nobody_whom_an_attacker_knows(tmp_path):
    month = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    described = {"person": "no", "knows": 1, "attributes": {"no": KEY, "month": month}}
    for name in ("one", "two"):
        made = la.release_records(records={"visits": {"table": visits(["05"]), **described}}, k=2)
        made.publish(tmp_path / name / "visits.csv")
    with pytest.raises(la.InvalidInput, match="shows no attributes of persons"):
        la.attack(tmp_path / "one", tmp_path / "two")


def test_a_table_of_records_may_be_called_like_a_column(tmp_path):
    """The column of what the visits show gets another name then."""
    visits_of = pa.table({"no": [*range(4)], "month": ["05", "06"] * 2})
    people = pa.table({"no": [*range(4)], "sex": ["f"] * 4, "visits": ["1"] * 4})
    described = {"person": "no", "knows": 0, "attributes": {"no": KEY, "month": {"role": "other"}}}
    columns = {"no": KEY, "sex": HIDDEN, "visits": {"role": "other"}}
    for name in ("one", "two"):
        made = la.release_records(
            people,
            records={"visits": {"table": visits_of, **described}},
            source={"person": "no"},
            attributes=columns,
            k=2,
        )
        made.publish(tmp_path / name / "people.csv")
    attacked = la.attack(tmp_path / "one", tmp_path / "two")
    assert attacked.columns == ("sex", "visits", "visits (records)")


def test_releases_of_one_table_are_not_mixed_with_those_of_linked_tables(tmp_path):
    publish(tmp_path / "one", visits(["05"]), [])
    with pytest.raises(la.InvalidInput, match="compared with each other only"):
        la.attack(tmp_path / "one", PEOPLE)
    with pytest.raises(la.InvalidInput, match="is that of linked tables"):
        la.link(tmp_path / "one", PEOPLE, ["sex"])


def test_a_table_without_records_joins_nobody(tmp_path):
    assert attack(tmp_path, visits(["05"]).slice(0, 0)).holds
