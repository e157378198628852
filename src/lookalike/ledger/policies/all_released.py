"""Columns that join the quasi-identifier because they were released before (Model, section 4.2)."""

from collections.abc import Collection, Iterable, Mapping

from lookalike.hierarchy import Suppress
from lookalike.ledger.policies.earlier_releases import EarlierEntries
from lookalike.spec.fields import Attribute
from lookalike.spec.specification import Specification
from lookalike.tables.table import Role


def join_quasi_identifier(
    roles: Mapping[str, Role], released: Iterable[Collection[str]]
) -> tuple[str, ...]:
    """Return the attributes that must join the quasi-identifier of the next release.

    A column that an earlier release showed unchanged can link that release with the next one, so
    the next release must generalize it. A column that was not released cannot link them.

    This remedy alone is not sufficient. Given the rows (a1, b1, p), (a1, b2, q), (a2, b1, p) and
    (a2, b2, q), the first release may suppress the second attribute and the next release the first
    one, each with at least two equal rows over all three attributes. Joined on the third attribute,
    they are the private table again. So the proof by history is required as well
    (:mod:`lookalike.ledger.policies.policy`).

    Examples
    --------
    >>> roles = {"name": "identifier", "zip": "quasi-identifier", "problem": "sensitive"}
    >>> join_quasi_identifier(roles, [{"zip", "problem"}, {"zip", "ward"}])
    ('problem',)
    """
    before = {name for columns in released for name in columns}
    return tuple(
        name for name, role in roles.items() if name in before and role in ("sensitive", "other")
    )


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
