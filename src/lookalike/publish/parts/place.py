"""The place of a release of part files: check it, and undo what a dead process left there.

A process that publishes has a private folder beside the place. Its name ends with a digest of the
machine and with the token of a locked folder on that machine, so another process there knows
whether the first one lives. On another machine nobody knows, so the folder counts as in use.
"""

import re

from lookalike.errors import AlreadyExists, InvalidInput, Unavailable
from lookalike.publish.certificate import Certificate
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.private_folders import (
    PrivateFolder,
    list_living_tokens,
    machine_of,
    token_of,
)
from lookalike.tables.storage_url import StorageUrl

STAGED_CERTIFICATE = CERTIFICATE
"""The certificate of the new release, in the private folder."""
WITHDRAWN_CERTIFICATE = "replaced.json"
"""The certificate of the release that is replaced, in the private folder."""
_OWNED = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})")


def check_parts_place(store: Store, out: StorageUrl, *, replace: bool) -> None:
    """Check that a release of part files can be published to an address."""
    place = out.parent
    if not out.name.endswith(".parquet") or not place.name or out.name.startswith(("_", ".")):
        raise InvalidInput(
            f"{out}: Spark writes Parquet files into a folder of this name, in a folder that "
            "becomes the release; name both, such as hdfs://cluster/released/table.parquet"
        )
    around = place.parent
    while around.parts:
        if store.exists(around / CERTIFICATE):
            raise InvalidInput(
                f"{place} is inside the release {around}, which must hold nothing else; choose "
                "another folder"
            )
        around = around.parent
    if not store.list_files(place):
        return
    if find_release(store, place) is None:
        raise InvalidInput(
            f"{place} holds other files, so it cannot become a release; a release needs a folder "
            f"of its own, such as {place}/released/{out.name}"
        )
    if not replace:
        raise AlreadyExists(f"{place} holds a release already; replace it with --replace")


def find_release(store: Store, place: StorageUrl) -> Certificate | None:
    """Return the certificate of a folder that holds a complete release and nothing else."""
    files = store.list_files(place) or {}
    certificate = read_certificate(store, place / CERTIFICATE) if CERTIFICATE in files else None
    if certificate is None:
        return None
    sizes = {name: file.bytes for name, file in certificate.documents.items()}
    files.pop(CERTIFICATE)
    return certificate if files == sizes else None


def read_certificate(store: Store, file: StorageUrl) -> Certificate | None:
    """Read a certificate; return nothing if there is none, or not a valid one."""
    if not store.exists(file):
        return None
    content = store.read(file)
    try:
        return Certificate.from_json(content, str(file))
    except InvalidInput:
        return None


def staging_of(place: StorageUrl, lock: PrivateFolder) -> StorageUrl:
    """Return the private folder of the process that holds a lock."""
    return place.parent / f"{_prefix(place)}{machine_of(lock)}-{token_of(lock.path)}"


def recover_parts(store: Store, place: StorageUrl, lock: PrivateFolder) -> None:
    """Undo what dead processes left unfinished at a place."""
    prefix, mine = _prefix(place), staging_of(place, lock).name
    living = list_living_tokens(lock)
    for name in store.list_folders(place.parent):
        found = _OWNED.fullmatch(name.removeprefix(prefix))
        if found is None or name == mine or not name.startswith(prefix):
            continue
        folder = place.parent / name
        if found[1] != machine_of(lock):
            raise Unavailable(
                f"a process on another machine is publishing to {place}, or was interrupted; if it "
                f"has ended, remove {folder}, and {place} if it has no {CERTIFICATE}"
            )
        if found[2] in living:
            raise Unavailable(f"another process is publishing to {place}; wait for it to end")
        undo(store, folder, place)


def undo(store: Store, folder: StorageUrl, place: StorageUrl) -> None:
    """Remove a private folder, and before it what an unfinished move left in the place.

    Nothing is removed from a complete release, nor any file that the certificates in the private
    folder do not name.
    """
    known = {CERTIFICATE}
    for name in (STAGED_CERTIFICATE, WITHDRAWN_CERTIFICATE):
        certificate = read_certificate(store, folder / name)
        known |= set() if certificate is None else set(certificate.documents)
    left = set(store.list_files(place) or ())
    if len(known) > 1 and left <= known and find_release(store, place) is None:
        for name in {file.partition("/")[0] for file in known}:
            store.remove(place / name)
    store.remove(folder)


def _prefix(place: StorageUrl) -> str:
    """Return the first part of the names of private folders beside a place."""
    return f"_lookalike-staging-{place.name}-"
