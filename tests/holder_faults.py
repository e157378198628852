"""Faults in the holder's report and in the facts that it shows."""

from .mutant import Mutant

_FACTS = "tests/describe"

HOLDER_FAULTS = (
    Mutant(
        "holder's report: rows of values that are not listed are not counted",
        "describe/attributes.py",
        "other_rows=int(rows.sum()) - int(rows[listed].sum()),",
        "other_rows=0,",
        (f"{_FACTS}/test_attributes.py",),
    ),
    Mutant(
        "holder's report: all rows are shown as suppressed",
        "describe/attributes.py",
        "rows = np.bincount(frequency.codes[place], gone, hierarchy.size(level))",
        "rows = np.bincount(frequency.codes[place], frequency.counts, hierarchy.size(level))",
        (f"{_FACTS}/test_attributes.py",),
    ),
    Mutant(
        "holder's report: rows are taken for persons",
        "describe/classes.py",
        "members = rows if persons is None else persons.count(class_of, counts, classes)",
        "members = rows",
        (f"{_FACTS}/test_classes.py",),
    ),
    Mutant(
        "holder's report: vectors that were not evaluated in time are shown as failing",
        "search/lattice/decide.py",
        'return "fails" if self.failing[place] else "not decided"',
        'return "fails"',
        ("tests/search/test_decide.py",),
    ),
    Mutant(
        "holder's report: half a page is taken for a whole one",
        "publish/dossier.py",
        "if text.rstrip().endswith(_END) else None",
        "if text else None",
        ("tests/publish/test_dossier.py",),
    ),
)
