"""Choose the method of a specification that names none: the best one that takes what is asked."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.search.takes import LINKED_METHODS, find_untaken

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

Asked = TypeVar("Asked", bound="Specification")

DEFAULT_METHODS = ("mingen-cells", "mingen", "samarati", "datafly")
"""The methods for a specification that names none, the best first."""


def list_methods() -> list[str]:
    """Return all methods, the default ones first."""
    return [*dict.fromkeys((*DEFAULT_METHODS, *ALGORITHMS))]


def choose_method(
    specification: Asked,
    find_obstacle: Callable[[Asked], str | None] = lambda _: None,
    rows: int = 0,
) -> tuple[Asked, str | None]:
    """Choose the first default method that can do what is asked; a named method is kept.

    The choice never depends on sensitive values, so it gives nothing away about them.

    ``find_obstacle``: returns why the method of a specification cannot be used on the table, if it
    cannot.
    Returns: the specification with its method. The method still counts as not named. If no
    default method can do what is asked, the first one, which says so when it is run.
    Returns: why the first default method is not used; None if it is, or if a method is named.
    """
    if names_method(specification):
        return specification, None
    if specification.is_linked:
        return with_default_method(specification, LINKED_METHODS[0]), None
    candidates = [with_default_method(specification, name) for name in DEFAULT_METHODS]
    reason = None
    for candidate in candidates:
        obstacle = _find_unfit(candidate, rows) or find_obstacle(candidate)
        if obstacle is None:
            return candidate, reason
        reason = reason or obstacle
    return candidates[0], None


def names_method(specification: "Specification") -> bool:
    """Return whether a specification names its method."""
    return "method" in specification.release.model_fields_set


def with_default_method(specification: Asked, name: str) -> Asked:
    """Return a specification with a default method that it does not name.

    Another method, of a certificate that is wrong, leaves the specification as it is.
    """
    if name not in DEFAULT_METHODS:
        return specification
    release = specification.release.model_copy(update={"method": name})
    release.model_fields_set.discard("method")
    return specification.model_copy(update={"release": release})


def _find_unfit(specification: "Specification", rows: int) -> str | None:
    """Return what of a request its method does not take, or is unlikely to satisfy."""
    name, requirement = specification.release.method, specification.requirement(rows)
    attributes = tuple(specification.hierarchies())
    untaken = find_untaken(name, attributes, requirement, specification.options())
    if untaken is not None:
        return f"{name} does not take {untaken.meaning} ({untaken.option})"
    if TAKES[name].cells and requirement.protections and requirement.secrecy == "blind":
        return (
            f"the small classes of {name} seldom satisfy protections of sensitive values, and "
            'secrecy = "blind" does not repair them'
        )
    return None
