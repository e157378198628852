"""Faults in the rules of laws and agencies and in the presets."""

from .mutant import Mutant

_REGULATOR = ("tests/report/test_regulator.py",)
_MEASURED = ("tests/flow/test_measure_for_rules.py",)

RULE_FAULTS = (
    Mutant(
        "rule: a cell of 10 is enough for CMS",
        "report/rules/threshold.py",
        "if smallest < least:",
        "if smallest < least - 1:",
        ("tests/report/rules/test_cell_size.py",),
    ),
    Mutant(
        "rule: quasi-identifiers are not compared together",
        "report/rules/threshold.py",
        "smallest = min(measured.least.size, measured.smallest_together)",
        "smallest = measured.least.size",
        ("tests/report/rules/test_cell_size.py",),
    ),
    Mutant(
        "rule: a risk of 0.0909 is rounded to 0.09",
        "report/rules/threshold.py",
        "if measured.highest_risk > Fraction(preset.value):",
        "if round(measured.highest_risk, 2) > Fraction(preset.value):",
        ("tests/report/rules/test_threshold.py",),
    ),
    Mutant(
        "rule: rows are compared where k counts persons",
        "flow/measure_for_rules.py",
        "one.k_reached if one.persons_reached is None else one.persons_reached,",
        "one.k_reached,",
        _MEASURED,
    ),
    Mutant(
        "rule: an unrecognized column is no obstacle",
        "report/rules/hipaa.py",
        "if measured.unrecognized:",
        "if not measured.rows:",
        ("tests/report/rules/test_hipaa.py",),
    ),
    Mutant(
        "rule: months are years",
        "report/rules/shown_identifiers.py",
        "if all(_YEARS.fullmatch(label) for label in labels):",
        "if all(_YEARS.match(label) for label in labels):",
        ("tests/report/rules/test_shown_identifiers.py",),
    ),
    Mutant(
        "regulator: the dossier of another release is taken",
        "publish/dossier.py",
        "if record.release_sha256 != released_sha256:",
        "if not record.release_sha256:",
        _REGULATOR,
    ),
    Mutant(
        "regulator: every threshold is reached",
        "report/regulator.py",
        "Fraction(1, least) <= Fraction(preset.value)",
        "Fraction(1, least) <= 1",
        _REGULATOR,
    ),
    Mutant(
        "rule: a preset is weakened by k",
        "spec/presets.py",
        "if value is not None and find_least_k(value) < preset.least_k:",
        "if value is not None and find_least_k(value) < 2:",
        ("tests/spec/test_presets.py",),
    ),
)
