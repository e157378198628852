"""The default method on a counted table: what cannot be searched by cells is not."""

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.release import prepare

ROUNDED = {"role": "quasi-identifier", "hierarchy": {"kind": "rounding", "bases": [10]}}
MASKED = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}


@pytest.fixture
def numbers(tmp_path):
    file = tmp_path / "numbers.csv"
    file.write_text("n\n" + "".join(f"{number}\n" for number in (10, 11, 12, 50, 51, 52)))
    return file


def specify(file, attribute, **release):
    return la.Specification.build(
        {
            "source": {"path": str(file)},
            "release": {"k": 3, **release},
            "attributes": {"n": attribute},
        }
    )


def test_a_list_outside_of_memory_is_searched_by_levels(numbers):
    made = prepare(specify(numbers, MASKED, max_sequences=2))
    assert made.specification.release.method == "mingen"
    assert made.method_reason.startswith("mingen-cells needs all 6 distinct sequences in memory")
    assert (made.levels, made.recoding.rows_suppressed) == ({"n": 1}, 0)


def test_ambiguous_labels_are_released_at_one_level(numbers):
    made = prepare(specify(numbers, ROUNDED))
    assert made.levels == {"n": 1}
    assert "hierarchy of column 'n' writes different values alike" in made.method_reason


def test_a_named_method_is_refused_instead(numbers):
    with pytest.raises(la.InvalidInput, match="the method mingen-cells needs them there"):
        prepare(specify(numbers, MASKED, max_sequences=2, method="mingen-cells"))
    with pytest.raises(la.InvalidInput, match="label would be ambiguous"):
        prepare(specify(numbers, ROUNDED, method="mingen-cells"))


def test_the_default_needs_no_reason():
    table = pa.table({"n": ["10", "11", "12", "50", "51", "52"]})
    made = la.release(table, k=3, attributes={"n": MASKED})
    assert (made.certificate.method, made.levels, made.method_reason) == (
        "mingen-cells",
        None,
        None,
    )


@pytest.mark.parametrize("most", [2, 100])
def test_a_release_agrees_with_a_specification_that_names_no_method(numbers, tmp_path, most):
    asked = specify(numbers, MASKED, max_sequences=most)
    certificate = prepare(asked).publish(tmp_path / "released" / "numbers.csv")
    assert certificate.method == ("mingen" if most == 2 else "mingen-cells")
    found = la.verify(tmp_path / "released", spec=specify(numbers, MASKED))
    assert found.holds
    assert found.complete


def test_a_release_disagrees_with_a_specification_that_names_another(numbers, tmp_path):
    prepare(specify(numbers, MASKED)).publish(tmp_path / "released" / "numbers.csv")
    other = specify(numbers, MASKED, method="mingen")
    assert not la.verify(tmp_path / "released", spec=other).complete
