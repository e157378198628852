"""Conflicts: what is wrong between the tables of a specification, all of it.

Each table is valid by itself here. A name that only a pattern or ``[defaults]`` stands for is
compared again when the columns are known, and a column with the role ``"?"`` may still become
what another table needs.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput, suggest
from lookalike.model.protections import PROTECTIONS
from lookalike.search.lattice.constraints import QUANTITIES
from lookalike.spec.fields import Attribute, QuasiIdentifierFields
from lookalike.spec.policies import ALL_RELEASED, BASED_ON, CHECK_ONLY, INCREMENTS
from lookalike.spec.presets import find_weaker
from lookalike.spec.record_fields import find_record_problems
from lookalike.tables.source import UNDECIDED

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification

_LINKABLE = ("quasi-identifier", UNDECIDED)


def find_conflicts(specification: "Specification") -> Iterator[str]:
    """Yield every problem between the tables of a specification, without its recipients."""
    for find in (
        _find_contradictions,
        _find_unkept_answers,
        _find_unknown_names,
        _find_group_problems,
        _find_shown_persons,
        _find_ledger_problems,
        _find_row_key_problems,
        _find_requirement_problems,
        find_weaker,
        find_record_problems,
    ):
        yield from find(specification)


def _find_contradictions(specification: "Specification") -> Iterator[str]:
    """Yield the fields of ``[release]`` that exclude each other."""
    asked = specification.release
    if asked.contract is not None and asked.recipient is None:
        yield "release.contract belongs to a recipient: write it under [recipients.NAME]"
    if asked.k is not None and asked.highest_risk is not None:
        yield "release: k and highest_risk say the same thing; give one of them"
    if asked.neutralize_formulas and asked.ledger is not None:
        yield (
            "release.neutralize_formulas: a ledger compares published files as they are; release "
            "without a ledger, or write a format without formulas, such as .parquet"
        )
    if asked.leavers == "keep" and (asked.ledger is None or asked.policy != BASED_ON):
        yield (
            f'release.leavers: rows of people who left are kept by policy = "{BASED_ON}" with a '
            "ledger; the others show the rows of the source only"
        )
    if asked.patience:
        if asked.ledger is None or asked.policy != INCREMENTS:
            yield f'release.patience: rows wait under policy = "{INCREMENTS}", with a ledger'
        if asked.suppressed_rows == "blank" or specification.quasi_identifiers:
            yield (
                "release.patience: rows that wait are left out, and of a single quasi-identifier; "
                'remove patience, or suppressed_rows = "blank" and the other quasi-identifiers'
            )
    if asked.leavers != "keep" and (asked.withdrawn or asked.withdrawn_where):
        yield (
            'release.withdrawn is for leavers = "keep"; without it everybody who left the source '
            "is withdrawn"
        )
    if asked.registers and asked.ledger is not None and asked.policy == BASED_ON:
        yield (
            f'release: k_map and presence need classes of this release alone, but policy = "'
            f'{BASED_ON}" keeps those of earlier ones; use policy = "{CHECK_ONLY}"'
        )


def _find_unkept_answers(specification: "Specification") -> Iterator[str]:
    """Yield what a release cannot promise together with what answers leave of a class."""
    asked, rules = specification.release, [*specification.attributes.values()]
    if asked.knows_answers is None:
        if asked.k_answers is not None:
            yield "release.k_answers is for knows_answers, such as knows_answers = 1"
        return
    if asked.k is not None and (asked.k_answers or 0) > asked.k:
        yield (
            f"release.k_answers: classes of k = {asked.k} rows cannot have {asked.k_answers} with "
            "the same answers; give a greater k"
        )
    if asked.ledger is not None:
        yield (
            "release.knows_answers: answers that are left out of one release may be in another; "
            "release without a ledger"
        )
    if specification.quasi_identifiers:
        yield "release.knows_answers is for a single quasi-identifier; remove quasi_identifiers"
    if unlikely := [name for name, one in specification.attributes.items() if one.linking < 1]:
        yield (
            "release.knows_answers counts rows over the whole quasi-identifier, and linking below "
            f"1 takes {', '.join(unlikely)} out of it; leave linking out"
        )
    defaults = () if specification.defaults is None else (specification.defaults,)
    if not any(one.role in ("other", UNDECIDED) for one in (*rules, *defaults)):
        yield (
            "release.knows_answers: answers are the columns with role other, and there is none; "
            "give that role to columns that an attacker may know"
        )


def _find_unknown_names(specification: "Specification") -> Iterator[str]:
    """Yield the names in lists and registers that no column has."""
    asked = specification.release
    linkable = list(specification.hierarchies())
    known = [*linkable, *QUANTITIES]
    for constraint in asked.read_constraints():
        name = constraint.quantity
        if specification.is_linked or name in QUANTITIES or _can_be_linkable(specification, name):
            continue
        yield (
            f"release.constraints: {name!r} is neither a quasi-identifier attribute "
            f"({', '.join(linkable)}) nor one of {', '.join(QUANTITIES)}{_near(name, known)}"
        )
    for name in asked.generalize or ():
        if not _can_be_linkable(specification, name):
            yield (
                f"release.generalize: no attribute is named {name!r}; they are "
                f"{', '.join(linkable)}{_near(name, linkable)}"
            )
    for register in asked.registers:
        for name in register.columns:
            if specification.find(name) is None:
                yield (
                    f"release.{register.condition.register}.columns: no column of the table is "
                    f"named {name!r}; write attribute = column of the register"
                    f"{_near(name, specification.attributes)}"
                )


def _can_be_linkable(specification: "Specification", name: str) -> bool:
    """Return whether a column is in the quasi-identifier, or may be when the table is read.

    The policy ``all-released-attributes`` adds columns of earlier releases to it.
    """
    column, asked = specification.find(name), specification.release
    widened = asked.ledger is not None and asked.policy == ALL_RELEASED
    return column is not None and (column.role in _LINKABLE or widened)


def _find_group_problems(specification: "Specification") -> Iterator[str]:
    """Yield the problems of ``[[quasi_identifiers]]``: names, and attributes in none of them."""
    groups, linkable = specification.quasi_identifiers, list(specification.hierarchies())
    for one in groups:
        yield from _find_member_problems(specification, one, linkable)
    named = {name for one in groups for name in one.attributes}
    for name in linkable if groups else ():
        if name not in named:
            yield (
                f"quasi_identifiers: {name!r} is in none of them; name it in one, or give it "
                "another role"
            )


def _find_member_problems(
    specification: "Specification", one: QuasiIdentifierFields, linkable: Iterable[str]
) -> Iterator[str]:
    """Yield the names of one of several quasi-identifiers that do not fit."""
    place = f"quasi_identifiers.{one.name}"
    for name in one.attributes:
        column = specification.find(name)
        if column is None or column.role not in _LINKABLE:
            yield (
                f"{place}: {name!r} does not have the role quasi-identifier; give it that role and "
                f"a hierarchy{_near(name, linkable)}"
            )
    for table in ("linking", "tolerance"):
        for name in getattr(one, table):
            if name not in one.attributes:
                known = ", ".join(one.attributes)
                yield (
                    f"{place}.{table}: {name!r} is not one of its attributes {known}"
                    f"{_near(name, one.attributes)}"
                )
    if one.respondent is not None and specification.find(one.respondent) is None:
        near = _near(one.respondent, specification.attributes)
        yield f"{place}.respondent: no column is named {one.respondent!r}{near}"


def _find_shown_persons(specification: "Specification") -> Iterator[str]:
    """Yield the columns of persons that a release would show."""
    columns = () if specification.source is None else specification.source.person_columns
    others = [one.respondent for one in specification.quasi_identifiers if one.respondent]
    for together in dict.fromkeys((columns, *((name,) for name in others))):
        found = [specification.find(name) for name in together]
        unknown = [name for name, one in zip(together, found, strict=True) if one is None]
        if (found and not any(map(_is_hidden, found))) or unknown:
            name = next(iter(unknown), " with ".join(together))
            yield (
                f"source.person: {name!r} must never be released, because it shows which rows are "
                'of one person: give it the role "identifier" under [attributes], without a '
                f"pseudonym{_near_unknown(specification, name)}"
            )


def _find_ledger_problems(specification: "Specification") -> Iterator[str]:
    """Yield why a ledger, or its policy, cannot record the release."""
    asked = specification.release
    try:
        asked.address  # noqa: B018  (raises if it is no address)
    except InvalidInput as problem:
        yield f"release: {problem}"
    if asked.ledger is None:
        return
    if asked.policy == BASED_ON:
        yield from _find_unplanned(specification)
    if len(specification.persons) > 1:
        yield (
            "release.ledger: a ledger counts persons by one column, not by each of "
            f"{', '.join(specification.persons)}; name one of them, or release without a ledger"
        )


def _find_unplanned(specification: "Specification") -> Iterator[str]:
    """Yield what the policy based-on cannot plan for, and the policy that can."""
    instead = f'use policy = "{INCREMENTS}", which shows each row once, so that its classes stay'
    if specification.persons:
        yield (
            f'release.policy: "{BASED_ON}" counts the rows that stay in a class, not the persons '
            f"in {', '.join(specification.persons)}; {instead}"
        )
    for name in specification.protected_columns:
        protect = specification.attributes[name].protect
        asked = [] if protect is None else [*protect.protections()]
        if compared := [one.name for one in asked if not one.by_counts]:
            plain = ", ".join(one.name for one in PROTECTIONS.values() if one.by_counts)
            yield (
                f"attributes.{name}.protect: {', '.join(compared)} "
                f"{'compares' if len(compared) == 1 else 'compare'} with the whole table, which "
                f'changes from release to release, so that "{BASED_ON}" cannot plan for it; '
                f"{instead}, or ask for {plain}"
            )


def _find_row_key_problems(specification: "Specification") -> Iterator[str]:
    """Yield whether a release would show the row key, or a ledger has none."""
    row_key = None if specification.source is None else specification.source.row_key
    if row_key is None:
        if specification.release.ledger is not None:
            yield (
                "release.ledger needs source.row_key: a column that identifies each row, so that "
                "the next release recognizes it"
            )
    elif not _is_hidden(specification.find(row_key)):
        yield (
            f"source.row_key: {row_key!r} must never be released: give it the role "
            '"identifier" under [attributes], without a pseudonym'
            f"{_near_unknown(specification, row_key)}"
        )


def _is_hidden(column: Attribute | None) -> bool:
    """Return whether a column is an identifier that is not released, or may become one."""
    if column is None:
        return False
    return column.role == UNDECIDED or (column.role == "identifier" and column.pseudonym is None)


def _find_requirement_problems(specification: "Specification") -> Iterator[str]:
    """Yield why Prec is undefined, and why the fields make no requirement."""
    weights = [specification.attributes[name].weight for name in specification.hierarchies()]
    if weights and not any(weights):
        yield "attributes: every weight is 0; at least one must be above 0"
    members = [name for one in specification.quasi_identifiers for name in one.attributes]
    if any(specification.find(name) is None for name in members):
        return
    try:
        specification.naming(members).requirement(rows=0)
    except InvalidInput as problem:
        yield str(problem)


def _near(name: str, known: Iterable[str]) -> str:
    """Return the nearest known name as the end of a sentence."""
    near = suggest(name, known)
    return f"; {near}" if near else ""


def _near_unknown(specification: "Specification", name: str) -> str:
    """Return the nearest column, if a name is none."""
    known = specification.find(name) is not None
    return "" if known else _near(name, specification.attributes)
