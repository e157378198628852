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


def keep(line, number):
    line.kept = number
    return os.getpid()


def take_kept(line, refuses=False):
    if refuses:
        raise InvalidInput("refused")
    number, line.kept = line.kept, None
    return number, os.getpid()


def find_until_enough(line):
    line.show("a part")
    while not line.is_enough():
        time.sleep(0.01)
    return "what was found"


def wait_until_enough(line):
    while not line.is_enough():
        time.sleep(0.01)


def search(line):
    for best in (0.8, 0.8, 0.9):
        line(f"search: best {best:.4f}, bound 0.9500, gap {0.95 - best:.4f}")
    line("point 3 of 4: mingen")
