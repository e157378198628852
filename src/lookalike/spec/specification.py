"""Specification: what to release and how, as a validated model.

It is read from a TOML file, or built from the same fields as keyword arguments of
:func:`lookalike.release`. An unknown field is an error.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from inspect import signature
from pathlib import Path
from typing import Any, Self, cast, get_args

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from lookalike.errors import InvalidInput, list_problems
from lookalike.hierarchy import Hierarchy
from lookalike.model.binsize import ProtectedAlone
from lookalike.model.progress import Announce
from lookalike.model.protections import PROTECTIONS
from lookalike.model.requirement import Requirement
from lookalike.search.argus.options import ArgusOptions, Decide, decide_as_listed
from lookalike.search.options import SearchOptions
from lookalike.spec.ask_requirement import ask_requirement, weigh_quasi_identifiers
from lookalike.spec.choose_method import choose_method
from lookalike.spec.columns import ColumnRules, is_pattern
from lookalike.spec.conflicts import find_conflicts
from lookalike.spec.fields import Attribute, QuasiIdentifierFields, RecipientFields
from lookalike.spec.load import list_fields, locate_tables, override_fields, read_toml
from lookalike.spec.model import SpecificationModel, fill_place, raise_problems
from lookalike.spec.problems import copy_tables, describe_problem, list_known_fields, salvage
from lookalike.spec.recipients import (
    address_recipient,
    find_recipient_problems,
    find_unknown_recipient,
)
from lookalike.spec.record_fields import RecordFields
from lookalike.spec.release_fields import ReleaseFields
from lookalike.tables.cleaning import Cleaning, ColumnCleaning
from lookalike.tables.resources import HALF_OF_FREE, Resources
from lookalike.tables.source import UNDECIDED, Source
from lookalike.tables.table import Role, find_missing, find_unnamed


class Specification(SpecificationModel):
    """A release specification.

    Examples
    --------
    >>> zip_code = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    >>> asked = Specification.build({"release": {"k": 5}, "attributes": {"zip": zip_code}})
    >>> asked.requirement(rows=100).k, asked.release.method
    (5, 'mingen-cells')
    """

    source: Source | None = None
    release: ReleaseFields
    attributes: dict[str, Attribute]
    defaults: Attribute | None = None
    quasi_identifiers: tuple[QuasiIdentifierFields, ...] = ()
    recipients: dict[str, RecipientFields] = Field(default_factory=dict)
    records: dict[str, RecordFields] = Field(default_factory=dict)

    _by_rule: Mapping[str, str] | None = PrivateAttr(default=None)
    _general: "Specification | None" = PrivateAttr(default=None)

    @model_validator(mode="before")
    @classmethod
    def _may_be_records_alone(cls, fields: Any) -> Any:
        """Add ``[attributes]``, which describe the person table, if there is no such table."""
        alone = isinstance(fields, dict) and fields.get("records") and not fields.get("source")
        return {"attributes": {}, **fields} if alone else fields

    @model_validator(mode="after")
    def _tables_fit(self) -> Self:
        """Raise unless the tables fit each other, for every recipient."""
        raise_problems(self._find_problems())
        return self

    def _find_problems(self) -> Iterator[str]:
        """Yield what is wrong between the tables, and for each recipient."""
        general = [*find_conflicts(self)]
        yield from find_unknown_recipient(self)
        yield from general
        for name in self.recipients:
            own = [*find_recipient_problems(self, name)]
            yield from own
            for problem in () if own else find_conflicts(self.addressed(name)):
                if problem not in general:
                    yield f"recipients.{name}: {problem}"

    @classmethod
    def build(cls, fields: Mapping[str, Any], place: str = "the specification") -> Self:
        """Build a specification from plain values, with the fields of the recipient.

        Output paths have today's date and the recipient in them.

        Raises
        ------
        InvalidInput
            With everything that is wrong, and what it should be.
        """
        try:
            general = cls.model_validate(fields)
        except ValidationError:
            raise InvalidInput(list_problems(place, cls.gather_problems(fields))) from None
        chosen = general.release.recipient
        own = general if chosen is None else general.addressed(chosen)
        places, recipient = list_fields(own.release, ("out", "dossier")), own.release.recipient
        filled = {name: fill_place(one, recipient) for name, one in places.items() if one}
        placed = own.model_copy(update={"release": own.release.model_copy(update=filled)})
        return choose_method(placed)[0] if placed.is_complete else placed

    @classmethod
    def gather_problems(cls, fields: Mapping[str, Any]) -> list[str]:
        """List the problems of fields, then those of the rest without them, and so on."""
        left, known = (
            copy_tables(fields),
            list_known_fields(tuple(cls.model_fields), tuple(PROTECTIONS)),
        )
        found: dict[str, None] = {}
        while True:
            try:
                cls.model_validate(left)
            except ValidationError as error:
                problems = error.errors(include_url=False)
                found |= dict.fromkeys(describe_problem(one, known) for one in problems)
                if salvage(left, problems):
                    continue
            return list(found)

    def changed(
        self, release: Mapping[str, Any], source: Mapping[str, Any], tables: Mapping[str, Any]
    ) -> Self:
        """Return it with other fields, as :meth:`load` takes them; its recipient stays."""
        if not (release or source or tables):
            return self
        fields = {name: getattr(self, name) for name in self.model_fields_set}
        fields["release"] = asked = list_fields(self.release, self.release.model_fields_set)
        if self.source is not None:
            fields["source"] = list_fields(self.source, signature(Source).parameters)
        own = () if self.recipients else {"recipient", "contract"} & asked.keys()
        stays = {name: asked.pop(name) for name in own}
        override_fields(fields, release, {}, source, tables)
        built = self.build(fields)
        whole = built.model_copy(update={"release": built.release.model_copy(update=stays)})
        whole._by_rule, whole._general = self._by_rule, self._general
        return whole

    def addressed(self, recipient: str) -> Self:
        """Return the specification as it is for one of its recipients."""
        own = self.model_copy(update=address_recipient(self, recipient))
        own._general = self
        return own

    @property
    def general(self) -> "Specification | None":
        """The specification as it is for all recipients, if it is addressed to one of them."""
        return self._general

    @property
    def rules(self) -> ColumnRules:
        """What is said of columns: by name, by pattern and by default."""
        return ColumnRules(self.attributes, self.defaults)

    @property
    def is_complete(self) -> bool:
        """Whether it names every column, so that no pattern or default is left."""
        are_names = self.defaults is None and not any(map(is_pattern, self.attributes))
        return self._by_rule is not None or are_names

    @property
    def is_linked(self) -> bool:
        """Whether the rows of persons are in several tables, or in sets of a column."""
        return bool(self.records) or any(one.separator for one in self.attributes.values())

    @property
    def by_rule(self) -> Mapping[str, str]:
        """The pattern, or ``[defaults]``, that each column got its role by; without named ones."""
        return self._by_rule or {}

    def find(self, column: str) -> Attribute | None:
        """Return what is said of a column: by its name, a pattern or a default."""
        return self.attributes.get(column) if self.is_complete else self.rules.find(column)

    def naming(self, columns: Sequence[str]) -> Self:
        """Return the specification with the names of some columns instead of their rules."""
        if self.is_complete:
            return self
        named = {column: self.rules.of(key) for column, key in self.rules.choose(columns).items()}
        return self.model_copy(update={"attributes": {**self.attributes, **named}})

    def completed(self, columns: Sequence[str]) -> Self:
        """Return the specification with the columns of a table instead of patterns and defaults.

        The named columns come first, then the others in the order of the table.

        Raises
        ------
        InvalidInput
            With every pattern and every column that does not fit.

        Examples
        --------
        >>> lab = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
        >>> parts = {"attributes": {"lab_*": lab}, "defaults": {"role": "other"}}
        >>> asked = Specification.build({"release": {"k": 2}, **parts})
        >>> done = asked.completed(["day", "lab_1", "lab_2"])
        >>> print({name: one.role for name, one in done.attributes.items()})
        {'day': 'other', 'lab_1': 'quasi-identifier', 'lab_2': 'quasi-identifier'}
        >>> done.by_rule
        {'day': '[defaults]', 'lab_1': 'lab_*', 'lab_2': 'lab_*'}
        """
        if self.is_complete:
            return self
        rules, chosen = self.rules, self.rules.choose(columns)
        names = [name for name in self.attributes if name in columns or not is_pattern(name)]
        attributes = {name: self.attributes[name] for name in names}
        attributes |= {column: rules.of(key) for column, key in chosen.items()}
        whole = self.model_copy(update={"attributes": attributes, "defaults": None})
        whole._by_rule = chosen
        unnamed = find_unnamed(columns, [*attributes]) if self.defaults is None else ()
        found = (*rules.find_problems(columns), *find_missing(columns, names), *unnamed)
        problems = found or tuple(find_conflicts(whole))
        if problems:
            raise InvalidInput(list_problems("the specification does not fit the table", problems))
        return choose_method(whole)[0]

    def decided_roles(self) -> dict[str, Role]:
        """Return the role of each column.

        Raises
        ------
        InvalidInput
            With every column whose role is undecided.
        """
        undecided = [name for name, one in self.attributes.items() if one.role == UNDECIDED]
        if undecided:
            raise InvalidInput(
                f"the role of {', '.join(map(repr, undecided))} is not decided; replace "
                f'role = "{UNDECIDED}" by one of {", ".join(get_args(Role))}'
            )
        return {name: cast(Role, one.role) for name, one in self.attributes.items()}

    @classmethod
    def load(
        cls,
        path: Path,
        release: Mapping[str, Any] | None = None,
        beside: Mapping[str, Sequence[str]] | None = None,
        source: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> Self:
        """Read a TOML file; its paths are relative to the file.

        Paths that are given beside the file are relative to the working folder.

        Parameters
        ----------
        path
            Path of the file.
        release
            Fields of ``[release]`` that replace those of the file.
        beside
            Lists that are appended to those of the same name in ``[release]``.
        source
            Fields of ``[source]`` that replace those of the file.
        tables
            Other tables that replace those of the file; of ``attributes``, some columns.
        """
        fields = read_toml(path)
        given = override_fields(fields, release or {}, beside or {}, source or {}, tables or {})
        return cls.build(fields, str(path)).located(path.parent, given)

    def located(self, base: Path, given: Collection[str] = ()) -> Self:
        """Return the specification with every relative path resolved against a folder.

        Parameters
        ----------
        base
            The folder.
        given
            The fields whose paths are relative to the working folder instead.
        """

        def folder_of(field: str) -> Path:
            return Path.cwd() if field in given else base

        own = self.model_copy(update=locate_tables(self, folder_of))
        own._general = None if self._general is None else self._general.located(base, given)
        return own

    @property
    def resources(self) -> Resources:
        """The memory and the spill folder of every connection of the release."""
        return HALF_OF_FREE if self.source is None else self.source.resources

    @property
    def cleaning(self) -> Cleaning:
        """How the values of the private table are read, wherever it is read."""
        rules = {
            name: ColumnCleaning(one.missing, one.zero_pad, one.coarsening, one.read_map())
            for name, one in self.attributes.items()
        }
        own = {name: rule for name, rule in rules.items() if rule != ColumnCleaning()}
        return replace(Cleaning() if self.source is None else self.source.cleaning, columns=own)

    def requirement(self, rows: int) -> Requirement:
        """Return the requirement for a table of so many rows."""
        return ask_requirement(self, rows)

    def alone(self, rows: int) -> tuple[ProtectedAlone, ...]:
        """Return the attributes that are outside the combination or protected alone."""
        return tuple(alone for one in weigh_quasi_identifiers(self, rows) for alone in one.alone)

    def options(
        self,
        announce: Announce = lambda _: None,
        decide: Decide | None = None,
        keep_best: Callable[[], bool] = lambda: False,
    ) -> SearchOptions:
        """Return the options of the search.

        Parameters
        ----------
        announce
            Callback that receives progress messages.
        decide
            Callback that decides what µ-Argus generalizes, instead of the list ``generalize``.
        keep_best
            Callback that returns, when a search is interrupted, whether to keep the best
            solution found so far.
        """
        asked, names = self.release, list(self.hierarchies())
        columns = [self.attributes[name] for name in names]
        return SearchOptions(
            weights=tuple(column.weight for column in columns),
            keep=tuple(column.keep for column in columns),
            balanced=asked.keep is not None,
            tolerances=tuple(self.tolerance(name) for name in names),
            objective=asked.objective,
            prefer=asked.prefer,
            constraints=asked.read_constraints(),
            time_limit=asked.time_limit,
            effort=asked.effort,
            bound=asked.bound,
            keep_best=keep_best,
            argus=ArgusOptions(
                identification=tuple(column.identification for column in columns),
                dimension=None if asked.dimension == "all" else asked.dimension,
                combinations=asked.combinations,
                suppress_by=asked.suppress_by,
                repair=asked.repair,
            ),
            decide=decide or (decide_as_listed(asked.generalize) if asked.generalize else None),
            announce=announce,
            decoys=asked.decoys,
        )

    def tolerance(self, name: str) -> Decimal:
        """Return the tolerance of an attribute, the least of its quasi-identifiers."""
        general = self.attributes[name].tolerance
        groups = [one for one in self.quasi_identifiers if name in one.attributes]
        return min((one.tolerance.get(name, general) for one in groups), default=general)

    def hierarchies(self) -> dict[str, Hierarchy]:
        """Return the hierarchy of each named quasi-identifier attribute, in order."""
        complete = self.is_complete
        return {
            name: attribute.hierarchy
            for name, attribute in self.attributes.items()
            if attribute.hierarchy is not None
            and attribute.role == "quasi-identifier"
            and (complete or not is_pattern(name))
        }

    @property
    def persons(self) -> tuple[str, ...]:
        """The columns that identify persons, where k counts persons."""
        named = [self.person_column, *(one.respondent for one in self.quasi_identifiers)]
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def person_column(self) -> str | None:
        """The column that identifies the persons of the source."""
        return None if self.source is None else self.source.person_column

    @property
    def protected_columns(self) -> tuple[str, ...]:
        """The sensitive columns that have protections."""
        return tuple(name for name, one in self.attributes.items() if one.protect is not None)
