"""State in sentences which errors of the checks before publishing the data holder accepted."""

from collections.abc import Mapping, Sequence

from lookalike.spec.fields import PersonUnit, name_units
from lookalike.spec.preflight_names import (
    AS_IS_UNIQUE,
    DERIVED_COLUMN,
    FREE_TEXT,
    ONE_SENSITIVE_VALUE,
    RECORD_NUMBERS,
    REPEATED_PERSONS,
)

_ACCEPTED: Mapping[str, str] = {
    AS_IS_UNIQUE: (
        "Columns that are released as they are single out rows: whoever knows their values of a "
        "{person} finds the row of that {person}"
    ),
    DERIVED_COLUMN: (
        "A column that is released as it is shows a finer value of a generalized column than the "
        "release shows there"
    ),
    FREE_TEXT: "A column holds sentences, which may name people",
    REPEATED_PERSONS: (
        "Persons may have several rows, so that a class of k rows may stand for fewer than k "
        "persons"
    ),
    ONE_SENSITIVE_VALUE: (
        "In classes where all rows, or nearly all, share a value of a sensitive column, that value "
        "is known of everybody in the class"
    ),
}
"""What an accepted error means for the people in the release, by the name of its check."""
_ACCEPTED_OF_LINKED: Mapping[str, str] = {
    **_ACCEPTED,
    ONE_SENSITIVE_VALUE: (
        "Where all {persons}, or nearly all, of whom something may be known share a value of a "
        "sensitive column, whoever knows that learns the value"
    ),
    RECORD_NUMBERS: "Whoever knows how many records a {person} has may find that {person}",
}
"""The same for linked tables, in which there are no classes."""


def state_accepted(accepted: Sequence[str], unit: PersonUnit | None = None) -> list[str]:
    """Write which errors the data holder accepted; the names alone, no figure of a private row.

    ``unit``: what a person of linked tables is called; None for one table.

    Examples
    --------
    >>> state_accepted(["free-text"])
    ['A column holds sentences, which may name people (free-text, accepted by the data holder).']
    """
    other = "A check before publishing found an error"
    meanings = _ACCEPTED if unit is None else _ACCEPTED_OF_LINKED
    called = {"person": unit or "person", "persons": name_units(unit or "person")}
    said = [(name, meanings.get(name, other).format(**called)) for name in accepted]
    return [f"{meaning} ({name}, accepted by the data holder)." for name, meaning in said]
