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
    Mutant(
        "holder's report: a note leads the risks like a warning",
        "report/holder/clearance.py",
        'one["share"] is not None and one["severity"] != "note"',
        'one["share"] is not None',
        ("tests/report/holder/test_write_report.py",),
    ),
    Mutant(
        "review: the answer of another specification is taken",
        "publish/review.py",
        "other = [name for name in now if now[name] != before[name]]",
        'other = [name for name in ("source_sha256",) if now[name] != before[name]]',
        ("tests/publish/test_review.py",),
    ),
    Mutant(
        "review: a finding with other figures is taken for the reviewed one",
        "publish/review.py",
        "(one.finding, one.sentence) == (name, sentence)]",
        "one.finding == name]",
        ("tests/publish/test_review.py",),
    ),
    Mutant(
        "review: a refused finding does not stop the release",
        "publish/review.py",
        "for one in self.decisions if _refuses(one)]",
        "for one in self.decisions if False]",
        ("tests/publish/test_review.py",),
    ),
)
