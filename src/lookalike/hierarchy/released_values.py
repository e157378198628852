"""Number the values of one attribute in a release and in another table, to compare them.

The other table holds ground values: the private table in :mod:`lookalike.verify`, an external
table in :mod:`lookalike.risk.linking`. Values of both tables become integer codes that can be
compared at every level of the hierarchy.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import LabelPath
from lookalike.kernels.types import Codes

NOWHERE = -1
"""The level of a released value that no ground value has at an allowed level."""


@dataclass(frozen=True, eq=False)
class ReleasedAttribute:
    """The values of an attribute in both tables, as codes that can be compared at every level.

    ``private``: the code of each ground value. Values that no released value distinguishes share
    one code.
    ``released``: the code of each released value. These codes follow those of the ground values.
    ``lifts``: for each allowed level, what every code becomes there: the number of a released
    value, or 0 for ground values that become none of them. One more level comes last, at which
    everything is suppressed: every code becomes 0 there, so any two values are equal.
    ``sizes``: for each of these levels, the number of different lifted codes.
    ``levels``: for each code of a released value its level, a position in `lifts`, or ``NOWHERE``.
    """

    private: Codes
    released: Codes
    lifts: tuple[Codes, ...]
    sizes: tuple[int, ...]
    levels: Codes


def read_attribute(
    name: str,
    paths: Sequence[LabelPath],
    shown: Sequence[str | None],
    suppressed: str,
    levels: Collection[int] | None = None,
) -> ReleasedAttribute:
    """Number the values of an attribute so that released and ground values can be compared.

    ``levels``: the levels that a released value may have if it is not suppressed; None allows all.

    Examples
    --------
    >>> attribute = read_attribute("sex", [("f", "*"), ("m", "*")], ["*", "f", "x"], "*")
    >>> attribute.private.tolist(), attribute.released.tolist(), attribute.levels.tolist()
    ([0, 1], [2, 3, 4], [-1, -1, 2, 0, -1])
    """
    number_of = {text: number for number, text in enumerate(dict.fromkeys(shown), start=1)}
    allowed = [
        step for step in range(len(paths[0]) if paths else 0) if levels is None or step in levels
    ]
    becomes = [tuple(number_of.get(path[step], 0) for step in allowed) for path in paths]
    code_of = {numbers: code for code, numbers in enumerate(dict.fromkeys(becomes))}
    lifted = np.array(list(code_of), dtype=np.int32).reshape(len(code_of), len(allowed))
    # The ground codes that become each released number, by the position of the level.
    covers: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(len(number_of) + 1)]
    for code, numbers in enumerate(lifted.tolist()):
        for position, number in enumerate(numbers):
            covers[number][position].append(code)
    found = [
        len(allowed) if text == suppressed else _find_level(name, text, covers[number], allowed)
        for text, number in number_of.items()
    ]
    itself = np.arange(1, len(number_of) + 1, dtype=np.int32)
    return ReleasedAttribute(
        private=np.array([code_of[numbers] for numbers in becomes], dtype=np.int32),
        released=np.array([len(code_of) - 1 + number_of[text] for text in shown], dtype=np.int32),
        lifts=(
            *(np.concatenate([step, itself]) for step in lifted.T),
            np.zeros(len(code_of) + len(itself), dtype=np.int32),
        ),
        sizes=(*(len(itself) + 1 for _ in allowed), 1),
        levels=np.array([NOWHERE] * len(code_of) + found, dtype=np.int32),
    )


def _find_level(
    name: str, text: str | None, covers: dict[int, list[int]], allowed: Sequence[int]
) -> int:
    """Return the position of the lowest level that has a released value.

    Several levels may have the value if it covers the same ground values at each: a missing
    value, for example, is missing at every level below the top.
    """
    if not covers:
        return NOWHERE
    first = min(covers)
    for position, covered in covers.items():
        if covered != covers[first]:
            raise InvalidInput(
                f"column {name!r}: the hierarchy uses the label {text!r} at level "
                f"{allowed[first]} and, for other values, at level {allowed[position]}, so a "
                f"released {text!r} is ambiguous; give the levels different labels"
            )
    return first


def list_comparable(
    originals: Codes, tuples: Codes, lifts: Sequence[Codes], sizes: Sequence[int]
) -> Codes:
    """Find the sequences that could equal a tuple, attribute by attribute.

    Every lifted value of such a sequence occurs in some tuple. Only these sequences need to be
    grouped together with the tuples.

    ``lifts, sizes``: for each attribute, the lifted code of every code, and the number of lifted
    codes.

    Examples
    --------
    >>> same = np.arange(3, dtype=np.int32)
    >>> list_comparable(np.array([[0, 1, 2]]), np.array([[2, 1]]), [same], [3]).tolist()
    [1, 2]
    """
    comparable = np.arange(originals.shape[1])
    for original, released, lift, size in zip(originals, tuples, lifts, sizes, strict=True):
        occurs = np.zeros(size, dtype=np.bool_)
        occurs[lift[released]] = True
        if not occurs.all():
            comparable = comparable[occurs[lift][original[comparable]]]
    return comparable.astype(np.int32)
