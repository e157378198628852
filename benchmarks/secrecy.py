"""What a protection of sensitive values costs at the cell level, by the way to keep it secret."""

import tomllib
from pathlib import Path
from typing import Any

import lookalike
from lookalike import RequirementNotMet

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
RELEASES = 5
"""How often a release with random classes is made."""
ASKED = (
    ("occupation", 0.5, 5),
    ("occupation", 0.8, 5),
    ("occupation", 0.9, 5),
    ("occupation", 0.8, 100),
    ("salary-class", 0.5, 5),
    ("salary-class", 0.8, 5),
    ("salary-class", 0.9, 5),
)
"""The sensitive column, the largest share of one value, and k."""


def run() -> None:
    """Adult with a largest share of a sensitive value: k alone, search, blind and lottery."""
    print(f"{'':28}   {'k alone':>8}  {'search':>10}  {'blind':>18}  {'lottery':>24}")
    for column, share, k in ASKED:
        print(
            f"{column:>13}, share {share}, k = {k:<3}"
            f"{_measure(column, None, k, None, 1):>8}"
            f"{_measure(column, share, k, 'search', 1):>12}"
            f"{_measure(column, share, k, 'blind', RELEASES):>20}"
            f"{_measure(column, share, k, 'lottery', RELEASES):>26}",
            flush=True,
        )


def _measure(column: str, share: float | None, k: int, secrecy: str | None, releases: int) -> str:
    """Return the mean Prec of some releases, its range, and how many were refused."""
    found = []
    for _ in range(releases):
        try:
            found.append(_release(column, share, k, secrecy))
        except (RequirementNotMet, lookalike.Infeasible):
            continue
    refused = f"{releases - len(found)} of {releases} refused" if len(found) < releases else ""
    if not found:
        return "infeasible" if releases == 1 else refused
    mean, spread = sum(found) / len(found), max(found) - min(found)
    varies = f" ({min(found):.3f} - {max(found):.3f})" if spread > 0.0005 else ""
    return f"{mean:.3f}{varies} {refused}".strip()


def _release(column: str, share: float | None, k: int, secrecy: str | None) -> float:
    """Return the Prec of a release."""
    sensitive: dict[str, Any] = {"role": "sensitive"}
    if share is not None:
        sensitive["protect"] = {"share": share}
    release = lookalike.release(
        ADULT / "adult.csv",
        attributes={**_attributes(), column: sensitive},
        k=k,
        method="mingen-cells",
        effort="quick",
        secrecy=secrecy,
    )
    return release.measures.precision


def _attributes() -> dict[str, dict[str, Any]]:
    """Return the attributes of Adult, with the paths of their hierarchies."""
    attributes: dict[str, dict[str, Any]] = tomllib.loads((ADULT / "adult.toml").read_text())[
        "attributes"
    ]
    for attribute in attributes.values():
        attribute["hierarchy"]["path"] = str(ADULT / attribute["hierarchy"]["path"])
    return attributes
