"""Read_toml: the tables of a TOML file, with exact decimals."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from lookalike.errors import InvalidInput


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; its fractions are exact decimals."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not UTF-8, as TOML must be; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} is not TOML: {error}") from None
