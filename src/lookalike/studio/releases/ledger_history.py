"""LedgerHistory: the releases that the ledger of a specification remembers, the latest first."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput, Unavailable
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY
from lookalike.spec.specification import Specification
from lookalike.studio.editing.project import Project

if TYPE_CHECKING:
    from lookalike.ledger.store.entry import Entry

MOST_RECORDED = 100
"""How many releases of a ledger a page lists."""


@dataclass(frozen=True)
class RecordedRelease:
    """A release as a ledger remembers it.

    Parameters
    ----------
    number
        Its number in the ledger.
    source
        The name of its source.
    when
        When it was published, or began to be.
    state
        ``published``, ``forgotten`` or ``pending``.
    recipient, contract, policy
        For whom it was made, what binds the recipient, and how it was judged.
    folder
        Where it was published.
    certificate_sha256
        The digest of its certificate.
    k, rows, method, precision
        What its certificate states.
    matters
        Whether somebody may have it together with the next release.
    """

    number: int
    source: str
    when: str
    state: str
    recipient: str | None
    contract: str | None
    policy: str
    folder: Path
    certificate_sha256: str
    k: int
    rows: int
    method: str
    precision: float
    matters: bool


@dataclass(frozen=True)
class LedgerHistory:
    """What a ledger remembers.

    Parameters
    ----------
    source
        The name of the source that the specification releases.
    exists
        Whether there is a ledger yet; publishing creates it.
    recorded
        Its releases, the latest first.
    left_out
        How many older ones are not listed.
    problem
        Why it was not read; empty if it was.
    """

    source: str
    exists: bool
    recorded: tuple[RecordedRelease, ...] = ()
    left_out: int = 0
    problem: str = ""

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources, in the order of their latest releases."""
        return tuple(dict.fromkeys(one.source for one in self.recorded))

    @property
    def of_source(self) -> tuple[RecordedRelease, ...]:
        """The releases of the source of the specification."""
        return tuple(one for one in self.recorded if one.source == self.source)

    @property
    def before_next(self) -> tuple[RecordedRelease, ...]:
        """The releases against which the next release is judged."""
        return tuple(one for one in self.of_source if one.matters)

    def state_next(self, policy: str) -> tuple[str, ...]:
        """State what a policy will do with the next release of the source."""
        if self.problem:
            return ()
        if not self.exists:
            return ("There is no ledger yet. Publishing creates it, and only you can read it.",)
        apart = len(self.of_source) - len(self.before_next)
        if not self.of_source:
            return ("It records no release of this source: the next one is the first.",)
        bound = (f"Contracts keep {_count(apart)} apart from it.",) if apart else ()
        if not self.before_next:
            return bound
        return (_NEXT[policy].format(_count(len(self.before_next))), *bound)


_NEXT = {
    BASED_ON: (
        "The next release will be based on {}: rows keep what was shown of them, new rows join in "
        "classes of their own, and rows that would be recognized wait."
    ),
    CHECK_ONLY: (
        "The next release is made on its own and then compared with {}. It is refused if together "
        "they leave fewer than k rows for anybody."
    ),
    ALL_RELEASED: (
        "Every column that was released in {} counts as a quasi-identifier of the next one, which "
        "is then compared with them and refused if together they show too much."
    ),
}
"""What each policy does with the next release, after so many earlier ones."""


def _count(number: int) -> str:
    """Write a number of earlier releases."""
    return "1 earlier release" if number == 1 else f"{number:,} earlier releases"


def recall_ledger(project: Project) -> LedgerHistory | None:
    """Read the ledger of a project; None if its specification names none, or is wrong.

    A ledger on a server is not read, because a page must not wait for it. Nothing is changed.
    """
    if not project.text or project.problems:
        return None
    specification = project.specification()
    address = specification.release.address
    if address is None:
        return None
    source = _name_source(specification)
    if address.database is None:
        return LedgerHistory(source, True, problem="it is on a server: use lookalike ledger list")
    if not address.database.is_file():
        return LedgerHistory(source, exists=False)
    return _read(specification, source)


def _name_source(specification: Specification) -> str:
    """Return the name under which a ledger remembers a source."""
    source = specification.source
    return "" if source is None else source.name or source.row_key or ""


def _read(specification: Specification, source: str) -> LedgerHistory:
    """Read the releases of a ledger that is a file."""
    from lookalike.ledger.policies.policy import relevant_to  # imports sqlalchemy
    from lookalike.ledger.store.ledger import find_ledger

    asked = specification.release
    assert asked.address is not None
    try:
        entries = find_ledger(asked.address, create=False).releases()
    except (InvalidInput, Unavailable) as error:
        return LedgerHistory(source, True, problem=str(error))
    own = [entry for entry in entries if entry.source == source]
    matter = {one.number for one in relevant_to(own, asked.recipient, asked.contract)}
    listed = entries[::-1][:MOST_RECORDED]
    recorded = tuple(_describe(entry, entry.number in matter) for entry in listed)
    return LedgerHistory(source, True, recorded, len(entries) - len(listed))


def _describe(entry: "Entry", matters: bool) -> RecordedRelease:
    """Return what a page shows of a release."""
    certificate = entry.certificate
    return RecordedRelease(
        number=entry.number,
        source=entry.source,
        when=entry.published or entry.began,
        state=entry.state,
        recipient=entry.recipient,
        contract=entry.contract,
        policy=entry.policy,
        folder=entry.folder,
        certificate_sha256=entry.certificate_sha256,
        k=max(one.k for one in certificate.quasi_identifiers),
        rows=certificate.rows_out,
        method=certificate.method,
        precision=certificate.precision,
        matters=matters,
    )
