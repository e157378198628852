"""Release a table of patients with Spark, as a job.

spark-submit --master local[2] spark_release.py patients.parquet released/patients.parquet
"""

import sys

from pyspark.sql import SparkSession

import lookalike as la

SUPPRESS = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
ATTRIBUTES = {
    "name": {"role": "identifier"},
    "race": SUPPRESS,
    "birth_date": {
        "role": "quasi-identifier",
        "hierarchy": {"kind": "dates", "formats": ["%m/%d/%Y"]},
    },
    "gender": SUPPRESS,
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "problem": {"role": "sensitive"},
}


def main(table: str, out: str) -> None:
    """Release the Parquet files of a table."""
    spark = SparkSession.builder.appName("lookalike").getOrCreate()
    patients = spark.read.parquet(table)
    release = la.release(patients, k=2, attributes=ATTRIBUTES)
    certificate = release.publish(out)
    print(f"{certificate.rows_out:,} of {certificate.rows_in:,} rows are in {out}")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
