"""Hierarchy: base class of the rules that generalize a value level by level.

The papers' domain generalization hierarchy DGH is the sequence of levels; the value
generalization hierarchy VGH is what :meth:`Hierarchy.generalize` follows (Achieving, section
3.1; Samarati, section 3.1). A rule does not depend on the values of one table, so it also
generalizes the values of an external table or of next month's data.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from pydantic import ConfigDict

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy.bound import BoundHierarchy, LabelPath, bind_paths
from lookalike.hierarchy.draw_hierarchy import draw_hierarchy

SUPPRESSED = "*"
"""The suppressed value, the most general one, as hierarchies write it."""

SECOND_TOP = (
    "suppression_level = true would add the suppressed value above a hierarchy that already "
    "ends in it; leave suppression_level out"
)
"""The problem of a hierarchy that would end in the suppressed value twice."""


@dataclass(frozen=True, kw_only=True)
class Hierarchy(ABC):
    """A rule that maps ground values to their ancestors, level by level, up to one value.

    A subclass defines the ancestors of a value (:meth:`climb`) and their number
    (:attr:`rule_height`); everything else is common. The fields of a subclass are the fields
    of the ``hierarchy`` table in a specification.

    Parameters
    ----------
    unknown
        How to treat a value that the rule cannot generalize: ``"error"`` rejects the table,
        ``"suppress"`` suppresses the value at every level.
    suppression_level
        Whether to add the suppressed value as an extra top, "atop the old maximal element"
        (Achieving, section 3.1). The height grows by one.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    ends_suppressed: ClassVar[bool] = False
    """Whether the top of the rule itself is known to be the suppressed value."""
    unknown: Literal["error", "suppress"] = "error"
    suppression_level: bool = False

    def __post_init__(self) -> None:
        if self.suppression_level and self.ends_suppressed:
            raise self.invalid(SECOND_TOP)

    def _repr_html_(self) -> str:
        return draw_hierarchy(self)

    @property
    def name(self) -> str:
        """The kind of hierarchy, as in a specification."""
        return type(self).__name__.lower()

    @property
    @abstractmethod
    def rule_height(self) -> int:
        """The number of levels above the ground domain, without the suppression level."""

    @abstractmethod
    def climb(self, value: str) -> Sequence[str]:
        """Return the ancestors of a ground value at levels 1 to `rule_height`.

        Raises
        ------
        UnknownValue
            If the value is not in the ground domain. The message completes the sentence
            "column 'x': 3 values …" with what is wrong and what to do; it does not repeat the
            value.
        """

    def invalid(self, problem: str) -> InvalidInput:
        """Return the error for a field of this hierarchy that is wrong."""
        return InvalidInput(f"{self.name} hierarchy: {problem}")

    def parse(self, value: str) -> str:
        """Return the canonical spelling of a ground value, so that spellings can be matched."""
        self.climb(value)
        return value

    def lower(self, label: str, level: int) -> str:  # noqa: ARG002  (for subclasses)
        """Return a candidate for a ground value below a label at level 1 or higher.

        :meth:`descend` checks the candidate, so a subclass need not.
        """
        return label

    def descend(self, label: str, level: int) -> str:
        """Return a ground value below a label: the inverse of :meth:`climb`.

        Each level is a function of the level below, so every ground value below the label has
        the label's ancestors. Released labels can thus be compared without the private values.

        Raises
        ------
        UnknownValue
            If no ground value has this label at this level, or the label is the suppressed
            value.

        Examples
        --------
        >>> from lookalike.hierarchy import Dates
        >>> Dates().descend("1965-1969", 3), Dates().ancestors("1965-01-01")[4]
        ('1965-01-01', '1960-1969')
        """
        ground = label if level == 0 else self.lower(label, level)
        if label == SUPPRESSED or self.ancestors(ground)[level] != label:
            raise UnknownValue(f"no value has this label at level {level}")
        return ground

    def fit(self, values: Sequence[str]) -> Self:  # noqa: ARG002  (for subclasses)
        """Return the rule with parameters taken from the values, such as a mask's length."""
        return self

    def domain(self) -> Sequence[str]:
        """Return the ground domain if the rule lists it, else an empty sequence."""
        return ()

    def count_children(self, value: str, level: int) -> int | None:  # noqa: ARG002  (for subclasses)
        """Return how many labels of the level below generalize to a value's ancestor at a level.

        Labels of the whole domain count, whether or not a table has them. None means that the
        rule does not say: it has no list of its values, and any text may be one.

        Parameters
        ----------
        value
            A ground value.
        level
            The level of its ancestor, at least 1.

        Examples
        --------
        >>> from lookalike.hierarchy import Mask, Taxonomy
        >>> Taxonomy({"person": ["asian", "black", "white"]}).count_children("black", 1)
        3
        >>> Mask(length=5).count_children("02138", 1)
        """
        return None

    @property
    def height(self) -> int:
        """The number of steps from the ground domain to the top, |DGH|."""
        return self.rule_height + self.suppression_level

    def ancestors(self, value: str) -> tuple[str, ...]:
        """Return the labels of a ground value at every level, the value itself first."""
        top = (SUPPRESSED,) if self.suppression_level else ()
        return (value, *self.climb(value), *top)

    def list_ancestors(
        self, values: Iterable[str]
    ) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
        """Return the labels of the values that the rule knows, and what to do about the others."""
        known, unknown = {}, {}
        for value in values:
            try:
                known[value] = self.ancestors(value)
            except UnknownValue as reason:
                unknown[value] = str(reason)
        return known, unknown

    def generalize(self, value: str, level: int) -> str:
        """Return the ancestor of a ground value at a level; level 0 is the value itself."""
        if not 0 <= level <= self.height:
            raise InvalidInput(f"level {level} is outside 0 … {self.height}")
        return self.ancestors(value)[level]

    def bind(
        self, column: str, values: Sequence[str | None], suppressed: str = SUPPRESSED
    ) -> BoundHierarchy:
        """Apply the rule to the distinct ground values of a column.

        Parameters
        ----------
        column
            Name of the column, for error messages.
        values
            Distinct values; ``None`` is the missing value, which stays missing at every level
            below the top.
        suppressed
            Label of the suppressed value in the release.

        Returns
        -------
        BoundHierarchy
            The hierarchy as arrays of codes.
        """
        if suppressed in values:
            raise InvalidInput(
                f"column {column!r}: {suppressed!r} stands for suppressed but is a value of this "
                "column; choose another suppressed_label"
            )
        rule = self._fit_column(column, values)
        listed = [_relabel(rule.ancestors(value), suppressed) for value in rule.domain()]
        paths = rule.released_paths(column, values, suppressed)
        return bind_paths(column, paths, suppressed, listed, rule.height)

    def released_paths(
        self, column: str, values: Sequence[str | None], suppressed: str = SUPPRESSED
    ) -> list[LabelPath]:
        """Return the labels that a release shows for each value of a column at every level.

        A missing value is missing at every level below the top. A value that the rule does not
        know is suppressed or an error, depending on `unknown`.
        """
        rule = self._fit_column(column, values)
        found, unknown = rule.list_ancestors(value for value in values if value is not None)
        known = {value: _relabel(path, suppressed) for value, path in found.items()}
        if unknown and self.unknown == "error":
            named = name_some(sorted(unknown))
            raise UnknownValue(_describe(column, unknown, named), named=named)
        anything = [*known.values(), *(rule.ancestors(value) for value in rule.domain()[:1])]
        top = _relabel(anything[0], suppressed)[-1] if anything else suppressed
        missing, lost = _flat(None, rule.height, top), _flat(suppressed, rule.height, top)
        return [missing if v is None else known.get(v, lost) for v in values]

    def _fit_column(self, column: str, values: Sequence[str | None]) -> Self:
        """Fit the rule to the values of a column, and name the column if that fails."""
        try:
            return self.fit([value for value in values if value is not None])
        except InvalidInput as problem:
            raise InvalidInput(f"column {column!r}: {problem}", named=problem.named) from None


def _relabel(path: tuple[str, ...], suppressed: str) -> tuple[str, ...]:
    """Replace the suppressed value by the label that the release uses for it."""
    ground, *above = path
    return (ground, *(suppressed if label == SUPPRESSED else label for label in above))


def _flat(label: str | None, height: int, top: str) -> LabelPath:
    """Return a path with one label at every level below the top."""
    return (*(label,) * height, top) if height else (label,)


def _describe(column: str, unknown: dict[str, str], named: str) -> str:
    """Describe the values that a hierarchy does not know, with the reason of the first."""
    count = f"{len(unknown):,} value{'s' if len(unknown) > 1 else ''}"
    return (
        f"column {column!r}: {count} that the hierarchy does not know: {named}; "
        f'{unknown[min(unknown)]}, or set unknown = "suppress" to suppress them'
    )
