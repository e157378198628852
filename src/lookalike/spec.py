"""Specification: what to release and how, as a validated model.

A TOML file holds it; the same fields are the keyword arguments of
:func:`lookalike.release`. A field that is not known is an error.
"""

import difflib
import math
import stat
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    WrapValidator,
    model_validator,
)

from lookalike.algorithms import ALGORITHMS
from lookalike.errors import InvalidInput
from lookalike.hierarchy import AnyHierarchy, File, Hierarchy, Kind
from lookalike.read import Source
from lookalike.requirement import QuasiIdentifier, Requirement
from lookalike.search.constraints import Constraint
from lookalike.search.objectives import OBJECTIVES
from lookalike.search.options import SearchOptions, Tell
from lookalike.search.preferences import check_preferences
from lookalike.table import Role

MAKE_A_KEY = "make a key with `head -c 32 /dev/urandom > NAME && chmod 600 NAME`"


def _take_rule(value: Any, read: Callable[[Any], Hierarchy]) -> Hierarchy:
    """Take a hierarchy that is an object already, or read it from its table."""
    return value if isinstance(value, Hierarchy) else read(value)


def _read_amount(value: Any) -> int | Decimal:
    """Read a number of rows, or a fraction of them as the decimal that was written."""
    number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if not number or not math.isfinite(value):
        raise ValueError("write a number of rows such as 20, or a fraction of them such as 0.01")
    return value if isinstance(value, int) else Decimal(str(value))


Amount = Annotated[int | Decimal, PlainValidator(_read_amount)]


class _Model(BaseModel):
    """A frozen model without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Pseudonym(_Model):
    """A keyed pseudonym in the place of an identifier, HMAC-SHA256 of its text."""

    key_file: Path

    def key(self) -> bytes:
        """Read the secret key, which only its owner may read."""
        if not self.key_file.is_file():
            raise InvalidInput(f"key_file: no file is found at {self.key_file}; {MAKE_A_KEY}")
        if self.key_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise InvalidInput(
                f"key_file: others may read {self.key_file}; keep it to yourself: chmod 600"
            )
        key = self.key_file.read_bytes()
        if len(key) < 16:
            raise InvalidInput(f"key_file: {self.key_file} holds fewer than 16 bytes; {MAKE_A_KEY}")
        return key


class Attribute(_Model):
    """One column: its role, and what goes with the role."""

    role: Role
    hierarchy: Annotated[AnyHierarchy, WrapValidator(_take_rule)] | None = None
    weight: Annotated[Decimal, Field(ge=0)] = Decimal(1)
    unique: StrictBool = False
    pseudonym: Pseudonym | None = None

    @model_validator(mode="after")
    def _fields_fit_role(self) -> Self:
        """Refuse fields that mean nothing for the role."""
        linkable = self.role == "quasi-identifier"
        if linkable and self.hierarchy is None:
            raise ValueError(
                'a quasi-identifier needs a hierarchy, such as hierarchy = { kind = "suppress" }'
            )
        if not linkable and (self.hierarchy is not None or "weight" in self.model_fields_set):
            raise ValueError(f"hierarchy and weight are for quasi-identifiers, not for {self.role}")
        if self.unique and self.role not in ("sensitive", "other"):
            raise ValueError("unique is for columns released as they are, sensitive or other")
        if self.pseudonym is not None and self.role != "identifier":
            raise ValueError("pseudonym is for identifiers")
        return self


class ReleaseFields(_Model):
    """What the release must satisfy and where it goes."""

    k: StrictInt
    max_suppressed: Amount | None = None
    method: StrictStr = "datafly"
    suppressed_rows: Literal["drop", "blank"] = "drop"
    suppressed_label: Annotated[StrictStr, Field(min_length=1)] = "*"
    keep_order: StrictBool = False
    objective: StrictStr = "precision"
    prefer: tuple[StrictStr, ...] = ()
    constraints: tuple[StrictStr, ...] = ()
    time_limit: Annotated[float | None, Field(gt=0)] = None
    out: str | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Refuse a method that does not exist, and a requirement that cannot be."""
        if self.method not in ALGORITHMS:
            raise ValueError(f"method is one of {', '.join(ALGORITHMS)}, not {self.method!r}")
        if self.objective not in OBJECTIVES:
            raise ValueError(f"objective is one of {', '.join(OBJECTIVES)}, not {self.objective!r}")
        check_preferences(self.prefer)
        self.read_constraints()
        Requirement(self.k, self.max_suppressed)
        return self

    def read_constraints(self) -> tuple[Constraint, ...]:
        """Return the constraints, read."""
        return tuple(Constraint.parse(text) for text in self.constraints)


class QuasiIdentifierFields(_Model):
    """One of several quasi-identifiers: its attributes, its own k, and whom it tells of."""

    name: Annotated[StrictStr, Field(min_length=1)]
    attributes: Annotated[tuple[StrictStr, ...], Field(min_length=1)]
    k: StrictInt | None = None
    respondent: StrictStr | None = None


class Specification(_Model):
    """A whole release specification."""

    source: Source | None = None
    release: ReleaseFields
    attributes: dict[str, Attribute]
    quasi_identifiers: tuple[QuasiIdentifierFields, ...] = ()

    @model_validator(mode="after")
    def _quasi_identifiers_fit(self) -> Self:
        """Refuse quasi-identifiers that leave a linkable attribute out, or name another."""
        linkable = set(self.hierarchies())
        named = [name for one in self.quasi_identifiers for name in one.attributes]
        for name in named:
            if name not in linkable:
                raise ValueError(
                    f"quasi_identifiers: {name!r} has not the role quasi-identifier; give it that "
                    "role and a hierarchy"
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
        self.requirement()
        return self

    @model_validator(mode="after")
    def _something_weighs(self) -> Self:
        """Refuse weights that are all 0, under which nothing would be lost by anything."""
        linkable = [a for a in self.attributes.values() if a.role == "quasi-identifier"]
        if linkable and not any(attribute.weight for attribute in linkable):
            raise ValueError("attributes: every weight is 0; one at least must be above 0")
        return self

    @classmethod
    def build(cls, fields: Mapping[str, Any], place: str = "the specification") -> Self:
        """Validate plain values.

        Raises
        ------
        InvalidInput
            With every field that is wrong, by its name, and what it should be.
        """
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            problems = [_describe(dict(problem)) for problem in error.errors(include_url=False)]
            raise InvalidInput(f"{place}: " + "; ".join(problems)) from None

    @classmethod
    def load(
        cls,
        path: Path,
        release: Mapping[str, Any] | None = None,
        beside: Mapping[str, Sequence[str]] | None = None,
    ) -> Self:
        """Read a TOML file; paths in it are relative to it.

        Parameters
        ----------
        path
            The file.
        release
            Fields of ``[release]`` that take the place of those in the file.
        beside
            Lists that go after those of the same name in ``[release]``.
        """
        try:
            fields = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        except OSError as error:
            raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise InvalidInput(f"{path} is not UTF-8, as TOML must be; save it as UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"{path} is not TOML: {error}") from None
        if isinstance(fields.get("release"), dict):
            fields["release"] |= release or {}
            for name, more in (beside or {}).items():
                fields["release"][name] = [*fields["release"].get(name, ()), *more]
        return cls.build(fields, str(path)).located(path.parent)

    def located(self, base: Path) -> Self:
        """Return the specification with every relative path below a folder."""
        changed: dict[str, Any] = {
            "attributes": {name: _located(a, base) for name, a in self.attributes.items()}
        }
        if self.source is not None:
            path = self.source.path and str(base / self.source.path)
            tables = {name: str(base / path) for name, path in self.source.tables.items()}
            changed["source"] = replace(self.source, path=path, tables=tables)
        if self.release.out is not None:
            out = str(base / self.release.out)
            changed["release"] = self.release.model_copy(update={"out": out})
        return self.model_copy(update=changed)

    def requirement(self) -> Requirement:
        """Return what the release must satisfy."""
        asked = self.release
        return Requirement(
            k=asked.k,
            max_suppressed=asked.max_suppressed,
            suppressed_rows=asked.suppressed_rows,
            quasi_identifiers=tuple(
                QuasiIdentifier(one.name, one.attributes, one.k or asked.k, one.respondent)
                for one in self.quasi_identifiers
            ),
        )

    def options(self, tell: Tell = lambda _: None) -> SearchOptions:
        """Return what is asked of the search; it tells how far it is."""
        asked = self.release
        return SearchOptions(
            weights=tuple(self.attributes[name].weight for name in self.hierarchies()),
            objective=asked.objective,
            prefer=asked.prefer,
            constraints=asked.read_constraints(),
            time_limit=asked.time_limit,
            tell=tell,
        )

    def hierarchies(self) -> dict[str, Hierarchy]:
        """Return the hierarchy of each attribute of the quasi-identifier, in order."""
        return {n: a.hierarchy for n, a in self.attributes.items() if a.hierarchy is not None}


def _located(attribute: Attribute, base: Path) -> Attribute:
    """Put the files that an attribute names below a folder."""
    changed: dict[str, Any] = {}
    if isinstance(attribute.hierarchy, File):
        changed["hierarchy"] = replace(attribute.hierarchy, path=base / attribute.hierarchy.path)
    if attribute.pseudonym is not None:
        changed["pseudonym"] = Pseudonym(key_file=base / attribute.pseudonym.key_file)
    return attribute.model_copy(update=changed)


def _describe(problem: dict[str, Any]) -> str:
    """Say which field is wrong and what it should be."""
    place, reason = _place(problem["loc"]), str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        near = difflib.get_close_matches(str(problem["loc"][-1]), _known_fields(), n=1)
        reason = "not a field" + (f"; did you mean {near[0]!r}?" if near else "")
    elif problem["type"] == "missing":
        reason = "is required"
    elif problem["type"] in ("union_tag_invalid", "union_tag_not_found", "model_attributes_type"):
        kinds = ", ".join(kind.__name__.lower() for kind in get_args(Kind))
        reason = f'needs a kind, such as {{ kind = "mask" }}; the kinds are {kinds}'
    elif problem["type"] in ("model_type", "dataclass_type", "dict_type"):
        reason = f"must be a table: write [{place}], and its fields in the lines below"
    return f"{place}: {reason}" if place else reason


def _place(location: Sequence[str | int]) -> str:
    """Write where a field is; the kind of a hierarchy is no place."""
    parts = [str(part) for part in location]
    if parts[2:3] == ["hierarchy"]:
        del parts[3:4]
    return ".".join(parts)


def _known_fields() -> list[str]:
    """List the names of all fields that a specification may have."""
    models = (Specification, ReleaseFields, Attribute, Pseudonym)
    known = {name for model in models for name in model.model_fields}
    for kind in (Source, *get_args(Kind)):
        known |= set(kind.__dataclass_fields__)
    return sorted(known)
