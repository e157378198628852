"""Model, Example 7, through the whole flow: the next release is the last one and the new rows."""

from collections import Counter

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la

from ..small_tables import rows_of, table_of
from .sweeney_tables import (
    ACHIEVING_FIGURE_7,
    MODEL_EXAMPLE_7_NEW,
    MODEL_FIGURE_5_HIERARCHIES,
)

NEW = [
    ("black", "9/7/1965", "male", "02139", "headache"),
    ("black", "11/4/1965", "male", "02139", "rash"),
]
NAMES = ("Race", "Birth", "Gender", "ZIP", "Problem")


def source_of(rows):
    keyed = [(str(number), *row) for number, row in enumerate(rows)]
    return table_of(("id", *NAMES), keyed)


def release(folder, rows, method, **fields):
    linkable = {
        name: {"role": "quasi-identifier", "hierarchy": rule}
        for name, rule in MODEL_FIGURE_5_HIERARCHIES.items()
    }
    made = la.release(
        source_of(rows),
        k=2,
        method=method,
        attributes={"id": {"role": "identifier"}, **linkable, "Problem": {"role": "sensitive"}},
        source={"row_key": "id", "name": "PT"},
        ledger=str(folder / "ledger.db"),
        ledger_key=str(folder / "key"),
        **fields,
    )
    out = folder / str(len(rows)) / "table.csv"
    made.publish(out)
    kinds = pa.csv.ConvertOptions(column_types=dict.fromkeys(NAMES, pa.string()))
    return made, Counter(rows_of(pa.csv.read_csv(out, convert_options=kinds), list(NAMES)))


@pytest.mark.parametrize("method", ["k-similar", "mingen"])
def test_the_next_release_is_the_last_one_and_the_new_rows(method, tmp_path):
    private = rows_of(ACHIEVING_FIGURE_7)
    _, first = release(tmp_path, private, method, max_suppressed=0)
    made, second = release(tmp_path, [*private, *NEW], method, max_suppressed=0)

    assert (made.basis.rows_kept, made.basis.rows_joined) == (12, 2)
    assert second - first == Counter(rows_of(MODEL_EXAMPLE_7_NEW))
    assert first - second == Counter()
    assert la.attack(tmp_path / "12", tmp_path / "14", spec=made.specification).holds
