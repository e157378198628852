"""Rules that name a figure: the least number of persons in a cell, or the highest risk.

A released row is no cell of a published table. What is compared is the smallest cell of the table
that anybody can make of the release by counting its quasi-identifier columns. The highest risk of
re-identification is limited for clinical data that everybody can read.
"""

from fractions import Fraction

from lookalike.report.rules.measured import (
    MeasuredFigures,
    assume_one_row,
    write_count,
    write_risk,
    write_smallest,
)
from lookalike.report.rules.rule import MET, NOT_MET, Rule, RuleVerdict
from lookalike.spec.presets import PRESETS

CMS_LEAST = PRESETS["cms"].least_k
"""The least count that CMS allows in a cell; 0 is allowed, too."""
ONS_LEAST = PRESETS["ons"].least_k
"""The least count that the Secure Research Service of ONS expects by default."""

CMS = Rule(
    "CMS cell size",
    "Centers for Medicare & Medicaid Services",
    "no cell, and no number of excluded cases, of 1 to 10",
    "CMS Cell Size Suppression Policy",
    "as outlined in the data use agreement",
    2024,
)
ONS = Rule(
    "ONS output threshold",
    "Office for National Statistics (UK), Secure Research Service",
    "at least 10 persons behind every count, as the default rule of thumb",
    "SRS Output Checking Guidance",
    "default rules of thumb",
    2022,
)
_COLUMNS_AS_IS = (
    " A table over columns released as they are can have smaller cells: whoever publishes such a "
    "table must check it."
)


def judge_cms(measured: MeasuredFigures) -> RuleVerdict:
    """Judge the cell size of CMS, which holds for the number of suppressed rows, too."""
    excluded = (measured.rows_suppressed, measured.rows_complementary)
    words = f"{_write_cells(measured)}; {write_count(excluded[0], 'suppressed row')}"
    if excluded[1]:
        words += f", {write_count(excluded[1], 'complementary row')}"
    found = _judge_cells(CMS, CMS_LEAST, words, measured)
    if found.verdict == MET and any(0 < number < CMS_LEAST for number in excluded):
        return CMS.answer(
            words,
            NOT_MET,
            "The certificate states the number of suppressed rows, which are excluded cases. "
            f"Suppress none (max_suppressed = 0), or at least {CMS_LEAST}.",
        )
    return found


def judge_ons(measured: MeasuredFigures) -> RuleVerdict:
    """Judge the threshold of ONS."""
    return _judge_cells(ONS, ONS_LEAST, _write_cells(measured), measured)


def _judge_cells(rule: Rule, least: int, words: str, measured: MeasuredFigures) -> RuleVerdict:
    """Compare the smallest cell over the columns of the quasi-identifiers with a least count."""
    smallest = min(measured.least.size, measured.smallest_together)
    if smallest < least:
        return rule.answer(
            words,
            NOT_MET,
            "Whoever counts the rows of the release by its quasi-identifier columns gets a smaller "
            f"cell. Set k = {least} or more, for one quasi-identifier of all columns that others "
            "may know.",
        )
    return rule.answer(
        words,
        MET,
        "Compared is the finest table that can be counted over the quasi-identifier columns."
        f"{assume_one_row(measured)}{_COLUMNS_AS_IS if measured.as_is else ''}",
    )


def _write_cells(measured: MeasuredFigures) -> str:
    """Write the smallest class, and that over all quasi-identifiers together if it is smaller."""
    words = write_smallest(measured)
    if len(measured.smallest) > 1 or measured.smallest_together < measured.least.size:
        together = write_count(measured.smallest_together, "row")
        words += f"; {together} over the columns of all quasi-identifiers together"
    return words


_PRESET_OF = {one.rule: one for one in PRESETS.values()}

EMA = Rule(
    "EMA Policy 0070",
    "European Medicines Agency",
    "risk of re-identification of at most 0.09",
    "External guidance on the implementation of Policy 0070, version 1.5",
    "anonymisation of clinical reports",
    2025,
)
HEALTH_CANADA = Rule(
    "Health Canada PRCI",
    "Health Canada",
    "risk of re-identification of at most 0.09",
    "Guidance document on Public Release of Clinical Information",
    "anonymization",
    2019,
)
CIHI = Rule(
    "CIHI public use file",
    "Canadian Institute for Health Information, with K. El Emam, D. Paton, F. Dankar and G. Koru",
    "risk of re-identification of at most 0.05",
    "Deidentifying a public use microdata file from the Canadian national discharge abstract "
    "database, BMC Medical Informatics and Decision Making 11:53",
    "methods",
    2011,
)
_ROUNDED = (
    " A class of 11 has a risk of 0.0909, which rounds to 0.09; whether that is enough is for the "
    "agency to say. highest_risk = 0.09 makes classes of 12."
)


_REPORT = (
    " The rule also asks for a report on the method, and covers free text, which is not measured."
)
_ALSO_ASKED = {
    EMA.name: _REPORT,
    HEALTH_CANADA.name: _REPORT,
    CIHI.name: " The study set between 0.04 and 0.05 for a file of a tenth of the records.",
}
"""What stands beside the figure of a rule."""


def judge_risk(rule: Rule, measured: MeasuredFigures) -> RuleVerdict:
    """Compare the highest risk over every quasi-identifier with the threshold."""
    words, preset = write_risk(measured), _PRESET_OF[rule.name]
    if measured.highest_risk > Fraction(preset.value):
        mended = f" Set highest_risk = {preset.value} (k = {preset.least_k})."
        rounded = _ROUNDED if (measured.least.size, preset.least_k) == (11, 12) else mended
        return rule.answer(words, NOT_MET, f"The highest risk is above {preset.value}.{rounded}")
    return rule.answer(
        words,
        MET,
        "Compared is the risk of a person who is known to be in the release, found by the "
        f"quasi-identifier.{assume_one_row(measured)}{_ALSO_ASKED.get(rule.name, '')}",
    )
