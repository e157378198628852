"""Names of the policies by which a ledger judges a release against earlier releases.

:mod:`lookalike.ledger.policies` implements the policies. The names are here so that a
specification can be validated without importing a database library.
"""

BASED_ON = "based-on"
CHECK_ONLY = "check-only"
ALL_RELEASED = "all-released-attributes"
INCREMENTS = "increments"
POLICIES = (BASED_ON, INCREMENTS, ALL_RELEASED, CHECK_ONLY)
