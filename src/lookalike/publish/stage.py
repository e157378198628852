"""Write a release into a private folder beside its place, and count it again there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.errors import InternalError, InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import describe_file
from lookalike.publish.certified import ReleasedFile
from lookalike.publish.place import private_prefix, recover
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation, write_table
from lookalike.tables.private_folders import PrivateFolder, write_errors
from lookalike.tables.table import Frame
from lookalike.tables.write import neutralize
from lookalike.verify.recount import Declared, Verdict, open_release, require_declared
from lookalike.verify.released_values import count_active_cells


@dataclass(frozen=True, eq=False)
class Staged:
    """A release that is written but not in place yet.

    Parameters
    ----------
    folder
        The private folder that holds it.
    out
        The path to publish to; its folder is the place of the release.
    schema
        The columns and types of the written file.
    neutralized
        Whether apostrophes were written before formulas.
    """

    folder: PrivateFolder
    out: Path
    schema: pa.Schema
    neutralized: bool = False

    @property
    def file(self) -> Path:
        """The written file."""
        return self.folder.path / self.out.name


@dataclass(frozen=True, eq=False)
class Recounted(Discreet):
    """A staged release whose file was read back, counted again, and meets its declaration."""

    staged: Staged
    connection: Connection
    rows: duckdb.DuckDBPyRelation
    verdicts: tuple[Verdict, ...]

    @cached_property
    def files(self) -> dict[str, ReleasedFile]:
        """The files of the release, as the certificate lists them."""
        return {self.staged.out.name: describe_file(self.staged.file)}


@contextmanager
def staging(out: Path) -> Iterator[PrivateFolder]:
    """Create a private folder beside the place of a release, and remove it at the end.

    An unfinished publication of a dead process is finished or undone first.
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
                raise InvalidInput(_describe_late_error(error, place)) from None
            raise
        finally:
            folder.remove()


def _describe_late_error(error: OSError, place: Path) -> str:
    """Describe an error of the file system after the release was put in place."""
    return (
        f"{place} is published, but the steps after that failed ({error.strerror}): the release "
        "may not be synced to the disk, or the earlier release, the dossier or the ledger may not "
        "be up to date; the next use of each completes it"
    )


def write_staged(
    frame: Frame, folder: PrivateFolder, out: Path, *, neutralized: bool = False
) -> Staged:
    """Write the released rows into the private folder."""
    if neutralized:
        connection = Connection(beside=folder.path.parent)
        frame = nw.from_native(neutralize(as_relation(frame, connection)))
    return Staged(folder, out, write_table(frame, folder.path / out.name), neutralized)


def recount_staged(staged: Staged, declared: Declared, connection: Connection) -> Recounted:
    """Read the written file back, and count it again.

    ``declared``: the columns, the number of rows and the promises that the recount must find.
    """
    if staged.neutralized and count_active_cells(open_release(staged.file, connection)):
        raise InternalError("cells of the written file begin like a formula")
    rows = open_release(staged.file, connection, neutralized=staged.neutralized)
    return Recounted(staged, connection, rows, require_declared(rows, declared))
