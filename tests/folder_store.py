"""A store for tests of the protocol: a folder of this machine, whose steps can be stopped.

It stands for Spark's store where only the order of changes matters. An object store copies and
removes one object after the other; a file system renames at once.
"""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.storage_url import StorageUrl

Rows = dict[str, bytes]
"""The content of each part file."""


def path_of(url: StorageUrl) -> Path:
    return Path("/", *url.parts)


class FolderStore(Store):
    """A store on this machine; `step` is called before every change."""

    def __init__(self, *, copies: bool, step: Callable[[], None] = lambda: None) -> None:
        self.copies, self.step = copies, step

    def close(self) -> None:
        pass

    def list_files(self, folder: StorageUrl) -> dict[str, int] | None:
        place = path_of(folder)
        if not place.exists():
            return None
        files = (path for path in place.rglob("*") if path.is_file())
        return {path.relative_to(place).as_posix(): path.stat().st_size for path in files}

    def list_folders(self, folder: StorageUrl) -> list[str]:
        place = path_of(folder)
        return sorted(path.name for path in place.iterdir()) if place.exists() else []

    def exists(self, url: StorageUrl) -> bool:
        return path_of(url).exists()

    def make_private(self, folder: StorageUrl) -> None:
        self.make(folder)

    def make(self, folder: StorageUrl) -> None:
        self.step()
        path_of(folder).mkdir(parents=True, exist_ok=True)

    def read(self, file: StorageUrl) -> bytes:
        return path_of(file).read_bytes()

    def write(self, file: StorageUrl, content: bytes) -> None:
        """Write a file; on a file system, half of it can be seen first."""
        path = path_of(file)
        self.step()
        path.parent.mkdir(parents=True, exist_ok=True)
        if not self.copies:
            path.write_bytes(content[: len(content) // 2])
            self.step()
        path.write_bytes(content)

    def move(self, source: StorageUrl, target: StorageUrl) -> None:
        before, after = path_of(source), path_of(target)
        if after.exists() or not before.exists():
            raise InvalidInput(f"{target} cannot be written")
        if not self.copies:
            self.step()
            before.rename(after)
            return
        for path in [before] if before.is_file() else sorted(before.iterdir()):
            self.step()
            copy = after / path.relative_to(before)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        self.remove(source)

    def remove(self, url: StorageUrl) -> None:
        place = path_of(url)
        for path in sorted(place.rglob("*")):
            if path.is_file():
                self.step()
                path.unlink()
        self.step()
        if place.is_file():
            place.unlink()
        elif place.exists():
            shutil.rmtree(place)

    def write_rows(self, frame: Any, folder: StorageUrl) -> None:
        for name, content in frame.items():
            self.write(folder / name, content)

    def digest_files(self, folder: StorageUrl) -> dict[str, tuple[str, int]]:
        return {
            path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size)
            for path in sorted(path_of(folder).iterdir())
        }
