"""Tasks that the tests let another process do."""

import os
import signal
import time
from pathlib import Path

from lookalike.errors import InvalidInput


def count(announce, number):
    for one in range(number):
        announce(f"step {one}")
    return number


def fail(announce):
    raise InvalidInput("the column is wrong")


def break_down(announce):
    raise ValueError("Ann Smith, 02138")


def die(announce):
    os.kill(os.getpid(), signal.SIGKILL)


def wait_long(announce, begun: Path):
    try:
        begun.touch()
        announce("waiting")
        time.sleep(60)
    finally:
        begun.unlink()


def insist(announce, begun: Path):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begun.touch()
    time.sleep(60)
