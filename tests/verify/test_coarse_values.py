"""Numbers that are finer than the certificate says are counted; the bounds themselves are not."""

import duckdb
import pytest

from lookalike.tables.cleaning import NumberCoarsening
from lookalike.verify.released_values import count_fine_values

PAY = ["150", "1000", "1500", "2000", "2500", "2501", "149", "many", None]


@pytest.mark.parametrize(
    ("multiple", "top", "bottom", "fine"),
    [
        (1000, None, None, {"150", "1500", "2500", "2501", "149", "many"}),
        (1000, 2500, None, {"150", "1500", "2501", "149", "many"}),
        (1000, None, 150, {"1500", "2500", "2501", "149", "many"}),
        (1000, 2500, 150, {"1500", "2501", "149", "many"}),
        (None, 2500, None, {"2501", "many"}),
        (None, None, 150, {"149", "many"}),
    ],
)
def test_what_is_too_fine(multiple, top, bottom, fine):
    for value in PAY:
        one = duckdb.sql("SELECT $1 AS pay", params=[value])
        asked = NumberCoarsening(multiple, top, bottom)
        assert count_fine_values(one, "pay", asked) == (value in fine)
