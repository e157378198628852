"""How a certificate writes MaxSup and the bound on precision."""

from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.publish.certificate import Certificate
from lookalike.verify.bound.proof import round_bound

from ..effort import examples
from ..roles import MASKED

PEOPLE = pa.table({"zip": ["02138", "02139", "02141", "94142", "94142"]})
ATTRIBUTES = {"zip": MASKED}
fractions = st.decimals(0, 1, allow_nan=False, allow_infinity=False)


@examples(30)
@example(Decimal(1))
@example(Decimal("1E+0"))
@example(Decimal(0))
@example(Decimal("1E-7"))
@example(1)
@given(st.integers(0, 5) | fractions)
def test_a_fraction_of_the_rows_stays_one_and_a_number_of_rows_too(amount):
    """1 is a row, 1.0 are all rows."""
    asked = la.Specification.build(
        {"release": {"k": 2, "max_suppressed": amount}, "attributes": ATTRIBUTES}
    ).release.max_suppressed
    made = la.release(PEOPLE, k=2, attributes=ATTRIBUTES, method="mingen", max_suppressed=amount)
    written = Certificate.from_json(made.certificate.to_json(), "here").max_suppressed
    assert written.isdecimal() == isinstance(amount, int)
    assert Decimal(written) == amount == asked
    assert type(asked) is type(amount)


@examples(300)
@given(st.floats(0, 1), st.floats(0, 1))
def test_a_bound_is_rounded_outwards_to_four_digits(bound, precision):
    shown = round_bound(bound, precision)
    assert max(bound, precision) <= shown <= 1
    assert Fraction(str(shown)) - Fraction(max(bound, precision)) < Fraction(1, 9999)
    assert len(str(shown).partition(".")[2]) <= 4 or shown < 0.001


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_certificate_shows_the_rounded_bound_and_the_holder_has_the_exact_one(method):
    people = pa.table({"zip": ["02138", "02139", "02141", "94142", "94143", "94201", "94201"]})
    made = la.release(people, k=2, attributes=ATTRIBUTES, method=method, max_suppressed=0)
    exact, shown = made.recoding.precision_bound, made.certificate.precision_bound
    assert shown == round_bound(exact, made.certificate.precision)
    assert made.certificate.precision <= exact <= shown < exact + 0.0001
