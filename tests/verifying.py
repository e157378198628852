"""Verify a published release in a test, against its private table."""

from pathlib import Path
from typing import Any

import lookalike as la
from lookalike.verify.recount import Finding


def list_failures(folder: Path, made: la.Release, table: Any) -> list[Finding]:
    """List the findings that do not hold for a release published to a folder."""
    verified = la.verify(folder, spec=made.specification, table=table)
    return [finding for finding in verified.findings if not finding.holds]
