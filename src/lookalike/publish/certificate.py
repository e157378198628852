"""The certificate of a release: its fields.

The certificate is for the recipient: it states what was done to the data, so that "results
drawn from released data" can be "properly interpreted" (Achieving, section 1). It holds only
what can be counted in the release, what was done, and the numbers of input and suppressed
rows; it reveals nothing else about the distribution of the private table. Its sentences are
written by :mod:`lookalike.publish.certificate_sentences`.
"""

import os
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from lookalike.errors import InvalidInput
from lookalike.hierarchy.html_table import HtmlCell, write_html_notes, write_html_table
from lookalike.model.proved_bound import name_stricter
from lookalike.publish.certified import (
    CertifiedAlone,
    CertifiedAnswers,
    CertifiedDecoys,
    CertifiedProtection,
    CertifiedQuasiIdentifier,
    CertifiedRegister,
    CertifiedSecrecy,
    EarlierReleases,
    GeneralizedColumn,
    ReleasedFile,
)
from lookalike.publish.written_certificate import WrittenCertificate
from lookalike.spec.policies import BASED_ON, INCREMENTS
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.files.file_format import CERTIFICATE as CERTIFICATE
from lookalike.tables.files.file_format import REPORT

_FORMAT: Literal["lookalike certificate 1"] = "lookalike certificate 1"


@cache
def name_software() -> str:
    """Return the name and version of this program."""
    return f"lookalike {version('lookalike')}"


@dataclass(frozen=True, kw_only=True)
class Certificate(WrittenCertificate):
    """What was done to a private table to make a release of it.

    Parameters
    ----------
    statement
        What is promised and what is not, in sentences.
    format
        The version of this format.
    software
        The program and its version.
    recipient
        The recipient, if the specification names one.
    quasi_identifiers
        The quasi-identifiers with k asked for and reached.
    alone
        The attributes with a k of their own.
    k_over_all
        The smallest class over all attributes together, if some are not protected in combination.
    protections
        The protections of sensitive columns.
    answers
        The columns of which an attacker may know some, and what they leave of a class.
    secrecy
        How classes were chosen: without sensitive values (``blind``), by a lottery or by search.
    average_risk
        The greatest average risk that was asked for, as a decimal.
    registers
        The conditions on registers of the population.
    recoding
        Whether all values of an attribute have one level, or levels differ from row to row.
    generalized
        How each attribute of a quasi-identifier was generalized, by its name.
    released_as_they_are
        The columns that are released unchanged, outside the promise of k.
    pseudonyms
        The columns that hold keyed pseudonyms.
    columns
        All columns of the release, in their order.
    rows_in
        The number of eligible rows of the private table.
    rows_out
        The number of released rows.
    rows_suppressed
        The number of rows suppressed as outliers.
    rows_complementary
        The number of rows suppressed so that blank rows number at least k.
    suppressed_rows
        Whether suppressed rows are left out (``drop``) or kept without values (``blank``).
    suppressed_label
        The text that stands for a suppressed value.
    method
        The method that found the recoding.
    parameters
        The options of µ-Argus, the highest risk that was asked for in place of k, and keep.
    max_suppressed
        The greatest number or fraction of suppressed rows that was allowed.
    prefer
        The preferences among solutions.
    constraints
        The constraints on levels and solutions.
    precision
        Prec: 1 minus the mean of level ∕ height over all cells.
    accuracy
        Samarati's accuracy, the mean over the released rows.
    completeness
        Released rows divided by eligible rows.
    objective
        What the method optimized, if it optimizes.
    optimality
        Whether it is proved that no release of this kind is better.
    precision_bound
        A precision that no release of this kind exceeds, rounded up to four digits; at the cell
        level proved for classes of k rows, whatever else is promised.
    certain_share
        The share of generalized cells in which a finer value is certain for some row.
    decoys
        The cells that show more than needed, at random.
    order
        Whether the order of the rows is random.
    formulas
        Whether cells that look like formulas begin with an apostrophe.
    coarsened
        How numbers of columns outside the promise were rounded and cut.
    accepted
        The checks before publishing that found an error which the holder accepted.
    mapped
        The columns some of whose texts the holder wrote in another way first.
    shares_classes
        Whether the classes were chosen over columns that other recipients get, too.
    earlier_releases
        The earlier releases that were considered, or that none was checked.
    files
        The released files, by their names within the folder.
    report
        The report for the recipient, if the folder has one.
    """

    statement: str
    format: Literal["lookalike certificate 1"] = _FORMAT
    software: str = field(default_factory=lambda: name_software())
    recipient: str | None = None
    quasi_identifiers: Annotated[tuple[CertifiedQuasiIdentifier, ...], Field(min_length=1)]
    alone: tuple[CertifiedAlone, ...] = ()
    k_over_all: int | None = None
    protections: tuple[CertifiedProtection, ...] = ()
    answers: CertifiedAnswers | None = None
    secrecy: CertifiedSecrecy | None = None
    average_risk: Annotated[str, Field(pattern=r"^0\.[0-9]+$")] | None = None
    registers: tuple[CertifiedRegister, ...] = ()
    recoding: Literal["attribute level", "cell level"] = "attribute level"
    generalized: dict[str, GeneralizedColumn]
    released_as_they_are: tuple[str, ...]
    pseudonyms: tuple[str, ...]
    columns: tuple[str, ...]
    rows_in: int
    rows_out: int
    rows_suppressed: int
    rows_complementary: int
    suppressed_rows: Literal["drop", "blank"]
    suppressed_label: str
    method: str
    parameters: dict[str, str] = field(default_factory=dict)
    max_suppressed: str | None
    prefer: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    precision: float
    accuracy: float
    completeness: float
    objective: str | None = None
    optimality: Literal["proved", "proved before decoys", "not proved"] = "not proved"
    precision_bound: float | None = None
    certain_share: float | None = None
    decoys: CertifiedDecoys | None = None
    order: Literal["randomized", "kept"]
    formulas: Literal["as they are", "neutralized"] = "as they are"
    coarsened: dict[str, NumberCoarsening] = field(default_factory=dict)
    accepted: tuple[str, ...] = ()
    mapped: tuple[str, ...] = ()
    shares_classes: bool = False
    earlier_releases: Literal["not checked"] | EarlierReleases = "not checked"
    files: dict[str, ReleasedFile] = field(default_factory=dict)
    report: ReleasedFile | None = None

    def __str__(self) -> str:
        return f"{self.statement}\n{self._figures}"

    @property
    def _figures(self) -> str:
        """The rows, the method and Prec in one sentence."""
        return (
            f"{self.rows_in:,} rows in, {self.rows_out:,} out, {self.rows_suppressed:,} "
            f"suppressed; method {self.method}; precision {self.precision:.4f}."
        )

    def _repr_html_(self) -> str:
        lines: list[list[HtmlCell]] = [
            [name, one.hierarchy, "by row" if one.level is None else one.level, one.height]
            for name, one in self.generalized.items()
        ]
        headings = ["attribute", "hierarchy", "level", "of"]
        table = write_html_table("Certificate: how values were generalized", headings, lines)
        return write_html_notes(self.statement) + table + write_html_notes(self._figures)

    @property
    def stricter_than_bound(self) -> str:
        """What the release satisfies beyond classes of k rows, if its bound is one for these."""
        if self.recoding == "attribute level":
            return ""
        persons = any(one.counts == "persons" for one in self.quasi_identifiers)
        asked = "keep" in self.parameters
        keep = asked or any(one.keep != "0" for one in self.generalized.values())
        return name_stricter(persons=persons, protections=not self.is_blind, keep=keep)

    def label_of(self, column: str) -> str | None:
        """Return the label of values of an answer that are left out, if some may be."""
        known = self.answers is not None and column in self.answers.left_out
        return self.suppressed_label if known else None

    @property
    def neutralized(self) -> bool:
        """Whether an apostrophe at the beginning of a cell is not part of its value."""
        return self.formulas == "neutralized"

    @property
    def is_blind(self) -> bool:
        """Whether classes were chosen by the quasi-identifier alone."""
        return self.secrecy in (None, "blind")

    @property
    def documents(self) -> dict[str, ReleasedFile]:
        """The files of the folder whose digests it states: the table, and the report if any."""
        return self.files if self.report is None else {**self.files, REPORT: self.report}

    @property
    def protects_over_releases(self) -> bool:
        """Whether protections hold together with the earlier releases that were considered."""
        earlier = self.earlier_releases
        return not isinstance(earlier, str) and earlier.protections_over_releases

    @property
    def earlier_considered(self) -> int | None:
        """How many earlier releases were considered; None if they were not."""
        earlier = self.earlier_releases
        return None if isinstance(earlier, str) else earlier.considered

    @property
    def is_based_on_earlier(self) -> bool:
        """Whether rows may show values of an earlier release."""
        earlier = self.earlier_releases
        if isinstance(earlier, str):
            return False
        return earlier.considered > 0 and earlier.policy == BASED_ON

    @property
    def is_increment(self) -> bool:
        """Whether it shows only rows that earlier releases have not shown."""
        earlier = self.earlier_releases
        if isinstance(earlier, str):
            return False
        return earlier.policy == INCREMENTS and earlier.considered > 0

    @property
    def least_k(self) -> int:
        """The least k that it promises for a quasi-identifier."""
        return min(one.k for one in self.quasi_identifiers)

    @property
    def keeps_leavers(self) -> bool:
        """Whether rows may be shown that the source no longer has."""
        earlier = self.earlier_releases
        return not isinstance(earlier, str) and earlier.leavers == "keep" and earlier.considered > 0

    @property
    def rows_shown(self) -> int:
        """The number of rows that are not suppressed."""
        return self.rows_in - self.rows_suppressed - self.rows_complementary


def find_released_file(folder: Path, certificate: Certificate) -> Path:
    """Return the path of the table of a release: a file, or a folder of part files.

    Raises
    ------
    InvalidInput
        If the certificate names neither one file nor the part files of one folder, or a file is
        outside the folder of the release or a symbolic link.
    """
    if not certificate.files:
        raise InvalidInput(f"{folder}: the certificate names no released file")
    for name in certificate.files:
        if not Path(name).name or ".." in Path(name).parts or not _is_plain(name):
            raise InvalidInput(
                f"{folder}: the certificate names the file {name!r}, which is outside the folder "
                "of the release; the certificate was changed after publication"
            )
    table = name_table(certificate)
    if table is None:
        raise InvalidInput(
            f"{folder}: the certificate names several files, but a release has one, or the part "
            "files of one folder"
        )
    for name in (table, *certificate.files):
        if (folder / name).is_symlink():
            raise InvalidInput(f"{folder / name} is a symbolic link; a release holds its own file")
    return folder / table


def _is_plain(name: str) -> bool:
    """Return whether a name leads down from a folder by the shortest way."""
    return not Path(name).is_absolute() and Path(name).as_posix() == name


def name_table(certificate: Certificate) -> str | None:
    """Return the name of the table of a release: its only file, or the folder of its part files.

    Nothing is returned if the certificate names other files.
    """
    names = [name.split("/") for name in certificate.files]
    single = len(names) == 1 and len(names[0]) == 1
    parts = {len(name) for name in names} == {2} and len({name[0] for name in names}) == 1
    return names[0][0] if single or parts else None


def list_below(folder: Path) -> set[str]:
    """List the files in and below a folder, also links to folders and folders that are empty."""
    found = set()
    for around, folders, files in os.walk(folder):
        links = [name for name in folders if Path(around, name).is_symlink()]
        empty = [] if folders or files or Path(around) == folder else ["."]
        found |= {
            Path(around, name).relative_to(folder).as_posix() for name in (*files, *links, *empty)
        }
    return found
