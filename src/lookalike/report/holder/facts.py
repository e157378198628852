"""HolderFacts: everything that the holder's report shows."""

from dataclasses import dataclass

from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.holder.attribute_facts import AttributeFacts
from lookalike.report.holder.class_facts import ClassFacts, SensitiveFacts
from lookalike.report.holder.lattice_facts import Frontier, LatticeFacts
from lookalike.report.rules.rule import RuleVerdict
from lookalike.risk.table.as_is import AsIs
from lookalike.risk.table.exposure import Exposure


@dataclass(frozen=True)
class EarlierFacts:
    """An earlier release of the same source in the ledger.

    Parameters
    ----------
    number
        Its number in the ledger.
    published
        When it was published, in UTC.
    recipient
        Its recipient, if it was made for a particular one.
    policy
        The policy by which it was judged.
    k
        The greatest k that it promised.
    is_forgotten
        Whether the ledger keeps no rows of it any more.
    """

    number: int
    published: str | None
    recipient: str | None
    policy: str
    k: int
    is_forgotten: bool


@dataclass(frozen=True)
class HolderFacts(Discreet):
    """Everything that the holder's report shows.

    Parameters
    ----------
    certificate
        The certificate, as it is published.
    preflight
        The findings of the checks before publishing, and what was accepted.
    rules
        What the release reaches of the rules of laws, agencies and standards.
    attributes
        What the release does to each attribute of the quasi-identifiers.
    classes
        The classes over each quasi-identifier, before and after.
    singled_out
        The rows that columns released as they are single out; None if that was not counted.
    sensitive
        The sensitive columns.
    unmeasured
        The sensitive columns whose values are too many to compare.
    exposure
        What classes show beyond their values; None if they are no joins.
    frontier
        What is kept with other k; None if it was not computed.
    lattice
        The vectors of levels.
    earlier
        The earlier releases in the ledger; None without a ledger.
    """

    certificate: Certificate
    preflight: PreflightRecord
    rules: tuple[RuleVerdict, ...]
    attributes: tuple[AttributeFacts, ...]
    classes: tuple[ClassFacts, ...]
    singled_out: AsIs | None
    sensitive: tuple[SensitiveFacts, ...]
    unmeasured: tuple[str, ...]
    exposure: Exposure | None
    frontier: Frontier | None
    lattice: LatticeFacts
    earlier: tuple[EarlierFacts, ...] | None
