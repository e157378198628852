"""Publish only on a proof that at least k rows are left, whatever releases are put together."""

from collections.abc import Iterable
from typing import Protocol

from lookalike.errors import RequirementNotMet

WAYS_OUT = (
    'Base the release on the earlier one (policy = "based-on"), raise levels, or leave out '
    "columns that both show"
)


class Attacked(Protocol):
    """What an attack on an earlier release and the next one came to."""

    @property
    def attack(self) -> str:
        """The name of the attack."""

    @property
    def release(self) -> str:
        """The name of the earlier release."""

    @property
    def lower_bound(self) -> int:
        """It is proved that at least so many rows remain possible for everyone."""

    @property
    def upper_bound(self) -> int:
        """An attack was found that leaves so many for someone."""

    @property
    def exposed_rows(self) -> int:
        """For how many rows it is not proved that at least k remain possible."""


def check_only(attacked: Iterable[Attacked], k: int) -> None:
    """Let a release pass if every attack is proved to leave at least k rows.

    That no attack was found proves nothing: with three or more releases the exact answer is out
    of reach, and someone else may find one.

    Parameters
    ----------
    attacked
        The attacks on earlier releases together with the next one.
    k
        The greatest k that was ever promised.

    Raises
    ------
    RequirementNotMet
        For the attack that leaves the fewest rows.
    """
    unproved = [result for result in attacked if result.lower_bound < k]
    if unproved:
        worst = min(unproved, key=lambda result: (result.upper_bound, result.lower_bound))
        raise RequirementNotMet(f"{_tell(worst, k)}. {WAYS_OUT}")


def _tell(result: Attacked, k: int) -> str:
    """Say what an attack came to: rows that are exposed, or rows that may be."""
    where = f"together with {result.release}, the {result.attack} attack"
    if result.upper_bound < k:
        return (
            f"{where} leaves only {_count(result.upper_bound, 'possible row')} where k = {k}; "
            f"{_count(result.exposed_rows, 'row')} would be exposed"
        )
    return (
        f"{where} is not ruled out: no way was found to fewer than "
        f"{_count(result.upper_bound, 'possible row')}, but no more than {result.lower_bound:,} "
        f"are proved where k = {k}; {_count(result.exposed_rows, 'row')} may be exposed"
    )


def _count(number: int, what: str) -> str:
    """Write a number of something."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
