"""Publish a release once a process, and copy what was published after that."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

Result = TypeVar("Result")

_published: dict[str, tuple[object, "TemporaryDirectory[str]"]] = {}


def publish_once(place: Path, what: object, publish: Callable[[Path], Result]) -> Result:
    """Publish into an empty folder, the first time; the next times copy the files that it wrote.

    Parameters
    ----------
    place
        The folder.
    what
        What is published, with a text that says all of it.
    publish
        Publishes into the folder; what it returns is returned the next times, too.
    """
    key = f"{publish.__module__}.{publish.__qualname__} {what!r}"
    if key not in _published:
        place.mkdir(exist_ok=True)
        result, kept = publish(place), TemporaryDirectory(prefix="lookalike-published-")
        shutil.copytree(place, kept.name, dirs_exist_ok=True, symlinks=True)
        _published[key] = result, kept
        return result
    result, kept = _published[key]
    shutil.copytree(kept.name, place, dirs_exist_ok=True, symlinks=True)
    return result  # type: ignore[return-value]
