"""A fault that `make mutants` plants in a copy of the package."""

import ast
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "lookalike"


@dataclass(frozen=True)
class Mutant:
    """A fault: a piece of the source, what it is replaced by, and the tests that see it.

    The place is a file, whose text has the piece, or ``file::function``. Of a function, the piece
    is an expression or a statement, however its lines are broken.
    """

    name: str
    place: str
    piece: str
    fault: str
    tests: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file of the place."""
        return self.place.partition("::")[0]

    @property
    def is_quick(self) -> bool:
        """Whether the tests are files of the room of the fault, which take seconds."""
        room = f"tests/{self.file.partition('/')[0]}/"
        return all(test.startswith(room) and ".py" in test for test in self.tests)

    def occurrences(self, source: Path = SOURCE) -> int:
        """Count the places of the piece; there must be one."""
        return len(self._find((source / self.file).read_bytes()))

    def plant(self, source: Path) -> None:
        """Put the fault into a copy of the package."""
        path = source / self.file
        text = path.read_bytes()
        [(start, end)] = self._find(text)
        path.write_bytes(text[:start] + self.fault.encode() + text[end:])

    def _find(self, text: bytes) -> list[tuple[int, int]]:
        """Return where the piece begins and ends, for every place of it."""
        function = self.place.partition("::")[2]
        if not function:
            piece, parts = self.piece.encode(), text.split(self.piece.encode())
            starts = [len(piece.join(parts[:number])) for number in range(1, len(parts))]
            return [(start, start + len(piece)) for start in starts]
        wanted = ast.dump(_parse(self.piece))
        lines = [0, *(place + 1 for place, byte in enumerate(text) if byte == ord("\n"))]
        return [
            (
                lines[node.lineno - 1] + node.col_offset,
                lines[node.end_lineno - 1] + node.end_col_offset,
            )
            for node in ast.walk(_find_function(ast.parse(text), function))
            if hasattr(node, "lineno") and ast.dump(node) == wanted
        ]


def _parse(piece: str) -> ast.AST:
    """Parse an expression or a statement."""
    statement = ast.parse(piece).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def _find_function(tree: ast.AST, name: str) -> ast.AST:
    """Return a function or a method by its name, such as ``Class.method``."""
    for part in name.split("."):
        tree = next(one for one in ast.walk(tree) if getattr(one, "name", None) == part)
    return tree
