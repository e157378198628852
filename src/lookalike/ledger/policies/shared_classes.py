"""Choose classes once for all recipients, over the quasi-identifier of all of them together.

Recipients who get other columns are each shown some columns of the same classes. What two of them
have together is then at most what a release of all these columns would show, and that release
satisfies k. So the ledger records every release with the classes over all these columns, whichever
of them it shows, and the proof by history holds for whoever has several of them.

The first release of a source decides over which attributes classes are chosen. Whoever comes later
can be shown any of these, but no others: the rows of a class differ in them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Digests, Flags
from lookalike.ledger.store import row_map
from lookalike.search.lattice.constraints import Constraint
from lookalike.spec.recipients import list_sharing
from lookalike.spec.specification import Specification

if TYPE_CHECKING:
    from lookalike.ledger.policies.policy import EarlierEntries
    from lookalike.ledger.store.entry import Entry

WITH_CONTRACTS = (
    "bind this recipient and the others by a contract each that keeps them from sharing what they "
    'get (contract = "…" under [recipients.NAME])'
)
"""The way out for recipients who get what cannot be released together."""


def share_classes(specification: Specification, earlier: "EarlierEntries | None") -> Specification:
    """Return the specification with the attributes that classes are chosen over.

    It is the same one if the recipient gets all of these.
    """
    own = [*specification.hierarchies()]
    if earlier is None:
        needed = _list_together(specification)
    else:
        last = earlier.entries[-1]
        needed = [*last.files.read_classes().attributes]
        _refuse_uncovered(last, needed, own)
    hidden = [name for name in needed if name not in own]
    whole = _show(specification, hidden) if hidden else specification
    if whole.requirement(0).quasi_identifiers:
        return specification
    return _ask_greatest_k(whole) if earlier is None else whole


def find_left_out(earlier: "EarlierEntries", recipient: str | None, keys: Digests) -> Flags:
    """Return which rows wait because a recipient catches up with others, who did not get them.

    The first recipient who has had the last release gets the next one. Whoever has not had it is
    shown the same rows, and new ones.
    """
    had: set[str | None] = set()
    for entry in earlier.entries:
        had = {entry.recipient} if entry.recipient in had else {*had, entry.recipient}
    if recipient in had:
        return np.zeros(len(keys), dtype=np.bool_)
    last = earlier.entries[-1].files.read_rows()
    left_out = row_map.to_digests(last.filter(last[row_map.CLASS].is_null())[row_map.KEY])
    number, _ = number_keys(np.concatenate([left_out, keys]))
    return np.isin(number[len(left_out) :], number[: len(left_out)])


def _list_together(specification: Specification) -> list[str]:
    """Return the attributes of the quasi-identifier of all recipients together."""
    general, chosen = specification.general, specification.release.recipient
    if general is None or chosen is None:
        return [*specification.hierarchies()]
    sharing = list_sharing(general, chosen).values()
    return [
        name
        for name in specification.attributes
        if (column := general.find(name)) is not None
        and column.role == "quasi-identifier"
        and any(one.columns is None or name in one.columns for one in sharing)
    ]


def _show(specification: Specification, hidden: Sequence[str]) -> Specification:
    """Return a specification whose quasi-identifier includes attributes that are not received."""
    general = specification.general or specification
    columns = {name: general.find(name) for name in hidden}
    linkable = {
        name: column
        for name, column in columns.items()
        if column is not None and column.role == "quasi-identifier"
    }
    lacking = [name for name in hidden if name not in linkable]
    if lacking:
        raise InvalidInput(
            f"the classes of the earlier releases of this source were chosen over "
            f"{', '.join(lacking)}, too; give {'it' if len(lacking) == 1 else 'them'} the role "
            "quasi-identifier and the hierarchy of then, and name the columns of this recipient "
            "under [recipients.NAME]"
        )
    asked = specification.release
    bounds = [
        text
        for text in general.release.constraints
        if Constraint.parse(text).quantity in hidden and text not in asked.constraints
    ]
    release = {"constraints": (*asked.constraints, *bounds), "suppressed_rows": "drop"}
    return specification.model_copy(
        update={
            "attributes": {**specification.attributes, **linkable},
            "release": asked.model_copy(update=release),
        }
    )


def _ask_greatest_k(specification: Specification) -> Specification:
    """Return a specification with the greatest k that a recipient of the same classes asks for."""
    general, chosen = specification.general, specification.release.recipient
    if general is None or chosen is None:
        return specification
    sharing = list_sharing(general, chosen)
    if all(one.columns is None for one in sharing.values()):
        return specification
    others = map(general.addressed, sharing)
    k = max(one.requirement(0).largest_k for one in others)
    if k <= specification.requirement(0).largest_k:
        return specification
    asked = {"k": k, "highest_risk": None, "anonymity": None}
    return specification.model_copy(
        update={"release": specification.release.model_copy(update=asked)}
    )


def _refuse_uncovered(last: "Entry", needed: Sequence[str], own: Sequence[str]) -> None:
    """Refuse attributes over which the classes of the last release were not chosen."""
    more = [name for name in own if name not in needed]
    if more:
        raise InvalidInput(
            f"the classes of {last.name} were chosen over {', '.join(needed)}, and rows of one "
            f"class differ in {', '.join(more)}; classes that are chosen again would cross those "
            "of before, and whoever has both releases could find rows that share neither with "
            f"k - 1 others. Leave out {', '.join(more)}, which costs this recipient "
            f"{len(more)} of {len(own)} attributes; or {WITH_CONTRACTS}; or show only rows that no "
            'release has shown, under the same columns for everybody (policy = "increments"). In '
            "another source, name every recipient under [recipients.NAME] before the first "
            "release: its classes are then chosen over the columns of all of them, and each "
            "recipient is shown less detail in return"
        )
