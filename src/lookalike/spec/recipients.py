"""Recipients: what each of them gets, where that differs from what the specification says.

"Each recipient is also assigned a profile composed of a value in the range [0,..,1] for every
attribute, describing the probability that the recipient could use the attribute for linking"
(Samarati, section 7). Who may be given more, or less, has also a requirement and columns of
their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lookalike.errors import InvalidInput
from lookalike.search.lattice.constraints import Constraint
from lookalike.spec.fields import Attribute, QuasiIdentifierFields, RecipientFields, ReleaseFields

OF_RELEASE = (
    "max_suppressed",
    "method",
    "objective",
    "prefer",
    "constraints",
    "out",
    "dossier",
    "contract",
)
OF_K = ("k", "anonymity")


def check_recipient(
    name: str, recipient: RecipientFields, attributes: Mapping[str, Attribute]
) -> None:
    """Refuse columns that cannot be released, and profiles of what is not linkable."""
    place = f"recipients.{name}"
    for column in recipient.columns or ():
        if column not in attributes:
            raise InvalidInput(
                f"{place}.columns: no column is named {column!r}; the columns are "
                f"{', '.join(attributes)}"
            )
        if attributes[column].role == "identifier" and attributes[column].pseudonym is None:
            raise InvalidInput(
                f"{place}.columns: {column!r} is an identifier and never released; leave it out, "
                "or give it a pseudonym"
            )
    linkable = [name for name, one in attributes.items() if one.role == "quasi-identifier"]
    for table in ("linking", "tolerance", "weights"):
        for attribute in getattr(recipient, table):
            if attribute not in linkable:
                raise InvalidInput(
                    f"{place}.{table}: {attribute!r} has not the role quasi-identifier; those that "
                    f"have it are {', '.join(linkable)}"
                )
    if recipient.columns is not None and not set(linkable) & set(recipient.columns):
        raise InvalidInput(
            f"{place}.columns: none of them is a quasi-identifier attribute, so there is nothing "
            f"to protect; name at least one of {', '.join(linkable)}"
        )


def fields_for_recipient(
    name: str,
    recipient: RecipientFields,
    release: ReleaseFields,
    attributes: Mapping[str, Attribute],
    quasi_identifiers: Sequence[QuasiIdentifierFields],
) -> dict[str, Any]:
    """Return the fields of a specification, as they are for one recipient.

    A column that the recipient does not get is never released, as if it were an identifier,
    and so is in no quasi-identifier. A profile takes the place of all that is said of its
    attributes elsewhere.
    """
    hidden = set(attributes) - set(attributes if recipient.columns is None else recipient.columns)
    return {
        "release": _address_release(name, recipient, release, hidden),
        "attributes": {
            column: Attribute(role="identifier")
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


def _address_release(
    name: str, recipient: RecipientFields, release: ReleaseFields, hidden: set[str]
) -> dict[str, Any]:
    """Put what a recipient is granted in the place of what everybody is."""
    fields = release.model_dump(exclude_unset=True) | {"recipient": name}
    fields["constraints"] = [
        text for text in release.constraints if Constraint.parse(text).quantity not in hidden
    ]
    if any(getattr(recipient, field) is not None for field in OF_K):
        fields |= {field: getattr(recipient, field) for field in OF_K}
    own = {field: getattr(recipient, field) for field in OF_RELEASE}
    return fields | {field: value for field, value in own.items() if value is not None}


def _profiled(column: str, attribute: Attribute, recipient: RecipientFields) -> Attribute:
    """Give an attribute the weights that a recipient's profile has for it."""
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
    """Leave out of a quasi-identifier what is not released, and weights that are replaced."""
    return one.model_copy(
        update={
            "attributes": tuple(name for name in one.attributes if name not in hidden),
            "linking": _kept(one.linking, {*hidden, *recipient.linking}),
            "tolerance": _kept(one.tolerance, {*hidden, *recipient.tolerance}),
        }
    )


def _kept(table: Mapping[str, Any], gone: set[str]) -> dict[str, Any]:
    """Return a table without some of its names."""
    return {name: value for name, value in table.items() if name not in gone}


def override_fields(
    fields: dict[str, Any], release: Mapping[str, Any], beside: Mapping[str, Sequence[str]]
) -> None:
    """Put fields of the command line in the place of, or beside, those of a file.

    They go before those of the recipient too.

    Parameters
    ----------
    fields
        What the file says; it is changed.
    release
        Fields of ``[release]`` that take the place of those in the file.
    beside
        Lists that go after those of the same name.
    """
    asked = fields.get("release")
    if not isinstance(asked, dict):
        return
    asked |= release
    recipients = fields.get("recipients")
    granted = recipients.get(asked.get("recipient")) if isinstance(recipients, dict) else None
    own = granted if isinstance(granted, dict) else {}
    for name in (*release, *(OF_K if "k" in release else ())):
        own.pop(name, None)
    for name, more in beside.items():
        table = own if name in own else asked
        table[name] = [*table.get(name, ()), *more]
