"""Names of the checks before publishing.

:mod:`lookalike.flow.preflight` implements the checks. The names are here so that the names that a
specification accepts can be validated.
"""

AS_IS_UNIQUE = "as-is-unique"
AS_IS_UNIQUE_IN_CLASS = "as-is-unique-in-class"
DERIVED_COLUMN = "derived-column"
FREE_TEXT = "free-text"
REPEATED_PERSONS = "repeated-persons"
ONE_SENSITIVE_VALUE = "one-sensitive-value"
ONE_VALUE = "one-value"
COLUMN_LITTLE_KEPT = "little-kept"
UNKNOWN_VALUES = "unknown-values"
SMALL_K = "small-k"
SEARCHED_VALUES = "searched-values"
EARLIER_RELEASES = "earlier-releases"
PROTECTED_BY_ITSELF = "protected-by-itself"
ROLES_BY_RULE = "roles-by-rule"
LAST_ROWS = "last-rows"
NOT_CHECKED = "not-checked"
RECORD_NUMBERS = "record-numbers"
DATES_AS_IS = "dates-as-they-are"
PREFLIGHT_NAMES: tuple[str, ...] = tuple(
    value for constant, value in [*globals().items()] if constant.isupper()
)
"""All of them."""
