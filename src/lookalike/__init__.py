"""lookalike makes k-anonymous releases of tables: every record has at least k − 1 lookalikes.

This file exports the public names; start with :func:`release` and :func:`check`. A name is
imported from its module at its first use, so that ``import lookalike`` and ``lookalike --help``
load no table engine, solver or compiler.

>>> import lookalike as la
>>> {"check", "release", "verify"} <= set(la.__all__)
True
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import lookalike.sklearn  # noqa: F401  (type checkers find lookalike.sklearn)
    from lookalike.describe.utility.utility_figures import Utility
    from lookalike.draft.column import ColumnProfile, count_column
    from lookalike.draft.draft import Draft
    from lookalike.draft.make_draft import draft
    from lookalike.draft.preview_hierarchy import HierarchyPreview, preview_hierarchy
    from lookalike.draft.propose_hierarchy import propose_hierarchy
    from lookalike.draft.proposed_hierarchy import ProposedHierarchy
    from lookalike.errors import (
        AlreadyExists,
        Infeasible,
        InternalError,
        InvalidInput,
        LookalikeError,
        RequirementNotMet,
        Unavailable,
        UnknownValue,
    )
    from lookalike.examine.verify import Verification, verify
    from lookalike.flow.attack_ledger import AttackedSource, attack_ledger
    from lookalike.flow.check import Checked, check
    from lookalike.flow.compare import compare
    from lookalike.flow.explore.exploration import Exploration, Grid
    from lookalike.flow.explore.explore import explore
    from lookalike.flow.exposure import exposure
    from lookalike.flow.minimal import trace_search
    from lookalike.flow.minimality.answers import KMinimality, MinimalDistortion
    from lookalike.flow.minimality.judge import is_k_minimal, is_minimal_distortion
    from lookalike.flow.release import release
    from lookalike.flow.report_folder import RemadeReport, report
    from lookalike.flow.result import Release
    from lookalike.flow.utility import utility
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
    from lookalike.risk.releases.attacked import Attacked
    from lookalike.risk.table.assess import Risk, risk
    from lookalike.risk.table.exposure import Announcement, Exposure
    from lookalike.risk.table.presence import Presence
    from lookalike.risk.table.propose import Proposal, propose_quasi_identifiers
    from lookalike.search.argus.options import UNDO, Unsafe
    from lookalike.search.lattice.trace import SearchTrace
    from lookalike.spec.specification import Specification
    from lookalike.verify.is_generalization import is_generalization

__all__ = [
    "UNDO",
    "AlreadyExists",
    "Announcement",
    "Attacked",
    "AttackedSource",
    "Certificate",
    "Checked",
    "ColumnProfile",
    "Dates",
    "Draft",
    "Exploration",
    "Exposure",
    "File",
    "Grid",
    "Hierarchy",
    "HierarchyPreview",
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
    "Presence",
    "Proposal",
    "ProposedHierarchy",
    "Recoding",
    "Release",
    "RemadeReport",
    "RequirementNotMet",
    "Risk",
    "Rounding",
    "SearchTrace",
    "Specification",
    "Suppress",
    "Taxonomy",
    "Unavailable",
    "UnknownValue",
    "Unsafe",
    "Utility",
    "Verification",
    "attack",
    "attack_ledger",
    "check",
    "compare",
    "count_column",
    "draft",
    "explore",
    "exposure",
    "is_generalization",
    "is_k_minimal",
    "is_minimal_distortion",
    "link",
    "open_ledger",
    "preview_hierarchy",
    "propose_hierarchy",
    "propose_quasi_identifiers",
    "release",
    "report",
    "risk",
    "trace_search",
    "utility",
    "verify",
    "write_hierarchy",
]

_NAMES_BY_MODULE = {
    "errors": "AlreadyExists Infeasible InternalError InvalidInput LookalikeError "
    "RequirementNotMet Unavailable UnknownValue",
    "flow.attack_ledger": "AttackedSource attack_ledger",
    "flow.check": "Checked check",
    "flow.compare": "compare",
    "describe.utility.utility_figures": "Utility",
    "draft.column": "ColumnProfile count_column",
    "draft.draft": "Draft",
    "draft.make_draft": "draft",
    "draft.preview_hierarchy": "HierarchyPreview preview_hierarchy",
    "draft.propose_hierarchy": "propose_hierarchy",
    "draft.proposed_hierarchy": "ProposedHierarchy",
    "flow.explore.exploration": "Exploration Grid",
    "flow.explore.explore": "explore",
    "flow.exposure": "exposure",
    "flow.minimal": "trace_search",
    "flow.minimality.answers": "KMinimality MinimalDistortion",
    "flow.minimality.judge": "is_k_minimal is_minimal_distortion",
    "flow.release": "release",
    "flow.report_folder": "RemadeReport report",
    "flow.result": "Release",
    "flow.utility": "utility",
    "examine.verify": "Verification verify",
    "hierarchy": "Dates File Hierarchy Intervals Mask Rounding Suppress Taxonomy write_hierarchy",
    "ledger.store.ledger": "Ledger open_ledger",
    "model.measures": "Measures",
    "model.recoding": "Recoding",
    "publish.certificate": "Certificate",
    "risk.linking.link": "link",
    "risk.linking.linkage": "Linkage",
    "risk.releases.attack": "attack",
    "risk.releases.attacked": "Attacked",
    "risk.table.assess": "Risk risk",
    "risk.table.exposure": "Announcement Exposure",
    "risk.table.presence": "Presence",
    "risk.table.propose": "Proposal propose_quasi_identifiers",
    "search.argus.options": "UNDO Unsafe",
    "search.lattice.trace": "SearchTrace",
    "spec.specification": "Specification",
    "verify.is_generalization": "is_generalization",
}
"""Where each public name is defined: the same imports as above, at the first use of a name."""

_EXTRA = "sklearn"
"""A module that needs an extra to be installed, so that it is no part of ``__all__``."""

_MODULE_OF = {
    name: f"lookalike.{module}"
    for module, names in _NAMES_BY_MODULE.items()
    for name in names.split()
}


class _Package(ModuleType):
    """A package whose public names are never replaced by a sub-package of the same name.

    ``lookalike.draft``, ``lookalike.report``, ``lookalike.risk`` and ``lookalike.verify`` are
    functions and also sub-packages. Importing a sub-package sets it as an attribute of its parent,
    which would hide the function.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _MODULE_OF or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import a public name from its module and keep it."""
        if name == _EXTRA:
            return import_module(f"lookalike.{name}")
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_MODULE_OF[name]), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """List the public names, and the attributes that every module has."""
        return sorted([*__all__, _EXTRA, *(name for name in globals() if name.startswith("__"))])


sys.modules[__name__].__class__ = _Package
