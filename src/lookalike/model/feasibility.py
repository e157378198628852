"""Feasibility: raise an error with the remedy if no release satisfies the requirement."""

from lookalike.errors import Infeasible
from lookalike.shown_text import count_rows


def check_most_general(outliers: int, allowance: int) -> None:
    """Raise if even the most general vector leaves more rows below k than may be suppressed."""
    if outliers > allowance:
        raise Infeasible(
            f"even the most general vector that is allowed leaves {count_rows(outliers)} below k, "
            f"more than the {allowance:,} that may be suppressed; loosen the constraints on "
            "levels, or allow more suppressed rows"
        )


def check_found(found: bool, *, complete: bool) -> None:
    """Raise if a search found no vector that satisfies the requirement."""
    if not found and complete:
        raise Infeasible(
            "no generalization that is allowed satisfies the requirement within the rows that may "
            "be suppressed; loosen the protections or the constraints, or raise max_suppressed"
        )
    if not found:
        raise Infeasible(
            "no generalization that satisfies the requirement was found in time; raise time_limit"
        )
