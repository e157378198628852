"""Judge a published release in both respects: k-minimality and minimal distortion."""

from pathlib import Path

from lookalike.flow.minimality.answers import KMinimality, MinimalDistortion
from lookalike.flow.minimality.judge_distortion import judge_distortion
from lookalike.flow.minimality.judge_k_minimality import judge_k_minimal
from lookalike.flow.minimality.read_existing_release import read_existing_release
from lookalike.model.progress import Announce
from lookalike.spec.specification import Specification


def judge_release(
    folder: Path,
    specification: Specification,
    *,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> tuple[KMinimality, MinimalDistortion]:
    """Read a published release once, and judge its k-minimality and its distortion."""
    given = read_existing_release(folder, specification, level=level, announce=announce)
    return judge_k_minimal(given, announce), judge_distortion(given, announce)
