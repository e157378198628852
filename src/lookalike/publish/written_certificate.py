"""WrittenCertificate: how ``certificate.json`` is written and read, of one table or of several."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import ConfigDict, TypeAdapter, ValidationError

from lookalike.errors import InvalidInput
from lookalike.json_result import JsonResult
from lookalike.tables.files.file_format import CERTIFICATE

LINKED_FORMAT: Literal["lookalike linked certificate 1"] = "lookalike linked certificate 1"
"""The format of certificates of linked tables (:mod:`lookalike.publish.linked_certificate`)."""


class WrittenCertificate(JsonResult):
    """Base class of certificates."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    def to_json(self) -> str:
        """Write the certificate as JSON."""
        fields: Any = self
        return json.dumps(asdict(fields), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the certificate of a published release.

        Raises
        ------
        InvalidInput
            If the folder is not a release, or its certificate is not valid.
        """
        path = folder / CERTIFICATE
        if not path.is_file():
            raise InvalidInput(f"{folder} is not a release: it has no {CERTIFICATE}")
        return cls.from_json(path.read_bytes(), str(path))

    @classmethod
    def from_json(cls, text: str | bytes, place: str) -> Self:
        """Read a certificate from JSON.

        Parameters
        ----------
        text
            The JSON document.
        place
            Where it comes from, for the error message.

        Raises
        ------
        InvalidInput
            If it is not a valid certificate; the message names the place and the field.
        """
        kind: Any = cls
        reader: TypeAdapter[Self] = _find_reader(kind)
        try:
            return reader.validate_json(text)
        except ValidationError as error:
            if any(one["input"] == LINKED_FORMAT for one in error.errors()):
                raise InvalidInput(
                    f"{place} is that of linked tables, which `lookalike verify`, `report`, "
                    "`link` (la.link_records) and `attack` take; open one of its files as a table "
                    "by itself"
                ) from None
            first = error.errors(include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"{place}: {field}: {first['msg']}") from None


@cache
def _find_reader(kind: Any) -> TypeAdapter[Any]:
    """Return the validator of certificates, which is slow to build and therefore cached."""
    return TypeAdapter(kind)
