"""Policy: what the earlier releases of a source demand of the next one.

:func:`judge_candidate` is the only place where a release is judged. Meanwhile the process holds the
lock of the source, so no other release of it can be published.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.hierarchy import Suppress
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_keys
from lookalike.ledger.policies.based_on import MAKE_AGAIN, check_next
from lookalike.ledger.policies.history import EMPTY_HISTORY, History, build_history, read_row_map
from lookalike.ledger.policies.protections_over_time import refuse_broken_protections
from lookalike.ledger.policies.recognized_rows import check_row_key
from lookalike.ledger.policies.shared_classes import WITH_CONTRACTS
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.entry import Entry, ReleasedClasses, ReleaseFiles
from lookalike.ledger.store.ledger import open_if_present
from lookalike.model.progress import Announce
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import EarlierReleases
from lookalike.shown_text import count_rows
from lookalike.spec.fields import Attribute
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY, INCREMENTS
from lookalike.spec.specification import Specification
from lookalike.tables.table import Role


@dataclass(frozen=True, eq=False)
class EarlierEntries(Discreet):
    """The earlier releases that somebody may have together with the next one."""

    entries: tuple[Entry, ...]
    secret: bytes = field(repr=False)

    @cached_property
    def history(self) -> History:
        """What every row showed in every release."""
        return recall_history(self.entries)


def recall_history(entries: Iterable[Entry]) -> History:
    """Return what every row showed in some releases, given in the order of publishing."""
    return build_history(read_row_map(entry.name, entry.files) for entry in entries)


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
    joined = join_quasi_identifier(roles, released)
    for name in specification.protected_columns:
        if name in joined:
            raise InvalidInput(
                f"attributes.{name}.protect: an earlier release showed {name!r}, so under the "
                f'policy "{ALL_RELEASED}" it joins the quasi-identifier, and no protection of its '
                f'values can hold in a class; use policy = "{INCREMENTS}"'
            )
    return widen(specification, joined)


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
_GREATEST_K = (
    "Make the release again, with the greatest k that a release of the source has promised"
)
_WAYS_OUT = (
    'Base the release on the earlier ones (policy = "based-on"), raise levels, leave out the '
    f"columns that changed, or {WITH_CONTRACTS}"
)

_PROTECTED_WAYS_OUT = (
    f'Release only rows that no release has shown (policy = "{INCREMENTS}"), or base the release '
    f'on the earlier ones (policy = "{BASED_ON}")'
)


Policy = Callable[[Sequence[Entry], Certificate, ReleaseFiles], History]
"""Receives the earlier releases, oldest first, and the certificate and the files of the next one;
raises :class:`~lookalike.errors.RequirementNotMet` to refuse it, and returns its history."""


def _check_history(
    earlier: Sequence[Entry], certificate: Certificate, files: ReleaseFiles, *, remedy: str
) -> History:
    """Refuse a release if it shows a row whose history fewer than k rows share.

    Every policy depends on this proof. Policies differ in how they make the release, and so in the
    remedy if it is refused.
    """
    if not earlier:
        return EMPTY_HISTORY
    certificates = [*(entry.certificate for entry in earlier), certificate]
    refuse_other_roles(certificates)
    history = recall_history(earlier).after(read_row_map(NEXT, files))
    check_next(history, greatest_k(certificates), remedy)
    return history


def _check_same_labels(last: ReleaseFiles, files: ReleaseFiles) -> None:
    """Refuse a release in which rows of the last one have other labels, though they are the same.

    This is the proof for rows that the source no longer has: they are shown as they were. A row
    whose quasi-identifier changed since may have joined another class.
    """
    before, now = (read_row_map(NEXT, one) for one in (last, files))
    number, first = number_keys(np.concatenate([before.keys, now.keys]))
    place = first[number[len(before.keys) :]]
    rows = np.flatnonzero(place < len(before.keys))
    then, shown = before.class_of[place[rows]], now.class_of[rows]
    same = before.quasi_identifier[place[rows]] == now.quasi_identifier[rows]
    both = same & (then != ABSENT) & (shown != ABSENT)
    labels = [_list_labels(one.read_classes()) for one in (last, files)]
    for one, other in np.unique(np.stack([then, shown])[:, both], axis=1).T.tolist():
        if labels[0][one] != labels[1][other]:
            raise RequirementNotMet(
                f"{NEXT} would show rows of the last one with other labels than there, although "
                f"their values are the same. {MAKE_AGAIN}"
            )


def _list_labels(classes: ReleasedClasses) -> list[dict[str, str | None]]:
    """Return the label of each attribute, for each class."""
    rows = zip(*classes.labels, strict=True)
    return [dict(zip(classes.attributes, labels, strict=True)) for labels in rows]


def _check_increment(
    earlier: Sequence[Entry], certificate: Certificate, files: ReleaseFiles
) -> History:
    """Check the history, and that no row is shown that an earlier release has shown."""
    history = _check_history(earlier, certificate, files, remedy=_GREATEST_K)
    again = (history.steps[-1:] != ABSENT) & (history.steps[:-1] != ABSENT).any(axis=0)
    if again.any():
        raise RequirementNotMet(
            f"{NEXT} would show {count_rows(int(again.sum()))} again, but under the policy "
            f"{INCREMENTS} every row is shown once. Make the release again: it will then leave out "
            "what was published by now"
        )
    return history


JUDGES: dict[str, Policy] = {
    BASED_ON: partial(_check_history, remedy=MAKE_AGAIN),
    ALL_RELEASED: partial(_check_history, remedy=_WAYS_OUT),
    CHECK_ONLY: partial(_check_history, remedy=_WAYS_OUT),
    INCREMENTS: _check_increment,
}


def judge_candidate(
    policy: str,
    earlier: Sequence[Entry],
    certificate: Certificate,
    files: ReleaseFiles,
    leavers: Literal["withdraw", "keep"] = "withdraw",
) -> EarlierReleases:
    """Judge a release against the earlier ones of its source that somebody may have with it.

    Forgotten releases count, because their recipients still have them. Pending releases count,
    because they may have been published.
    """
    statement = EarlierReleases(policy, len(earlier))
    history = JUDGES[policy](earlier, replace(certificate, earlier_releases=statement), files)
    if earlier:
        remedy = MAKE_AGAIN if policy == BASED_ON else _PROTECTED_WAYS_OUT
        refuse_broken_protections(earlier, certificate, files, NEXT, remedy)
    statement = replace(statement, protections_over_releases=bool(certificate.protections))
    if policy == INCREMENTS:
        statement = replace(statement, follows=tuple(one.certificate_sha256 for one in earlier))
    if leavers == "keep" and earlier:
        _check_same_labels(earlier[-1].files, files)
        statement = replace(statement, leavers=leavers, since=_find_oldest(earlier, history))
    return statement


def _find_oldest(earlier: Sequence[Entry], history: History) -> str | None:
    """Return the date of the first release that showed a row of the last one, if it is earlier."""
    again = history.steps[:-1, history.steps[-1] != ABSENT] != ABSENT
    shown = np.flatnonzero(again.any(axis=1))
    if not len(shown):
        return None
    return earlier[int(shown[0])].date


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
