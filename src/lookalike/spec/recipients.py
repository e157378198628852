"""Recipients: the specification as it is for one recipient.

"Each recipient is also assigned a profile composed of a value in the range [0,..,1] for every
attribute, describing the probability that the recipient could use the attribute for linking"
(Samarati, section 7). A recipient can also have a requirement and columns of their own.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lookalike.errors import suggest
from lookalike.search.lattice.constraints import Constraint
from lookalike.spec.fields import Attribute, QuasiIdentifierFields, RecipientFields
from lookalike.spec.release_fields import ReleaseFields
from lookalike.tables.source import UNDECIDED

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

K_FIELDS = ("k", "highest_risk", "anonymity")
"""The fields that ask for k, of which one replaces the others."""


def find_unknown_recipient(specification: "Specification") -> Iterator[str]:
    """Yield whether a recipient is chosen who does not exist."""
    chosen, known = specification.release.recipient, specification.recipients
    if chosen is not None and chosen not in known:
        near = suggest(chosen, known)
        yield (
            f"release.recipient: no recipient is named {chosen!r}; {f'{near} ' if near else ''}"
            f"the recipients are {', '.join(known) or 'none; write [recipients.NAME]'}"
        )


def find_recipient_problems(specification: "Specification", name: str) -> Iterator[str]:
    """Yield the columns that cannot be released, and the names of a profile that do not fit."""
    place, recipient = f"recipients.{name}", specification.recipients[name]
    for received in recipient.columns or ():
        problem = _find_column_problem(specification, received)
        if problem is not None:
            yield f"{place}.columns: {problem}"
    linkable = list(specification.hierarchies())
    for table in ("linking", "tolerance", "weights"):
        for attribute in getattr(recipient, table):
            column = specification.find(attribute)
            if column is None or column.role not in ("quasi-identifier", UNDECIDED):
                near = suggest(attribute, linkable)
                yield (
                    f"{place}.{table}: {attribute!r} does not have the role quasi-identifier; "
                    f"{f'{near} ' if near else ''}the attributes with this role are "
                    f"{', '.join(linkable)}"
                )
    columns = map(specification.find, recipient.columns or ())
    roles = {column.role for column in columns if column is not None}
    if recipient.columns is not None and not roles & {"quasi-identifier", UNDECIDED}:
        yield (
            f"{place}.columns: none has the role quasi-identifier, so there is nothing to protect; "
            f"name at least one of {', '.join(linkable)}"
        )


def _find_column_problem(specification: "Specification", name: str) -> str | None:
    """Return why a recipient cannot receive a column."""
    column = specification.find(name)
    if column is None:
        known = [*specification.attributes]
        near = suggest(name, known)
        return (
            f"no column is named {name!r}; {f'{near} ' if near else ''}the columns are "
            f"{', '.join(known)}"
        )
    if column.role == "drop":
        return (
            f"{name!r} has the role drop and is never released; remove it, or give it another role"
        )
    if column.role == "identifier" and column.pseudonym is None:
        return f"{name!r} is an identifier and never released; remove it, or give it a pseudonym"
    return None


def address_recipient(specification: "Specification", name: str) -> dict[str, Any]:
    """Return what changes in a specification for one recipient.

    A column that the recipient does not receive is dropped: it is never released and is in no
    quasi-identifier. The weights of a profile replace those of the attributes.
    """
    recipient = specification.recipients[name]
    profile = (recipient.linking, recipient.tolerance, recipient.weights)
    asked = (*(recipient.columns or ()), *(one for table in profile for one in table))
    named = specification.naming(asked)
    attributes, defaults = named.attributes, named.defaults
    hidden = set() if recipient.columns is None else set(attributes) - set(recipient.columns)
    return {
        "recipients": {},
        "release": _address_release(name, recipient, specification.release, hidden),
        "attributes": {
            column: _hide(attribute) if column in hidden else _weigh(column, attribute, recipient)
            for column, attribute in attributes.items()
        },
        "defaults": _hide(defaults) if defaults and recipient.columns is not None else defaults,
        "quasi_identifiers": tuple(
            _without(one, hidden, recipient)
            for one in specification.quasi_identifiers
            if not hidden.issuperset(one.attributes)
        ),
    }


def list_sharing(general: "Specification", chosen: str) -> dict[str, RecipientFields]:
    """Return the recipients who may put what they get together with what a chosen one gets.

    Only if both are bound by a contract is it assumed that nobody has the releases of both.
    """
    bound = general.recipients[chosen].contract is not None
    return {
        name: one
        for name, one in general.recipients.items()
        if name == chosen or not (bound and one.contract is not None)
    }


def _hide(attribute: Attribute) -> Attribute:
    """Return a column that the recipient does not receive."""
    return attribute.in_role("identifier" if attribute.role == "identifier" else "drop")


def _address_release(
    name: str, recipient: RecipientFields, release: ReleaseFields, hidden: set[str]
) -> ReleaseFields:
    """Return the fields of ``[release]`` with those of the recipient in their place."""
    fields: dict[str, Any] = {"recipient": name}
    fields["constraints"] = tuple(
        text for text in release.constraints if Constraint.parse(text).quantity not in hidden
    )
    if any(getattr(recipient, field) is not None for field in K_FIELDS):
        fields |= {field: getattr(recipient, field) for field in K_FIELDS}
    own = RecipientFields.model_fields.keys() & ReleaseFields.model_fields.keys() - {*K_FIELDS}
    found = {field: getattr(recipient, field) for field in own}
    fields |= {field: value for field, value in found.items() if value is not None}
    return release.model_copy(update=fields)


def _weigh(column: str, attribute: Attribute, recipient: RecipientFields) -> Attribute:
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
    kept: dict[str, Any] = {"attributes": tuple(n for n in one.attributes if n not in hidden)}
    for table in ("linking", "tolerance"):
        gone = {*hidden, *getattr(recipient, table)}
        kept[table] = {n: value for n, value in getattr(one, table).items() if n not in gone}
    return one.model_copy(update=kept)
