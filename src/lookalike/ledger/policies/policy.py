"""Policy: what the earlier releases of a source demand of the next one.

:func:`judge_candidate` is the only place where a release is judged. Meanwhile the process holds the
lock of the source, so no other release of it can be published.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Suppress
from lookalike.hierarchy.discreet import Discreet
from lookalike.ledger.policies.based_on import MAKE_AGAIN, check_next
from lookalike.ledger.policies.history import History, RowMap, build_history
from lookalike.ledger.policies.recognized_rows import check_row_key
from lookalike.ledger.store import row_map
from lookalike.ledger.store.entry import Entry, ReleaseFiles
from lookalike.ledger.store.ledger import open_if_present
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import EarlierReleases
from lookalike.spec.fields import Attribute
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY
from lookalike.spec.specification import Specification
from lookalike.tables.table import Role


@dataclass(frozen=True, eq=False)
class EarlierEntries(Discreet):
    """The earlier releases that somebody may have together with the next one."""

    entries: tuple[Entry, ...]
    secret: bytes = field(repr=False)

    @property
    def k(self) -> int:
        """The greatest k that an earlier release promised."""
        return greatest_k(entry.certificate for entry in self.entries)

    @property
    def row_key(self) -> str:
        """The column by which their rows are recognized."""
        return self.entries[-1].row_key

    @cached_property
    def history(self) -> History:
        """What every row showed in every release."""
        return recall_history(self.entries)


def recall_history(entries: Iterable[Entry]) -> History:
    """Return what every row showed in some releases, given in the order of publishing."""
    return build_history(to_row_map(entry.name, entry.files.read_rows()) for entry in entries)


def to_row_map(name: str, rows: pa.Table) -> RowMap:
    """Return the row map of a release as arrays."""
    values, ground = (
        {
            column: row_map.to_digests(rows[place])
            for column, place in row_map.columns_of(kind, rows).items()
        }
        for kind in (row_map.VALUE, row_map.GROUND)
    )
    return RowMap(
        release=name,
        keys=row_map.to_digests(rows[row_map.KEY]),
        class_of=rows[row_map.CLASS].fill_null(row_map.LEFT_OUT).to_numpy().astype(np.int64),
        quasi_identifier=row_map.to_digests(rows[row_map.LINKABLE]),
        values=values,
        ground=ground,
        persons=row_map.to_digests(rows[row_map.PERSON])
        if row_map.PERSON in rows.column_names
        else None,
    )


def greatest_k(certificates: Iterable[Certificate]) -> int:
    """Return the greatest k that some releases promise."""
    return max(one.k for certificate in certificates for one in certificate.quasi_identifiers)


def refuse_several(certificates: Iterable[Certificate]) -> None:
    """Refuse releases with several quasi-identifiers, in which a row has no single class."""
    for certificate in certificates:
        if len(certificate.quasi_identifiers) > 1 or certificate.alone:
            raise InvalidInput(
                "the policy based-on supports a single quasi-identifier over all linkable "
                "attributes, but an earlier release of this source has several, or attributes that "
                'are protected alone; use policy = "check-only"'
            )


def refuse_other_roles(certificates: Sequence[Certificate]) -> None:
    """Refuse a column that is a quasi-identifier in one release and unchanged in another.

    An attacker is assumed to know the values of a quasi-identifier, and finds rows by them in the
    release that shows them unchanged. A column that only joined the quasi-identifier under the
    policy all-released-attributes is not assumed to be known.
    """
    known: set[str] = set()
    shown: set[str] = set()
    for certificate in certificates:
        earlier = certificate.earlier_releases
        widened = not isinstance(earlier, str) and earlier.policy == ALL_RELEASED
        known.update(set(certificate.generalized) - (shown if widened else set()))
        shown.update(certificate.released_as_they_are)
    for name in sorted(known & shown):
        raise InvalidInput(
            f"column {name!r} is a quasi-identifier in one release of this source and is released "
            "as it is in another, where anyone who knows its values can find rows; give it the "
            'same role in both, or use policy = "all-released-attributes"'
        )


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


NEXT = "the next release"
_WAYS_OUT = (
    'Base the release on the earlier ones (policy = "based-on"), raise levels, or leave out the '
    "columns that changed"
)


Policy = Callable[[Sequence[Entry], Certificate, ReleaseFiles], None]
"""Receives the earlier releases, oldest first, and the certificate and the files of the next one;
raises :class:`~lookalike.errors.RequirementNotMet` to refuse it."""


def _check_history(
    earlier: Sequence[Entry], certificate: Certificate, files: ReleaseFiles, *, remedy: str
) -> None:
    """Refuse a release if it shows a row whose history fewer than k rows share.

    Every policy depends on this proof. Policies differ in how they make the release, and so in the
    remedy if it is refused.
    """
    if not earlier:
        return
    certificates = [*(entry.certificate for entry in earlier), certificate]
    refuse_other_roles(certificates)
    history = recall_history(earlier).after(to_row_map(NEXT, files.read_rows()))
    check_next(history, greatest_k(certificates), remedy)


JUDGES: dict[str, Policy] = {
    BASED_ON: partial(_check_history, remedy=MAKE_AGAIN),
    ALL_RELEASED: partial(_check_history, remedy=_WAYS_OUT),
    CHECK_ONLY: partial(_check_history, remedy=_WAYS_OUT),
}


def judge_candidate(
    policy: str, earlier: Sequence[Entry], certificate: Certificate, files: ReleaseFiles
) -> EarlierReleases:
    """Judge a release against the earlier ones of its source that somebody may have with it.

    Forgotten releases count, because their recipients still have them. Pending releases count,
    because they may have been published.
    """
    statement = EarlierReleases(policy, len(earlier))
    JUDGES[policy](earlier, replace(certificate, earlier_releases=statement), files)
    return statement


def relevant_to(
    entries: Iterable[Entry], recipient: str | None, contract: str | None
) -> tuple[Entry, ...]:
    """Return the releases that somebody may have together with one for a recipient.

    Recipients may share what they have. Only if both recipients are bound by a contract is it
    assumed that nobody has the releases of both.
    """
    return tuple(
        entry
        for entry in entries
        if entry.contract is None or contract is None or entry.recipient == recipient
    )


def find_earlier_releases(
    specification: Specification, announce: Announce = lambda _: None
) -> EarlierEntries | None:
    """Return the earlier releases of a source from the ledger; None if there are none.

    If another process is publishing a release of the source, this function waits for it. Nothing
    is written.
    """
    asked, source = specification.release, specification.source
    if source is None or source.row_key is None:
        return None
    ledger = open_if_present(asked.address)
    if ledger is None:
        return None
    name = source.name or source.row_key
    known = ledger.releases(name)
    if not known:
        return None
    check_row_key(known, source.row_key)
    with ledger.holding(name, announce=announce) as (_, entries):
        relevant = relevant_to(entries, asked.recipient, asked.contract)
    return EarlierEntries(relevant, ledger.secret()) if relevant else None
