"""A transformer for scikit-learn that generalizes the columns of a table to k-anonymity.

It needs the extra ``utility``: ``pip install 'lookalike[utility]'``. It calls the same functions
as a notebook does, and nothing imports it.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Self

import narwhals as nw
import numpy.typing as npt
import pyarrow as pa

from lookalike.draft.column import count_column
from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.errors import InvalidInput, not_one_of
from lookalike.flow.release import release
from lookalike.flow.result import Release
from lookalike.hierarchy import SUPPRESSED
from lookalike.model.requirement import LEAST_K
from lookalike.search.methods import TAKES
from lookalike.spec.choose_method import list_methods
from lookalike.tables.clean import clean
from lookalike.tables.cleaning import Cleaning
from lookalike.tables.labels import label

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils import Tags
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise ImportError(
        "lookalike.sklearn needs scikit-learn; install it with pip install 'lookalike[utility]'"
    ) from None

LEVEL_METHODS = tuple(name for name in list_methods() if not TAKES[name].cells)
"""The methods that give all values of an attribute one level, so that new rows can follow."""

AS_IT_IS = Cleaning()
"""Values are read as they are."""
Texts = list[str | None]
"""A column as text; ``None`` is missing."""


class Anonymizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Generalizes the columns of a table to k-anonymity, and new rows likewise.

    ``fit`` chooses a level for every attribute of the quasi-identifier. ``fit_transform`` returns
    the release of the fitted table, counted again: it is k-anonymous. A transformer cannot leave
    out rows, so suppressed rows stay with every attribute of the quasi-identifier suppressed.

    ``transform`` gives new rows the same levels. Each of them then shows the values of a class of
    at least k fitted rows, or is suppressed: because the fitted table has no such class, or because
    a hierarchy does not know a value. The new rows themselves are **not counted**: a table of them
    need not be k-anonymous, and together with the fitted release it may show more than either
    alone. To publish a table, make a release of it (:func:`lookalike.release`).

    A fitted transformer holds no row of the table. It holds hierarchies, and one that was drafted
    lists the values of its column: keep it private.

    Parameters
    ----------
    k
        Minimum number of rows of each combination of released values.
    attributes
        For each column its role and what goes with it, as for :func:`lookalike.release`. Columns
        with the role ``identifier`` or ``drop`` are left out of the result. By default every column
        belongs to the quasi-identifier, with a hierarchy proposed for it
        (:func:`lookalike.propose_hierarchy`).
    method
        One of :data:`LEVEL_METHODS`.
    max_suppressed
        How many rows may be suppressed: a number of rows, or a fraction of them.
    objective
        What ``mingen`` optimizes.
    suppressed_label
        The text of a suppressed value.

    Attributes
    ----------
    levels_
        The level of each attribute of the quasi-identifier.
    measures_
        What the release of the fitted table costs.
    feature_names_in_, n_features_in_
        The columns of the fitted table.

    Examples
    --------
    >>> people = [["02138", 31], ["02139", 33], ["02141", 38], ["02142", 39]]
    >>> anonymizer = Anonymizer(k=2).fit(people)
    >>> anonymizer.levels_
    {'x0': 1, 'x1': 1}
    >>> anonymizer.transform([["02137", 30], ["90210", 30]])
    array([['0213*', '30-34'],
           ['*', '*']], dtype=object)
    """

    def __init__(
        self,
        k: int = 5,
        attributes: Mapping[str, Any] | None = None,
        *,
        method: str = "mingen",
        max_suppressed: int | float | Decimal = 0,
        objective: str = "precision",
        suppressed_label: str = SUPPRESSED,
    ) -> None:
        self.k = k
        self.attributes = attributes
        self.method = method
        self.max_suppressed = max_suppressed
        self.objective = objective
        self.suppressed_label = suppressed_label

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002, N803  (names of scikit-learn)
        """Choose the level of every attribute of the quasi-identifier.

        Parameters
        ----------
        X
            A table: a frame, or an array with one row per record.
        y
            Not used.
        """
        self._learn(self._validate(X, fitting=True))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> npt.NDArray[Any]:  # noqa: ARG002, N803
        """Choose the levels, and return the release of the table, which is k-anonymous.

        Parameters
        ----------
        X, y
            As for :meth:`fit`.
        """
        cells = self._validate(X, fitting=True)
        released = self._learn(cells).table
        return self._write(cells, released.to_pydict())

    def transform(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Give rows the levels that were chosen; suppress those that fit no class.

        Parameters
        ----------
        X
            A table with the columns of the fitted one.
        """
        check_is_fitted(self)
        cells = self._validate(X, fitting=False)
        texts = self._read(cells, self._cleaning).to_pydict()
        labels = {name: self._generalize(name, texts[name]) for name in self.levels_}
        return self._write(cells, texts | labels)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the names of the columns of the result.

        Parameters
        ----------
        input_features
            The names of the columns, if the transformer was fitted on an array.
        """
        check_is_fitted(self)
        names: npt.NDArray[Any] = super().get_feature_names_out(input_features)
        return names[self._kept]

    def __sklearn_tags__(self) -> Tags:
        """Return what scikit-learn may expect: any values go in, and text comes out."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    @property
    def _names(self) -> list[str]:
        """The names of the columns; those of an array are x0, x1 and so on."""
        return [*super().get_feature_names_out()]

    def _validate(self, table: Any, *, fitting: bool) -> npt.NDArray[Any]:
        """Return the cells of a table, whose columns must be those of the fitted one."""
        cells: npt.NDArray[Any] = validate_data(
            self,
            table,
            dtype=None,
            ensure_all_finite=False,
            ensure_min_samples=LEAST_K if fitting else 1,
            reset=fitting,
        )
        return cells

    def _learn(self, cells: npt.NDArray[Any]) -> Release:
        """Make the release of a table, and keep what new rows need."""
        if self.method not in LEVEL_METHODS:
            raise InvalidInput(not_one_of("method", self.method, LEVEL_METHODS))
        table = self._read(cells)
        made = release(
            table,
            attributes=_draft(table) if self.attributes is None else self.attributes,
            k=self.k,
            method=self.method,
            max_suppressed=self.max_suppressed,
            objective=self.objective,
            suppressed_label=self.suppressed_label,
            suppressed_rows="blank",
            keep_order=True,
        )
        _refuse_pseudonyms(made)
        self.levels_, self.measures_ = made.levels or {}, made.measures
        self._cleaning = made.specification.cleaning
        texts = self._read(cells, self._cleaning).to_pydict()
        self._rules = {
            name: replace(rule.fit(_known(texts[name])), unknown="suppress")
            for name, rule in made.specification.hierarchies().items()
        }
        released = made.table.to_pydict()
        self._sequences = set(zip(*(released[name] for name in self.levels_), strict=True))
        self._kept = [place for place, name in enumerate(self._names) if name in released]
        return made

    def _read(self, cells: npt.NDArray[Any], cleaning: Cleaning = AS_IT_IS) -> pa.Table:
        """Write all values as text, as a release does, and clean them."""
        columns = [_write_texts(name, cells[:, at]) for at, name in enumerate(self._names)]
        table = pa.Table.from_arrays(columns, names=self._names)
        return clean(nw.from_native(table), cleaning).to_native()

    def _generalize(self, name: str, texts: Texts) -> Texts:
        """Return the labels of a column at the level that was chosen."""
        different = [*dict.fromkeys(texts)]
        paths = self._rules[name].released_paths(name, different, self.suppressed_label)
        level = self.levels_[name]
        labels = {text: path[level] for text, path in zip(different, paths, strict=True)}
        return [labels[text] for text in texts]

    def _write(self, cells: npt.NDArray[Any], shown: Mapping[str, Texts]) -> npt.NDArray[Any]:
        """Return the released columns; a value that is shown as it came keeps its type."""
        written = cells.astype(object)
        rows = zip(*(shown[name] for name in self.levels_), strict=True)
        blank = [row not in self._sequences for row in rows]
        for place in self._kept:
            name = self._names[place]
            level = self.levels_.get(name, 0)
            own = _write_texts(name, cells[:, place]).to_pylist()
            for row, text in enumerate(shown[name]):
                if blank[row] and name in self.levels_:
                    written[row, place] = self.suppressed_label
                elif level or own[row] != text:
                    written[row, place] = text
        return written[:, self._kept]


def _draft(table: pa.Table) -> dict[str, Any]:
    """Propose a hierarchy for every column."""
    return {
        name: {
            "role": "quasi-identifier",
            "hierarchy": propose_hierarchy(count_column(table, name)).hierarchy,
        }
        for name in table.column_names
    }


def _refuse_pseudonyms(made: Release) -> None:
    """Refuse pseudonyms, whose key a transformer must not hold."""
    for name, one in made.specification.attributes.items():
        if one.pseudonym is not None:
            raise InvalidInput(
                f"column {name!r}: an Anonymizer makes no pseudonyms; leave out pseudonym, or use "
                "lookalike.release"
            )


def _known(texts: Texts) -> list[str]:
    """Return the texts that are not missing."""
    return [text for text in texts if text is not None]


def _write_texts(name: str, column: npt.NDArray[Any]) -> pa.Array:
    """Write the values of a column as text."""
    try:
        texts = [None if _is_missing(value) else label(value) for value in column.tolist()]
    except TypeError as problem:
        raise InvalidInput(
            f"column {name!r} holds a {problem}; give text, numbers or dates"
        ) from None
    return pa.array(texts, pa.string())


def _is_missing(value: Any) -> bool:
    """Return whether a value of any kind of frame is missing."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")
