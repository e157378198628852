"""Earlier: the releases of a source that the next one must not be told apart with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.ledger.policies.history import History, Shown, remember
from lookalike.ledger.store.classes import LEFT_OUT
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.row_map import (
    CLASS,
    GROUND,
    KEY,
    LINKABLE,
    VALUE,
    columns_of,
    to_digests,
)
from lookalike.publish.certificate import Certificate
from lookalike.spec.policies import ALL_RELEASED

NEXT = "the next release"


@dataclass(frozen=True, eq=False)
class Earlier(Discreet):
    """What a ledger remembers of a source, as far as the next release has to mind it.

    Parameters
    ----------
    entries
        The earlier releases, oldest first; there is one at least.
    secret
        The key under which the ledger hashes what is private.
    """

    entries: tuple[Entry, ...]
    secret: bytes = field(repr=False)

    @property
    def last(self) -> Entry:
        """The release before the next one."""
        return self.entries[-1]

    @property
    def k(self) -> int:
        """The greatest k that was ever promised."""
        return greatest_k([entry.certificate for entry in self.entries])

    @cached_property
    def history(self) -> History:
        """What every row showed in every release."""
        return recall_history(self.entries)


def name_of(entry: Entry) -> str:
    """Name a release as it is listed."""
    return f"release {entry.number}"


def greatest_k(certificates: Iterable[Certificate]) -> int:
    """Return the greatest k that some releases promise."""
    return max(one.k for told in certificates for one in told.quasi_identifiers)


def recall_history(entries: Iterable[Entry]) -> History:
    """Return what every row showed in some releases, in their order."""
    return remember(to_shown(name_of(entry), entry.kept.rows()) for entry in entries)


def to_shown(name: str, rows: pa.Table) -> Shown:
    """Read the map of a release's private rows."""
    values, ground = (
        {column: to_digests(rows[place]) for column, place in columns_of(kind, rows).items()}
        for kind in (VALUE, GROUND)
    )
    return Shown(
        release=name,
        keys=to_digests(rows[KEY]),
        class_of=rows[CLASS].fill_null(LEFT_OUT).to_numpy().astype(np.int64),
        quasi_identifier=to_digests(rows[LINKABLE]),
        values=values,
        ground=ground,
    )


def refuse_several(certificates: Iterable[Certificate]) -> None:
    """Refuse releases with several quasi-identifiers, over which a row has no one class."""
    for told in certificates:
        if len(told.quasi_identifiers) > 1 or told.alone:
            raise InvalidInput(
                "the policy based-on knows one quasi-identifier over all linkable attributes, but "
                "this source was or shall be released with several, or with attributes that are "
                'protected by themselves; use policy = "check-only"'
            )


def refuse_other_roles(certificates: Sequence[Certificate]) -> None:
    """Refuse a column that one release protects as linkable and another shows as it is.

    An attacker is assumed to know its values, and finds rows by them where it is shown as it is.
    What has only joined the quasi-identifier (policy all-released-attributes) is not known.
    """
    known: set[str] = set()
    shown: set[str] = set()
    for told in certificates:
        known.update(set(told.generalized) - (shown if _is_widened(told) else set()))
        shown.update(told.released_as_they_are)
    for name in sorted(known & shown):
        raise InvalidInput(
            f"column {name!r} is a quasi-identifier in one release of this source and is released "
            "as it is in another, where whoever knows its values finds rows by them; give it the "
            'same role in both, or use policy = "all-released-attributes"'
        )


def _is_widened(told: Certificate) -> bool:
    """Tell whether columns of earlier releases have joined the quasi-identifier of a release."""
    earlier = told.earlier_releases
    return not isinstance(earlier, str) and earlier.policy == ALL_RELEASED
