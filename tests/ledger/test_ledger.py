"""A ledger remembers what was published, on SQLite as on PostgreSQL."""

import shutil
import stat
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet
from sqlalchemy import select

import lookalike as la
from lookalike.ledger.policies.policy import JUDGES
from lookalike.ledger.store import record
from lookalike.ledger.store.encrypted import write_encrypted
from lookalike.ledger.store.row_map import digest_column, hash_rows
from lookalike.ledger.store.schema import metadata
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.publish.certificate import describe_file

from .steward import OUTLIER, fields_of, publish, reopen, states, table_of


def mode_of(path):
    return stat.S_IMODE(Path(path).stat().st_mode)


def private_files(place):
    files = [path for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]
    database = Path(place["ledger"])
    return [*files, Path(place["ledger_key"]), *([database] if database.exists() else [])]


def test_a_release_is_remembered(place, tmp_path):
    told = publish(place, tmp_path / "out")

    [entry] = reopen(place).releases()
    assert (entry.number, entry.source, entry.state) == (1, "people", "published")
    assert entry.folder == tmp_path / "out"
    assert entry.certificate == told == la.Certificate.read(tmp_path / "out")
    assert entry.certificate_sha256 == describe_file(tmp_path / "out" / "certificate.json").sha256
    assert entry.specification["release"] == {"k": 3}
    assert entry.began < entry.published


def test_the_certificate_says_what_was_considered(place, tmp_path):
    told = [publish(place, tmp_path / str(turn)).earlier_releases for turn in range(3)]

    assert [(one.policy, one.considered) for one in told] == [("based-on", n) for n in range(3)]
    assert la.verify(tmp_path / "2").holds


def test_without_a_ledger_nothing_was_checked(tmp_path):
    made = la.release(table_of(), k=3, attributes=fields_of({})["attributes"])
    assert made.publish(tmp_path / "out" / "table.csv").earlier_releases == "not checked"


def test_classes_are_kept_with_labels_levels_and_counts(place, tmp_path):
    publish(place, tmp_path / "out")

    classes = reopen(place).release(1).kept.classes()
    assert classes.attributes == ("zip",)
    assert classes.labels == (("0213*", "0214*"),)
    assert classes.levels.tolist() == [[1, 1]]
    assert classes.counts.tolist() == [4, 4]


def test_blank_rows_are_a_class_that_shows_nothing(place, tmp_path):
    publish(place, tmp_path / "out", suppressed_rows="blank")

    kept = reopen(place).release(1).kept
    classes, rows = kept.classes(), kept.rows()
    [blank] = np.flatnonzero(classes.levels[0] == SUPPRESSED_CELL)
    assert classes.labels[0][blank] == "*"
    assert classes.counts[blank] == rows["class"].to_pylist().count(blank) >= 3
    assert rows["class"].null_count == 0


def test_rows_are_kept_hashed_under_the_key(place, tmp_path):
    table = table_of()
    publish(place, tmp_path / "out", table=table)

    ledger = reopen(place)
    rows = ledger.release(1).kept.rows()
    fixed = ["key", "class", "quasi_identifier"]
    assert rows.column_names == [*fixed, "value ill", "ground zip"]
    ways = {
        "key": lambda secret: hash_rows(table, ["id"], secret=secret, kind="key"),
        "quasi_identifier": lambda secret: hash_rows(
            table, ["zip"], secret=secret, kind="quasi_identifier"
        ),
        "value ill": lambda secret: digest_column("ill", table["ill"], secret),
        "ground zip": lambda secret: digest_column("zip", table["zip"], secret),
    }
    hashed = {"class": [0, 0, 1, 1] * 2 + [None]}
    for name, way in ways.items():
        own, other = (way(secret).to_pylist() for secret in (ledger.secret(), bytes(32)))
        assert not set(own) & set(other)
        hashed[name] = pa.array(own, pa.binary(16))
    expected = pa.table(hashed).select([*fixed, "value ill", "ground zip"]).sort_by("key")
    assert rows.to_pylist() == expected.to_pylist()


def test_what_hierarchies_make_of_values_is_kept_hashed_under_the_key(place, tmp_path):
    publish(place, tmp_path / "out", table=table_of())

    ledger = reopen(place)
    paths = ledger.release(1).kept.paths()
    assert set(paths["attribute"].to_pylist()) == {"zip"}
    zips = pa.array(sorted(set(table_of()["zip"].to_pylist())))
    assert set(paths["value"].to_pylist()) == set(
        digest_column("zip", zips, ledger.secret()).to_pylist()
    )
    assert len(set(paths["path"].to_pylist())) == len(zips)


def test_one_row_has_one_hash_in_whatever_kind_of_frame(place, tmp_path):
    table = table_of(ids=list(range(9)))
    table.to_pandas().to_csv(tmp_path / "people.csv", index=False)
    same = [table, table.to_pandas(), pl.from_arrow(table), duckdb.from_arrow(table)]
    for turn, frame in enumerate([*same, tmp_path / "people.csv"]):
        publish(place, tmp_path / str(turn), table=frame)

    maps = [
        sorted(map(tuple, entry.kept.rows().to_pandas().fillna(-1).to_numpy().tolist()))
        for entry in reopen(place).releases()
    ]
    assert len(maps) == 5
    assert maps[1:] == maps[:-1]


def test_what_is_kept_is_for_its_owner_alone_and_shows_no_value(place, tmp_path):
    publish(place, tmp_path / "out")

    files = private_files(place)
    assert {mode_of(path) for path in files} == {0o600}
    folders = [path for path in Path(place["ledger_files"]).rglob("*") if path.is_dir()]
    assert {mode_of(path) for path in (Path(place["ledger_files"]), *folders)} == {0o700}
    for path in files:
        for value in (b"person-", OUTLIER.encode(), b"02138", b"pox", b"gout"):
            assert value not in path.read_bytes(), path.name


def stored(place):
    """All that a thief has who has the database and the files, and not the key."""
    ledger = reopen(place)
    files = [path.read_bytes() for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]
    with ledger.engine.begin() as connection:
        rows = [row for one in metadata.sorted_tables for row in connection.execute(select(one))]
    cells = [cell for row in rows for cell in row]
    return b"\n".join(
        [*files, *(cell if isinstance(cell, bytes) else str(cell).encode() for cell in cells)]
    )


def test_without_the_key_no_hash_of_a_row_can_be_read(place, tmp_path):
    table = table_of()
    publish(place, tmp_path / "1", table=table)

    secret, thief = reopen(place).secret(), stored(place)
    for column, kind in (("id", "key"), ("zip", "quasi_identifier"), ("ill", "other")):
        for digest in hash_rows(table, [column], secret=secret, kind=kind).to_pylist():
            assert digest not in thief
    for path in reopen(place).release(1).kept.files:
        with pytest.raises(OSError, match="no decryption found"):
            parquet.read_table(path)


def test_without_the_key_no_guess_of_the_table_can_be_tried(place, tmp_path, monkeypatch):
    plain = []
    for name in ("digest_table", "digest_hierarchies"):
        digest = getattr(record, name)
        monkeypatch.setattr(
            record, name, lambda one, digest=digest: plain.append(digest(one)) or plain[-1]
        )
    publish(place, tmp_path / "1")

    assert len(plain) == 2
    assert not [digest for digest in plain if digest.encode() in stored(place)]


def test_without_the_key_nobody_reads_what_was_asked_for(place, tmp_path):
    table = tmp_path / "people.csv"
    table_of().to_pandas().to_csv(table, index=False)
    source = {"row_key": "id", "where": f"zip <> '{OUTLIER}'"}
    la.release(table, **fields_of(place) | {"source": source}).publish(tmp_path / "1" / "table.csv")

    assert OUTLIER in reopen(place).release(1).specification["source"]["where"]
    assert OUTLIER.encode() not in stored(place)


def test_a_file_has_one_length_however_often_a_value_occurs():
    rare = pa.table({"hash": pa.array([bytes([row] * 16) for row in range(200)], pa.binary(16))})
    common = pa.table({"hash": pa.array([bytes(16)] * 200, pa.binary(16))})
    lengths = []
    for table in (rare, common):
        stream = BytesIO()
        write_encrypted(stream, table, bytes(32), "rows")
        lengths.append(len(stream.getvalue()))

    assert lengths[0] == lengths[1]


def test_a_file_that_is_put_in_the_place_of_another_is_not_believed(place, tmp_path):
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2", k=4)
    first, second = (entry.kept for entry in reopen(place).releases())
    mixed = replace(first, rows_sha256=second.rows_sha256)
    shutil.copy(second.files[1], first.files[1])

    with pytest.raises(la.InvalidInput, match="was changed; put it back"):
        mixed.rows()


def test_the_order_of_rows_tells_nothing_of_the_source(place, tmp_path):
    publish(place, tmp_path / "1")

    keys = reopen(place).release(1).kept.rows()["key"].to_pylist()
    assert keys == sorted(keys)


def test_a_key_is_used_again(place, tmp_path):
    publish(place, tmp_path / "1")
    key = Path(place["ledger_key"]).read_bytes()
    publish(place, tmp_path / "2")

    assert Path(place["ledger_key"]).read_bytes() == key
    first, second = [entry.kept.rows(["key"]) for entry in reopen(place).releases()]
    assert first == second


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda key: key.unlink(), "is not at"),
        (lambda key: key.write_bytes(bytes(32)), "is not the key of the ledger"),
        (lambda key: key.write_bytes(b"short"), "does not hold 32 bytes"),
        (lambda key: key.chmod(0o640), "others may read"),
    ],
)
def test_without_its_key_a_ledger_takes_no_release(spoil, said, place, tmp_path):
    publish(place, tmp_path / "1")
    key = Path(place["ledger_key"])
    content = key.read_bytes()
    spoil(key)
    with pytest.raises(la.InvalidInput, match=f"ledger_key: .*{said}"):
        publish(place, tmp_path / "2")
    with pytest.raises(la.InvalidInput, match=f"ledger_key: .*{said}"):
        reopen(place)

    assert not (tmp_path / "2").exists()
    key.unlink(missing_ok=True)
    key.touch(0o600)
    key.write_bytes(content)
    assert states(place) == ["published"]


def test_a_key_is_with_the_users_settings_if_nothing_is_said(place, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    del place["ledger_key"]
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2")

    head, key = sorted((tmp_path / "settings" / "lookalike").iterdir())
    assert (head.suffix, key.suffix) == (".head", ".key")
    assert (mode_of(head), mode_of(key)) == (0o600, 0o600)
    assert mode_of(key.parent) == 0o700


def test_files_that_were_changed_or_lost_are_not_believed(place, tmp_path):
    publish(place, tmp_path / "1")
    kept = reopen(place).release(1).kept
    with kept.files[0].open("ab") as stream:
        stream.write(b"!")
    kept.files[1].unlink()

    with pytest.raises(la.InvalidInput, match="was changed; put it back from your backup"):
        kept.classes()
    with pytest.raises(la.InvalidInput, match="is missing; put it back from your backup"):
        kept.rows()


def test_a_ledger_has_one_folder_of_files(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(la.InvalidInput, match="ledger_files: the files of the ledger are not at"):
        publish(place | {"ledger_files": str(tmp_path / "others")}, tmp_path / "2")

    assert not (tmp_path / "2").exists()
    assert not (tmp_path / "others").exists()


def test_a_folder_of_files_has_one_ledger(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(la.InvalidInput, match="holds the files of another ledger"):
        publish(place | {"ledger": str(tmp_path / "private" / "other.db")}, tmp_path / "2")

    assert not (tmp_path / "2").exists()
    other = {"ledger": str(tmp_path / "private" / "other.db"), "ledger_key": str(tmp_path / "k")}
    assert publish(other, tmp_path / "2").earlier_releases.considered == 0


def test_sources_are_apart(place, tmp_path):
    publish(place, tmp_path / "1", source="people")
    publish(place, tmp_path / "2", source="others", table=table_of(ids=[*"abcdefghi"]))
    told = publish(place, tmp_path / "3", source="people")

    assert told.earlier_releases.considered == 1
    assert [entry.number for entry in reopen(place).releases("people")] == [1, 3]


def test_a_source_without_a_name_has_that_of_its_row_key(place, tmp_path):
    made = la.release(table_of(), **fields_of(place) | {"source": {"row_key": "id"}})
    made.publish(tmp_path / "out" / "table.csv")

    assert reopen(place).release(1).source == "id"


def test_a_policy_sees_the_earlier_releases_and_may_refuse(place, tmp_path, monkeypatch):
    seen = []

    def refuse(earlier, candidate):
        seen.append([entry.kept.rows().num_rows for entry in earlier])
        assert candidate.kept.classes().counts.tolist() == [4, 4]
        assert candidate.kept.rows()["class"].null_count == 1
        assert candidate.certificate.quasi_identifiers[0].k == 3
        if earlier:
            raise la.RequirementNotMet("it tells too much beside release 1")

    monkeypatch.setitem(JUDGES, "based-on", refuse)
    publish(place, tmp_path / "1")
    with pytest.raises(la.RequirementNotMet, match="beside release 1"):
        publish(place, tmp_path / "2")

    assert seen == [[], [9]]
    assert not (tmp_path / "2").exists()
    assert states(place) == ["published"]
    files = [path for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]
    assert len(files) == 5, "the mark, the head, and nothing of what was refused"


RECIPIENTS = {
    "lab": {"contract": "DUA 17"},
    "office": {"contract": "DUA 18"},
    "press": {},
}


def test_recipients_count_as_one_unless_contracts_keep_them_apart(place, tmp_path):
    considered = []
    for turn, name in enumerate(["lab", "office", "lab", "press", "office", None]):
        chosen = {"recipient": name, "recipients": RECIPIENTS} if name else {}
        told = publish(place, tmp_path / str(turn), **chosen)
        considered.append(told.earlier_releases.considered)

    assert considered == [0, 0, 1, 3, 2, 5]
    assert [entry.contract for entry in reopen(place).releases()][:2] == ["DUA 17", "DUA 18"]


def test_a_forgotten_release_leaves_a_tombstone_that_counts(place, tmp_path):
    publish(place, tmp_path / "1")
    entry = reopen(place).forget(1, "a trial")

    assert (entry.state, entry.reason, entry.specification) == ("forgotten", "a trial", None)
    assert entry.kept.rows().num_rows == 9
    assert publish(place, tmp_path / "2").earlier_releases.considered == 1
    assert states(place) == ["forgotten", "published"]


def test_the_next_release_is_based_on_what_is_remembered(place, tmp_path):
    publish(place, tmp_path / "1", max_suppressed=0.2)
    made = la.release(table_of().slice(1), **fields_of(place, max_suppressed=0.2))
    made.publish(tmp_path / "2" / "table.csv")

    assert (made.basis.considered, made.basis.rows_kept, made.basis.rows_withdrawn) == (1, 4, 3)
    attacked = la.attack_ledger(reopen(place), "people")
    assert (attacked.same_history, attacked.holds) == (4, True)
    assert reopen(place).release(1).specification["release"]["max_suppressed"] == "0.2"


def test_forgetting_needs_a_release_and_a_reason(place, tmp_path):
    publish(place, tmp_path / "1")
    ledger = reopen(place)
    with pytest.raises(la.InvalidInput, match="say why"):
        ledger.forget(1, " ")
    with pytest.raises(la.InvalidInput, match="has no release 2"):
        ledger.forget(2, "a trial")
    ledger.forget(1, "a trial")
    with pytest.raises(la.InvalidInput, match="cannot be forgotten: it is forgotten"):
        ledger.forget(1, "again")


def test_a_release_that_is_refused_its_place_is_not_remembered(place, tmp_path):
    made = la.release(table_of(), **fields_of(place))
    made.publish(tmp_path / "out" / "table.csv")
    with pytest.raises(la.InvalidInput, match="holds a release already"):
        made.publish(tmp_path / "out" / "table.csv")
    made.publish(tmp_path / "out" / "table.csv", replace=True)

    assert states(place) == ["published", "published"]
    first, second = reopen(place).releases()
    assert second.certificate_before == first.certificate_sha256


def test_a_hierarchy_that_is_an_object_is_written_down(place, tmp_path):
    roles = fields_of({})["attributes"] | {
        "zip": {"role": "quasi-identifier", "hierarchy": la.Mask(from_left=True)}
    }
    publish(place, tmp_path / "1", attributes=roles)

    told = reopen(place).release(1).specification
    assert told["attributes"]["zip"]["hierarchy"]["from_left"] is True


def test_a_release_at_the_cell_level_is_remembered(place, tmp_path):
    publish(place, tmp_path / "1", method="k-similar")

    kept = reopen(place).release(1).kept
    shown = pa.Table.from_pandas(pd.read_csv(tmp_path / "1" / "table.csv", dtype=str))
    counted = shown["zip"].value_counts().to_pylist()
    classes = kept.classes()
    assert dict(zip(classes.labels[0], classes.counts.tolist(), strict=True)) == {
        one["values"]: one["counts"] for one in counted
    }


def test_a_password_is_never_shown_nor_written_down(place, tmp_path):
    if "@" not in place["ledger"]:
        pytest.skip("a file has no password")
    password = place["ledger"].partition("@")[0].rpartition(":")[2]
    publish(place, tmp_path / "1")
    entry = reopen(place).release(1)
    assert password not in repr(entry)
    wrong = place | {"ledger": place["ledger"].replace(password, "sesame")}
    with pytest.raises(la.InvalidInput, match="cannot be used") as refused:
        publish(wrong, tmp_path / "2")
    assert "sesame" not in str(refused.value)
