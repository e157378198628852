"""A condition on a register of the population, as the certificate states it.

The register is private. The certificate states what was asked for and that it holds; it states no
number of people.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

_Bound = Annotated[str, Field(pattern=r"^[01](\.[0-9]+)?$")]


@dataclass(frozen=True)
class CertifiedRegister:
    """A condition that every class satisfies in a register of the data holder.

    Parameters
    ----------
    condition
        The name of the condition.
    k
        The least number of people who match each class, for ``k_map``.
    lowest, highest
        The bounds on the probability that a person of the register is in the private table, as
        decimals, for ``presence``.
    """

    condition: Literal["k_map", "presence"]
    k: int | None = None
    lowest: _Bound | None = None
    highest: _Bound | None = None


def state_register(certified: CertifiedRegister, over: str) -> str:
    """Write what a release promises about a register, over attributes that are joined as text.

    Examples
    --------
    >>> state_register(CertifiedRegister("k_map", k=5), "zip and age")
    'Every combination of zip and age matches at least 5 people of a register of the data holder.'
    """
    if certified.condition == "k_map":
        return (
            f"Every combination of {over} matches at least {certified.k} people of a register of "
            "the data holder."
        )
    return (
        "Of the people of a register of the data holder, nobody is in the private table with a "
        f"probability below {certified.lowest} or above {certified.highest}, as far as {over} in "
        "this release and the number of suppressed rows show it."
    )
