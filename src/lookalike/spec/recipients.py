"""Recipients: the specification as it is for one recipient.

"Each recipient is also assigned a profile composed of a value in the range [0,..,1] for every
attribute, describing the probability that the recipient could use the attribute for linking"
(Samarati, section 7). A recipient can also have a requirement and columns of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.search.lattice.constraints import Constraint
from lookalike.spec.fields import Attribute, QuasiIdentifierFields, RecipientFields, ReleaseFields

_RELEASE_FIELDS = (
    "max_suppressed",
    "method",
    "objective",
    "prefer",
    "constraints",
    "out",
    "dossier",
    "contract",
)
_K_FIELDS = ("k", "highest_risk", "anonymity")


def check_recipient(
    name: str, recipient: RecipientFields, attributes: Mapping[str, Attribute]
) -> None:
    """Raise if a column cannot be released, or a profile names an attribute without the role."""
    place = f"recipients.{name}"
    for column in recipient.columns or ():
        if column not in attributes:
            raise InvalidInput(
                f"{place}.columns: no column is named {column!r}; the columns are "
                f"{', '.join(attributes)}"
            )
        if attributes[column].role == "drop":
            raise InvalidInput(
                f"{place}.columns: {column!r} has the role drop and is never released; remove it, "
                "or give it another role"
            )
        if attributes[column].role == "identifier" and attributes[column].pseudonym is None:
            raise InvalidInput(
                f"{place}.columns: {column!r} is an identifier and never released; remove it, or "
                "give it a pseudonym"
            )
    linkable = [name for name, one in attributes.items() if one.role == "quasi-identifier"]
    for table in ("linking", "tolerance", "weights"):
        for attribute in getattr(recipient, table):
            if attribute not in linkable:
                raise InvalidInput(
                    f"{place}.{table}: {attribute!r} does not have the role quasi-identifier; the "
                    f"attributes with this role are {', '.join(linkable)}"
                )
    if recipient.columns is not None and not set(linkable) & set(recipient.columns):
        raise InvalidInput(
            f"{place}.columns: none has the role quasi-identifier, so there is nothing to protect; "
            f"name at least one of {', '.join(linkable)}"
        )


def fields_for_recipient(
    name: str,
    recipient: RecipientFields,
    release: ReleaseFields,
    attributes: Mapping[str, Attribute],
    quasi_identifiers: Sequence[QuasiIdentifierFields],
) -> dict[str, Any]:
    """Return the fields of a specification for one recipient.

    A column that the recipient does not receive is dropped: it is never released and is in no
    quasi-identifier. The weights of a profile replace those of the attributes.
    """
    hidden = set(attributes) - set(attributes if recipient.columns is None else recipient.columns)
    return {
        "release": _release_fields(name, recipient, release, hidden),
        "attributes": {
            column: attribute.in_role("identifier" if attribute.role == "identifier" else "drop")
            if column in hidden
            else _profiled(column, attribute, recipient)
            for column, attribute in attributes.items()
        },
        "quasi_identifiers": [
            _without(one, hidden, recipient)
            for one in quasi_identifiers
            if not hidden.issuperset(one.attributes)
        ],
    }


def _release_fields(
    name: str, recipient: RecipientFields, release: ReleaseFields, hidden: set[str]
) -> dict[str, Any]:
    """Return the fields of ``[release]`` with those of the recipient in their place."""
    fields = release.model_dump(exclude_unset=True) | {"recipient": name}
    fields["constraints"] = [
        text for text in release.constraints if Constraint.parse(text).quantity not in hidden
    ]
    if any(getattr(recipient, field) is not None for field in _K_FIELDS):
        fields |= {field: getattr(recipient, field) for field in _K_FIELDS}
    own = {field: getattr(recipient, field) for field in _RELEASE_FIELDS}
    return fields | {field: value for field, value in own.items() if value is not None}


def _profiled(column: str, attribute: Attribute, recipient: RecipientFields) -> Attribute:
    """Return an attribute with the weights of the recipient's profile."""
    profile = {
        "linking": recipient.linking,
        "tolerance": recipient.tolerance,
        "weight": recipient.weights,
    }
    return attribute.model_copy(
        update={field: table[column] for field, table in profile.items() if column in table}
    )


def _without(
    one: QuasiIdentifierFields, hidden: Iterable[str], recipient: RecipientFields
) -> QuasiIdentifierFields:
    """Return a quasi-identifier without hidden attributes and without replaced weights."""
    return one.model_copy(
        update={
            "attributes": tuple(name for name in one.attributes if name not in hidden),
            "linking": _kept(one.linking, {*hidden, *recipient.linking}),
            "tolerance": _kept(one.tolerance, {*hidden, *recipient.tolerance}),
        }
    )


def _kept(table: Mapping[str, Any], gone: set[str]) -> dict[str, Any]:
    """Return a mapping without some of its names."""
    return {name: value for name, value in table.items() if name not in gone}


def override_fields(
    fields: dict[str, Any],
    release: Mapping[str, Any],
    beside: Mapping[str, Sequence[str]],
    source: Mapping[str, Any],
) -> None:
    """Apply the fields of the command line to the fields of a file.

    They take precedence over the fields of the recipient as well.

    Parameters
    ----------
    fields
        The fields of the file; changed in place.
    release
        Fields of ``[release]`` that replace those of the file.
    beside
        Lists that are appended to those of the same name.
    source
        Fields of ``[source]`` that replace those of the file.
    """
    if source and isinstance(fields.setdefault("source", {}), dict):
        fields["source"] |= source
    asked = fields.get("release")
    if not isinstance(asked, dict):
        return
    if "k" in release:
        asked.pop("highest_risk", None)
    asked |= release
    recipients = fields.get("recipients")
    granted = recipients.get(asked.get("recipient")) if isinstance(recipients, dict) else None
    own = granted if isinstance(granted, dict) else {}
    for name in (*release, *(_K_FIELDS if "k" in release else ())):
        own.pop(name, None)
    for name, more in beside.items():
        table = own if name in own else asked
        table[name] = [*table.get(name, ()), *more]
