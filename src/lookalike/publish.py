"""Publish: a folder that is a whole, verified release, or none.

A release is written into a private folder beside its place, counted again there, and moved to
its place by one rename. ``--replace`` first renames the old release aside. A process that
dies at any moment leaves a state from which :func:`recover`, at the next start, gets to the
old release or the new one:

=============================  ==========================================================
left behind                    what the next start does
=============================  ==========================================================
staging                        removes it: it was not verified
ready, and a release in place  removes it: the new release had not begun to take its place
ready, old, nothing in place   moves ready into place and removes old
ready, nothing else            removes it: there was no release before
old, nothing in place          moves it back
old, and a release in place    removes it: the new release is there
=============================  ==========================================================
"""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from lookalike.certificate import CERTIFICATE, Certificate, ReleasedFile, describe_file
from lookalike.dossier import check_dossier, keeping
from lookalike.errors import InvalidInput
from lookalike.private import PrivateFolder, abandoned, folders, locked, sync, write_errors
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
    replace
        Whether an earlier release in that folder, and its proof, may be replaced.
    memory_limit
        For the recount.
    announce
        Told the name of each step as it begins: recode, verify, publish.
    """
    folder = out.parent
    check_places(out, None if dossier is None else dossier.folder, replace=replace)
    with write_errors(out):
        folder.parent.mkdir(parents=True, exist_ok=True)
        recover(folder)
        stage = PrivateFolder(folder.parent, _prefix(folder, "staging"))
        try:
            announce("recode")
            write_table(frame, stage.path / out.name)
            announce("verify")
            engine = Engine(memory_limit, beside=folder.parent)
            written = open_release(stage.path / out.name, engine)
            verdicts = judge(written, declared)
            announce("publish")
            certificate = certify(verdicts, {out.name: describe_file(stage.path / out.name)})
            (stage.path / CERTIFICATE).write_text(certificate.to_json(), encoding="utf-8")
            with _kept(dossier, certificate, folder, replace=replace):
                _put_in_place(stage, out, replace=replace)
        finally:
            stage.remove()
    return certificate


def _kept(
    dossier: Dossier | None, certificate: Certificate, folder: Path, *, replace: bool
) -> AbstractContextManager[None]:
    """Keep the proof of what is put in place meanwhile, if there is one to be kept."""
    proof = None if dossier is None else dossier.prove(certificate)
    if dossier is None or proof is None:
        return nullcontext()
    return keeping(proof, dossier.folder, folder, replace=replace)


def check_places(out: Path, dossier: Path | None, *, replace: bool) -> None:
    """Make sure that a release and its dossier can be put where they shall go.

    Raises
    ------
    InvalidInput
        If one of them cannot.
    """
    check_place(out, replace=replace)
    if dossier is not None:
        check_dossier(dossier, out.parent, replace=replace)


def check_place(out: Path, *, replace: bool) -> None:
    """Make sure that a release can be put where it shall go, before any work is done.

    Raises
    ------
    InvalidInput
        If the suffix is no format, or the folder holds something that may not be replaced.
    """
    if out.suffix.lower() not in FORMATS:
        raise InvalidInput(
            f"{out}: the suffix chooses the format, and must be one of {', '.join(FORMATS)}"
        )
    folder = out.parent
    if out.name == CERTIFICATE or not folder.name or folder.name == "..":
        raise InvalidInput(
            f"{out}: a release is a folder of its own; name it, such as released/{out.name}"
        )
    above = next(
        (path for path in folder.absolute().parents if (path / CERTIFICATE).exists()), None
    )
    if above is not None:
        raise InvalidInput(
            f"{folder} lies inside of the release {above}, which must hold nothing else; choose "
            "another folder"
        )
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"{folder} is a file; choose another folder for the release")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not is_release(folder):
        raise InvalidInput(
            f"{folder} holds other files, so it cannot become a release; a release is a folder "
            f"of its own, such as {folder.name}/released/{out.name}"
        )
    if not replace:
        raise InvalidInput(f"{folder} holds a release already; replace it with --replace")


def is_release(folder: Path) -> bool:
    """Tell whether a folder holds a release and nothing else."""
    try:
        certificate = Certificate.read(folder)
    except InvalidInput:
        return False
    return {path.name for path in folder.iterdir()} == {CERTIFICATE, *certificate.files}


def recover(folder: Path) -> None:
    """Finish or undo what a process that died while publishing here left behind.

    Raises
    ------
    InvalidInput
        If another process is publishing here now.
    """
    parent = folder.parent
    with locked(parent):
        staging, ready = (folders(parent, _prefix(folder, kind)) for kind in ("staging", "ready"))
        gone = [*abandoned(parent, _prefix(folder, "staging"))]
        gone += abandoned(parent, _prefix(folder, "ready"))
        if len(gone) < len(staging) + len(ready):
            raise InvalidInput(f"another process is publishing to {folder}; wait for it to end")
        old = folders(parent, _prefix(folder, "old"))
        whole = [path for path in (*ready, *old) if is_release(path)]
        if old and whole and not folder.exists():
            whole[0].rename(folder)
        for leftover in {*staging, *ready, *old}:
            if leftover.exists():
                shutil.rmtree(leftover)


def write_table(frame: Frame, path: Path) -> None:
    """Write a frame to a file; its suffix chooses the format."""
    engine = Engine(beside=path.parent.parent)
    relation = as_relation(frame, engine)
    with engine_errors(path.name):
        if FORMATS[path.suffix.lower()] == "arrow":
            reader = relation.to_arrow_reader()
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        else:
            options = COPY_OPTIONS[path.suffix.lower()]
            derive(relation, f"COPY t TO {quote_text(str(path))} ({options})")


def _put_in_place(stage: PrivateFolder, out: Path, *, replace: bool) -> None:
    """Make a verified folder readable and move it to its place, one process at a time."""
    folder = out.parent
    _make_durable(stage.path)
    number = stage.path.name.rpartition("-")[2]
    aside = folder.parent / f"{_prefix(folder, 'old')}{number}"
    with locked(folder.parent):
        check_place(out, replace=replace)
        stage.move(folder.parent / f"{_prefix(folder, 'ready')}{number}")
        try:
            if folder.exists():
                folder.rename(aside)
            stage.release(folder)
        except BaseException:
            if aside.exists() and not folder.exists():
                aside.rename(folder)
            raise
        sync(folder.parent)
        shutil.rmtree(aside, ignore_errors=True)


def _make_durable(folder: Path) -> None:
    """Give the files of a folder ordinary permissions and put them on the disk."""
    mask = os.umask(0o077)
    os.umask(mask)
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)
        sync(path)
    folder.chmod(0o777 & ~mask)
    sync(folder)


def _prefix(folder: Path, kind: str) -> str:
    """Name the private folders that belong to a release's place."""
    return f".{folder.name}.lookalike-{kind}-"
