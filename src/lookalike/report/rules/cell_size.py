"""Rules on the least number of persons in a published cell.

A released row is no cell of a published table. What is compared is the smallest cell of the table
that anybody can make of the release by counting its quasi-identifier columns.
"""

from lookalike.report.rules.measured import (
    MeasuredFigures,
    assume_one_row,
    write_count,
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
    if _find_least(measured) < CMS_LEAST:
        return CMS.answer(words, NOT_MET, _explain_small(CMS_LEAST))
    if any(0 < number < CMS_LEAST for number in excluded):
        return CMS.answer(
            words,
            NOT_MET,
            "The certificate states the number of suppressed rows, which are excluded cases. "
            f"Suppress none (max_suppressed = 0), or at least {CMS_LEAST}.",
        )
    return CMS.answer(words, MET, _explain_large(measured))


def judge_ons(measured: MeasuredFigures) -> RuleVerdict:
    """Judge the threshold of ONS."""
    words = _write_cells(measured)
    if _find_least(measured) < ONS_LEAST:
        return ONS.answer(words, NOT_MET, _explain_small(ONS_LEAST))
    return ONS.answer(words, MET, _explain_large(measured))


def _find_least(measured: MeasuredFigures) -> int:
    """Return the size of the smallest cell over the columns of the quasi-identifiers."""
    return min(measured.least.size, measured.smallest_together)


def _write_cells(measured: MeasuredFigures) -> str:
    """Write the smallest class, and that over all quasi-identifiers together if it is smaller."""
    words = write_smallest(measured.least)
    if len(measured.smallest) > 1 or measured.smallest_together < measured.least.size:
        together = write_count(measured.smallest_together, "row")
        words += f"; {together} over the columns of all quasi-identifiers together"
    return words


def _explain_small(least: int) -> str:
    """Explain why cells are too small."""
    return (
        "Whoever counts the rows of the release by its quasi-identifier columns gets a smaller "
        f"cell. Set k = {least} or more, for one quasi-identifier of all columns that others may "
        "know."
    )


def _explain_large(measured: MeasuredFigures) -> str:
    """Explain what was compared, and what was not."""
    explained = (
        "Compared is the finest table that can be counted over the quasi-identifier columns."
        f"{assume_one_row(measured)}"
    )
    return explained + (_COLUMNS_AS_IS if measured.as_is else "")
