"""lookalike: every record you release has at least k − 1 lookalikes.

>>> import lookalike as la
>>> names = sorted(name for name in la.__all__ if name.islower())
>>> print(*names[:7])
attack attack_ledger check compare is_generalization is_k_minimal is_minimal_distortion
>>> print(*names[7:])
link open_ledger propose_quasi_identifiers release risk trace_search verify write_hierarchy
"""

from lookalike.errors import (
    Infeasible,
    InternalError,
    InvalidInput,
    LookalikeError,
    RequirementNotMet,
    UnknownValue,
)
from lookalike.flow.attack_ledger import AttackedSource, attack_ledger
from lookalike.flow.check import Checked, check
from lookalike.flow.compare import compare
from lookalike.flow.minimal import trace_search
from lookalike.flow.minimality.answers import KMinimality, MinimalDistortion
from lookalike.flow.minimality.judge_distortion import is_minimal_distortion
from lookalike.flow.minimality.judge_minimal import is_k_minimal
from lookalike.flow.release import Release, release
from lookalike.flow.verify.folder import Verification, verify
from lookalike.hierarchy import (
    Dates,
    File,
    Hierarchy,
    Intervals,
    Mask,
    Rounding,
    Suppress,
    Taxonomy,
    write_hierarchy,
)
from lookalike.ledger.store.ledger import Ledger, open_ledger
from lookalike.model.measures import Measures
from lookalike.model.recoding import Recoding
from lookalike.publish.certificate import Certificate
from lookalike.risk.linking.link import link
from lookalike.risk.linking.linkage import Linkage
from lookalike.risk.releases.attack import attack
from lookalike.risk.releases.attack_classes import Attacked
from lookalike.risk.table.assess import Risk, risk
from lookalike.risk.table.propose import Proposal, propose_quasi_identifiers
from lookalike.search.argus.options import UNDO, Unsafe
from lookalike.search.lattice.trace import SearchTrace
from lookalike.spec.specification import Specification
from lookalike.verify.is_generalization import is_generalization

__all__ = [
    "UNDO",
    "Attacked",
    "AttackedSource",
    "Certificate",
    "Checked",
    "Dates",
    "File",
    "Hierarchy",
    "Infeasible",
    "InternalError",
    "Intervals",
    "InvalidInput",
    "KMinimality",
    "Ledger",
    "Linkage",
    "LookalikeError",
    "Mask",
    "Measures",
    "MinimalDistortion",
    "Proposal",
    "Recoding",
    "Release",
    "RequirementNotMet",
    "Risk",
    "Rounding",
    "SearchTrace",
    "Specification",
    "Suppress",
    "Taxonomy",
    "UnknownValue",
    "Unsafe",
    "Verification",
    "attack",
    "attack_ledger",
    "check",
    "compare",
    "is_generalization",
    "is_k_minimal",
    "is_minimal_distortion",
    "link",
    "open_ledger",
    "propose_quasi_identifiers",
    "release",
    "risk",
    "trace_search",
    "verify",
    "write_hierarchy",
]
