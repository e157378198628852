"""In Python: a specification or its file, with changes, and a table in its place."""

import pyarrow as pa
import pytest

import lookalike as la

SPECIFICATION = """
[source]
path = "people.csv"
[release]
k = 2
method = "samarati"
out = "released/people.csv"
[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
ill = { role = "sensitive" }
[recipients.press]
k = 4
contract = "signed"
"""


@pytest.fixture
def spec(tmp_path, monkeypatch):
    (tmp_path / "specs").mkdir()
    monkeypatch.chdir(tmp_path)
    rows = [f"{120 + row % 4},{'ab'[row // 4]}" for row in range(8)]
    (tmp_path / "specs" / "people.csv").write_text("\n".join(["zip,ill", *rows]) + "\n")
    (tmp_path / "specs" / "people.toml").write_text(SPECIFICATION)
    return tmp_path / "specs" / "people.toml"


@pytest.fixture
def people():
    return pa.table({"zip": ["120", "121"] * 3, "ill": [*"aabbab"]})


def test_the_file_alone_is_enough(spec):
    made = la.release(spec=spec)
    assert made.levels == {"zip": 0}
    assert made.plan.frequency.rows == 8


def test_changes_replace_fields_and_columns(spec):
    suppress = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    made = la.release(spec=str(spec), k=3, method="mingen", attributes={"zip": suppress})
    assert made.plan.requirement.k == 3
    assert made.levels == {"zip": 1}
    assert list(made.specification.attributes) == ["zip", "ill"]


def test_a_frame_takes_the_place_of_the_source(spec, people):
    made = la.release(people, spec)
    assert isinstance(made.table, pa.Table)
    assert made.table.num_rows == 6
    assert made.specification.source is None


def test_a_path_takes_the_place_of_the_source_and_is_relative_to_the_working_folder(spec):
    (spec.parent / "people.csv").rename(spec.parent.parent / "moved.csv")
    assert la.release("moved.csv", spec=spec).plan.frequency.rows == 8


def test_paths_of_changes_are_relative_to_the_working_folder(spec):
    made = la.release(spec=spec, out="mine/people.csv")
    assert made.specification.release.out == str(spec.parent.parent / "mine" / "people.csv")
    made.publish()
    assert la.verify("mine", spec=spec).holds


def test_a_value_is_changed_like_a_file(spec, people):
    asked = la.Specification.load(spec)
    assert la.release(spec=asked, k=3).plan.requirement.k == 3
    assert la.release(people, spec=asked).table.num_rows == 6
    assert la.release(spec=asked, recipient="press").plan.requirement.k == 4
    assert asked.release.k == 2


def test_who_it_is_for_stays(spec):
    asked = la.Specification.load(spec, {"recipient": "press"})
    made = la.release(spec=asked, method="mingen")
    assert (made.plan.requirement.k, made.specification.release.method) == (4, "mingen")
    assert made.certificate.recipient == "press"


def test_all_problems_of_the_changes_are_reported(spec):
    for given in (spec, la.Specification.load(spec)):
        with pytest.raises(la.InvalidInput) as refused:
            la.release(spec=given, kk=3, method="magic", constraints=["zpi <= 1"])
        assert "3 problems" in str(refused.value)


def test_rows_that_a_condition_selects_are_not_released_from_a_frame(spec, people):
    spec.write_text(SPECIFICATION.replace("[release]", "where = \"ill = 'a'\"\n[release]"))
    with pytest.raises(la.InvalidInput, match="selects rows by where"):
        la.release(people, spec=spec)


def test_without_a_table_and_a_specification_nothing_can_be_released():
    with pytest.raises(la.InvalidInput, match="name the table"):
        la.release(k=2, attributes={"zip": {"role": "quasi-identifier", "hierarchy": la.Mask()}})


def test_methods_are_compared_by_a_specification(spec, people):
    assert la.compare(spec=spec, methods=["mingen"]).num_rows == 1
    compared = la.compare(people, spec, methods=["samarati", "mingen"], k=3)
    assert compared["k"].to_pylist() == [3, 3]


def test_a_frame_is_released_by_rules():
    people = pa.table({"zip": ["1", "1", "2", "2"], "lab_1": [*"abab"], "day": ["x"] * 4})
    made = la.release(
        people,
        k=2,
        attributes={"z*": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}},
        defaults={"role": "other"},
    )
    assert made.table.column_names == ["zip", "lab_1", "day"]
    assert "roles-by-rule" in [one.name for one in made.preflight]
