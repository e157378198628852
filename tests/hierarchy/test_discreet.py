"""The repr of no object shows a private value or a key."""

import dataclasses
import gc
import importlib
import logging
import pkgutil
import re
import warnings

import duckdb
import pyarrow as pa
import pytest

import lookalike
import lookalike as la
from lookalike.hierarchy import Listed
from lookalike.hierarchy.discreet import Discreet

ROWS = 24
COLUMNS = {
    "name": [f"TELLTALE name {number}" for number in range(ROWS)],
    "zip": [f"TELLTALE{number % 3}{number % 2}" for number in range(ROWS)],
    "job": [f"TELLTALE job {number % 4}" for number in range(ROWS)],
    "ill": [f"TELLTALE ill {number % 3}" for number in range(ROWS)],
    "card": [f"TELLTALE card {number}" for number in range(ROWS)],
}
PRIVATE_TYPES = re.compile(
    r"bytes\b(?!: int)|pyarrow\.lib\.(Table|ChunkedArray|Array)|narwhals|DuckDBPy|Counted\b"
    r"|tuple\[str \| None, \.\.\.\]"
)


def own_classes():
    """Return every class of the package."""
    modules = pkgutil.walk_packages(lookalike.__path__, "lookalike.")
    found = [importlib.import_module(module.name) for module in modules]
    return {
        one
        for module in found
        for one in vars(module).values()
        if isinstance(one, type) and one.__module__.startswith("lookalike")
    }


OWN = own_classes()


def telltale_representations():
    """Return the classes of live objects whose repr shows a private value."""
    living = [one for one in gc.get_objects() if type(one) in OWN]
    assert living
    return {type(one).__name__ for one in living if "TELLTALE" in f"{one!r} {one} {draw(one)}"}


def draw(one):
    """Return what a notebook shows of an object."""
    return one._repr_html_() if hasattr(one, "_repr_html_") else ""


ATTRIBUTES = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "job": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "ill": {"role": "sensitive"},
    "card": {"role": "identifier"},
}


@pytest.fixture(params=["frame", pytest.param("query", marks=pytest.mark.slow)])
def table(request):
    rows = pa.table(COLUMNS)
    return rows if request.param == "frame" else duckdb.connect().from_arrow(rows)


@pytest.fixture
def look():
    """Collect the repr of all live objects; at the end none may be private."""
    seen = set()
    yield lambda _step: seen.update(telltale_representations())
    assert seen == set()


@pytest.mark.parametrize("method", [pytest.param("mingen", marks=pytest.mark.slow), "mingen-cells"])
def test_of_whatever_lives_while_releases_are_made(method, table, look, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    with warnings.catch_warnings(record=True) as warned:
        for number in (1, 2):
            made = la.release(
                table,
                attributes=ATTRIBUTES,
                k=2,
                method=method,
                max_suppressed=6,
                announce=look,
                source={"row_key": "name", "name": "people"},
                ledger=str(tmp_path / "ledger.db"),
            )
            made.publish(tmp_path / f"released {number}" / "rows.csv")
            look("done")
    assert f"{made!r}" == f"{made}"
    assert "TELLTALE" not in caplog.text
    assert not [one for one in warned if "TELLTALE" in str(one.message)]


def test_of_the_keys_of_pseudonyms(table, look, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(b"TELLTALE" * 4)
    key.chmod(0o600)
    card = {"role": "identifier", "pseudonym": {"key_file": str(key)}}
    made = la.release(table, attributes=ATTRIBUTES | {"card": card}, k=2, max_suppressed=6)
    look("done")
    assert made.certificate.pseudonyms == ("card",)


def test_of_what_is_found_about_a_table(table):
    found = [
        la.risk(table, ["zip", "job"], sensitive=["ill"]),
        la.link(table, table, ["zip", "job"], identity="name"),
        la.check(table, ["zip"]),
    ]
    assert telltale_representations() == set()
    assert found


def test_of_what_is_drafted_for_a_table(table):
    jobs = la.count_column(table, "job")
    proposed = la.propose_hierarchy(jobs)
    grid = la.Grid(ks=(2,), limits=(0,), methods=("mingen",))
    found = [
        la.draft(table),
        la.draft(table).decide(),
        la.preview_hierarchy(jobs, proposed.hierarchy),
        la.explore(table, attributes=ATTRIBUTES, k=2, grid=grid),
        proposed.hierarchy.bind("job", jobs.values),
    ]
    assert telltale_representations() == set()
    assert all(map(draw, found))


def test_of_what_is_found_about_a_release(table, tmp_path):
    made = la.release(table, attributes=ATTRIBUTES, k=3, max_suppressed=6, method="mingen")
    made.publish(tmp_path / "released" / "rows.csv")
    asked = made.specification
    found = [
        la.utility(made),
        la.attack(made, made),
        la.verify(tmp_path / "released", spec=asked, table=table),
        la.exposure(tmp_path / "released", asked, table=table),
        la.is_k_minimal(made.table, spec=asked, table=table),
        la.is_minimal_distortion(made.table, spec=asked, table=table),
        la.trace_search(table, "matrix", attributes=ATTRIBUTES, k=3, max_suppressed=6),
        la.propose_quasi_identifiers(table),
        made.preflight,
    ]
    assert telltale_representations() == set()
    assert found


def test_a_listing_of_values_is_not_shown():
    listed = Listed({"TELLTALE 1": ("TELLTALE 1", "*"), "TELLTALE 2": ("TELLTALE 2", "*")})
    assert "TELLTALE" not in f"{listed!r} {listed} {draw(listed)}"
    assert "labels" in draw(listed)


def test_a_release_shows_its_figures():
    people = pa.table({"zip": ["02138", "02139", "02141"]})
    roles = {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}}
    made = la.release(people, attributes=roles, k=2, max_suppressed=1, method="datafly")
    assert repr(made) == "<Release of 2 of 3 rows by datafly: k = 2, precision 0.5333>"


def test_passwords_and_conditions_are_not_shown():
    specification = la.Specification.build(
        {
            "source": {"path": "a.csv", "where": "name <> 'TELLTALE'", "row_key": "name"},
            "release": {
                "k": 2,
                "ledger": "postgresql://me:TELLTALE@host/ledger",
                "ledger_files": "private",
            },
            "attributes": {
                "name": {"role": "identifier"},
                "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
            },
        }
    )
    assert "TELLTALE" not in f"{specification!r} {specification}"
    assert "TELLTALE" not in f"{specification.release.address!r} {specification.release.address}"


def private_fields(one):
    """Return the fields of a dataclass that hold rows, labels or keys."""
    shown = [field for field in dataclasses.fields(one) if field.repr]
    return [field.name for field in shown if PRIVATE_TYPES.search(f"{field.type}")]


def test_whatever_holds_rows_labels_or_keys_is_discreet():
    holding = {one for one in OWN if dataclasses.is_dataclass(one) and private_fields(one)}
    assert {"Counted", "Table", "RowTags"} <= {one.__name__ for one in holding}
    assert {one.__name__ for one in holding if not issubclass(one, Discreet)} == set()
