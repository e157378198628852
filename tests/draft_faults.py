"""Faults in the drafts of hierarchies that `make mutants` plants."""

_DRAFTS = "tests/draft"

DRAFT_FAULTS = (
    (
        "an identifier is kept if its holder asks for it",
        "draft/choose_linkable.py",
        """        if known[name].stricter in ("identifier", "drop"):""",
        "        if False:",
        (f"{_DRAFTS}/test_choose_linkable.py",),
    ),
    (
        "a column that does not fit is released as it is",
        "draft/choose_linkable.py",
        """replace(column.decide("drop", f"{column.reason}; {why}"), hierarchy=None)""",
        """replace(column.decide("other", f"{column.reason}; {why}"), hierarchy=None)""",
        (f"{_DRAFTS}/test_choose_linkable.py",),
    ),
    (
        "a person is counted for every row",
        "risk/table/budget.py",
        "    return int(persons.count(class_of, frequency.counts, len(rows)).sum())",
        "    return frequency.rows",
        ("tests/risk/test_budget.py",),
    ),
    (
        "a numbered column that shows who people are is taken for an answer",
        "draft/find_answers.py",
        '    return meaning is None or meaning.role == "other"',
        "    return True",
        (f"{_DRAFTS}/test_find_answers.py",),
    ),
    (
        "short codes that differ in case are taken for one value",
        "draft/unify_spellings.py",
        ' if len(folded) >= LEAST_LETTERS else f" {value}"',
        "",
        (f"{_DRAFTS}/test_unify_spellings.py",),
    ),
    (
        "texts are mapped, and then not compared with the markers",
        "tables/clean.py",
        "    if rule.missing:",
        "    if False:",
        ("tests/tables/test_clean.py",),
    ),
    (
        "a text is a marker by its spelling alone",
        "draft/profile.py",
        " and value not in doubtful",
        "",
        (f"{_DRAFTS}/test_recognize.py",),
    ),
    (
        "a title is numbered like the names of columns",
        "tables/files/header_and_delimiter.py",
        "    if found is not None or (mostly and not numbered):",
        "    if mostly and not numbered:",
        ("tests/tables/test_surroundings.py",),
    ),
    (
        "the empty lines above a table end otherwise than its lines",
        "tables/files/plain_text.py",
        "out.write(end * lines)",
        'out.write("\\n" * lines)',
        ("tests/tables/test_surroundings.py",),
    ),
    (
        "a number that others have is taken for a mean",
        "draft/find_totals.py",
        " if sum(rows for value, rows in numbers if value == own) == 1 else []",
        "",
        ("tests/flow/test_find_totals.py",),
    ),
    (
        "an ambiguous date is read in one of the ways",
        "draft/propose_dates.py",
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
        "draft/proposed_hierarchy.py",
        "    kept = _distinguish([",
        "    kept = list([",
        (f"{_DRAFTS}/test_propose_groups.py",),
    ),
    (
        "a list is proposed for a column of which only frequent values are known",
        "draft/proposed_hierarchy.py",
        " or len(lines) < column.distinct",
        "",
        (f"{_DRAFTS}/test_propose_properties.py",),
    ),
    (
        "a proposal replaces a file",
        "draft/write_draft.py",
        "os.O_CREAT | os.O_EXCL",
        "os.O_CREAT | os.O_TRUNC",
        (f"{_DRAFTS}/test_hierarchy_of_column.py",),
    ),
    (
        "missing values are not a group of a preview",
        "draft/preview_hierarchy.py",
        "    missing = (column.missing,) if column.missing else ()",
        "    missing = ()",
        (f"{_DRAFTS}/test_hierarchy_of_column.py",),
    ),
)
"""For each fault its name, its file, the piece of text, the fault, and the tests that see it."""
