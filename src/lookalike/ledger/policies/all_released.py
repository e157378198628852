"""Everything released before joins the quasi-identifier (Model, section 4.2, first remedy)."""

from collections.abc import Collection, Iterable, Mapping

from lookalike.tables.table import Role


def join_quasi_identifier(
    roles: Mapping[str, Role], released: Iterable[Collection[str]]
) -> tuple[str, ...]:
    """Return the attributes that must join the quasi-identifier of the next release.

    What an earlier release showed as it is can link that release with the next one, so the next
    one must not show it as it is. What it does not show cannot link them.

    By itself this is not enough. Of the rows (a1, b1, p), (a1, b2, q), (a2, b1, p) and
    (a2, b2, q) the first release may hide the second attribute, and the next the first one,
    with at least two rows alike over all three; joined on the third they are the private table
    again. So the release is published only on the proof by history as well
    (:mod:`lookalike.ledger.policies.policy`).

    Parameters
    ----------
    roles
        The role of each column in the next release.
    released
        The columns of each earlier release.

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
