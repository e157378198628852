"""A year of monthly releases under each policy: rows released, withheld, outdated, and the loss."""

import sys
from pathlib import Path
from typing import Any

import lookalike as la

K, AT_FIRST, SEED = 5, 1000, 7
SHOWN_MONTHS = (1, 2, 3, 12)
INSURANCE: dict[str, Any] = {
    **{name: {"role": "drop"} for name in ("rownames", "limit", "selfemp", "insurance", "married")},
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 30]}},
    "gender": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "family": {
        "role": "quasi-identifier",
        "hierarchy": {"kind": "intervals", "widths": [2, 4, 16]},
    },
    "region": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "ethnicity": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "education": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "health": {"role": "sensitive"},
}
"""The columns of HealthInsurance, 8,802 people of a survey (MEPS 1996, R package AER)."""


def run() -> None:
    """Samples of Adult, 1,000 people at first, k = 5: twelve months under each policy.

    ``python -m benchmarks.year HealthInsurance.csv`` does the same with that table.
    """
    adult = Path(la.__file__).parent / "shell" / "data" / "adult" / "adult.toml"
    _show("Adult", None, adult, {"salary-class": {"role": "sensitive"}})


def _show(title: str, table: str | None, spec: Path | None, attributes: dict[str, Any]) -> None:
    """Print the first months of each policy, and the last."""
    given: dict[str, Any] = {"attributes": attributes, "k": K, "people": AT_FIRST, "seed": SEED}
    ahead = la.forecast(table, spec, seconds=3600, **given)
    print(f"{title}: {AT_FIRST:,} people at first, k = {K}")
    for one in ahead.policies:
        for month in one.months:
            if month.month in SHOWN_MONTHS:
                print(
                    f"  {one.policy:<11} month {month.month:>2}: {month.rows_shown:,} rows shown "
                    f"for a table of {month.rows:,}, {month.rows_withheld:,} withheld "
                    f"({month.rows_withheld / month.rows:.1%}), {month.rows_outdated:,} outdated, "
                    f"precision {month.precision:.3f}, loss {month.loss:.3f}"
                )


if __name__ == "__main__":
    _show("HealthInsurance", sys.argv[1], None, INSURANCE)
