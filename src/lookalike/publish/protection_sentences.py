"""Write the sentences of a certificate about sensitive values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lookalike.publish.certified import CertifiedProtection, CertifiedSecrecy

_DISTANCES: Mapping[str, str] = {
    "equal": "equally far apart",
    "ordered": "compared by their order",
    "hierarchy": "compared by their hierarchy",
}
_SENTENCES: Mapping[str, Callable[[str, Mapping[str, Any]], str]] = {
    "distinct": lambda column, given: f"{column} has at least {given['l']} distinct values",
    "entropy": lambda column, given: (
        f"{column} is at least as uncertain as {given['l']:g} equally frequent values"
    ),
    "recursive": lambda column, given: (
        f"the most frequent value of {column} has fewer than {given['c']:g} times the rows of all "
        f"values from the {_ordinal(given['l'])} most frequent on"
    ),
    "share": lambda column, given: (
        f"no value of {column} has more than {100 * given['alpha']:g} % of the rows"
    ),
    "closeness": lambda column, given: (
        f"the distribution of {column} is at most {given['t']:g} away from that of the whole table "
        f"(earth mover's distance, values {_DISTANCES[given['distance']]})"
    ),
    "likeness": lambda column, given: (
        f"the share of each value of {column} is at most {given['beta']:g} times its share in the "
        f"whole table above it ({'enhanced' if given['enhanced'] else 'basic'} β-likeness)"
    ),
    "disclosure": lambda column, given: (
        f"the share of each value of {column} differs from its share in the whole table by less "
        f"than the factor e^{given['delta']:g}"
    ),
}
_SECRECY: Mapping[str, str] = {
    "search": (
        "Classes were chosen with regard to these values: somebody who knows the method and the "
        "quasi-identifiers of everybody may conclude more than a class shows."
    ),
    "blind": (
        "Classes were chosen by the quasi-identifier alone: to somebody who knows the method, and "
        "no other release of these people, a value is as likely as its share in the class."
    ),
    "lottery": (
        "Classes were merged along a tree that the quasi-identifier alone determines, some of them "
        "at random: even somebody who knows the method, and no other release of these people, can "
        "give no value a greater probability than the largest share that is promised."
    ),
}


def state_protections(
    protections: Sequence[CertifiedProtection], secrecy: CertifiedSecrecy | None
) -> list[str]:
    """Write what a release promises of its sensitive values.

    Examples
    --------
    >>> one = CertifiedProtection(("zip",), "ill", "distinct", {"l": 3}, 3.0)
    >>> state_protections([one], None)
    ['In this release by itself, in every class over zip, ill has at least 3 distinct values.']
    """
    said = [
        f"In this release by itself, in every class over {', '.join(one.attributes)}, "
        f"{_SENTENCES[one.protection](one.column, one.parameters)}."
        for one in protections
    ]
    return said if secrecy is None else [*said, _SECRECY[secrecy]]


def _ordinal(number: int) -> str:
    """Write an ordinal number.

    Examples
    --------
    >>> [_ordinal(number) for number in (2, 3, 4, 11, 21)]
    ['2nd', '3rd', '4th', '11th', '21st']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if 10 < number % 100 < 14 else endings.get(number % 10, "th")
    return f"{number}{ending}"
