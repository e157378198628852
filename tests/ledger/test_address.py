"""The address of a ledger, and what is refused before the table is read."""

from pathlib import Path

import pyarrow.parquet as parquet
import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.spec.ledger_address import LedgerAddress

from .steward import ROLES, fields_of, publish, table_of


@pytest.fixture
def place(tmp_path):
    """A ledger in an SQLite file."""
    return {"ledger": str(tmp_path / "ledger.db"), "ledger_key": str(tmp_path / "key")}


@pytest.mark.parametrize("text", ["a/b.db", "sqlite:///a/b.db", "sqlite+pysqlite:///a/b.db"])
def test_an_sqlite_ledger_has_its_files_beside_it(text):
    address = LedgerAddress.parse(text)
    assert (address.database, address.files) == (Path("a/b.db"), Path("a/b.db.files"))
    assert str(address) == "a/b.db"


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_a_ledger_on_a_server_is_named_without_its_password(kind):
    address = LedgerAddress.parse(f"{kind}://me:sesame@host:99/base?sslmode=require", "files")
    assert address.url.drivername == "postgresql+psycopg"
    assert address.url.password == "sesame"
    assert str(address) == "postgresql://host:99/base"
    assert "sesame" not in repr(address)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql://me:sesame@host/base", "mysql is not supported"),
        ("://sesame", "cannot be read"),
        ("postgresql://me:sesame@host:port/base", "cannot be read"),
        ("sqlite://", "a file of its own"),
        ("sqlite:///:memory:", "a file of its own"),
        ("postgresql://me:sesame@host/base", "ledger_files is missing"),
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_read(text, said, tmp_path):
    with pytest.raises(la.InvalidInput, match=said) as refused:
        la.release(table_of(), **fields_of({"ledger": text}))
    assert "sesame" not in str(refused.value)


def test_a_ledger_needs_a_row_key(place):
    with pytest.raises(la.InvalidInput, match=r"ledger needs source.row_key"):
        la.release(table_of(), k=3, attributes=ROLES, **place)


@pytest.mark.parametrize(
    ("key", "roles"),
    [
        ("zip", ROLES),
        ("nobody", ROLES),
        ("id", ROLES | {"id": {"role": "other", "unique": True}}),
        ("id", ROLES | {"id": {"role": "identifier", "pseudonym": {"key_file": "key"}}}),
    ],
)
def test_a_row_key_is_never_released(key, roles, place):
    source = {"row_key": key}
    with pytest.raises(la.InvalidInput, match=f"row_key: '{key}' must never be released"):
        la.release(table_of(), k=3, attributes=roles, source=source, **place)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (["twin", "twin", *map(str, range(7))], "has 8 different values in 9 rows"),
        ([None, *map(str, range(8))], "is missing in 1 of 9 rows"),
    ],
)
@pytest.mark.parametrize("kind", ["frame", "file"])
def test_a_row_key_identifies_all_rows(ids, said, kind, place, tmp_path):
    table = table_of(ids=ids)
    if kind == "file":
        parquet.write_table(table, tmp_path / "people.parquet")
        table = tmp_path / "people.parquet"
    with pytest.raises(la.InvalidInput, match=f"row_key: column 'id' {said}") as refused:
        la.release(table, **fields_of(place))
    assert "twin" not in str(refused.value)


def test_a_frame_has_no_other_field_of_a_source():
    with pytest.raises(la.InvalidInput, match="source is for a path"):
        la.release(table_of(), k=3, attributes=ROLES, source={"where": "true"})


def test_a_specification_needs_a_path_beside_the_row_key(place):
    fields = fields_of(place)
    parts = {"attributes": fields.pop("attributes"), "source": fields.pop("source")}
    with pytest.raises(la.InvalidInput, match=r"\[source\] is missing: name the table"):
        prepare(la.Specification.build({**parts, "release": fields}))


def test_a_policy_that_does_not_exist_is_refused(place):
    with pytest.raises(la.InvalidInput, match=r"policy is one of .*, not 'trust'"):
        la.release(table_of(), **fields_of(place, policy="trust"))


def test_a_contract_is_of_a_recipient(place):
    with pytest.raises(la.InvalidInput, match="contract belongs to a recipient"):
        la.release(table_of(), **fields_of(place, contract="DUA 17"))


@pytest.mark.parametrize("inside", ["ledger", "ledger_files", "ledger_key"])
def test_a_ledger_is_not_inside_a_release(inside, place, tmp_path):
    made = la.release(table_of(), **fields_of(place | {inside: str(tmp_path / "out" / "x")}))
    with pytest.raises(la.InvalidInput, match=f"{inside}: .* neither inside nor around"):
        made.publish(tmp_path / "out" / "table.csv")

    assert not (tmp_path / "out").exists()


def test_a_ledger_that_others_may_read_is_refused(place, tmp_path):
    publish(place, tmp_path / "1")
    Path(place["ledger"]).chmod(0o644)
    with pytest.raises(
        la.InvalidInput, match=r"ledger: .* is readable by other users; run chmod 600"
    ):
        publish(place, tmp_path / "2")
    Path(place["ledger"]).chmod(0o600)
    Path(place["ledger"] + ".files").chmod(0o750)
    with pytest.raises(
        la.InvalidInput, match=r"ledger_files: .* is open to other users; run chmod 700"
    ):
        publish(place, tmp_path / "2")


@pytest.mark.parametrize("content", [b"", b"not a database" * 100])
def test_what_is_no_ledger_is_not_opened(content, tmp_path):
    file = tmp_path / "ledger.db"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(la.InvalidInput, match=r"no ledger is found at|file is not a database"):
        la.open_ledger(file)
    with pytest.raises(la.InvalidInput, match="no ledger is found at"):
        la.open_ledger(tmp_path / "nowhere.db")
    with pytest.raises(la.InvalidInput, match="is not a file"):
        la.open_ledger(tmp_path)


def test_a_server_that_does_not_answer_is_named(tmp_path):
    with pytest.raises(la.InvalidInput, match=r"postgresql://127.0.0.1:1/base cannot be used"):
        la.open_ledger("postgresql://me:sesame@127.0.0.1:1/base", files=tmp_path / "files")


def test_paths_are_relative_to_the_specification(tmp_path):
    release = {"k": 3, "ledger": "ledger.db", "ledger_files": "files", "ledger_key": "/key"}
    parts = {"attributes": ROLES, "source": {"row_key": "id"}, "release": release}
    located = la.Specification.build(parts).located(tmp_path).release

    assert located.ledger == str(tmp_path / "ledger.db")
    assert (located.ledger_files, located.ledger_key) == (str(tmp_path / "files"), "/key")
