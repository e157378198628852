"""Write the report for the recipient of a release as one HTML page."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyRelation
from markupsafe import Markup

from lookalike.errors import InvalidInput
from lookalike.publish import certificate_sentences as sentences
from lookalike.publish.certificate import Certificate, name_software
from lookalike.publish.certified import (
    CertifiedQuasiIdentifier,
    GeneralizedAttribute,
    GeneralizedColumn,
    state_accepted,
)
from lookalike.publish.open_published import open_published
from lookalike.report.class_sizes import ClassSizes, draw_class_sizes
from lookalike.report.page import LONGEST_SENTENCE, fill_page
from lookalike.shown_text import show_text
from lookalike.tables.connection import Connection
from lookalike.tables.released_file import ReleasedValues, count_release

_GROUPS = "Groups", "A general value is the name of a group that the true value belongs to."
_KINDS: Mapping[str, tuple[str, str]] = {
    "mask": (
        "Masked characters",
        "An asterisk at the place of a character stands for one character or none: 0213* covers "
        "02138 and 02139.",
    ),
    "dates": (
        "Periods",
        "A general value is a period that contains the true date: 1965-09 is a month, 1965 a year, "
        "1960-1969 ten years. Where all dates have the same day, that day stands for the whole "
        "period.",
    ),
    "intervals": (
        "Intervals",
        "A general value is an interval that contains the true number: 30-39 means from 30 to 39, "
        "both included.",
    ),
    "rounding": ("Round numbers", "A general value is a round number near the true one."),
    "taxonomy": _GROUPS,
    "file": _GROUPS,
    "listed": _GROUPS,
}
_OTHERS = "General values", "A general value contains the true value."
"""A title and how values are read, for each kind of hierarchy, and for others."""


def describe_change(certificate: Certificate, name: str) -> tuple[str, str]:
    """Describe what was done to a column, in a few words and in sentences."""
    if name in certificate.generalized:
        return explain_generalization(certificate.generalized[name], certificate.rows_shown)
    if certificate.answers is not None and name in certificate.answers.left_out:
        return "answer", _explain_answer(certificate, name)
    if name in certificate.coarsened:
        coarsened = sentences.describe_coarsening(certificate.coarsened[name])
        return "less precise numbers", f"Numbers are {coarsened}."
    if name in certificate.pseudonyms:
        return "pseudonym", (
            "Each value stands for one value of an identifier, such as a number or a name, that "
            "is not released. Only the data holder can connect the two."
        )
    protected = name in {one.column for one in certificate.protections}
    return "released as it is", (
        "The values are those of the data holder's table. The promise of k does not cover them"
        f"{'; another promise is about them' if protected else ''}."
    )


def _explain_answer(certificate: Certificate, name: str) -> str:
    """Describe what is shown of an answer that an attacker may know."""
    cells = 0 if certificate.answers is None else certificate.answers.left_out[name]
    coarsened = certificate.coarsened.get(name)
    how = "" if coarsened is None else f" Numbers are {sentences.describe_coarsening(coarsened)}."
    if not cells:
        return f"All of its values are shown.{how}"
    return (
        f"Values that too few rows of a class share are left out there: {cells:,} of its cells "
        f"show {certificate.suppressed_label}. A class shows a value in all of its rows that have "
        f"it, or in none.{how}"
    )


def explain_generalization(done: GeneralizedColumn, rows: int) -> tuple[str, str]:
    """Describe how a column was generalized."""
    if is_unchanged(done):
        return _UNCHANGED
    if done.cells_suppressed == rows:
        return "protected, hidden", "All of its values were hidden."
    if not has_general(done):
        return "protected, some values hidden", (
            "Some of its values were hidden. The others were not changed."
        )
    if done.level is None:
        _, read = explain_kind(done)
        general = f"Its values are more general in some rows than in others. {read}"
        return "generalized cell by cell", general
    return explain_level(done)


_UNCHANGED = (
    "protected, not changed",
    "Its values were not changed: combinations of them are frequent enough.",
)


def explain_level(done: GeneralizedAttribute) -> tuple[str, str]:
    """Describe how a column was generalized whose values have one level."""
    if not done.level:
        return _UNCHANGED
    if done.level == done.height:
        return "generalized", "All of its values were replaced by the most general one."
    _, read = explain_kind(done)
    of = "1 step" if done.height == 1 else f"{done.height} steps"
    return "generalized", f"All of its values were made {done.level} of {of} more general. {read}"


def has_general(done: GeneralizedColumn) -> bool:
    """Return whether values of a column are shown that are more general than they were."""
    levels = {done.level} if done.cells_by_level is None else {*done.cells_by_level}
    return not levels <= {0}


def is_unchanged(done: GeneralizedColumn) -> bool:
    """Return whether all values of a column are those of the data holder's table."""
    return not has_general(done) and not done.cells_suppressed


def explain_kind(done: GeneralizedAttribute) -> tuple[str, str]:
    """Return a title for the generalized values of a column, and how they are read."""
    return _KINDS.get(done.hierarchy, _OTHERS)


def list_levels(done: GeneralizedColumn | None, suppressed: str) -> Iterator[tuple[str, int]]:
    """List how many values are at each level, where that differs from row to row."""
    if done is None or done.cells_by_level is None or not has_general(done):
        return
    for level, cells in sorted(done.cells_by_level.items()):
        yield f"{level} of {done.height} steps" if level else "as it was", cells
    if done.cells_suppressed:
        yield f"hidden ({suppressed})", done.cells_suppressed


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
    names = {name.partition("/")[0] for name in certificate.files}
    return fill_page(
        "recipient",
        software=name_software(),
        kind="Report for the recipient",
        title=show_text(min(names, default="The released table")),
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
    left_out = 0 if certificate.answers is None else sum(certificate.answers.left_out.values())
    named = certificate.generalized.items()
    done, rows = certificate.generalized.values(), certificate.rows_shown
    shown = [one for one in done if has_general(one) and one.cells_suppressed < rows]
    return {
        "changed": [name for name, one in named if not is_unchanged(one)],
        "unchanged": [name for name, one in named if is_unchanged(one)],
        "suppressed": suppressed,
        "hidden": blank + sum(one.cells_suppressed for one in done) + left_out,
        "kinds": dict(map(explain_kind, shown)),  # how general values of each kind are read
        "decoys": None
        if certificate.decoys is None
        else sentences.describe_decoys(certificate.decoys),
    }


def _describe_promises(certificate: Certificate) -> dict[str, Any]:
    """Return what the page shows about the promises, and about what is outside of them."""
    promised = certificate.quasi_identifiers
    attributes = sentences.join_names(promised[0].attributes)
    return {
        "least": min(one.k_reached for one in promised),
        "holds": not any(one.rows_below_k for one in promised),
        "by_rows": [one.name for one in promised if one.counts != "persons"],
        "by_persons": any(one.counts == "persons" for one in promised),
        "alone": [one for one in certificate.alone if one.k_reached],
        "outside": [one.attribute for one in certificate.alone if one.is_outside],
        "as_they_are": [*certificate.released_as_they_are, *certificate.pseudonyms],
        "answers": certificate.answers and certificate.answers.state(attributes),
        "protections": sentences.state_protections(
            certificate.protections,
            certificate.secrecy,
            over_releases=certificate.protects_over_releases,
        ),
        "protected": sorted({one.column for one in certificate.protections}),
        "registers": [sentences.state_register(one, attributes) for one in certificate.registers],
        "presence": any(one.condition == "presence" for one in certificate.registers),
        "based_on": certificate.is_based_on_earlier,
        "accepted": state_accepted(certificate.accepted),
        "trusted": [*_list_trusted(certificate)],
        "sentences": sentences.summarize_certificate(certificate),
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
    levels = list_levels(certificate.generalized.get(name), certificate.suppressed_label)
    return describe_column(name, describe_change(certificate, name), counted, levels)


def describe_column(
    name: str,
    said: tuple[str, str],
    counted: ReleasedValues,
    levels: Iterable[tuple[str, int]] = (),
) -> dict[str, Any]:
    """Return what a codebook shows of a column; ``said``: its role, and what was done to it."""
    return {
        "name": name,
        "role": said[0],
        "change": said[1],
        "levels": [*levels],
        "counted": counted,
        "most": max((rows for _, rows in counted.frequent), default=1),
    }
