"""Write the report for the recipient of a release as one HTML page."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyRelation
from markupsafe import Markup

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate, name_software
from lookalike.publish.certificate_sentences import (
    describe_decoys,
    join_names,
    state_protections,
    state_register,
    summarize_certificate,
)
from lookalike.publish.certified import CertifiedQuasiIdentifier
from lookalike.publish.open_published import open_published
from lookalike.report.class_sizes import ClassSizes, draw_class_sizes
from lookalike.report.page import LONGEST_SENTENCE, fill_page
from lookalike.report.recipient.column_words import (
    describe_change,
    describe_role,
    explain_kind,
    has_general,
    is_unchanged,
    list_levels,
)
from lookalike.shown_text import show_text
from lookalike.tables.connection import Connection
from lookalike.tables.released_file import ReleasedValues, count_release

_CONTENTS = (
    ("done", "What was done"),
    ("read", "How to read the values"),
    ("columns", "Columns"),
    ("classes", "Class sizes"),
    ("promised", "What is promised"),
    ("rests", "On what it rests"),
    ("not-promised", "What is not promised"),
    ("verify", "How to check it"),
)


def report_on_folder(folder: Path, connection: Connection) -> str:
    """Write the report of a published folder, from that folder and nothing else."""
    certificate = Certificate.read(folder)
    rows = open_published(folder, certificate, connection)
    if tuple(rows.columns) != certificate.columns:
        raise InvalidInput(
            f"{folder}: the file has other columns than the certificate names; check the release "
            "with lookalike verify"
        )
    return write_recipient_report(draw_recipient_report(certificate, rows), certificate)


def draw_recipient_report(certificate: Certificate, rows: DuckDBPyRelation) -> dict[str, Any]:
    """Count in a release what its codebook and its charts show, and draw them."""
    promised = certificate.quasi_identifiers
    classes = [one.attributes for one in promised]
    counted = count_release(rows, classes, certificate.suppressed_label)
    return {
        "columns": [
            _describe_column(certificate, name, counted.values[name])
            for name in certificate.columns
        ],
        "promises": [*map(_draw_classes, promised, counted.sizes)],
    }


def write_recipient_report(drawn: Mapping[str, Any], certificate: Certificate) -> str:
    """Fill the page with what was drawn; the same release gives the same page, byte for byte."""
    certificate = replace(certificate, report=None)
    return fill_page(
        "recipient",
        software=name_software(),
        kind="Report for the recipient",
        title=_find_title(certificate),
        contents=_CONTENTS,
        certificate=certificate,
        **drawn,
        **_describe_changes(certificate),
        **_describe_promises(certificate),
    )


def _describe_changes(certificate: Certificate) -> dict[str, Any]:
    """Return what the page shows about the changes."""
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    blank = suppressed if certificate.suppressed_rows == "blank" else 0
    return {
        "changed": _list_changed(certificate, changed=True),
        "unchanged": _list_changed(certificate, changed=False),
        "suppressed": suppressed,
        "hidden": blank + sum(one.cells_suppressed for one in certificate.generalized.values()),
        "kinds": _explain_kinds(certificate),
        "decoys": None if certificate.decoys is None else describe_decoys(certificate.decoys),
    }


def _describe_promises(certificate: Certificate) -> dict[str, Any]:
    """Return what the page shows about the promises, and about what is outside of them."""
    promised = certificate.quasi_identifiers
    attributes = join_names(promised[0].attributes)
    return {
        "least": min(one.k_reached for one in promised),
        "holds": not any(one.rows_below_k for one in promised),
        "by_rows": [one.name for one in promised if one.counts != "persons"],
        "by_persons": any(one.counts == "persons" for one in promised),
        "alone": [one for one in certificate.alone if one.k_reached],
        "outside": [one.attribute for one in certificate.alone if one.is_outside],
        "as_they_are": [*certificate.released_as_they_are, *certificate.pseudonyms],
        "protections": state_protections(certificate.protections, certificate.secrecy),
        "protected": sorted({one.column for one in certificate.protections}),
        "registers": [state_register(one, attributes) for one in certificate.registers],
        "presence": any(one.condition == "presence" for one in certificate.registers),
        "based_on": certificate.is_based_on_earlier,
        "trusted": [*_list_trusted(certificate)],
        "sentences": summarize_certificate(certificate),
    }


def _list_trusted(certificate: Certificate) -> Iterator[str]:
    """List what cannot be counted in the release."""
    yield "the number of rows of its table"
    if any(one.counts == "persons" for one in certificate.quasi_identifiers):
        yield "the number of persons in a class"
    if certificate.registers:
        yield "what is promised about its register"
    if any(one.reached is None for one in certificate.protections):
        yield "what is promised in comparison with its whole table"
    if certificate.objective is not None:
        yield "whether a more precise release exists"
    yield "how general each value is"
    yield "that every row is true"


def _find_title(certificate: Certificate) -> str:
    """Return the name of the released table."""
    names = {name.partition("/")[0] for name in certificate.files}
    return show_text(min(names, default="The released table"))


def _list_changed(certificate: Certificate, *, changed: bool) -> list[str]:
    """List the protected columns that were changed, or those that were not."""
    done = certificate.generalized.items()
    return [name for name, one in done if is_unchanged(one) is not changed]


def _explain_kinds(certificate: Certificate) -> dict[str, str]:
    """Return how general values of each kind of hierarchy are read, if the release shows any."""
    done, rows = certificate.generalized.values(), certificate.rows_shown
    shown = [one for one in done if has_general(one) and one.cells_suppressed < rows]
    return dict(map(explain_kind, shown))


def _draw_classes(
    promised: CertifiedQuasiIdentifier, counted: dict[int, int]
) -> tuple[CertifiedQuasiIdentifier, ClassSizes, Markup]:
    """Return a quasi-identifier with the sizes of its classes and their chart."""
    sizes = ClassSizes.of(counted, promised.k)
    over = show_text(", ".join(promised.attributes), LONGEST_SENTENCE)
    return promised, sizes, draw_class_sizes(sizes, over)


def _describe_column(
    certificate: Certificate, name: str, counted: ReleasedValues
) -> dict[str, Any]:
    """Return what the codebook shows of a column."""
    done = certificate.generalized.get(name)
    return {
        "name": name,
        "role": describe_role(certificate, name),
        "change": describe_change(certificate, name),
        "levels": [*list_levels(done, certificate.suppressed_label)],
        "counted": counted,
        "most": max((rows for _, rows in counted.frequent), default=1),
    }
