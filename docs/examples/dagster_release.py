"""A release as an asset of Dagster, and its verification as a check of the asset.

LOOKALIKE_SPEC is the path of the specification, which says where the release goes. Dagster keeps
the metadata of assets, so these are figures of the certificate, which the recipient gets anyhow.
"""

import os
from pathlib import Path

import dagster as dg

import lookalike as la


@dg.asset
def released_table() -> dg.MaterializeResult:
    """The released file with its certificate."""
    try:
        certificate = la.release(spec=os.environ["LOOKALIKE_SPEC"]).publish(replace=True)
    except la.Unavailable as problem:
        raise dg.RetryRequested(max_retries=3, seconds_to_wait=300) from problem
    except la.LookalikeError as problem:
        # The message without values, which an error about a hierarchy may name.
        raise dg.Failure(problem.discreet, allow_retries=False) from None
    return dg.MaterializeResult(
        metadata={
            "rows": certificate.rows_out,
            "suppressed rows": certificate.rows_suppressed,
            "smallest class": min(one.k_reached for one in certificate.quasi_identifiers),
            "precision": certificate.precision,
        }
    )


@dg.asset_check(asset=released_table, blocking=True)
def release_verifies() -> dg.AssetCheckResult:
    """Count the published file again, and prove its rows against the source."""
    spec = Path(os.environ["LOOKALIKE_SPEC"])
    folder = Path(la.Specification.load(spec).release.out).parent
    verified = la.verify(folder, spec=spec)
    failed = [one.claim for one in verified.findings if not one.holds]
    return dg.AssetCheckResult(passed=verified.holds, metadata={"failed": failed})


definitions = dg.Definitions(assets=[released_table], asset_checks=[release_verifies])

if __name__ == "__main__":
    done = dg.materialize([released_table, release_verifies])
    passed = all(one.passed for one in done.get_asset_check_evaluations())
    raise SystemExit(0 if done.success and passed else 1)
