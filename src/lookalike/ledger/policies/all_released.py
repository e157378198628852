"""Columns that join the quasi-identifier because they were released before (Model, section 4.2)."""

from collections.abc import Collection, Iterable, Mapping

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
