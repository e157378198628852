"""Discreet: values that hold private rows, labels or keys, and do not show them.

A notebook prints the last value of a cell, a debugger every variable, a log or an error report
whatever it is given. So the representation of such a value shows its figures alone.
"""

from dataclasses import fields
from typing import Any


class Discreet:
    """A dataclass whose representation shows numbers, and no text of its own.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class People(Discreet):
    ...     names: list[str]
    ...     rows: int
    >>> People(["Ann", "Bob"], 2)
    People(rows=2, …)
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Define the representation in the class, so that a dataclass does not make its own."""
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Discreet.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        shown = [f"{name}={one!r}" for name, one in values.items() if _is_figure(one)]
        hidden = ["…"] if len(shown) < len(values) else []
        return f"{type(self).__name__}({', '.join([*shown, *hidden])})"


def _is_figure(value: Any) -> bool:
    """Tell whether a value can be shown: a number, or something discreet itself."""
    return isinstance(value, bool | int | float | Discreet)
