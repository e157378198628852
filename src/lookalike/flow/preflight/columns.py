"""Check for columns of one value, unknown values, roles by rule, and rows that are no data."""

from collections.abc import Iterator, Mapping

from lookalike.draft.find_totals import describe_totals
from lookalike.flow.preflight.facts import Facts
from lookalike.risk.finding import PreflightFinding, count_share
from lookalike.spec.preflight_names import LAST_ROWS, ONE_VALUE, ROLES_BY_RULE, UNKNOWN_VALUES


def check_one_value(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether columns of the release show the same value in every row."""
    reduced = [*_reduced_attributes(facts), *_constant_columns(facts)]
    if reduced and facts.rows > 1:
        one = len(reduced) == 1
        yield PreflightFinding(
            ONE_VALUE,
            "note",
            f"{'Column' if one else 'Columns'} {', '.join(map(repr, reduced))} "
            f"{'shows' if one else 'show'} the same value in every row.",
            "leave out what shows nothing; for an attribute of the quasi-identifier, allow more "
            "suppressed rows, or bound its level by a constraint",
        )


def _reduced_attributes(facts: Facts) -> Iterator[str]:
    """Yield the attributes of the quasi-identifier that show one value."""
    if facts.plan is None:
        return
    frequency = facts.plan.frequency
    tuples = facts.plan.recoding.released(frequency)
    for place, name in enumerate(frequency.attributes):
        shown = tuples.shown(frequency, place)[1]
        if len(shown) and (shown == shown[0]).all():
            yield name


def _constant_columns(facts: Facts) -> Iterator[str]:
    """Yield the columns released as they are that have one value."""
    for name in facts.as_is:
        if facts.is_large:
            different, rows = facts.distinct[name]
            constant = (different, rows) in ((0, 0), (1, facts.frequency.rows))
        else:
            values = facts.sequences([name])
            constant = values is not None and len(values) == 1
        if constant:
            yield name


def check_unknown(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether a hierarchy suppresses values because it does not know them."""
    frequency = facts.frequency
    for place, hierarchy in enumerate(frequency.hierarchies):
        if hierarchy.unknown is None:
            continue
        level = frequency.vector[place]
        rows = frequency.code_rows(place, level)[hierarchy.levels[level][hierarchy.unknown]]
        values = int((hierarchy.ground == hierarchy.unknown).sum())
        yield PreflightFinding(
            UNKNOWN_VALUES,
            "warning",
            f"The hierarchy of {hierarchy.column!r} does not know "
            f"{f'{values:,} values' if values > 1 else 'one value'}, in "
            f"{count_share(int(rows), frequency.rows)}; they are suppressed.",
            "add the values to the hierarchy, or correct them in the table",
        )


def check_rules(facts: Facts) -> Iterator[PreflightFinding]:
    """List the columns whose role was given by a pattern or by default, not by name."""
    attributes, groups = facts.specification.attributes, dict[str, list[str]]()
    for name, rule in facts.specification.by_rule.items():
        groups.setdefault(f"{rule} gives the role {attributes[name].role}", []).append(name)
    if groups:
        listed = "; ".join(
            f"{rule} to {', '.join(map(repr, names))}" for rule, names in groups.items()
        )
        yield PreflightFinding(
            ROLES_BY_RULE,
            "note",
            f"Roles were given to columns that the specification does not name: {listed}.",
            "name the columns under [attributes] if one of them needs another role",
        )


def check_last_rows(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether files end with rows that are no data.

    Their last rows are known since they were read, and the numbers of the quasi-identifier since
    they were counted, so that no row is read for this.
    """
    for sentence, number in describe_totals(facts.table.connection, lambda c: _count(facts, c)):
        yield PreflightFinding(
            LAST_ROWS,
            "warning",
            f"{sentence[0].upper()}{sentence[1:]}, but would count as "
            f"{'a person' if number == 1 else 'people'}.",
            f"leave out what is no data: last_rows = {number} under [source]",
        )


def _count(facts: Facts, column: str) -> Mapping[str, int] | None:
    """Return the values of an attribute with their numbers of rows, if they were counted."""
    frequency = facts.frequency
    if column not in frequency.attributes:
        return None
    place = frequency.attributes.index(column)
    if frequency.vector[place] > 0:
        return None
    labels = frequency.hierarchies[place].labels[0]
    counted = zip(labels, frequency.code_rows(place, 0).tolist(), strict=True)
    return {label: rows for label, rows in counted if label is not None}
