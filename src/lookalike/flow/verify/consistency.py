"""Verify told: whether what a certificate tells follows from what else it tells.

What is counted in the file is compared with it by :mod:`lookalike.flow.verify.folder`.
"""

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import (
    CERTIFICATE,
    Certificate,
    GeneralizedColumn,
)
from lookalike.publish.certificate_sentences import write_statement
from lookalike.verify.recount import Finding


def check_consistency(certificate: Certificate) -> Finding:
    """Check what follows from other things that a certificate tells."""
    columns = [
        *certificate.generalized,
        *certificate.released_as_they_are,
        *certificate.pseudonyms,
    ]
    sentences = write_statement(certificate.quasi_identifiers, certificate.alone)
    agrees = {
        "statement": certificate.statement == sentences,
        "columns": sorted(certificate.columns) == sorted(columns),
        "levels": _are_levels(certificate),
        "precision": _is_near(certificate.precision, _precision(certificate)),
        "accuracy": _is_near(certificate.accuracy, _accuracy(certificate)),
        "completeness": _is_near(certificate.completeness, _completeness(certificate)),
        "optimality": _is_possible(certificate),
    }
    wrong = [name for name, holds in agrees.items() if not holds]
    return Finding(
        "the statement, the columns, the levels and the measures follow from each other",
        not wrong,
        f"not {', '.join(wrong)}" if wrong else "they do",
    )


def _is_near(told: float, follows: Fraction) -> bool:
    """Tell whether a number is what follows, up to the rounding of floats."""
    return abs(told - float(follows)) < 1e-9


def _are_levels(certificate: Certificate) -> bool:
    """Tell whether every value of a row that is shown is at a level of its hierarchy."""
    cells = certificate.recoding == "cell level"
    done = certificate.generalized.values()
    return all(_fits(one, certificate.rows_shown, cells=cells) for one in done)


def _fits(done: GeneralizedColumn, rows: int, *, cells: bool) -> bool:
    """Tell whether the levels of an attribute are possible."""
    if done.cells_by_level is None:
        return done.level is not None and 0 <= done.level <= done.height
    known = all(0 <= level <= done.height for level in done.cells_by_level)
    whole = sum(done.cells_by_level.values()) + done.cells_suppressed == rows
    return cells and done.level is None and known and whole


def _steps(done: GeneralizedColumn, rows: int) -> int:
    """Add up the levels of the rows that are shown; a suppressed value is at the top."""
    telling = rows - done.cells_suppressed
    by_level = {done.level or 0: telling} if done.cells_by_level is None else done.cells_by_level
    below = sum(level * number for level, number in by_level.items())
    return below + done.cells_suppressed * done.height


def _precision(certificate: Certificate) -> Fraction:
    """Return Prec (Achieving, Definition 5): suppressed rows are at the top throughout."""
    rows, shown = certificate.rows_in, certificate.rows_shown
    lost = whole = Fraction(0)
    for name, done in certificate.generalized.items():
        weight = Fraction(read_decimal(done.weight, f"weight of {name}"))
        whole += weight * rows
        if done.height:
            steps = _steps(done, shown) + (rows - shown) * done.height
            lost += weight * Fraction(steps, done.height)
    return 1 - lost / whole if whole else Fraction(1)


def _accuracy(certificate: Certificate) -> Fraction:
    """Return the mean accuracy of the released rows; blank ones are at the top throughout."""
    done, rows, shown = (
        certificate.generalized.values(),
        certificate.rows_out,
        certificate.rows_shown,
    )
    most = rows * sum(one.height for one in done)
    steps = sum(_steps(one, shown) + (rows - shown) * one.height for one in done)
    return 1 - Fraction(steps, most) if most else Fraction(1)


def _completeness(certificate: Certificate) -> Fraction:
    """Return the share of the rows that are in the release, blank ones included."""
    rows = certificate.rows_in
    return Fraction(certificate.rows_out, rows) if rows else Fraction(1)


def _is_possible(certificate: Certificate) -> bool:
    """Tell whether what is told of better releases does not contradict itself."""
    bound, proved = certificate.precision_bound, certificate.optimality == "proved"
    below = bound is not None and bound < certificate.precision - 1e-4
    return not below and not (proved and certificate.objective is None)


def read_decimal(text: str, field: str) -> Decimal:
    """Read a decimal of a certificate."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise InvalidInput(f"{CERTIFICATE}: {field}: not a number; the file was changed")
    return number
