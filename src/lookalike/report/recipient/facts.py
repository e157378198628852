"""RecipientFacts: what the recipient's report shows, all of it from the published folder."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from duckdb import DuckDBPyRelation

from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedQuasiIdentifier, GeneralizedColumn
from lookalike.report.class_sizes import ClassSizes
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.released_file import ReleasedValues, count_class_sizes, count_released_values

ColumnRole = Literal["generalized", "coarsened", "pseudonym", "released as it is"]


@dataclass(frozen=True)
class CodebookColumn(Discreet):
    """One column of a release.

    Parameters
    ----------
    name
        Its name.
    role
        What was done to it.
    values
        Its values as released.
    generalized
        How it was generalized, if it was.
    coarsening
        How its numbers were made less precise, if they were.
    """

    name: str
    role: ColumnRole
    values: ReleasedValues
    generalized: GeneralizedColumn | None = None
    coarsening: NumberCoarsening | None = None


@dataclass(frozen=True)
class RecipientFacts(Discreet):
    """What the recipient's report shows.

    Parameters
    ----------
    certificate
        The certificate, without the digest of the report.
    columns
        The codebook: each column, in the order of the file.
    classes
        The sizes of the classes, for each quasi-identifier of the certificate.
    """

    certificate: Certificate
    columns: tuple[CodebookColumn, ...]
    classes: tuple[ClassSizes, ...]

    @property
    def promises(self) -> Iterator[tuple[CertifiedQuasiIdentifier, ClassSizes]]:
        """Each quasi-identifier with the sizes of its classes."""
        return zip(self.certificate.quasi_identifiers, self.classes, strict=True)


def count_recipient_facts(certificate: Certificate, rows: DuckDBPyRelation) -> RecipientFacts:
    """Count in a release what the recipient's report shows."""
    promised = certificate.quasi_identifiers
    return RecipientFacts(
        replace(certificate, report=None),
        tuple(_describe_column(certificate, name, rows) for name in certificate.columns),
        tuple(ClassSizes.of(count_class_sizes(rows, one.attributes), one.k) for one in promised),
    )


def _describe_column(certificate: Certificate, name: str, rows: DuckDBPyRelation) -> CodebookColumn:
    """Describe one column."""
    return CodebookColumn(
        name,
        _find_role(certificate, name),
        count_released_values(rows, name, certificate.suppressed_label),
        certificate.generalized.get(name),
        certificate.coarsened.get(name),
    )


def _find_role(certificate: Certificate, name: str) -> ColumnRole:
    """Return what was done to a column."""
    if name in certificate.generalized:
        return "generalized"
    if name in certificate.pseudonyms:
        return "pseudonym"
    return "coarsened" if name in certificate.coarsened else "released as it is"
