"""Hierarchy: a rule that takes a value to ever more general ones.

The papers' domain generalization hierarchy DGH is the sequence of levels; the value
generalization hierarchy VGH is what :meth:`Hierarchy.generalize` walks (Achieving, section
3.1; Samarati, section 3.1). A rule, rather than a list of the values of one table, can also
generalize the values of an external table and of next month's data.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from pydantic import ConfigDict

from lookalike.errors import InvalidInput, UnknownValue, name_some
from lookalike.hierarchy.bound import BoundHierarchy, LabelPath, bind_paths

SUPPRESSED = "*"
"""How a rule writes the suppressed value, the most general of all."""

SECOND_TOP = (
    "suppression_level = true would add the suppressed value above a hierarchy that already "
    "ends in it; leave suppression_level out"
)


@dataclass(frozen=True, kw_only=True)
class Hierarchy(ABC):
    """A rule from ground values to their ancestors, level by level up to one value.

    A kind of hierarchy says what the ancestors of a value are (:meth:`climb`) and how many
    there are (:attr:`rule_height`); everything else is common. Its fields are the fields of
    the ``hierarchy`` table in a specification.

    Parameters
    ----------
    unknown
        What to do with a value that the rule cannot generalize: ``"error"`` refuses the
        table, ``"suppress"`` releases it as suppressed at every level.
    suppression_level
        Adds the suppressed value as an extra top, "atop the old maximal element" (Achieving,
        section 3.1), so that the height grows by one.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    unknown: Literal["error", "suppress"] = "error"
    suppression_level: bool = False

    def __post_init__(self) -> None:
        if self.suppression_level and self.ends_suppressed:
            raise self.invalid(SECOND_TOP)

    @property
    def name(self) -> str:
        """The kind of rule, as a specification names it."""
        return type(self).__name__.lower()

    @property
    @abstractmethod
    def rule_height(self) -> int:
        """The number of steps of the rule itself, without the suppression level."""

    @abstractmethod
    def climb(self, value: str) -> Sequence[str]:
        """Return the ancestors of a ground value at levels 1 to `rule_height`.

        Raises
        ------
        UnknownValue
            If the value is not in the ground domain. The message completes the sentence
            "column 'x': 3 values … " with what is wrong and how to mend it, without the value.
        """

    @property
    def ends_suppressed(self) -> bool:
        """Whether the rule is known to end in the suppressed value by itself."""
        return False

    def invalid(self, problem: str) -> InvalidInput:
        """Return the error that a field of this hierarchy cannot be used."""
        return InvalidInput(f"{self.name} hierarchy: {problem}")

    def parse(self, value: str) -> str:
        """Return the one way to write a ground value, so that two spellings can be matched."""
        self.climb(value)
        return value

    def lower(self, label: str, level: int) -> str:  # noqa: ARG002  (a rule knows its own labels)
        """Return the ground value that a label at a level from 1 on is most simply read as.

        :meth:`descend` makes sure that it is one; a kind need not.
        """
        return label

    def descend(self, label: str, level: int) -> str:
        """Return a ground value that becomes a label at a level, as :meth:`climb` undone.

        Each level is a function of the one below, so whatever ground value it is, it has the
        ancestors of the label: released labels can be compared without the private values.

        Raises
        ------
        UnknownValue
            If no ground value is written so at that level, or it is the suppressed value.

        Examples
        --------
        >>> from lookalike.hierarchy import Dates
        >>> Dates().descend("1965-1969", 3), Dates().ancestors("1965-01-01")[4]
        ('1965-01-01', '1960-1969')
        """
        ground = label if level == 0 else self.lower(label, level)
        if label == SUPPRESSED or self.ancestors(ground)[level] != label:
            raise UnknownValue(f"no value is written so at level {level}")
        return ground

    def fit(self, values: Sequence[str]) -> Self:  # noqa: ARG002  (most rules need no values)
        """Settle what the rule takes from the values of a table, such as a mask's length."""
        return self

    def domain(self) -> Sequence[str]:
        """Return the ground domain where the rule lists it; a rule without a list has none."""
        return ()

    @property
    def height(self) -> int:
        """|DGH|: the number of steps from the ground domain to the one top value."""
        return self.rule_height + self.suppression_level

    def ancestors(self, value: str) -> tuple[str, ...]:
        """Return the labels of a ground value at every level, the value itself first."""
        top = (SUPPRESSED,) if self.suppression_level else ()
        return (value, *self.climb(value), *top)

    def generalize(self, value: str, level: int) -> str:
        """Return the ancestor of a ground value at a level; level 0 is the value itself."""
        if not 0 <= level <= self.height:
            raise InvalidInput(f"level {level} is outside 0 … {self.height}")
        return self.ancestors(value)[level]

    def bind(
        self, column: str, values: Sequence[str | None], suppressed: str = SUPPRESSED
    ) -> BoundHierarchy:
        """Lay the rule over the distinct ground values of a column, as arrays of codes.

        Parameters
        ----------
        column
            The name that errors give to the column.
        values
            The distinct values; ``None`` is the missing value, which stays missing below the
            top and becomes the top there.
        suppressed
            How the release writes the suppressed value.
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
        """Return what a release shows of each value of a column at every level.

        A missing value is missing below the top; one that the rule does not know is
        suppressed, or an error, as `unknown` says.
        """
        rule = self._fit_column(column, values)
        known, unknown = {}, {}
        for value in values:
            if value is not None:
                try:
                    known[value] = _relabel(rule.ancestors(value), suppressed)
                except UnknownValue as reason:
                    unknown[value] = str(reason)
        if unknown and self.unknown == "error":
            raise UnknownValue(_describe(column, unknown))
        anything = [*known.values(), *(rule.ancestors(value) for value in rule.domain()[:1])]
        top = _relabel(anything[0], suppressed)[-1] if anything else suppressed
        missing, lost = _flat(None, rule.height, top), _flat(suppressed, rule.height, top)
        return [missing if v is None else known.get(v, lost) for v in values]

    def _fit_column(self, column: str, values: Sequence[str | None]) -> Self:
        """Settle the rule for a column, and name the column if the rule does not suit it."""
        try:
            return self.fit([value for value in values if value is not None])
        except InvalidInput as problem:
            raise InvalidInput(f"column {column!r}: {problem}") from None


def _relabel(path: tuple[str, ...], suppressed: str) -> tuple[str, ...]:
    """Write the suppressed value the way that the release writes it."""
    ground, *above = path
    return (ground, *(suppressed if label == SUPPRESSED else label for label in above))


def _flat(label: str | None, height: int, top: str) -> LabelPath:
    """Return the path of a value that keeps one label at every level below the top."""
    return (*(label,) * height, top) if height else (label,)


def _describe(column: str, unknown: dict[str, str]) -> str:
    """Say which values a hierarchy does not know, and the first one's reason."""
    values = sorted(unknown)
    count = f"{len(values):,} value{'s' if len(values) > 1 else ''}"
    return (
        f"column {column!r}: {count} that the hierarchy does not know: {name_some(values)}; "
        f'{unknown[values[0]]}, or set unknown = "suppress" to suppress them'
    )
