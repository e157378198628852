"""Faults of persons, protections and the pre-flight that `make mutants` plants."""

from .mutant import Mutant

PROTECTION_FAULTS = (
    Mutant(
        "a class of k rows is a class of k persons",
        "model/membership.py",
        "fails[self.persons.lacking(self.class_of, counts, sizes, self.k)] = True",
        "pass",
        ("tests/conformance/test_required_search.py", "tests/flow/test_persons.py"),
    ),
    Mutant(
        "a class that fails a protection is released",
        "model/membership.py",
        "fails[judged[protection.failing(values)]] = True",
        "pass",
        ("tests/conformance/test_required_search.py", "tests/flow/test_protections.py"),
    ),
    Mutant(
        "the protections of the written file are not recounted",
        "verify/protections.py",
        "if verdict.classes_failing:",
        "if False:",
        ("tests/flow/test_protections.py",),
    ),
    Mutant(
        "a ledger counts the rows of persons who share a history",
        "ledger/policies/history.py",
        "    if persons is not None:\n        pairs",
        "    if persons is not None and k < 0:\n        pairs",
        ("tests/ledger/test_persons.py",),
    ),
    Mutant(
        "the persons of the written file are not recounted",
        "verify/persons.py",
        "    if verdict.classes_below_k:",
        "    if False:",
        ("tests/flow/test_persons.py",),
    ),
    Mutant(
        "a protection that classes can lose is taken for monotone",
        "model/requirement.py",
        "all(one.protection.grows for one in self.protections)",
        "True",
        ("tests/conformance/test_required_search.py",),
    ),
    Mutant(
        "classes that fail blindly are published",
        "search/secrecy.py",
        "        if failures:",
        "        if False:",
        ("tests/flow/test_protections.py",),
    ),
    Mutant(
        "classes are merged for sensitive values without lots",
        "search/cells/satisfy/lottery.py",
        "(children > 1) & (forced | drags)",
        "(children > 1) & drags",
        ("tests/attacks/test_secrecy.py",),
    ),
    Mutant(
        "a merged class of a lottery need not be more diverse",
        "search/cells/satisfy/lottery.py",
        "    sharper = sharpen(requirement, rate)",
        "    sharper = requirement",
        ("tests/attacks/test_secrecy.py",),
    ),
    Mutant(
        "a lottery releases a root that fails",
        "search/cells/satisfy/lottery.py",
        "    if refused.any():",
        "    if False:",
        ("tests/attacks/test_secrecy.py",),
    ),
    Mutant(
        "a class that fails at the cell level is not merged",
        "search/cells/satisfy/merge_failing.py",
        "    if not fails.any():",
        "    if True:",
        ("tests/conformance/test_protected_cells.py",),
    ),
    Mutant(
        "an error of the pre-flight does not stop publishing",
        "risk/finding.py",
        'return self.severity == "error" and not self.accepted',
        "return False",
        ("tests/flow/test_preflight.py",),
    ),
    Mutant(
        "missing persons fall out of the recount",
        "verify/persons.py",
        " + CAST(count(*) > count(person) AS INTEGER)",
        "",
        ("tests/verify/test_persons.py",),
    ),
)
