"""The tasks of *Releases*: verify a release, attack several, link one with a register."""

from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification, verify
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.risk.linking.link import link
from lookalike.risk.linking.linkage import CandidateFigures
from lookalike.risk.releases import attack_sentences as sentences
from lookalike.risk.releases.attack import attack
from lookalike.risk.releases.attacked import Attacked, PairAttack
from lookalike.spec.specification import Specification
from lookalike.tables.files.encoding import detect_encoding
from lookalike.tables.files.read_files import find_files, find_kind
from lookalike.tables.read import read_table
from lookalike.tables.table import column_names

MOST_PERSONS_LISTED = 20
"""How many persons a page lists on request."""


@dataclass(frozen=True)
class ReadRegister:
    """A table with one row per person, such as a voter list."""

    path: Path
    columns: tuple[str, ...]
    source: Mapping[str, Any]


@dataclass(frozen=True)
class AskedLink:
    """How the release with a key, in a folder, is linked with a register.

    ``specification``: the one whose hierarchies are used. ``on``: for each attribute of the release
    its column in the register. ``as_written``: whether missing and suppressed values match only
    what is written the same. ``show``: whether to list persons with exactly one matching row.
    """

    key: str
    folder: Path
    register: ReadRegister
    specification: Specification | None
    on: Mapping[str, str]
    identity: str | None = None
    k: int = 2
    as_written: bool = False
    show: bool = False


@dataclass(frozen=True)
class LinkReport(Discreet):
    """What linking a release with a register found.

    ``shown``: persons with one matching row, and that row, if they were asked for; they are
    private.
    """

    asked: AskedLink
    holds: bool
    statement: str
    warnings: tuple[str, ...]
    rows: CandidateFigures
    persons: CandidateFigures
    shown: tuple[dict[str, Any], ...] = ()


def read_register_columns(announce: Announce, path: Path) -> ReadRegister:
    """Read the names of the columns of a table, and find its encoding."""
    announce("reading")
    source: dict[str, Any] = {}
    if find_kind(str(path), find_files(str(path))) in ("csv", "json"):
        source["encoding"] = detect_encoding(path)
    return ReadRegister(path, tuple(column_names(read_table(path, source))), source)


def link_past(announce: Announce, asked: AskedLink) -> LinkReport:
    """Link a release with a register, and count the people who can be found."""
    found = link(
        asked.folder,
        asked.register.path,
        asked.on,
        spec=asked.specification,
        as_written=asked.as_written,
        identity=asked.identity,
        k=asked.k,
        announce=announce,
        **asked.register.source,
    )
    return LinkReport(
        asked=asked,
        holds=found.holds,
        statement=found.statement,
        warnings=found.warnings,
        rows=found.row_figures,
        persons=found.person_figures,
        shown=tuple(found.show(MOST_PERSONS_LISTED)) if asked.show else (),
    )


MOST_PAIRS = 40
"""How many pairs of releases a page shows; with more, those that come first."""
MOST_EXPOSURES_LISTED = 20
"""How many exposed sequences of a pair a page lists on request."""


@dataclass(frozen=True)
class PastVerification:
    """The verification of a past release, perhaps also against the private table."""

    key: str
    is_against_source: bool
    verification: Verification


@dataclass(frozen=True)
class AskedAttack:
    """What is asked of an attack, with the hierarchies of a specification if one is given.

    ``k``: how many rows should remain possible, None for what was promised. ``people``: the number
    of people behind all releases, if some left between them. ``show``: whether to list what is
    exposed.
    """

    specification: Specification | None
    k: int | None = None
    people: int | None = None
    show: bool = False


@dataclass(frozen=True)
class AttackReport(Discreet):
    """What several releases disclose together.

    ``verdicts``: how many rows remain, over each quasi-identifier: ``good``, ``bad`` or ``open``,
    and why. ``pairs``: what attacking two releases together found, in words; ``exposures`` are
    sequences over ``columns`` that are exposed, if they were asked for.
    """

    releases: tuple[str, ...]
    asked: AskedAttack
    holds: bool
    verdicts: tuple[tuple[str, str], ...]
    assumed: str
    pairs: tuple[dict[str, Any], ...]
    pairs_left_out: int
    advice: tuple[str, ...]


@dataclass(frozen=True)
class LedgerAttackReport(Discreet):
    """What all releases of a ledger disclose together, and what the ledger proves.

    ``recipient``: somebody from whom contracts keep some of the releases. ``remark``: what is to
    be said of attacks that the proof refutes. ``broken``: what comparing the releases breaks of
    their protections. ``report``: what attacks on the releases alone find.
    """

    source: str | None
    recipient: str | None
    proof: str
    proved: bool
    remark: str
    broken: tuple[str, ...]
    report: AttackReport


def verify_past(
    announce: Announce, key: str, folder: Path, specification: Specification | None
) -> PastVerification:
    """Verify a release: alone, or against the source of a specification."""
    announce("counting")
    found = verify(folder, spec=specification)
    return PastVerification(key, specification is not None, found)


def attack_past(
    announce: Announce, home: Path, places: tuple[str, ...], asked: AskedAttack
) -> AttackReport:
    """Attack several releases together."""
    with chdir(home):
        found = attack(
            *places,
            spec=asked.specification,
            k=asked.k,
            people=asked.people,
            announce=announce,
        )
    return _describe_attack(found, asked)


def attack_recorded(
    announce: Announce, source: str | None, recipient: str | None, asked: AskedAttack
) -> LedgerAttackReport:
    """Attack all releases of a source that the ledger of a specification remembers."""
    from lookalike.flow.attack_ledger import FALSE_ATTACK, attack_ledger  # imports sqlalchemy
    from lookalike.ledger.store.ledger import open_at

    specification = asked.specification
    if specification is None or specification.release.address is None:
        raise InvalidInput("the specification names no ledger; name one on the screen Publish")
    announce("linking")
    ledger = open_at(specification.release.address, create=False)
    found = attack_ledger(ledger, source, spec=specification, recipient=recipient, k=asked.k)
    return LedgerAttackReport(
        source=source,
        recipient=recipient,
        proof=found.statement,
        proved=found.proved,
        remark=FALSE_ATTACK if found.is_false_attack else "",
        broken=found.protection_statements,
        report=_describe_attack(found.attacked, asked),
    )


def _describe_attack(found: Attacked, asked: AskedAttack) -> AttackReport:
    """Return what a page shows of an attack."""
    verdicts = (
        ("bad" if one.broken else "good" if one.holds else "open", sentences.state_remaining(one))
        for one in found.left
    )
    pairs = found.pairs[:MOST_PAIRS]
    return AttackReport(
        releases=found.releases,
        asked=asked,
        holds=found.holds,
        verdicts=tuple(verdicts),
        assumed=sentences.state_assumptions(found.assumed),
        pairs=tuple(_describe_pair(found, one, show=asked.show) for one in pairs),
        pairs_left_out=len(found.pairs) - len(pairs),
        advice=tuple(sentences.list_advice(found)),
    )


def _describe_pair(found: Attacked, pair: PairAttack, *, show: bool) -> dict[str, Any]:
    """Return what a page shows of two releases."""
    exposed = [one for one in pair.linked if len(one.exposed)] if show else []
    listed = (exposure for one in exposed for exposure in found.exposures(pair, one))
    return {
        "left": pair.left,
        "right": pair.right,
        "lines": (
            *(sentences.state_linked(pair, one) for one in pair.linked),
            *(sentences.state_row_order(one) for one in pair.unsorted[:1]),
        ),
        "columns": [*dict.fromkeys(name for one in exposed for name in one.known.attributes)],
        "exposures": [*islice(listed, MOST_EXPOSURES_LISTED)],
    }
