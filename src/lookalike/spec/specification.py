"""Specification: what to release and how, as a validated model.

It is read from a TOML file, or built from the same fields as keyword arguments of
:func:`lookalike.release`. An unknown field is an error.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Self, get_args

from pydantic import Field, ValidationError, model_validator

from lookalike.errors import InvalidInput
from lookalike.hierarchy import File, Hierarchy, HierarchyKind
from lookalike.model.binsize import ProtectedAlone
from lookalike.model.progress import Announce
from lookalike.model.requirement import Requirement
from lookalike.search.argus.options import ArgusOptions, Decide, decide_as_listed
from lookalike.search.options import SearchOptions
from lookalike.spec.ask_requirement import ask_requirement, weigh_quasi_identifiers
from lookalike.spec.choose_method import choose_method
from lookalike.spec.fields import (
    Attribute,
    Pseudonym,
    QuasiIdentifierFields,
    RecipientFields,
    ReleaseFields,
)
from lookalike.spec.ledger_address import resolve_ledger
from lookalike.spec.model import SpecificationModel
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY
from lookalike.spec.problems import describe_problems
from lookalike.spec.protect import (
    ClosenessFields,
    DisclosureFields,
    LikenessFields,
    ProtectFields,
    RecursiveFields,
)
from lookalike.spec.recipients import check_recipient, fields_for_recipient, override_fields
from lookalike.spec.register_fields import check_register_columns
from lookalike.tables.database_address import resolve_database
from lookalike.tables.resources import HALF_OF_FREE, Resources
from lookalike.tables.source import Source, resolve_path

_PATH_FIELDS = ("out", "dossier", "ledger_files", "ledger_key")
"""The fields of ``[release]`` that are paths."""


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
    quasi_identifiers: tuple[QuasiIdentifierFields, ...] = ()
    recipients: dict[str, RecipientFields] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _quasi_identifiers_fit(self) -> Self:
        """Raise unless the quasi-identifiers together name exactly the linkable attributes."""
        linkable = set(self.hierarchies())
        named = [name for one in self.quasi_identifiers for name in one.attributes]
        for name in named:
            if name not in linkable:
                raise ValueError(
                    f"quasi_identifiers: {name!r} does not have the role quasi-identifier; give it "
                    "that role and a hierarchy"
                )
        left_out = sorted(linkable - set(named)) if named else []
        if left_out:
            raise ValueError(
                f"quasi_identifiers: {left_out[0]!r} is in none of them; name it in one, or give "
                "it another role"
            )
        for one in self.quasi_identifiers:
            if one.respondent is not None and one.respondent not in self.attributes:
                raise ValueError(f"quasi_identifiers: no column is named {one.respondent!r}")
        check_register_columns(self.release.registers, self.attributes)
        self.requirement(rows=0)
        return self

    @model_validator(mode="after")
    def _persons_are_not_released(self) -> Self:
        """Raise if a release would show which rows belong to the same person."""
        for name in self.persons:
            column = self.attributes.get(name)
            if column is None or column.role != "identifier" or column.pseudonym is not None:
                raise ValueError(
                    f"source.person: {name!r} must never be released, because it shows which rows "
                    'are of one person: give it the role "identifier" under [attributes], without '
                    "a pseudonym"
                )
        return self

    @model_validator(mode="after")
    def _ledger_knows_persons(self) -> Self:
        """Raise if a ledger cannot count persons, or its policy what classes are protected in."""
        if self.release.ledger is None or not (self.persons or self.protected_columns):
            return self
        if self.release.policy == BASED_ON:
            raise ValueError(
                f'release.policy: "{BASED_ON}" counts the rows that it adds to earlier classes, '
                f'not persons or sensitive values; choose "{ALL_RELEASED}" or "{CHECK_ONLY}"'
            )
        if len(self.persons) > 1:
            raise ValueError(
                "release.ledger: a ledger counts persons by one column, not by each of "
                f"{', '.join(self.persons)}; name one of them, or release without a ledger"
            )
        return self

    @model_validator(mode="after")
    def _row_key_is_not_released(self) -> Self:
        """Raise if a release would show the row key, or a ledger has none."""
        row_key = None if self.source is None else self.source.row_key
        if row_key is None:
            if self.release.ledger is not None:
                raise ValueError(
                    "release.ledger needs source.row_key: a column that identifies each row, so "
                    "that the next release recognizes it"
                )
            return self
        column = self.attributes.get(row_key)
        if column is None or column.role != "identifier" or column.pseudonym is not None:
            raise ValueError(
                f"source.row_key: {row_key!r} must never be released: give it the role "
                '"identifier" under [attributes], without a pseudonym'
            )
        return self

    @model_validator(mode="after")
    def _recipients_fit(self) -> Self:
        """Raise if a recipient cannot be served."""
        for name, recipient in self.recipients.items():
            check_recipient(name, recipient, self.attributes)
        return self

    @model_validator(mode="after")
    def _something_weighs(self) -> Self:
        """Raise if all weights are 0, so that Prec is undefined."""
        linkable = [a for a in self.attributes.values() if a.role == "quasi-identifier"]
        if linkable and not any(attribute.weight for attribute in linkable):
            raise ValueError("attributes: every weight is 0; at least one must be above 0")
        return self

    @classmethod
    def build(cls, fields: Mapping[str, Any], place: str = "the specification") -> Self:
        """Build a specification from plain values, with the fields of the recipient.

        Raises
        ------
        InvalidInput
            With every field that is wrong, and what it should be.
        """
        general = cls._validate(fields, place)
        chosen = general.release.recipient
        if chosen is not None and chosen not in general.recipients:
            known = ", ".join(general.recipients) or "none; write [recipients.NAME]"
            raise InvalidInput(
                f"{place}: release.recipient: no recipient is named {chosen!r}; the recipients "
                f"are {known}"
            )
        addressed = {
            name: cls._validate(
                {"source": general.source}
                | fields_for_recipient(
                    name, recipient, general.release, general.attributes, general.quasi_identifiers
                ),
                f"{place}: recipients.{name}",
            )
            for name, recipient in general.recipients.items()
        }
        return choose_method(general if chosen is None else addressed[chosen])[0]

    @classmethod
    def _validate(cls, fields: Mapping[str, Any], place: str) -> Self:
        """Validate plain values, and list every problem in one error."""
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            raise InvalidInput(f"{place}: {describe_problems(error, _known_fields())}") from None

    @classmethod
    def load(
        cls,
        path: Path,
        release: Mapping[str, Any] | None = None,
        beside: Mapping[str, Sequence[str]] | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> Self:
        """Read a TOML file; its paths are relative to the file.

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
        """
        try:
            fields = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        except OSError as error:
            raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise InvalidInput(f"{path} is not UTF-8, as TOML must be; save it as UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"{path} is not TOML: {error}") from None
        override_fields(fields, release or {}, beside or {}, source or {})
        return cls.build(fields, str(path)).located(path.parent)

    def located(self, base: Path) -> Self:
        """Return the specification with every relative path resolved against a folder."""
        changed: dict[str, Any] = {
            "attributes": {name: _located(a, base) for name, a in self.attributes.items()}
        }
        if self.source is not None:
            path = self.source.path and resolve_path(self.source.path, base)
            tables = {name: str(base / path) for name, path in self.source.tables.items()}
            database = self.source.database and resolve_database(self.source.database, base)
            spill = self.source.spill and str(base / self.source.spill)
            changed["source"] = replace(
                self.source, path=path, tables=tables, database=database, spill=spill
            )
        asked = {name: getattr(self.release, name) for name in _PATH_FIELDS}
        moved: dict[str, Any] = self.release.locate_registers(base)
        moved |= {name: resolve_path(path, base) for name, path in asked.items() if path}
        if self.release.ledger is not None:
            moved["ledger"] = resolve_ledger(self.release.ledger, base)
        changed["release"] = self.release.model_copy(update=moved)
        return self.model_copy(update=changed)

    @property
    def resources(self) -> Resources:
        """The memory and the spill folder of every connection of the release."""
        return HALF_OF_FREE if self.source is None else self.source.resources

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
        asked = self.release
        return SearchOptions(
            weights=tuple(self.attributes[name].weight for name in self.hierarchies()),
            tolerances=tuple(self.tolerance(name) for name in self.hierarchies()),
            objective=asked.objective,
            prefer=asked.prefer,
            constraints=asked.read_constraints(),
            time_limit=asked.time_limit,
            effort=asked.effort,
            bound=asked.bound,
            keep_best=keep_best,
            argus=ArgusOptions(
                identification=tuple(
                    self.attributes[name].identification for name in self.hierarchies()
                ),
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
        """Return the hierarchy of each quasi-identifier attribute, in order."""
        return {
            name: attribute.hierarchy
            for name, attribute in self.attributes.items()
            if attribute.hierarchy is not None and attribute.role == "quasi-identifier"
        }

    @property
    def persons(self) -> tuple[str, ...]:
        """The columns that identify persons, where k counts persons."""
        named = [None if self.source is None else self.source.person]
        named += [one.respondent for one in self.quasi_identifiers]
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def protected_columns(self) -> tuple[str, ...]:
        """The sensitive columns that have protections."""
        return tuple(name for name, one in self.attributes.items() if one.protect is not None)


def _located(attribute: Attribute, base: Path) -> Attribute:
    """Return an attribute with its file paths resolved against a folder."""
    changed: dict[str, Any] = {}
    if isinstance(attribute.hierarchy, File):
        changed["hierarchy"] = replace(attribute.hierarchy, path=base / attribute.hierarchy.path)
    if attribute.pseudonym is not None:
        changed["pseudonym"] = Pseudonym(key_file=base / attribute.pseudonym.key_file)
    return attribute.model_copy(update=changed)


def _known_fields() -> list[str]:
    """Return the names of all fields of a specification."""
    tables = (
        *(ReleaseFields, Attribute, Pseudonym, QuasiIdentifierFields, RecipientFields),
        *(ProtectFields, ClosenessFields, LikenessFields, DisclosureFields, RecursiveFields),
    )
    known = {name for model in (Specification, *tables) for name in model.model_fields}
    for kind in (Source, *get_args(HierarchyKind)):
        known |= set(kind.__dataclass_fields__)
    return sorted(known)
