"""Read_toml: the tables of a TOML file, with exact decimals."""

import shlex
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.tables.files.file_format import format_of


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; its fractions are exact decimals."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(_explain(path, error)) from None


def _explain(path: Path, error: ValueError) -> str:
    """Say why a file is no specification, and what to do."""
    if format_of(path) is not None:
        return (
            f"{path} is a table, not a specification; draft one for it: "
            f"lookalike init {shlex.quote(str(path))}"
        )
    if isinstance(error, UnicodeDecodeError):
        return f"{path} is not UTF-8, as TOML must be; save it as UTF-8"
    return f"{path} is not TOML: {error}"
