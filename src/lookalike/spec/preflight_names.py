"""Names of the checks before publishing.

:mod:`lookalike.flow.preflight` implements the checks. The names are here so that the names that a
specification accepts can be validated.
"""

AS_IS_UNIQUE = "as-is-unique"
AS_IS_UNIQUE_IN_CLASS = "as-is-unique-in-class"
FREE_TEXT = "free-text"
REPEATED_PERSONS = "repeated-persons"
ONE_SENSITIVE_VALUE = "one-sensitive-value"
ONE_VALUE = "one-value"
UNKNOWN_VALUES = "unknown-values"
SMALL_K = "small-k"
SEARCHED_VALUES = "searched-values"
EARLIER_RELEASES = "earlier-releases"
ROLES_BY_RULE = "roles-by-rule"
NOT_CHECKED = "not-checked"
PREFLIGHT_NAMES = (
    AS_IS_UNIQUE,
    AS_IS_UNIQUE_IN_CLASS,
    FREE_TEXT,
    REPEATED_PERSONS,
    ONE_SENSITIVE_VALUE,
    ONE_VALUE,
    UNKNOWN_VALUES,
    SMALL_K,
    SEARCHED_VALUES,
    EARLIER_RELEASES,
    ROLES_BY_RULE,
    NOT_CHECKED,
)
