"""A cluster of Spark on this machine: a master and workers, each of which can be killed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .packages import need

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "4",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
}
"""All executors are there before the first task runs, so that each has a part of the rows."""


@contextmanager
def running_cluster(
    folder: Path, workers: int, memory: str = "1g"
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a master and workers; yield its address and the workers, and end all of them."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, and there is none on the PATH")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    started = [_start(folder, "master.Master", "--port", str(port))]
    try:
        _wait_for(port)
        for number in range(workers):
            place = folder / f"worker-{number}"
            place.mkdir()
            options = ("--cores", "1", "--memory", memory, "--work-dir", str(place), address)
            started.append(_start(folder, "worker.Worker", *options))
        yield address, started[1:]
    finally:
        for process in started:
            kill(process)


def _start(folder: Path, kind: str, *options: str) -> "subprocess.Popen[bytes]":
    """Start a process of the cluster in a session of its own, with what it starts itself."""
    program = Path(need("pyspark").__file__).parent / "bin" / "spark-class"
    local = ["--host", "127.0.0.1", "--webui-port", "0"]
    command = [str(program), f"org.apache.spark.deploy.{kind}", *local, *options]
    own = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
    own |= {"SPARK_LOCAL_DIRS": str(folder), "PYSPARK_PYTHON": sys.executable}
    log = subprocess.DEVNULL
    return subprocess.Popen(
        command, env=os.environ | own, stdout=log, stderr=log, start_new_session=True
    )


def _wait_for(port: int) -> None:
    """Wait until somebody listens."""
    until = time.monotonic() + 600
    while time.monotonic() < until:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the master of the cluster does not start")


def kill(process: "subprocess.Popen[Any]") -> None:
    """Kill a worker with its executors, as the loss of a machine does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def kill_executors(worker: "subprocess.Popen[Any]") -> None:
    """Kill the executors of a worker, which counts as a failure of the tasks that ran there."""
    asked = ["pgrep", "-s", str(worker.pid), "-f", "CoarseGrainedExecutorBackend"]
    for line in subprocess.run(asked, capture_output=True, check=True).stdout.split():
        os.kill(int(line), signal.SIGKILL)


def start_session(
    address: str, workers: str, failures: str, more: Mapping[str, str] | None = None
) -> Any:
    """Start a session on all workers of a cluster; a task may fail less often than this."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = SETTINGS | {"spark.cores.max": workers, "spark.task.maxFailures": failures}
    settings |= more or {}
    return SparkSession.builder.config(map=settings).master(address).getOrCreate()
