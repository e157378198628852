"""k-Similar splits identical rows the same way on every kind of table."""

from collections import Counter

import pytest

import lookalike as la

from ..roles import LINKABLE
from .alike_rows import number_rows, release_numbered

GROUPS = [(3, "süd")] * 5 + [(1, "süd"), (1, None), (1, None), (1, None)]
COLUMNS = number_rows(["children", "区"], GROUPS)


def release(engine, **fields):
    """Release the groups by k-Similar with k = 3."""
    roles = {"children": LINKABLE, "区": LINKABLE}
    return release_numbered(engine, COLUMNS, roles, "k-similar", **fields)


def test_identical_rows_go_to_different_classes_drawn_each_time(engine):
    lent = set()
    for _ in range(6):
        made = release(engine)
        rows = engine.to_rows(made.table)
        assert Counter(row[:2] for row in rows) == {
            ("3", "süd"): 3,
            ("*", "süd"): 3,
            ("1", None): 3,
        }
        assert sorted(row[2] for row in rows) == COLUMNS["n"]
        joined = frozenset(n for children, _, n in rows if children == "*")
        assert "n05" in joined
        assert joined - {"n05"} <= set(COLUMNS["n"][:5])
        lent.add(joined)
        assert type(made.table) is engine.kind
        if len(lent) > 1:
            break

    assert len(lent) > 1, "10 pairs can be drawn: the same six times is one in 10^5"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_what_is_published_is_what_its_certificate_says(engine, suffix, tmp_path):
    out = tmp_path / "released" / f"table.{suffix}"
    made = release(engine)
    certificate = made.publish(out)

    proof = la.verify(out.parent)
    assert proof.holds
    assert (certificate.recoding, certificate.quasi_identifiers[0].k_reached) == ("cell level", 3)
    children = certificate.generalized["children"]
    assert (children.level, children.cells_suppressed) == (None, 3)
    assert children.cells_by_level == {0: 6}
