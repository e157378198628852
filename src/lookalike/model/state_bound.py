"""State what a bound is of; every output that shows one uses these words.

A bound at the cell level is proved for classes of k rows. It holds all the more for persons and
protections, but the distance to it is then not what the search may have missed.
"""


def name_stricter(*, persons: bool, protections: bool) -> str:
    """Name what a release satisfies beyond classes of k rows, if that may have cost something."""
    asked = {"k persons a class": persons, "the protections of sensitive values": protections}
    return " and ".join(name for name, is_asked in asked.items() if is_asked)


def state_bound(exceeds: str, k: int, stricter: str = "", reached: str | None = None) -> str:
    """State that no release exceeds a bound, and what else makes the distance to it.

    Examples
    --------
    >>> state_bound("reaches more than 0.85", 5)
    'no release reaches more than 0.85'
    >>> more = name_stricter(persons=False, protections=True)
    >>> state_bound("reaches more than 0.76", 5, more, "0.75")  # doctest: +NORMALIZE_WHITESPACE
    'no release with k = 5 alone reaches more than 0.76 (with k = 5 alone 0.75 was reached; the rest
    of the difference is due to the protections of sensitive values)'
    >>> state_bound("exceeds 0.76", 5, more)  # doctest: +NORMALIZE_WHITESPACE
    'no release with k = 5 alone exceeds 0.76 (part of the difference may be due to the protections
    of sensitive values)'
    """
    if not stricter:
        return f"no release {exceeds}"
    alone = f"with k = {k:,} alone"
    part = (
        f"part of the difference may be due to {stricter}"
        if reached is None
        else f"{alone} {reached} was reached; the rest of the difference is due to {stricter}"
    )
    return f"no release {alone} {exceeds} ({part})"
