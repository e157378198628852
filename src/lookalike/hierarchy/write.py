"""Write a hierarchy to a file that people can read and edit."""

import csv
from collections.abc import Iterable
from pathlib import Path

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy.hierarchy import Hierarchy
from lookalike.hierarchy.listed import Listed


def write_hierarchy(
    hierarchy: Hierarchy,
    values: Iterable[str | None],
    path: str | Path,
    delimiter: str = ";",
) -> None:
    """Write the ancestors of some values, and of the ground domain if the hierarchy lists it.

    :class:`~lookalike.hierarchy.File` reads the same ancestors back. Missing values get no
    line. Values that the hierarchy does not know are omitted if it suppresses them, and an
    error otherwise.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    values
        The values of a column; each is written once.
    path
        The file to write.
    delimiter
        The field delimiter.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lookalike.hierarchy import Mask
    >>> with TemporaryDirectory() as folder:
    ...     target = Path(folder, "zip.csv")
    ...     write_hierarchy(Mask(), ["02", "13"], target)
    ...     print(target.read_text(), end="")
    "02";"0*";"*"
    "13";"1*";"*"
    """
    paths = _paths(hierarchy, [value for value in values if value is not None])
    checked = Listed(paths)
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows(checked.paths.values())


def _paths(hierarchy: Hierarchy, values: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the labels of every known value at every level."""
    rule = hierarchy.fit(values)
    paths, unknown = {}, {}
    for value in dict.fromkeys((*values, *rule.domain())):
        try:
            paths[value] = rule.ancestors(value)
        except UnknownValue as reason:
            unknown[value] = str(reason)
    if unknown and hierarchy.unknown == "error":
        named = name_some(sorted(unknown))
        first = unknown[min(unknown)]
        raise UnknownValue(f"the hierarchy does not know {named}; {first}", named=named)
    if not paths:
        raise InvalidInput("there is no value to write; give the values of a column")
    return paths
