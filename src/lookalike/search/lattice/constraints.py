"""Constraint: a bound on the level of an attribute, or a condition on a solution.

A bound on a level, such as ``zip <= 2`` or ``sex = 0``, restricts the lattice. Any other
constraint is a condition on a solution, such as ``suppressed <= 10``, and filters solutions.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Self

from lookalike.errors import InvalidInput
from lookalike.model.lattice import Lattice
from lookalike.search.lattice.preferences import Candidate

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
QUANTITIES: Mapping[str, Callable[[Candidate], int | float]] = {
    "height": lambda c: sum(c.vector),
    "suppressed": lambda c: c.suppressed,
    "distinct": lambda c: c.distinct,
    "precision": lambda c: c.precision,
    "generalized-attributes": lambda c: sum(level > 0 for level in c.vector),
}


@dataclass(frozen=True)
class Constraint:
    """A comparison of a quantity with a number.

    Examples
    --------
    >>> Constraint.parse("zip <= 2")
    Constraint(quantity='zip', comparison='<=', number=Decimal('2'))
    """

    quantity: str
    comparison: str
    number: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a constraint from text."""
        parts = re.fullmatch(r"\s*(.+?)\s*(<=|>=|==|=|<|>)\s*(\S+)\s*", text)
        try:
            number = Decimal(parts[3]) if parts else Decimal("NaN")
        except InvalidOperation:
            number = Decimal("NaN")
        if parts and not number.is_nan():
            return cls(parts[1], parts[2].replace("==", "="), number)
        raise InvalidInput(
            f"constraints: {text!r} is not a comparison with a number, such as 'zip <= 2'"
        )

    def levels(self, height: int) -> list[int]:
        """Return the levels of an attribute that satisfy the constraint."""
        return [n for n in range(height + 1) if COMPARISONS[self.comparison](n, self.number)]

    def admits(self, candidate: Candidate) -> bool:
        """Return whether a candidate satisfies the constraint."""
        quantity = QUANTITIES[self.quantity](candidate)
        return COMPARISONS[self.comparison](Decimal(str(quantity)), self.number)


def restrict(
    lattice: Lattice, attributes: Sequence[str], constraints: Sequence[Constraint]
) -> tuple[Lattice, list[Constraint]]:
    """Restrict a lattice by the bounds on levels, and return the other constraints as well.

    If an attribute has the name of a quantity, the name means the attribute.
    """
    bottom, top, others = list(lattice.bottom), list(lattice.top), []
    for constraint in constraints:
        if constraint.quantity in attributes:
            place = attributes.index(constraint.quantity)
            levels = constraint.levels(lattice.top[place])
            bottom[place] = max(bottom[place], min(levels, default=lattice.top[place] + 1))
            top[place] = min(top[place], max(levels, default=-1))
        elif constraint.quantity in QUANTITIES:
            others.append(constraint)
        else:
            raise InvalidInput(
                f"constraints: {constraint.quantity!r} is neither a quasi-identifier attribute "
                f"({', '.join(attributes)}) nor one of {', '.join(QUANTITIES)}"
            )
    return Lattice(tuple(bottom), tuple(top)), others
