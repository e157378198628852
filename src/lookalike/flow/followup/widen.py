"""Widen the quasi-identifier by attributes of earlier releases (Model, section 4.2)."""

from collections.abc import Collection

from lookalike.hierarchy import Suppress
from lookalike.ledger.policies.earlier_releases import EarlierEntries, join_quasi_identifier
from lookalike.spec.fields import Attribute
from lookalike.spec.specification import Specification


def widen_by(specification: Specification, earlier: EarlierEntries) -> Specification:
    """Return a specification whose quasi-identifier includes every column released before."""
    roles = specification.decided_roles()
    released = [entry.certificate.columns for entry in earlier.entries]
    return widen(specification, join_quasi_identifier(roles, released))


def widen(specification: Specification, names: Collection[str]) -> Specification:
    """Add attributes to every quasi-identifier; their values are then shown or suppressed.

    Examples
    --------
    >>> asked = Specification.build(
    ...     {
    ...         "release": {"k": 2},
    ...         "attributes": {
    ...             "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...             "ill": {"role": "sensitive"},
    ...         },
    ...     }
    ... )
    >>> list(widen(asked, ["ill"]).hierarchies())
    ['zip', 'ill']
    """
    known = specification.attributes
    attributes = known | {
        name: known.get(name, Attribute(role="drop")).in_role("quasi-identifier", Suppress())
        for name in names
    }
    several = tuple(
        one.model_copy(update={"attributes": (*one.attributes, *names)})
        for one in specification.quasi_identifiers
    )
    return specification.model_copy(update={"attributes": attributes, "quasi_identifiers": several})
