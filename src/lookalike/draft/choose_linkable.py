"""Choose the quasi-identifiers of a draft, by what their labels can carry together.

The classes of a release limit the bits of its labels (:mod:`lookalike.risk.table.budget`). Columns
that most analyses use come first, and each is counted at the most general level that is of use. A
column that does not fit there in the bits that are left is left out: no release would show it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lookalike.draft.column_words import split_name
from lookalike.draft.linkable_columns import LinkableColumns
from lookalike.draft.proposed_column import Proposed, ProposedColumn
from lookalike.errors import InvalidInput, not_one_of
from lookalike.risk.table.budget import SLACK_BITS, most_bits

MOST_USED = (
    *("sex", "age", "year of birth", "birth date", "race or ethnicity", "marital status"),
    *("U.S. state", "country", "place", "education"),
)
"""The meanings that most analyses of people use, in their order."""
OFTEN_USED = (
    *("postal code", "occupation", "workplace", "family or household", "language", "payer"),
    *("admission date", "discharge date", "death date", "month or period", "date"),
    "bodily feature",
)
LITTLE_KEPT = 0.3
"""The share of the bits of its values below which labels tell little of a column."""
LEAST_CHOSEN = 6
"""If fewer columns fit, the cheapest others are kept, too, by whole bits: the search generalizes as
it must."""

KEPT_WEIGHT = 2
"""The weight of a column that its holder wants to keep."""


def choose_linkable(
    columns: Proposed,
    linkable: LinkableColumns,
    k: int,
    person: object = None,
    first: Sequence[str] = (),
) -> tuple[ProposedColumn, ...]:
    """Return the columns, those left out that would exceed what the labels of a release can carry.

    ``person``: the column that identifies persons, if there is one.
    ``first``: columns that are kept before all others, whatever they cost.
    """
    possible = _rank(columns, linkable, first)
    joint = linkable.joint_bits([linkable.find_useful(one.name) for one in possible])
    chosen: list[int] = []
    left_out: dict[str, ProposedColumn] = {}
    cost: dict[str, float] = {}

    def find_bits(places: Sequence[int]) -> float:
        names = [possible[place].name for place in places]
        return most_bits(linkable.count_protected(names, person), k)

    for place, column in enumerate(possible):
        more = [*chosen, place]
        if column.name in first or joint(more) <= find_bits(more) + SLACK_BITS:
            chosen = more
            continue
        bits, spent = find_bits(chosen), joint(chosen)
        cost[column.name] = joint(more) - spent
        need = f"it would need {cost[column.name]:.1f} bits"
        level = _name_level(linkable.useful[column.name][0])
        left = f"{max(0.0, bits - spent):.1f} of {bits:.1f} are left by the columns before it"
        left_out[column.name] = _leave(column, f"{need} {level}, and {left}")
    for name in sorted(cost, key=lambda name: round(cost[name]))[
        : max(0, LEAST_CHOSEN - len(chosen))
    ]:
        del left_out[name]
    return tuple(left_out.get(column.name, column) for column in columns)


def _name_level(level: int) -> str:
    """Say at which level a column is counted."""
    return f"at level {level}, the most general one of use" if level else "as it is"


def keep_columns(columns: Proposed, keep: Sequence[str]) -> tuple[ProposedColumn, ...]:
    """Return the columns, those that the holder wants to keep as quasi-identifiers.

    They count more in the search. One that is released as it is stays so; one that must not be
    released is refused.
    """
    known = {column.name: column for column in columns}
    for name in keep:
        if name not in known:
            raise InvalidInput(not_one_of("column to keep", name, tuple(known)))
        if known[name].stricter in ("identifier", "drop"):
            raise InvalidInput(
                f"{name!r} cannot be kept: {known[name].reason}. If you know better, write its "
                "role into the specification"
            )
        if known[name].stricter == "quasi-identifier":
            reason = f"{known[name].reason}; kept, as asked"
            decided = known[name].decide("quasi-identifier", reason)
            known[name] = replace(decided, weight=KEPT_WEIGHT)
    return tuple(known.values())


def _rank(
    columns: Proposed, linkable: LinkableColumns, first: Sequence[str]
) -> list[ProposedColumn]:
    """Return the columns that may be linked, those first that are used most and cost least.

    Of several columns with the same meaning the one with the fewest words in its name comes first,
    then the cheapest, and each further one as late as columns that are used less. One whose labels
    would tell little comes last.
    """
    possible = [
        one for one in columns if one.stricter == "quasi-identifier" and one.name in linkable.useful
    ]
    cost, order = {}, {}
    for one in possible:
        cost[one.name] = linkable.joint_bits([linkable.find_useful(one.name)])([0])
        little = cost[one.name] < LITTLE_KEPT * one.figures.entropy
        order[one.name] = little, len(split_name(one.name)), cost[one.name]
    seen: Counter[str] = Counter()
    ranks = {}
    for one in sorted(possible, key=lambda one: order[one.name]):  # a short name is the plainest
        name = "" if one.meaning is None or one.undecided else one.meaning.name
        tier, place = _find_place(name)
        late = tier + seen[name] if name else tier
        ranks[one.name] = one.name not in first, late, one.undecided, place, cost[one.name]
        seen[name] += 1
    return sorted(possible, key=lambda one: ranks[one.name])


def _find_place(meaning: str) -> tuple[int, int]:
    """Return how much a meaning is used: its tier, and its place there."""
    for tier, names in enumerate((MOST_USED, OFTEN_USED)):
        if meaning in names:
            return tier, names.index(meaning)
    return 2, 0


def _leave(column: ProposedColumn, why: str) -> ProposedColumn:
    """Drop a column; one that is undecided may still be released as it is by its holder."""
    if column.undecided:
        return replace(column, stricter="drop", reason=f"{column.reason}; {why}")
    return replace(column.decide("drop", f"{column.reason}; {why}"), hierarchy=None)
