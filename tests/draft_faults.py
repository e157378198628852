"""Faults in the drafts of hierarchies that `make mutants` plants."""

_DRAFTS = "tests/flow/draft"

DRAFT_FAULTS = (
    (
        "an ambiguous date is read in one of the ways",
        "flow/draft/date_layouts.py",
        "    if len(fitting) > 1:",
        "    if False:",
        (f"{_DRAFTS}/test_propose_dates.py",),
    ),
    (
        "two-digit years are counted from the beginning of the century",
        "hierarchy/dates.py",
        "(day.year - self.century) % 100",
        "day.year % 100",
        ("tests/hierarchy/test_dates.py",),
    ),
    (
        "a group keeps the name of one of its values",
        "flow/draft/proposed_hierarchy.py",
        "    kept = _distinguish([",
        "    kept = list([",
        (f"{_DRAFTS}/test_propose_groups.py",),
    ),
    (
        "a list is proposed for a column of which only frequent values are known",
        "flow/draft/proposed_hierarchy.py",
        " or len(lines) < column.distinct",
        "",
        (f"{_DRAFTS}/test_propose_properties.py",),
    ),
    (
        "a proposal replaces a file",
        "flow/draft/write_draft.py",
        "os.O_CREAT | os.O_EXCL",
        "os.O_CREAT | os.O_TRUNC",
        (f"{_DRAFTS}/test_hierarchy_of_column.py",),
    ),
    (
        "missing values are not a group of a preview",
        "flow/draft/preview_hierarchy.py",
        "    missing = (column.missing,) if column.missing else ()",
        "    missing = ()",
        (f"{_DRAFTS}/test_hierarchy_of_column.py",),
    ),
)
"""For each fault its name, its file, the piece of text, the fault, and the tests that see it."""
