"""Every kind of table gives the same release, in the kind that it came in."""

import hashlib
import hmac
from collections import Counter
from datetime import date, datetime, timedelta
from decimal import Decimal

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables.count import count_unique
from lookalike.tables.read import read_table

from ..roles import LINKABLE, MASKED, SENSITIVE, UNIQUE
from ..verifying import list_failures


def release_hard(engine, hard, **fields):
    table = engine(hard.columns, hard.categorical)
    return la.release(table, attributes=hard.attributes, **{"k": 3, "method": "datafly"} | fields)


def prove(engine, hard, out):
    made = release_hard(engine, hard)
    made.publish(out)
    table = engine(hard.columns, hard.categorical)
    return list_failures(out.parent, made, table)


def test_every_engine_gives_the_same_release(engine, hard):
    made = release_hard(engine, hard)

    assert made.levels == hard.levels
    assert Counter(row[:-1] for row in engine.to_rows(made.table)) == hard.classes
    assert made.certificate.rows_in == 17
    assert made.certificate.rows_out == 15
    assert made.certificate.rows_suppressed == hard.rows_suppressed
    assert made.certificate.rows_complementary == 0
    assert made.certificate.quasi_identifiers[0].k_reached == 3
    assert made.certificate.quasi_identifiers[0].classes == len(hard.classes)
    assert made.measures.precision == pytest.approx(hard.precision, abs=1e-15)


def test_every_engine_counts_the_same_classes(engine, hard):
    table = engine(hard.columns, hard.categorical)
    quasi_identifier = list(hard.levels)

    checked = la.check(table, quasi_identifier, k=2)
    # 02138 | 02139 twice | missing | empty | 99201 to 99203, twice | 55501 | 55502
    assert checked == la.Checked(k=1, rows=17, classes=12, unique_rows=9, holds=False)


def test_every_engine_publishes_what_proves_true(engine, hard, tmp_path):
    assert prove(engine, hard, tmp_path / "released" / "table.csv") == []


@pytest.mark.parametrize("suffix", ["tsv", "jsonl", "ndjson", "parquet", "arrow", "feather"])
@pytest.mark.parametrize("engine", ["polars", "csv"], indirect=True)
def test_every_format_holds_what_proves_true(engine, hard, suffix, tmp_path):
    assert prove(engine, hard, tmp_path / "released" / f"table.{suffix}") == []


def test_the_same_kind_comes_out_as_went_in(engine, hard):
    assert type(release_hard(engine, hard).table) is engine.kind


def test_columns_keep_their_order_and_identifiers_are_left_out(engine, hard):
    released = engine.to_rows(release_hard(engine, hard, keep_order=True).table)

    assert len(released[0]) == len(hard.columns) - 1
    assert [row[-1] for row in released] == hard.columns["ill"][:15]
    assert not {value for row in released for value in row} & set(hard.columns["ssn"])


DAYS = [date(1965, 9, 20)] * 4
TYPED = [
    (pd.DataFrame, pd.Series([7] * 4, dtype="int64")),
    (pd.DataFrame, pd.Series([7, 7, None, None], dtype="Int64")),
    (pd.DataFrame, pd.Series([True] * 4, dtype="boolean")),
    (pd.DataFrame, pd.Series([2.5] * 4, dtype="float32")),
    (pd.DataFrame, pd.Series([0.0, -0.0, None, None], dtype="Float64")),
    (pd.DataFrame, pd.Series([7] * 4, dtype="int8[pyarrow]")),
    (pd.DataFrame, pd.Series(DAYS, dtype="date32[day][pyarrow]")),
    (pd.DataFrame, pd.Series(DAYS, dtype="datetime64[s]")),
    (pl.DataFrame, pl.Series([7] * 4, dtype=pl.UInt8)),
    (pl.DataFrame, pl.Series(DAYS, dtype=pl.Date)),
    (pl.DataFrame, pl.Series([0.0, -0.0, 0.0, 0.0], dtype=pl.Float32)),
    (pl.DataFrame, pl.Series([datetime(2024, 1, 1)] * 4, dtype=pl.Datetime("ms"))),
    (pa.table, pa.array([7] * 4, pa.int16())),
    (pa.table, pa.array(DAYS, pa.date32())),
    (pa.table, pa.array([0.0, -0.0, 0.0, 0.0], pa.float32())),
    (pa.table, pa.array([Decimal("1.50")] * 4, pa.decimal128(5, 2))),
]


@pytest.mark.parametrize(("make", "values"), TYPED)
def test_level_0_keeps_its_type_and_generalized_values_are_text(make, values):
    table = make({"zip": ["10", "11", "10", "11"], "typed": values})
    made = la.release(
        table,
        k=2,
        method="datafly",
        attributes={"zip": MASKED, "typed": LINKABLE},
        max_suppressed=0,
    )

    assert made.levels["typed"] == 0
    assert type_of(made.table, "typed") == type_of(table, "typed")
    generalized = la.release(
        table,
        k=4,
        method="datafly",
        attributes={"zip": LINKABLE, "typed": LINKABLE},
        max_suppressed=0,
    )
    assert generalized.levels["zip"] == 1
    assert set(values_of(generalized.table, "zip")) == {"*"}


def type_of(table, name):
    return table.schema.field(name).type if isinstance(table, pa.Table) else table[name].dtype


def values_of(table, name):
    return table[name].to_pylist() if isinstance(table, pa.Table) else table[name].to_list()


def test_a_relation_keeps_the_types_of_level_0():
    relation = duckdb.connect().sql(
        "SELECT 7::UTINYINT AS a, DATE '1965-09-20' AS b, 0.5::FLOAT AS c, "
        "'x'::ENUM('x', 'y') AS d FROM range(3)"
    )
    made = la.release(relation, k=3, method="datafly", attributes=dict.fromkeys("abcd", LINKABLE))

    assert [str(kind) for kind in made.table.types] == ["UTINYINT", "DATE", "FLOAT", "VARCHAR"]
    assert made.table.fetchall() == [(7, date(1965, 9, 20), 0.5, "x")] * 3


def test_the_index_of_pandas_is_no_column():
    private = pd.DataFrame({"zip": ["02138", "02139", "02141"]}).iloc[[2, 0, 1]]
    released = pd.DataFrame({"zip": ["02***", "02***", "02***"]}, index=[7, 5, 6])
    zips = la.Mask(length=5)
    assert la.is_generalization(private, released, {"zip": zips})
    roles = {"zip": {"role": "quasi-identifier", "hierarchy": zips}}
    asked = la.Specification.build({"release": {"k": 2}, "attributes": roles})
    assert la.attack(released, released, spec=asked).holds


@pytest.mark.parametrize("kind", ["pandas", "pandas nullable", "pandas pyarrow"])
def test_the_index_of_pandas_does_not_survive(kind):
    plain = pd.DataFrame({"zip": ["1"] * 4, "ill": ["flu", "ache"] * 2})
    converted = {"pandas nullable": {}, "pandas pyarrow": {"dtype_backend": "pyarrow"}}
    table = plain.convert_dtypes(**converted[kind]) if kind in converted else plain
    table.index = pd.Index(["ann", "bob", "cyd", "dee"], name="person")
    table.attrs["source"] = "ward 7"
    released = la.release(
        table, k=2, method="datafly", attributes={"zip": LINKABLE, "ill": SENSITIVE}
    ).table

    assert released.index.equals(pd.RangeIndex(4))
    assert released.index.name is None
    assert released.attrs == {}
    assert list(table.index) == ["ann", "bob", "cyd", "dee"]
    assert table.attrs == {"source": "ward 7"}


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"ward": pd.Categorical(["a", "a"], ["a", "unused"]), "ill": ["flu"] * 2}),
        pl.DataFrame({"ward": pl.Series(["a", "a"], dtype=pl.Enum(["a", "unused"])), "ill": "flu"}),
        pa.table(
            {
                "ward": pa.DictionaryArray.from_arrays([0, 0], ["a", "unused"]),
                "ill": ["flu", "flu"],
            }
        ),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
@pytest.mark.parametrize("role", [LINKABLE, SENSITIVE])
def test_categories_become_text(table, role):
    other = LINKABLE if role is SENSITIVE else SENSITIVE
    released = la.release(
        table, k=2, method="datafly", attributes={"ward": role, "ill": other}
    ).table

    assert values_of(released, "ward") == ["a", "a"]
    assert type_of(released, "ward") == type_of(released, "ill")


ORDERED = {"zip": ["1"] * 40, "n": [f"n{number:02}" for number in range(40)]}


def test_order_is_drawn_afresh_each_time(engine):
    attributes = {"zip": LINKABLE, "n": UNIQUE}
    runs = [
        la.release(engine(ORDERED), k=2, method="datafly", attributes=attributes) for _ in range(2)
    ]
    orders = [[n for _, n in engine.to_rows(made.table)] for made in runs]

    assert sorted(orders[0]) == sorted(orders[1]) == ORDERED["n"]
    assert len({tuple(order) for order in [*orders, ORDERED["n"]]}) == 3
    assert runs[0].certificate.order == "randomized"


def test_keep_order_keeps_the_order(engine, tmp_path):
    attributes = {"zip": LINKABLE, "n": UNIQUE}
    made = la.release(
        engine(ORDERED), k=2, method="datafly", attributes=attributes, keep_order=True
    )
    made.publish(tmp_path / "released" / "table.csv")
    written = (tmp_path / "released" / "table.csv").read_text().splitlines()

    assert [n for _, n in engine.to_rows(made.table)] == ORDERED["n"]
    assert written == ["zip,n", *(f"1,{n}" for n in ORDERED["n"])]
    assert made.certificate.order == "kept"


def test_a_class_that_gives_some_rows_gives_other_ones_each_time(engine):
    columns = {"zip": ["1"] * 12 + ["2"], "n": [f"n{number:02}" for number in range(13)]}
    taken = set()
    for _ in range(6):
        made = la.release(
            engine(columns),
            k=3,
            method="datafly",
            attributes={"zip": LINKABLE, "n": UNIQUE},
            max_suppressed=1,
            suppressed_rows="blank",
        )
        rows = engine.to_rows(made.table)
        blank = frozenset(n for zip_code, n in rows if zip_code == "*")
        assert (made.recoding.rows_suppressed, made.recoding.rows_complementary) == (1, 2)
        assert Counter(zip_code for zip_code, _ in rows) == {"1": 10, "*": 3}
        assert sorted(n for _, n in rows) == columns["n"]
        assert "n12" in blank
        taken.add(blank)
        if len(taken) > 1:
            break

    assert len(taken) > 1, "66 pairs can be drawn: the same six times is one in 10^9"


IDENTIFIERS = {
    "text": ["ä-1", "ä-1", "", None, "z" * 99, "東"],
    "numbers": [1, 1, 20, None, -3, 4],
    "fractions": [1.5, 1.5, 20.0, None, -0.0, 1e-7],
    "days": [date(1965, 9, 20) + timedelta(n) for n in range(5)] + [None],
    "flags": [True, True, False, None, False, True],
}
LABELS = {
    "text": IDENTIFIERS["text"],
    "numbers": ["1", "1", "20", None, "-3", "4"],
    "fractions": ["1.5", "1.5", "20", None, "0", "1e-07"],
    "days": [f"1965-09-{day}" for day in range(20, 25)] + [None],
    "flags": ["true", "true", "false", None, "false", "true"],
}


@pytest.fixture(params=[32, 100], ids=["short key", "key longer than a block"])
def key_file(request, tmp_path):
    path = tmp_path / "pseudonym.key"
    path.write_bytes(bytes(range(request.param)))
    path.chmod(0o600)
    return path


def test_every_engine_gives_the_same_pseudonyms(engine, key_file):
    pseudonym = {"role": "identifier", "pseudonym": {"key_file": key_file}}
    made = la.release(
        engine({"zip": ["1"] * 6, **IDENTIFIERS}),
        k=2,
        method="datafly",
        attributes={"zip": LINKABLE, **dict.fromkeys(IDENTIFIERS, pseudonym)},
        keep_order=True,
    )
    columns = zip(*engine.to_rows(made.table), strict=True)

    expected = [[hash_label(text, key_file) for text in LABELS[name]] for name in LABELS]
    assert list(map(list, columns))[1:] == expected
    assert made.certificate.pseudonyms == tuple(IDENTIFIERS)


def hash_label(text, key_file):
    if text is None:
        return None
    return hmac.new(key_file.read_bytes(), text.encode(), hashlib.sha256).hexdigest()


def test_a_category_that_is_an_identifier_becomes_a_pseudonym(engine, tmp_path):
    key_file = tmp_path / "pseudonym.key"
    key_file.write_bytes(bytes(range(32)))
    key_file.chmod(0o600)
    table = engine({"zip": ["1", "1"], "person": ["ann", "bob"]}, categorical=["person"])
    pseudonym = {"role": "identifier", "pseudonym": {"key_file": key_file}}
    made = la.release(
        table, k=2, method="datafly", attributes={"zip": LINKABLE, "person": pseudonym}
    )

    hashes = {hash_label(name, key_file) for name in ("ann", "bob")}
    assert {person for _, person in engine.to_rows(made.table)} == hashes


def test_columns_that_tell_rows_apart_are_refused(engine):
    columns = {"zip": ["1"] * 20, "bill": [f"bill {number}" for number in range(20)]}
    with pytest.raises(la.InvalidInput, match="column 'bill' has 20 different values in 20 rows"):
        la.release(
            engine(columns),
            k=2,
            method="datafly",
            attributes={"zip": LINKABLE, "bill": {"role": "other"}},
        )

    made = la.release(
        engine(columns), k=2, method="datafly", attributes={"zip": LINKABLE, "bill": UNIQUE}
    )
    assert sorted(bill for _, bill in engine.to_rows(made.table)) == sorted(columns["bill"])


def test_every_engine_counts_the_same_unique_rows(engine):
    columns = {"day": ["1", "1", "2", None, None], "Count": ["a", "a", "a", None, "b"]}
    frame = read_table(engine(columns, ()), {})
    assert count_unique(frame, ["day", "Count"]) == 3
    assert count_unique(frame, ["day"]) == 1
