"""Describe in words what was done to a column of a release."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import describe_coarsening
from lookalike.publish.certified import GeneralizedColumn

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


@dataclass(frozen=True)
class LevelShare:
    """How many values of a column are at one level."""

    name: str
    cells: int


def describe_role(certificate: Certificate, name: str) -> str:
    """Return in a few words what was done to a column."""
    done = certificate.generalized.get(name)
    if done is None:
        if name in certificate.pseudonyms:
            return "pseudonym"
        return "less precise numbers" if name in certificate.coarsened else "released as it is"
    if is_unchanged(done):
        return "protected, not changed"
    if done.cells_suppressed == certificate.rows_shown:
        return "protected, hidden"
    if not has_general(done):
        return "protected, some values hidden"
    return "generalized cell by cell" if done.cells_by_level is not None else "generalized"


def describe_change(certificate: Certificate, name: str) -> str:
    """Describe what was done to a column, in sentences."""
    if name in certificate.generalized:
        return _describe_generalization(certificate.generalized[name], certificate.rows_shown)
    if name in certificate.coarsened:
        return f"Numbers are {describe_coarsening(certificate.coarsened[name])}."
    if name in certificate.pseudonyms:
        return (
            "Each value stands for one value of an identifier, such as a number or a name, that "
            "is not released. Only the data holder can connect the two."
        )
    return "The values are those of the data holder's table. The promise does not cover them."


def _describe_generalization(done: GeneralizedColumn, rows: int) -> str:
    """Describe how a column was generalized."""
    if is_unchanged(done):
        return "Its values were not changed: combinations of them are frequent enough."
    if done.cells_suppressed == rows:
        return "All of its values were hidden."
    if done.level is not None and done.level == done.height:
        return "All of its values were replaced by the most general one."
    if done.level is not None and done.level > 0:
        of = "1 step" if done.height == 1 else f"{done.height} steps"
        return f"All of its values were made {done.level} of {of} more general. {_read(done)}"
    if not has_general(done):
        return "Some of its values were hidden. The others were not changed."
    return f"Its values are more general in some rows than in others. {_read(done)}"


def _read(done: GeneralizedColumn) -> str:
    """Return how the general values of a column are read."""
    return explain_kind(done)[1]


def has_general(done: GeneralizedColumn) -> bool:
    """Return whether values of a column are shown that are more general than they were."""
    levels = {done.level} if done.cells_by_level is None else {*done.cells_by_level}
    return not levels <= {0}


def is_unchanged(done: GeneralizedColumn) -> bool:
    """Return whether all values of a column are those of the data holder's table."""
    return not has_general(done) and not done.cells_suppressed


def explain_kind(done: GeneralizedColumn) -> tuple[str, str]:
    """Return a title for the generalized values of a column, and how they are read."""
    return _KINDS.get(done.hierarchy, _OTHERS)


def list_levels(done: GeneralizedColumn | None, suppressed: str) -> Iterator[LevelShare]:
    """List how many values are at each level, where that differs from row to row."""
    if done is None or done.cells_by_level is None or not has_general(done):
        return
    for level, cells in sorted(done.cells_by_level.items()):
        yield LevelShare(f"{level} of {done.height} steps" if level else "as it was", cells)
    if done.cells_suppressed:
        yield LevelShare(f"hidden ({suppressed})", done.cells_suppressed)
