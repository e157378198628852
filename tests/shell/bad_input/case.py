"""One bad input: a good release with one thing changed, and what must be said about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

SPECIFICATION = """\
[source]
path = "people.csv"

[release]
k = 2
out = "released/people.csv"

[attributes.name]
role = "identifier"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }

[attributes.born]
role = "quasi-identifier"
hierarchy = { kind = "dates" }

[attributes.age]
role = "quasi-identifier"
hierarchy = { kind = "intervals", widths = [10, 20] }

[attributes.region]
role = "quasi-identifier"
hierarchy = { kind = "file", path = "region.csv" }

[attributes.illness]
role = "sensitive"
"""

HEADER = "name,zip,born,age,region,illness"
ROWS = (
    "Quillfeather,90211,1931-03-17,83,Borduria,scurvy",
    "Ravensbourne,90211,1931-03-17,83,Borduria,gout",
    "Thistlewood,90255,1944-07-29,71,Syldavia,scurvy",
    "Underhill,90255,1944-07-29,71,Syldavia,gout",
    "Vantongeren,60614,1958-11-05,56,Ruritania,quinsy",
    "Wintersmith,60614,1958-11-05,56,Ruritania,quinsy",
    "Yarborough,60657,1987-12-24,27,Illyria,scurvy",
    "Zouchberry,60657,1987-12-24,27,Illyria,quinsy",
)
REGIONS = "Borduria;East;*\nSyldavia;East;*\nRuritania;West;*\nIllyria;West;*\n"


def lines(*rows: str, header: str = HEADER) -> str:
    """Write a header and rows, one a line."""
    return "\n".join((header, *rows)) + "\n"


FILES = {"spec.toml": SPECIFICATION, "people.csv": lines(*ROWS), "region.csv": REGIONS}


@dataclass(frozen=True)
class Bad:
    """What is changed of the good release, and what lookalike must answer.

    Parameters
    ----------
    id
        The mistake, in a few words.
    says
        Pieces of the message: the place, and the remedy.
    change
        What is replaced by what in the specification.
    files
        What the files in the folder hold instead; nothing removes the file.
    modes
        The permissions of files, where they matter.
    command
        What is typed after ``lookalike``.
    first
        What was typed before, while everything was still good.
    code
        The exit code.
    shows
        The column whose values the message may name, because its hierarchy is to be mended.
    """

    id: str
    says: tuple[str, ...]
    change: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str | bytes | None] = field(default_factory=dict)
    modes: Mapping[str, int] = field(default_factory=dict)
    command: str = "release spec.toml"
    first: str = ""
    code: int = 2
    shows: str = ""
