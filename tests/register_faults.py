"""Faults about registers of the population: name, file, piece, fault, and the tests that see it."""

REGISTER_FAULTS = (
    (
        "a class may match one person less than k-map asks for",
        "model/population.py",
        "fails: Flags = people < self.k",
        "fails: Flags = people < self.k - 1",
        ("tests/conformance/test_required_search.py",),
    ),
    (
        "the presence of people who match no class is not judged",
        "model/requirement.py",
        "member.rest_fails(held.counts, left)",
        "False",
        ("tests/conformance/test_required_search.py", "tests/flow/test_registers.py"),
    ),
    (
        "no minimal vector is looked for where only the register has several values",
        "search/lattice/minimal.py",
        "if not rollups.requirement.registers:",
        "if True:",
        ("tests/flow/test_registers.py",),
    ),
    (
        "the people of a register are not recounted for the written file",
        "verify/register.py",
        "if not verdict.holds:",
        "if False:",
        ("tests/flow/test_registers.py", "tests/verify/test_register.py"),
    ),
)
