"""The parts of a certificate: quasi-identifiers, protections, columns, files, accepted errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from lookalike.errors import not_one_of
from lookalike.model.protections import PROTECTIONS
from lookalike.spec.preflight_names import (
    AS_IS_UNIQUE,
    DERIVED_COLUMN,
    FREE_TEXT,
    ONE_SENSITIVE_VALUE,
    RECORD_NUMBERS,
    REPEATED_PERSONS,
)
from lookalike.spec.protect import read_protect

_Bound = Annotated[str, Field(pattern=r"^[01](\.[0-9]+)?$")]


@dataclass(frozen=True)
class CertifiedQuasiIdentifier:
    """A quasi-identifier, the k asked for, and the k reached.

    Parameters
    ----------
    name
        The name of the quasi-identifier.
    attributes
        The attributes that are protected in combination.
    k
        The k that the release promises.
    k_reached
        The size of the smallest class.
    classes
        The number of classes.
    rows_below_k
        The number of rows in classes of fewer than k rows; 0 unless the release is unsafe.
    counts
        What k counts; None in certificates of versions that did not state it.
    persons_reached
        The number of persons of the class with the fewest, if k counts persons. Only the data
        holder can count them.
    """

    name: str
    attributes: Annotated[tuple[str, ...], Field(min_length=1)]
    k: int
    k_reached: int
    classes: int
    rows_below_k: int = 0
    counts: Literal["rows", "persons"] | None = None
    persons_reached: int | None = None


@dataclass(frozen=True)
class CertifiedAlone:
    """An attribute with a k of its own, and the number of rows of its rarest value.

    Parameters
    ----------
    quasi_identifier
        The quasi-identifier that the attribute belongs to.
    attribute
        The name of the attribute.
    linking
        The likelihood, assumed by the data holder, that the attribute is used for linking. Below
        1 the attribute is not protected in combination with the others.
    k
        Minimum number of rows of each value; 0 if none was asked for.
    k_reached
        The number of rows of the rarest value.
    """

    quasi_identifier: str
    attribute: str
    linking: Annotated[str, Field(pattern=r"^[01](\.[0-9]+)?$")]
    k: int
    k_reached: int

    @property
    def is_outside(self) -> bool:
        """Whether the attribute is outside the protected combination."""
        return Decimal(self.linking) < 1


CertifiedSecrecy = Literal["search", "blind", "lottery"]
"""How classes were chosen; see :mod:`lookalike.search.secrecy`."""


@dataclass(frozen=True)
class CertifiedProtection:
    """A protection of a sensitive column that every class satisfies.

    Parameters
    ----------
    attributes
        The attributes of the quasi-identifier.
    column
        The sensitive column.
    protection
        The name of the protection.
    parameters
        Its parameters.
    reached
        The figure of the worst class; None if it compares the class with the private table.
    """

    attributes: tuple[str, ...]
    column: str
    protection: str
    parameters: dict[str, bool | int | float | str]
    reached: float | None

    def __post_init__(self) -> None:
        """Raise if there is no such protection or it has other parameters, as if forged."""
        if self.protection not in PROTECTIONS:
            raise ValueError(not_one_of("protection", self.protection, PROTECTIONS))
        single = PROTECTIONS[self.protection].as_number
        given = next(iter(self.parameters.values()), None) if single else self.parameters
        try:
            known = read_protect({self.protection: given}).list_parameters()
        except ValueError:
            known = {}
        if known != {self.protection: self.parameters}:
            raise ValueError(f"parameters: {self.protection} has others, or other values of them")


@dataclass(frozen=True)
class CertifiedAnswers:
    """What is left for somebody who knows answers of a person beside the quasi-identifier.

    Parameters
    ----------
    known
        How many of the columns may be known.
    k
        The least number of rows that they leave of a class.
    k_reached
        The fewest rows that any so many leave.
    left_out
        The columns, each with the number of its values that are left out.
    """

    known: Annotated[int, Field(ge=1)]
    k: int
    k_reached: int
    left_out: Annotated[dict[str, int], Field(min_length=1)]

    def describe(self) -> str:
        """Write how many of the columns may be known."""
        columns = len(self.left_out)
        return f"any {min(self.known, columns)} of the {columns:,} columns of answers"

    def state(self, over: str) -> str:
        """Write what a release promises to those of whom some answers are known.

        ``over``: the quasi-identifier.

        Examples
        --------
        >>> known = CertifiedAnswers(2, 5, 6, {"q1": 3, "q2": 0, "q3": 1})
        >>> print(known.state("zip and age"))  # doctest: +NORMALIZE_WHITESPACE
        Every combination of zip and age with what any 2 of the 3 columns of answers show occurs at
        least 6 times; to that end, values of answers were left out of whole classes: 4 in 2 of the
        columns. A value that is left out is none of those that its class shows. Who knows more
        answers of a person may find the row.
        """
        cells = sum(self.left_out.values())
        concerned = sum(1 for one in self.left_out.values() if one)
        return (
            f"Every combination of {over} with what {self.describe()} show occurs at least "
            f"{self.k_reached:,} times; to that end, values of answers were left out of whole "
            f"classes: {cells:,} in {concerned:,} of the columns. A value that is left out is none "
            "of those that its class shows. Who knows more answers of a person may find the row."
        )


@dataclass(frozen=True)
class GeneralizedAttribute:
    """How one attribute of linked tables was generalized, all of its values to one level.

    The parameters are those of :class:`GeneralizedColumn`.
    """

    hierarchy: str
    height: int
    level: int | None
    weight: str = "1"


@dataclass(frozen=True)
class GeneralizedColumn(GeneralizedAttribute):
    """How one attribute of a quasi-identifier was generalized.

    Parameters
    ----------
    hierarchy
        The kind of its hierarchy.
    height
        The height of the hierarchy.
    level
        The level of all values; None if the level differs from row to row.
    weight
        The weight of the attribute in Prec, as a decimal.
    tolerance
        The tolerance of the attribute, as a decimal.
    keep
        The least share of the attribute that was to be kept, as a decimal.
    cells_by_level
        If `level` is None: the number of values at each level, without suppressed ones.
    cells_suppressed
        The number of values, in rows that are not suppressed, that are written as the suppressed
        value, whatever their level.
    """

    tolerance: str = "1"
    keep: str = "0"
    cells_by_level: dict[int, int] | None = None
    cells_suppressed: int = 0


@dataclass(frozen=True)
class CertifiedDecoys:
    """Cells that show more than needed, at random.

    Parameters
    ----------
    rate
        The probability that a level is drawn for a class and attribute if no higher one was, as a
        decimal.
    statement
        What decoys protect from, in words.
    """

    rate: Annotated[str, Field(pattern=r"^0\.[0-9]+$")]
    statement: str


@dataclass(frozen=True)
class ReleasedFile:
    """Digest and size of a file of the release.

    Parameters
    ----------
    sha256
        The SHA-256 digest of its bytes, in hexadecimal digits.
    bytes
        The number of its bytes.
    """

    sha256: str
    bytes: int


@dataclass(frozen=True)
class EarlierReleases:
    """The earlier releases that a release was checked against before publication.

    Parameters
    ----------
    policy
        The policy that was applied.
    considered
        The number of earlier releases of the same source that share rows with this one.
    new_people
        Whether the data holder declared that people unknown to the ledger are in no earlier
        release.
    leavers
        Whether rows of people who left the source, or whose quasi-identifier changed there, are
        withdrawn, or shown as they were.
    since
        If they are shown: the date of the first release whose rows may still be shown as they were.
    follows
        If no row is shown again: the SHA-256 digests of the certificates of the earlier releases,
        which have no row in common with this one, nor with each other.
    protections_over_releases
        Whether the protections of sensitive values that the release promises hold for every set of
        rows that the releases show alike, not only for its classes.
    """

    policy: str
    considered: int
    new_people: bool = False
    leavers: Literal["withdraw", "keep"] = "withdraw"
    since: str | None = None
    follows: tuple[str, ...] = ()
    protections_over_releases: bool = False


@dataclass(frozen=True)
class CertifiedRegister:
    """A condition that every class satisfies in a register of the data holder.

    Parameters
    ----------
    condition
        The name of the condition.
    k
        The least number of people who match each class, for ``k_map``.
    lowest, highest
        The bounds on the probability that a person of the register is in the private table, as
        decimals, for ``presence``.
    """

    condition: Literal["k_map", "presence"]
    k: int | None = None
    lowest: _Bound | None = None
    highest: _Bound | None = None


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


def state_accepted(accepted: Sequence[str], unit: str | None = None, units: str = "") -> list[str]:
    """Write which errors the data holder accepted; the names alone, no figure of a private row.

    ``unit``, ``units``: what a person of linked tables is called, and several; None for one table.

    Examples
    --------
    >>> state_accepted(["free-text"])
    ['A column holds sentences, which may name people (free-text, accepted by the data holder).']
    """
    other = "A check before publishing found an error"
    meanings = _ACCEPTED if unit is None else _ACCEPTED_OF_LINKED
    called = {"person": unit or "person", "persons": units}
    said = [(name, meanings.get(name, other).format(**called)) for name in accepted]
    return [f"{meaning} ({name}, accepted by the data holder)." for name, meaning in said]
