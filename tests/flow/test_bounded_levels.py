"""Labels that occur at several levels are read at the levels of the release."""

import random

import pyarrow as pa
import pytest

import lookalike as la

from ..roles import LINKABLE, SENSITIVE
from ..verifying import list_failures

METHODS = ["mingen-cells", "k-similar", "mingen", "samarati"]


def write(folder, paths):
    """Write a hierarchy of three levels above its values."""
    file = folder / "g.csv"
    file.write_text("".join(";".join(path) + "\n" for path in paths))
    return {"kind": "file", "path": str(file)}


def prove(table, hierarchy, folder, **fields):
    """Publish a release with a lower bound on a level; return the findings that do not hold."""
    attributes = {
        "g": {"role": "quasi-identifier", "hierarchy": hierarchy},
        "h": LINKABLE,
        "ill": SENSITIVE,
    }
    made = la.release(table, k=2, attributes=attributes, constraints=["g >= 1"], **fields)
    made.publish(folder / "released" / "table.csv")
    return list_failures(folder / "released", made, table)


@pytest.mark.parametrize("method", METHODS)
def test_a_value_may_be_called_as_a_group_of_the_level_that_is_held_up(method, tmp_path):
    paths = [("a", "b", "any"), ("b", "b", "any"), ("c", "d", "any"), ("d", "d", "any")]
    table = pa.table({"g": list("abcdd"), "h": list("11222"), "ill": list("vvxxx")})
    assert prove(table, write(tmp_path, paths), tmp_path, method=method) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_fresh_release_holds_whatever_its_labels(seed, tmp_path):
    """Invented hierarchies in which labels of one level are values of another."""
    draw = random.Random(seed)
    values = [f"v{number}" for number in range(8)]
    first = {value: draw.choice(values[:4]) for value in values}
    second = {label: draw.choice(values[4:6]) for label in set(first.values())}
    hierarchy = write(tmp_path, [(v, first[v], second[first[v]], "all") for v in values])
    rows = 24
    table = pa.table(
        {
            "g": draw.choices(values, k=rows),
            "h": draw.choices(["1", "2"], k=rows),
            "ill": draw.choices(["flu", "ache", "rash"], k=rows),
        }
    )
    fields = {"method": "mingen-cells", "max_suppressed": 2}
    assert prove(table, hierarchy, tmp_path, **fields) == []
