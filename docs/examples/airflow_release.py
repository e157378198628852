"""Publish a release every month with Airflow, and verify what was published.

LOOKALIKE_SPEC is the path of the specification, which says where the release goes. The tasks pass
on the folder of the release and nothing else: Airflow keeps what tasks return, and their logs.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

from airflow.exceptions import AirflowFailException
from airflow.sdk import dag, task

import lookalike as la


@dag(schedule="@monthly", start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1)
def monthly_release():
    """Make, publish and verify a release."""

    @task(retries=3, retry_delay=timedelta(minutes=5))
    def publish_release() -> str:
        """Publish the release; try again only if a ledger, a database or a folder was in use."""
        try:
            release = la.release(spec=os.environ["LOOKALIKE_SPEC"])
            release.publish(replace=True)
        except la.Unavailable:
            raise
        except la.LookalikeError as problem:
            # The message without values, which an error about a hierarchy may name.
            raise AirflowFailException(problem.discreet) from None
        return str(Path(release.specification.release.out).parent)

    @task
    def verify_release(folder: str) -> None:
        """Count the published file again, and prove its rows against the source."""
        verified = la.verify(folder, spec=os.environ["LOOKALIKE_SPEC"])
        if not verified.holds:
            failed = [one.claim for one in verified.findings if not one.holds]
            raise AirflowFailException("; ".join(failed))

    verify_release(publish_release())


release_dag = monthly_release()

if __name__ == "__main__":
    # `dag.test` runs all tasks in this process, without a scheduler.
    run = release_dag.test()
    raise SystemExit(0 if run.state == "success" else 1)
