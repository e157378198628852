"""Check the fields of a certificate against each other.

The statement, the columns, the levels and the measures of a certificate can be derived from
its other fields. :mod:`lookalike.examine.released_file` compares those with the file.
"""

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import state_decoys, write_statement
from lookalike.publish.certified import GeneralizedColumn
from lookalike.search.methods import TAKES
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.verify.recount import Finding


def check_consistency(certificate: Certificate) -> Finding:
    """Derive fields of a certificate from its other fields, and compare."""
    answers = () if certificate.answers is None else certificate.answers.left_out
    unchanged = (*certificate.released_as_they_are, *certificate.pseudonyms, *answers)
    cells = certificate.recoding == "cell level"
    rows, kept = certificate.rows_in, certificate.rows_out
    derived = {
        "statement": certificate.statement == write_statement(certificate),
        "persons": all(
            (one.persons_reached is not None) == (one.counts == "persons")
            for one in certificate.quasi_identifiers
        ),
        "columns": sorted(certificate.columns) == sorted((*certificate.generalized, *unchanged)),
        "levels": all(
            is_possible_level(one, certificate.rows_shown, cells=cells)
            for one in certificate.generalized.values()
        ),
        "precision": _is_near(certificate.precision, compute_precision(certificate)),
        "accuracy": _is_near(certificate.accuracy, compute_accuracy(certificate)),
        "completeness": _is_near(
            certificate.completeness, Fraction(kept, rows) if rows else Fraction(1)
        ),
        "optimality": _is_possible_optimality(certificate),
        "answers": _are_possible_answers(certificate),
        "decoys": _are_possible_decoys(certificate),
        "certain_share": _is_possible_share(certificate),
    }
    wrong = [name for name, agrees in derived.items() if not agrees]
    return Finding(
        "the statement, columns, levels and measures of the certificate agree with each other",
        not wrong,
        f"these do not: {', '.join(wrong)}" if wrong else "they do",
    )


def _is_near(certified: float, derived: Fraction) -> bool:
    """Return whether two numbers are equal up to the rounding of floats."""
    return abs(certified - float(derived)) < 1e-9


def is_possible_level(done: GeneralizedColumn, rows: int, *, cells: bool) -> bool:
    """Return whether the levels of one attribute are possible."""
    if done.cells_by_level is None:
        return done.level is not None and 0 <= done.level <= done.height
    known = all(0 <= level <= done.height for level in done.cells_by_level)
    complete = sum(done.cells_by_level.values()) + done.cells_suppressed == rows
    return cells and done.level is None and known and complete


def _add_up_levels(done: GeneralizedColumn, rows: int) -> int:
    """Add up the levels of the rows that are not suppressed; a suppressed value is at the top."""
    shown = rows - done.cells_suppressed
    by_level = {done.level or 0: shown} if done.cells_by_level is None else done.cells_by_level
    below = sum(level * number for level, number in by_level.items())
    return below + done.cells_suppressed * done.height


def compute_precision(certificate: Certificate) -> Fraction:
    """Return Prec (Achieving, Definition 5); every value of a suppressed row is at the top."""
    rows, shown = certificate.rows_in, certificate.rows_shown
    lost = whole = Fraction(0)
    for name, done in certificate.generalized.items():
        weight = Fraction(read_decimal(done.weight, f"weight of {name}"))
        whole += weight * rows
        if done.height:
            steps = _add_up_levels(done, shown) + (rows - shown) * done.height
            lost += weight * Fraction(steps, done.height)
    return 1 - lost / whole if whole else Fraction(1)


def compute_accuracy(certificate: Certificate) -> Fraction:
    """Return the mean accuracy of the released rows; every value of a blank row is at the top."""
    rows, shown = certificate.rows_out, certificate.rows_shown
    done = certificate.generalized.values()
    most = rows * sum(one.height for one in done)
    steps = sum(_add_up_levels(one, shown) + (rows - shown) * one.height for one in done)
    return 1 - Fraction(steps, most) if most else Fraction(1)


def _is_possible_optimality(certificate: Certificate) -> bool:
    """Return whether precision, bound and proof of optimality do not contradict each other."""
    bound, decoyed = certificate.precision_bound, certificate.decoys is not None
    below = bound is not None and (decoyed or bound < certificate.precision - 1e-4)
    proved = certificate.optimality != "not proved"
    named = certificate.optimality == ("proved before decoys" if decoyed else "proved")
    return not below and not (proved and (certificate.objective is None or not named))


def _are_possible_answers(certificate: Certificate) -> bool:
    """Return whether what is stated of answers is possible for one quasi-identifier."""
    answers = certificate.answers
    if answers is None:
        return True
    single, reached = len(certificate.quasi_identifiers) == 1, answers.k_reached >= answers.k
    return (
        single
        and reached
        and all(0 <= one <= certificate.rows_out for one in answers.left_out.values())
    )


def _are_possible_decoys(certificate: Certificate) -> bool:
    """Return whether what is stated of decoys follows from their rate."""
    decoys = certificate.decoys
    if decoys is None:
        return True
    rate = read_decimal(decoys.rate, "decoys.rate")
    uncertain = not certificate.certain_share or bool(certificate.constraints)
    return rate > 0 and decoys.statement == state_decoys(rate) and uncertain


def _is_possible_share(certificate: Certificate) -> bool:
    """Return whether a share of certain values is stated only where classes are joins."""
    takes = TAKES.get(certificate.method)
    joins = certificate.recoding == "cell level" and takes is not None and takes.decoys
    share = certificate.certain_share
    return share is None or (joins and 0 <= share <= 1)


def read_decimal(text: str, field: str) -> Decimal:
    """Read a decimal field of a certificate."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise InvalidInput(
            f"{CERTIFICATE}: {field}: not a number; the file was changed after publication"
        )
    return number
