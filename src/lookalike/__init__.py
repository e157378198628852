"""lookalike: every record you release has at least k − 1 lookalikes.

>>> import lookalike as la
>>> names = sorted(name for name in la.__all__ if name.islower())
>>> print(*names[:7])
attack attack_ledger check compare is_generalization is_k_minimal is_minimal_distortion
>>> print(*names[7:])
link open_ledger propose_quasi_identifiers release risk trace_search verify write_hierarchy
"""

from lookalike.attacks.attack import Attacked
from lookalike.certificate import Certificate
from lookalike.check import Checked, check
from lookalike.compare import compare
from lookalike.errors import (
    Infeasible,
    InternalError,
    InvalidInput,
    LookalikeError,
    RequirementNotMet,
    UnknownValue,
)
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
from lookalike.is_generalization import is_generalization
from lookalike.judge_distortion import is_minimal_distortion
from lookalike.judge_minimal import is_k_minimal
from lookalike.ledger.book import Ledger, open_ledger
from lookalike.measures import Measures
from lookalike.minimal import trace_search
from lookalike.minimality import KMinimality, MinimalDistortion
from lookalike.recoding import Recoding
from lookalike.release import Release, release
from lookalike.risk.assess import Risk, risk
from lookalike.risk.attack import attack
from lookalike.risk.attack_ledger import AttackedSource, attack_ledger
from lookalike.risk.link import link
from lookalike.risk.linkage import Linkage
from lookalike.risk.propose import Proposal, propose_quasi_identifiers
from lookalike.search.argus import UNDO, Unsafe
from lookalike.search.trace import SearchTrace
from lookalike.spec import Specification
from lookalike.verify_folder import Verification, verify

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
