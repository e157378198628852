"""Earlier: the releases of a source that the next one must not be told apart with."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from lookalike.certificate import Certificate
from lookalike.discreet import Discreet
from lookalike.errors import InvalidInput
from lookalike.ledger.classes import LEFT_OUT
from lookalike.ledger.entry import Entry
from lookalike.ledger.history import History, Shown, remember
from lookalike.ledger.row_map import CLASS, KEY, LINKABLE, OTHER, to_digests

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
    secret: bytes

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
        return remember([to_shown(name_of(entry), entry.kept.rows()) for entry in self.entries])


def name_of(entry: Entry) -> str:
    """Name a release as it is listed."""
    return f"release {entry.number}"


def greatest_k(certificates: Iterable[Certificate]) -> int:
    """Return the greatest k that some releases promise."""
    return max(one.k for told in certificates for one in told.quasi_identifiers)


def to_shown(name: str, rows: pa.Table) -> Shown:
    """Read the map of a release's private rows."""
    return Shown(
        release=name,
        keys=to_digests(rows[KEY]),
        class_of=rows[CLASS].fill_null(LEFT_OUT).to_numpy().astype(np.int64),
        quasi_identifier=to_digests(rows[LINKABLE]),
        other=to_digests(rows[OTHER]),
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
