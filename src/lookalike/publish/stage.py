"""Stage: a release in a private folder beside its place, written and counted again there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import ReleasedFile, describe_file
from lookalike.publish.place import private_prefix, recover
from lookalike.tables.private_folders import PrivateFolder, write_errors
from lookalike.tables.read import Engine
from lookalike.tables.table import Frame
from lookalike.tables.write import write_table
from lookalike.verify.recount import Declared, Verdict, open_release, require_declared


@dataclass(frozen=True, eq=False)
class Staged:
    """A release that is written but not in its place yet.

    Parameters
    ----------
    folder
        The private folder that it is in.
    out
        The file that it becomes; its folder is the place of the release.
    schema
        Its columns, with the types that were written.
    """

    folder: PrivateFolder
    out: Path
    schema: pa.Schema

    @property
    def file(self) -> Path:
        """The written file."""
        return self.folder.path / self.out.name


@dataclass(frozen=True, eq=False)
class Recounted(Discreet):
    """A staged release whose written file was counted again and satisfies what was declared.

    Parameters
    ----------
    staged
        The release.
    engine
        The connection on which its file was read.
    rows
        The rows of the file.
    verdicts
        What the recount found for each promise.
    """

    staged: Staged
    engine: Engine
    rows: duckdb.DuckDBPyRelation
    verdicts: tuple[Verdict, ...]

    @property
    def files(self) -> dict[str, ReleasedFile]:
        """The files of the release, as its certificate describes them."""
        return {self.staged.out.name: describe_file(self.staged.file)}


@contextmanager
def staging(out: Path) -> Iterator[PrivateFolder]:
    """Open a private folder beside the place of a release, and remove it at the end.

    What an earlier process left there is settled first.

    Parameters
    ----------
    out
        The file to publish; its folder is the place of the release.
    """
    place = out.parent
    with write_errors(out):
        place.parent.mkdir(parents=True, exist_ok=True)
        recover(place)
        folder = PrivateFolder(place.parent, private_prefix(place, "staging"))
        try:
            yield folder
        except OSError as error:
            if folder.released:
                raise InvalidInput(_describe_late(error, place)) from None
            raise
        finally:
            folder.remove()


def _describe_late(error: OSError, place: Path) -> str:
    """Say what could not be done after a release took its place."""
    return (
        f"{place} is published, but what follows could not be done ({error.strerror}): it may "
        "not be on the disk yet, or the earlier release, the dossier or the ledger may not be "
        "settled; the next use of each settles it"
    )


def write_staged(frame: Frame, folder: PrivateFolder, out: Path) -> Staged:
    """Write the released rows into the private folder."""
    return Staged(folder, out, write_table(frame, folder.path / out.name))


def recount_staged(staged: Staged, declared: Declared, memory_limit: str | None) -> Recounted:
    """Read the written file on another connection, and count it again.

    Parameters
    ----------
    staged
        The written release.
    declared
        What the recount must find.
    memory_limit
        How much memory the recount may use.

    Raises
    ------
    RequirementNotMet
        If it is not what was declared.
    """
    engine = Engine(memory_limit, beside=staged.out.parent.parent)
    rows = open_release(staged.file, engine)
    return Recounted(staged, engine, rows, require_declared(rows, declared))
