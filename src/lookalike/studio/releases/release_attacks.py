"""The tasks of *Releases* that verify a release, and attack several."""

from contextlib import chdir
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification, verify
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.risk.releases.attack import attack
from lookalike.risk.releases.attack_sentences import (
    list_advice,
    state_assumptions,
    state_linked,
    state_remaining,
    state_row_order,
)
from lookalike.risk.releases.attacked import Attacked, PairAttack, ReleaseExposure
from lookalike.spec.specification import Specification
from lookalike.studio.editing.project import Project

MOST_PAIRS = 40
"""How many pairs of releases a page shows; with more, those that come first."""
MOST_EXPOSURES_LISTED = 20
"""How many exposed sequences of a pair a page lists on request."""


@dataclass(frozen=True)
class PastVerification:
    """The verification of a past release.

    Parameters
    ----------
    key
        The key of the release.
    is_against_source
        Whether it was also compared with the private table of the open specification.
    verification
        Its result.
    """

    key: str
    is_against_source: bool
    verification: Verification


@dataclass(frozen=True)
class AskedAttack:
    """What is asked of an attack.

    Parameters
    ----------
    k
        How many rows should remain possible; None for what was promised.
    people
        The number of people behind all releases, if some left between them.
    show
        Whether to list what is exposed.
    """

    k: int | None = None
    people: int | None = None
    show: bool = False


@dataclass(frozen=True)
class AttackedPair(Discreet):
    """The result of attacking two releases together.

    Parameters
    ----------
    left, right
        Their names.
    lines
        What each attack found, in words.
    columns
        The columns of the sequences that are exposed.
    exposures
        Some of these sequences, if they were asked for.
    """

    left: str
    right: str
    lines: tuple[str, ...]
    columns: tuple[str, ...]
    exposures: tuple[ReleaseExposure, ...]


@dataclass(frozen=True)
class AttackReport(Discreet):
    """What several releases disclose together.

    Parameters
    ----------
    releases
        Their names.
    asked
        What was asked for.
    with_hierarchies
        Whether hierarchies of a specification were used.
    holds
        Whether everybody is left with at least k possible rows.
    verdicts
        How many rows remain, over each quasi-identifier: ``good``, ``bad`` or ``open``, and why.
    assumed
        What the attacks assume.
    pairs
        The result for every two releases.
    pairs_left_out
        How many pairs are not shown.
    advice
        What to do about it.
    """

    releases: tuple[str, ...]
    asked: AskedAttack
    with_hierarchies: bool
    holds: bool
    verdicts: tuple[tuple[str, str], ...]
    assumed: str
    pairs: tuple[AttackedPair, ...]
    pairs_left_out: int
    advice: tuple[str, ...]


@dataclass(frozen=True)
class LedgerAttackReport(Discreet):
    """What all releases of a ledger disclose together, and what the ledger proves.

    Parameters
    ----------
    source, recipient
        Which releases were attacked: of a source, and without what contracts keep from somebody.
    proof
        What the ledger proves, in words.
    proved
        Whether it proves that at least k rows remain possible.
    remark
        What is to be said of attacks that the proof refutes; empty if there are none.
    broken
        What comparing the releases breaks of their protections.
    report
        What attacks on the releases alone find.
    """

    source: str | None
    recipient: str | None
    proof: str
    proved: bool
    remark: str
    broken: tuple[str, ...]
    report: AttackReport


def verify_past(
    announce: Announce, key: str, folder: Path, project: Project | None
) -> PastVerification:
    """Verify a release: alone, or against the source of a project."""
    announce("counting")
    specification = None if project is None else project.specification()
    found = verify(folder, spec=specification)
    return PastVerification(key, project is not None, found)


def attack_past(
    announce: Announce,
    home: Path,
    places: tuple[str, ...],
    specification: Specification | None,
    asked: AskedAttack,
) -> AttackReport:
    """Attack several releases together."""
    with chdir(home):
        found = attack(
            *places,
            spec=specification,
            k=asked.k,
            people=asked.people,
            announce=announce,
        )
    return _describe_attack(found, asked, with_hierarchies=specification is not None)


def attack_recorded(
    announce: Announce,
    specification: Specification,
    source: str | None,
    recipient: str | None,
    asked: AskedAttack,
) -> LedgerAttackReport:
    """Attack all releases of a source that the ledger of a specification remembers."""
    from lookalike.flow.attack_ledger import FALSE_ATTACK, attack_ledger  # imports sqlalchemy
    from lookalike.ledger.store.ledger import open_at

    if specification.release.address is None:
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
        report=_describe_attack(found.attacked, asked, with_hierarchies=True),
    )


def _describe_attack(
    found: Attacked, asked: AskedAttack, *, with_hierarchies: bool
) -> AttackReport:
    """Return what a page shows of an attack."""
    verdicts = (
        ("bad" if one.broken else "good" if one.holds else "open", state_remaining(one))
        for one in found.left
    )
    pairs = found.pairs[:MOST_PAIRS]
    return AttackReport(
        releases=found.releases,
        asked=asked,
        with_hierarchies=with_hierarchies,
        holds=found.holds,
        verdicts=tuple(verdicts),
        assumed=state_assumptions(found.assumed),
        pairs=tuple(_describe_pair(found, one, show=asked.show) for one in pairs),
        pairs_left_out=len(found.pairs) - len(pairs),
        advice=tuple(list_advice(found)),
    )


def _describe_pair(found: Attacked, pair: PairAttack, *, show: bool) -> AttackedPair:
    """Return what a page shows of two releases."""
    exposed = [one for one in pair.linked if len(one.exposed)] if show else []
    listed = (exposure for one in exposed for exposure in found.exposures(pair, one))
    return AttackedPair(
        left=pair.left,
        right=pair.right,
        lines=(
            *(state_linked(pair, one) for one in pair.linked),
            *(state_row_order(one) for one in pair.unsorted[:1]),
        ),
        columns=tuple(dict.fromkeys(name for one in exposed for name in one.known.attributes)),
        exposures=tuple(islice(listed, MOST_EXPOSURES_LISTED)),
    )
