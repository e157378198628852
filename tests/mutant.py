"""A fault that `make mutants` plants in a copy of the package."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "lookalike"


@dataclass(frozen=True)
class Mutant:
    """A fault: a piece of the source, what it is replaced by, and the tests that see it."""

    name: str
    file: str
    piece: str
    fault: str
    tests: tuple[str, ...]

    def occurrences(self, source: Path = SOURCE) -> int:
        """Count the places of the piece; there must be one."""
        return (source / self.file).read_text(encoding="utf-8").count(self.piece)

    def plant(self, source: Path) -> None:
        """Put the fault into a copy of the package."""
        path = source / self.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(self.piece, self.fault), encoding="utf-8")
