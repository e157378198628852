"""Names of the policies by which a ledger judges a release against earlier ones.

What each policy does is in :mod:`lookalike.ledger.policies`. The names are here so that a
specification can be read without opening a database.
"""

BASED_ON = "based-on"
CHECK_ONLY = "check-only"
ALL_RELEASED = "all-released-attributes"
POLICIES = (BASED_ON, ALL_RELEASED, CHECK_ONLY)
