"""Results as JSON: each class declares once what ``--json`` and ``as_json()`` show of it."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter
from pathlib import PurePath
from typing import Any, ClassVar


class JsonResult:
    """Base class of results that are shown as JSON, in other order or with more than their fields.

    ``json_names`` has the keys, separated by spaces: names of fields and properties, in the order
    in which they are shown. ``key=name.part`` shows an attribute under another key, and ``**name``
    the keys of a part in its place.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Share(JsonResult):
    ...     json_names = "total=rows part share"
    ...     part: int
    ...     rows: int
    ...     @property
    ...     def share(self) -> float:
    ...         return self.part / self.rows
    >>> Share(part=1, rows=4).as_json()
    {'total': 4, 'part': 1, 'share': 0.25}
    """

    json_names: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON shows it, as plain values."""
        return pick_json(self, self.json_names) if self.json_names else _pick_fields(self)


def pick_json(value: object, names: str) -> dict[str, Any]:
    """Return some attributes of a value as JSON; `names` as in :class:`JsonResult`."""
    picked: dict[str, Any] = {}
    for name in names.split():
        key, _, path = name.rpartition("=")
        shown = to_json(attrgetter(path.removeprefix("**"))(value))
        picked |= shown if path.startswith("**") else {key or path: shown}
    return picked


def to_json(value: Any) -> Any:
    """Return a value as JSON shows it: results as they declare it, other dataclasses by fields.

    Paths are text, and so are values with a text of their own, such as addresses.
    """
    if isinstance(value, JsonResult):
        return value.as_json()
    if isinstance(value, PurePath) or (is_dataclass(value) and "__str__" in vars(type(value))):
        return str(value)
    if is_dataclass(value):
        return _pick_fields(value)
    if isinstance(value, Mapping):
        return {
            str(key) if isinstance(key, int) else key: to_json(one) for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [to_json(one) for one in value]
    return value


def _pick_fields(value: Any) -> dict[str, Any]:
    """Return every field of a dataclass."""
    return {one.name: to_json(getattr(value, one.name)) for one in fields(value)}
