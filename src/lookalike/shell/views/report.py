"""Output of ``lookalike report``: whether a published report is the one that its folder gives."""

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.report_folder import RemadeReport
from lookalike.shell.views.printing import fold
from lookalike.tables.files.file_format import REPORT


def show_report(remade: RemadeReport) -> RenderableType:
    """Show whether the published report is the same, and where the new one was written."""
    lines = [fold(sentence) for sentence in remade.differences]
    if remade.same:
        lines.append(Text(f"{REPORT} is the same, made again from the folder.", "bold green"))
    elif remade.published:
        lines.append(Text(f"{REPORT} is NOT the one that the folder gives.", "bold red"))
    else:
        lines.append(Text(f"The folder holds no {REPORT}.", "bold yellow"))
    if remade.out is not None:
        lines.append(Text(f"Written: {remade.out}"))
    elif not remade.same:
        lines.append(Text("Write the report that it gives with --out FILE."))
    return Group(*lines)
