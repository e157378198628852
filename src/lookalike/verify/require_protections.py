"""Refuse released rows that do not satisfy the protections of sensitive values."""

from collections.abc import Sequence

import duckdb

from lookalike.errors import RequirementNotMet
from lookalike.verify.protections import (
    ProtectionPromise,
    ProtectionVerdict,
    recount_protection,
)


def require_protections(
    release: duckdb.DuckDBPyRelation,
    promises: Sequence[ProtectionPromise],
    eligible: duckdb.DuckDBPyRelation,
) -> tuple[ProtectionVerdict, ...]:
    """Recount every protection, and refuse a release in which a class fails one."""
    verdicts = []
    for promise in promises:
        verdict = recount_protection(release, promise, eligible)
        if verdict.classes_failing:
            raise RequirementNotMet(
                f"{verdict.classes_failing:,} classes with {verdict.rows_failing:,} rows do not "
                f"satisfy {promise.protection} of {promise.column!r}; did the source change while "
                "it was read?"
            )
        verdicts.append(verdict)
    return tuple(verdicts)
