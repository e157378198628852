"""Publish: a folder that is a whole, verified release, or none.

A release is written into a private folder beside its place, counted again there, and moved to
its place by one rename (:mod:`lookalike.place`), which a ledger remembers if there is one.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from dataclasses import replace as change
from pathlib import Path

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.certificate import CERTIFICATE, Certificate, ReleasedFile, describe_file
from lookalike.dossier import check_dossier, keeping
from lookalike.ledger.address import Address
from lookalike.ledger.record import Record, Turn, taking_turn
from lookalike.place import check_apart, check_place, prefix_of, put_in_place, recover
from lookalike.private import PrivateFolder, write_errors
from lookalike.proof import Proof
from lookalike.read import FORMATS, Engine
from lookalike.sql import derive, engine_errors, quote_text
from lookalike.table import Frame
from lookalike.verify import Declared, Verdict, as_relation, judge, open_release

COPY_OPTIONS = {
    ".csv": "FORMAT csv, HEADER true, DELIMITER ','",
    ".tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
    ".parquet": "FORMAT parquet",
}

Certify = Callable[[Sequence[Verdict], dict[str, ReleasedFile]], Certificate]
Announce = Callable[[str], None]


@dataclass(frozen=True)
class Dossier:
    """Where the holder keeps what proves a release.

    Parameters
    ----------
    folder
        The folder, apart from the release.
    prove
        Makes the proof from the certificate, if there is one.
    """

    folder: Path
    prove: Callable[[Certificate], Proof | None]


def publish(
    frame: Frame,
    out: Path,
    declared: Declared,
    certify: Certify,
    *,
    dossier: Dossier | None = None,
    record: Record | None = None,
    replace: bool = False,
    memory_limit: str | None = None,
    announce: Announce = lambda _: None,
) -> Certificate:
    """Write a release, count the written file again, and put it in its place whole.

    This is the only way to a published folder.

    Parameters
    ----------
    frame
        The released rows.
    out
        The file to write; its folder is the release, its suffix chooses the format.
    declared
        What the recount must find.
    certify
        Makes the certificate from what the recount found.
    dossier
        Where the holder keeps the proof of the release's bound, if it shall be kept.
    record
        What a ledger shall remember of it, if there is one; its policy may refuse the release.
    replace
        Whether an earlier release in that folder, and its proof, may be replaced.
    memory_limit
        For the recount.
    announce
        Told the name of each step as it begins: recode, verify, publish.
    """
    folder = out.parent
    check_places(
        out,
        None if dossier is None else dossier.folder,
        None if record is None else record.address,
        replace=replace,
    )
    with write_errors(out):
        folder.parent.mkdir(parents=True, exist_ok=True)
        recover(folder)
        stage = PrivateFolder(folder.parent, prefix_of(folder, "staging"))
        try:
            announce("recode")
            schema = write_table(frame, stage.path / out.name)
            announce("verify")
            engine = Engine(memory_limit, beside=folder.parent)
            written = open_release(stage.path / out.name, engine)
            verdicts = judge(written, declared)
            announce("publish")
            certificate = certify(verdicts, {out.name: describe_file(stage.path / out.name)})
            with _turn(record, certificate, stage.path / out.name, schema) as turn:
                if turn is not None:
                    certificate = change(certificate, earlier_releases=turn.earlier)
                (stage.path / CERTIFICATE).write_text(certificate.to_json(), encoding="utf-8")
                with (
                    _kept(dossier, certificate, folder, replace=replace),
                    _recorded(turn, stage.path / CERTIFICATE, folder),
                ):
                    put_in_place(stage, out, replace=replace)
        finally:
            stage.remove()
    return certificate


def _turn(
    record: Record | None, certificate: Certificate, file: Path, schema: pa.Schema
) -> AbstractContextManager[Turn | None]:
    """Wait for our turn to publish it, if there is a ledger."""
    return nullcontext() if record is None else taking_turn(record, certificate, file, schema)


def _kept(
    dossier: Dossier | None, certificate: Certificate, folder: Path, *, replace: bool
) -> AbstractContextManager[None]:
    """Keep the proof of what is put in place meanwhile, if there is one to be kept."""
    proof = None if dossier is None else dossier.prove(certificate)
    if dossier is None or proof is None:
        return nullcontext()
    return keeping(proof, dossier.folder, folder, replace=replace)


def _recorded(turn: Turn | None, certificate: Path, folder: Path) -> AbstractContextManager[None]:
    """Enter what is put in place meanwhile into the ledger, if there is one."""
    return nullcontext() if turn is None else turn.recording(certificate, folder)


def check_places(out: Path, dossier: Path | None, ledger: Address | None, *, replace: bool) -> None:
    """Make sure that a release, its dossier and the ledger can be where they shall be.

    Raises
    ------
    InvalidInput
        If one of them cannot.
    """
    check_place(out, replace=replace)
    if dossier is not None:
        check_dossier(dossier, out.parent, replace=replace)
    if ledger is not None:
        for name, private in ledger.places.items():
            check_apart(name, private, out.parent)


def write_table(frame: Frame, path: Path) -> pa.Schema:
    """Write a frame to a file, whose suffix chooses the format; return the columns with types."""
    engine = Engine(beside=path.parent.parent)
    with engine_errors(path.name):
        relation, schema = _describe(frame, engine)
        if FORMATS[path.suffix.lower()] == "arrow":
            reader = relation.to_arrow_reader()
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        else:
            options = COPY_OPTIONS[path.suffix.lower()]
            derive(relation, f"COPY t TO {quote_text(str(path))} ({options})")
    return schema


def _describe(frame: Frame, engine: Engine) -> tuple[duckdb.DuckDBPyRelation, pa.Schema]:
    """Hand a frame to SQL, and return its columns with their types."""
    if isinstance(frame, nw.DataFrame):
        rows = frame.to_arrow()
        return engine.connection.from_arrow(rows), rows.schema
    relation = as_relation(frame, engine)
    return relation, derive(relation, "SELECT * FROM t LIMIT 0").to_arrow_table().schema
