"""Draw the risk of a table for a notebook: figures and sentences, no value of the table."""

from typing import TYPE_CHECKING

from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table

if TYPE_CHECKING:
    from lookalike.risk.table.assess import Risk


def draw_assessed_risk(risk: "Risk") -> str:
    """Draw the warnings, who is unique by what, and how often attackers are right."""
    subsets: list[list[HtmlCell]] = [
        [", ".join(one.attributes), one.classes, ShareBar(one.unique_share), one.rows_below_k]
        for one in risk.worst_subsets
    ]
    headings = ["known of a person", "classes", "unique", f"{risk.unit} in classes below k"]
    caption = f"Risk of {risk.whole.rows:,} {risk.unit}, k = {risk.k:,}"
    drawn = write_html_table(caption, headings, subsets) + _draw_attackers(risk)
    return write_html_notes(*risk.warnings) + drawn + _draw_sensitive(risk)


def _draw_attackers(risk: "Risk") -> str:
    """Draw the probability that each kind of attacker is right."""
    known = {"prosecutor": risk.prosecutor, "journalist": risk.journalist}
    lines: list[list[HtmlCell]] = [
        [name, one.highest, one.average] for name, one in known.items() if one is not None
    ]
    lines.append(["marketer", None, risk.marketer])
    return write_html_table("Probability of being right", ["attacker", "at most", "mean"], lines)


def _draw_sensitive(risk: "Risk") -> str:
    """Draw what the worst class discloses of each sensitive attribute."""
    lines: list[list[HtmlCell]] = [
        [one.attribute, one.homogeneous_classes, found.distinct_l, found.alpha, found.t]
        for one, found in ((one, one.figures) for one in risk.sensitive)
    ]
    headings = ["attribute", "classes with one value", "distinct l", "largest share", "t"]
    return write_html_table("Sensitive values", headings, lines) if lines else ""
