"""Every kind of table gives the same release, in the kind that it came in."""

from collections import Counter

import pytest

import lookalike as la


def release_hard(engine, hard, **fields):
    table = engine(hard.columns, hard.categorical)
    return la.release(table, k=3, attributes=hard.attributes, **fields)


def count_classes(engine, table):
    return Counter(row[:-1] for row in engine.to_rows(table))


def test_every_engine_gives_the_same_release(engine, hard):
    made = release_hard(engine, hard)

    assert made.levels == hard.levels
    assert count_classes(engine, made.table) == hard.classes
    assert made.certificate.rows_in == 17
    assert made.certificate.rows_out == 15
    assert made.certificate.rows_suppressed == hard.rows_suppressed
    assert made.certificate.rows_complementary == 0
    assert made.certificate.quasi_identifiers[0].k_reached == 3
    assert made.certificate.quasi_identifiers[0].classes == len(hard.classes)
    assert made.measures.precision == pytest.approx(hard.precision, abs=1e-15)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_every_engine_publishes_what_proves_true(engine, hard, suffix, tmp_path):
    made = release_hard(engine, hard)
    made.publish(tmp_path / "released" / f"table.{suffix}")

    table = engine(hard.columns, hard.categorical)
    proof = la.verify(tmp_path / "released", specification=made.specification, table=table)
    assert [finding for finding in proof.findings if not finding.holds] == []
