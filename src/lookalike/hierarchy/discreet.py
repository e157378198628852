"""Discreet: base class of objects that hold private text and hide it from their repr.

A notebook prints the last value of a cell, a debugger prints every variable, and a log prints
whatever it receives. So the repr of an object that holds rows, labels or keys shows its numbers
only. The class lives in this room because hierarchies are the lowest layer that holds private
text; every room above uses it.
"""

from dataclasses import fields
from typing import Any


class Discreet:
    """Base class of dataclasses whose repr shows numbers and hides everything else.

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
        """Set ``__repr__`` in the subclass, so that ``dataclass`` does not generate one."""
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Discreet.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        figures = bool | int | float | Discreet
        shown = [f"{name}={one!r}" for name, one in values.items() if isinstance(one, figures)]
        hidden = ["…"] if len(shown) < len(values) else []
        return f"{type(self).__name__}({', '.join([*shown, *hidden])})"
