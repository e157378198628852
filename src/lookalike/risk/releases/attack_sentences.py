"""State what attacks on several releases found, in sentences for people."""

from lookalike.risk.releases.assumptions import Assumptions
from lookalike.risk.releases.attacked import Attacked, PairAttack, RemainingRows
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.link_classes import LinkedTable
from lookalike.risk.releases.row_order_attack import RowOrderAttack
from lookalike.shown_text import count_rows

RANDOM_ORDER_ADVICE = "Release rows in random order, as lookalike does without --keep-order."
BASED_ON_ADVICE = (
    "Withdraw one of them if possible. Base the next release on the earlier one: no value more "
    "specific than before, and new rows in classes of their own."
)
REPAIR_ADVICE = (
    "Count suppressed cells as values, so that k rows have them in common: set repair = true for "
    "mu-argus, or use another method."
)


def state_remaining(left: RemainingRows) -> str:
    """State in one sentence how many rows remain possible for a person."""
    over, k = ", ".join(left.known.attributes), left.known.k
    if left.at_least is None:
        return "The releases are empty."
    if left.broken:
        return (
            f"An attack was found: anyone who knows {over} of a person may be left with "
            f"{count_rows(left.at_most)}, fewer than k = {k}."
        )
    if left.holds:
        return (
            f"No attack was found in this model: anyone who knows {over} of a person is left with "
            f"at least {count_rows(left.at_least)} (k = {k})."
        )
    return (
        f"Not decided: no attack was found that leaves anyone who knows {over} fewer than k = {k} "
        f"rows, but in this model no more than {count_rows(left.at_least)} are certain to remain."
    )


def state_assumptions(assumed: Assumptions) -> str:
    """State what the model assumes, and which assumptions the releases contradict."""
    same = ", ".join(assumed.unchanged)
    unchanged = f"that nobody's {same} changed, " if same else ""
    statement = (
        f"The model assumes that the releases are about {assumed.people:,} people, {unchanged}and "
        "that nobody knows whose record changed, who came and who left."
    )
    if assumed.people > assumed.people_asked:
        statement += (
            f" {assumed.people_asked:,} people cannot have given these rows: some left and others "
            "came, or their records changed."
        )
    if assumed.changed:
        statement += f" Not used, because too few rows agree there: {', '.join(assumed.changed)}."
    return statement


def state_linked(pair: PairAttack, linked: LinkedTable) -> str:
    """State how many rows of two releases remain after linking them by values."""
    several = f" over {linked.known.name}" if len(pair.linked) > 1 else ""
    attack = f"{pair.kind} attack{several}"
    if linked.k is None:
        return f"{attack}: there are no rows"
    possible = (
        f"{attack}: {linked.sequences:,} sequences of classes are possible, the smallest left with "
        f"{count_rows(linked.k)}"
    )
    if not len(linked.exposed):
        return f"{possible}."
    number = linked.exposed.number_undecided
    undecided = f", {number:,} not decided" if number else ""
    return (
        f"{possible}; {len(linked.exposed):,} with fewer than {linked.known.k}, "
        f"{linked.exposed.number_certain:,} of them certain to exist{undecided}. "
        f"{count_rows(linked.left_exposed)} of {pair.left} and {linked.right_exposed:,} of "
        f"{pair.right} are exposed."
    )


def state_row_order(one: RowOrderAttack) -> str:
    """State the result of linking two releases by the position of their rows."""
    attack = "unsorted matching attack"
    if one.compatible < one.positions:
        return f"{attack}: rows in the same position do not match, so the order reveals nothing."
    if not one.works:
        return f"{attack}: rows in the same position match, but they would in any order."
    return (
        f"{attack}: all {one.positions:,} rows match by position, which is no coincidence; "
        f"combined, the smallest class has {count_rows(one.k)}, and "
        f"{count_rows(one.rows_exposed)} are exposed."
    )


def state_totals(summary: TotalsAttack) -> str:
    """State which values of a release follow from known totals."""
    of = ", ".join(summary.columns)
    if not summary.cells:
        return f"summary attack: no hidden value of {of} follows."
    follow = "value follows" if summary.cells == 1 else "values follow"
    exposed = "is" if summary.rows_exposed == 1 else "are"
    return (
        f"summary attack: {summary.cells:,} hidden {follow} from totals of {of}; "
        f"{count_rows(summary.rows_exposed)} {exposed} exposed."
    )


def list_advice(attacked: Attacked) -> list[str]:
    """List what to do about the attacks that were found."""
    advice: dict[str, None] = {}
    for pair in attacked.pairs:
        if any(len(linked.exposed) for linked in pair.linked):
            advice[BASED_ON_ADVICE] = None
        if any(one.works and one.rows_exposed for one in pair.unsorted[:1]):
            advice[RANDOM_ORDER_ADVICE] = None
    if attacked.rows_inferred:
        advice[REPAIR_ADVICE] = None
    return [*advice]
