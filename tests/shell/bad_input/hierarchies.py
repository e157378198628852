"""Hierarchies that are none, and values that they do not know."""

from .case import REGIONS, ROWS, Bad, lines

MASK = 'hierarchy = { kind = "mask" }'
DATES = 'hierarchy = { kind = "dates" }'
INTERVALS = 'hierarchy = { kind = "intervals", widths = [10, 20] }'
FILE = 'hierarchy = { kind = "file", path = "region.csv" }'
MANY = tuple(
    f"{row.rpartition(',')[0].rpartition(',')[0]},Atlantis {n},gout" for n, row in enumerate(ROWS)
)


def mask(fields: str) -> dict[str, str]:
    """Describe the hierarchy of ZIP codes."""
    return {MASK: f'hierarchy = {{ kind = "mask", {fields} }}'}


def dates(fields: str) -> dict[str, str]:
    """Describe the hierarchy of birth dates."""
    return {DATES: f'hierarchy = {{ kind = "dates", {fields} }}'}


def intervals(fields: str) -> dict[str, str]:
    """Describe the hierarchy of ages."""
    return {INTERVALS: f'hierarchy = {{ kind = "intervals", {fields} }}'}


def rounding(bases: str) -> dict[str, str]:
    """Describe the hierarchy of ages as rounding."""
    return {INTERVALS: f'hierarchy = {{ kind = "rounding", bases = {bases} }}'}


def tree(branches: str) -> dict[str, str]:
    """Describe the hierarchy of regions as a tree."""
    return {FILE: f'hierarchy = {{ kind = "taxonomy", tree = {branches} }}'}


def regions(content: str | bytes | None) -> dict[str, str | bytes | None]:
    """Put something else in the hierarchy file of regions."""
    return {"region.csv": content}


def people(before: str, after: str) -> dict[str, str | bytes | None]:
    """Put something else in the table."""
    return {"people.csv": lines(*ROWS).replace(before, after)}


HIERARCHIES = [
    Bad(
        "no such file",
        ("hierarchy file region.csv", "No such file", "give the path"),
        files=regions(None),
    ),
    Bad(
        "a folder as the file",
        ("hierarchy file .", "Is a directory", "give the path"),
        {FILE: FILE.replace("region.csv", ".")},
    ),
    Bad("an empty file", ("region.csv", "is empty", "value;level 1"), files=regions("")),
    Bad(
        "a line that is too short",
        ("region.csv, line 2", "has 2 labels", "line 1 has 3", "at every level"),
        files=regions(REGIONS.replace("Syldavia;East;*", "Syldavia;*")),
    ),
    Bad(
        "a value with two parents",
        ("region.csv, line 5", "'Illyria' at level 0", "'East'", "'West'", "line 4", "one parent"),
        files=regions(REGIONS + "Illyria;East;*\n"),
        shows="region",
    ),
    Bad(
        "levels that do not nest",
        ("region.csv, line 2", "'East' at level 1", "give it one parent"),
        files=regions("Borduria;East;Old;*\nSyldavia;East;New;*\n"),
    ),
    Bad(
        "two tops",
        (
            "region.csv, line 3",
            "the top must be one value",
            "add a level above",
            "suppression_level",
        ),
        files=regions(REGIONS.replace(";*", "")),
    ),
    Bad(
        "a quote that is not closed",
        ("region.csv, line 4", "correct the quotes"),
        files=regions(REGIONS.replace("Illyria", '"Illyria')),
    ),
    Bad(
        "a file in Latin-1",
        ("region.csv, line 2", "not in the encoding utf-8", "latin-1"),
        files=regions(REGIONS.replace("Syldavia", "Syldavía").encode("latin-1")),
    ),
    Bad(
        "a delimiter of two characters",
        ("attributes.region.hierarchy", "delimiter must be one character", "';;'"),
        {FILE: FILE.replace(" }", ', delimiter = ";;" }')},
    ),
    Bad(
        "a value that is not in the file",
        (
            "column 'region'",
            "1 value",
            "(not shown)",
            "add a line for it to region.csv",
            "unknown =",
        ),
        files=regions(REGIONS.replace("Illyria", "Elbonia")),
        shows="region",
    ),
    Bad(
        "many values that are not in the file",
        (
            "column 'region': 8 values",
            "(not shown)",
        ),
        files={"people.csv": lines(*MANY)},
        shows="region",
    ),
    Bad(
        "a value that is no date",
        ("column 'born'", "1 value", "(not shown)", "formats", "'%Y-%m-%d'", "add theirs"),
        files=people("1931-03-17", "17.3.1931"),
        shows="born",
    ),
    Bad(
        "a value that is no number",
        (
            "column 'age'",
            "1 value",
            "(not shown)",
            "plain numbers such as 12",
            'unknown = "suppress"',
        ),
        files=people(",83,", ",old,"),
        shows="age",
    ),
    Bad(
        "a value with too many decimals",
        ("column 'age'", "1 value", "(not shown)", "set decimals = 1"),
        files=people(",83,", ",83.5,"),
        shows="age",
    ),
    Bad(
        "a value outside of the ranges",
        ("column 'age'", "2 values", "(not shown)", "extend ranges, which cover [0, 69]"),
        intervals("ranges = [[[0, 69]]]"),
        shows="age",
    ),
    Bad(
        "ranges that overlap",
        ("attributes.age.hierarchy", "[0, 50] and [50, 99] at level 1 overlap", "begin at 51"),
        intervals("ranges = [[[0, 50], [50, 99]]]"),
    ),
    Bad(
        "ranges with a gap",
        ("attributes.age.hierarchy", "[0, 50] and [60, 99] at level 1 leave a gap", "begin at 51"),
        intervals("ranges = [[[0, 50], [60, 99]]]"),
    ),
    Bad(
        "ranges that do not nest",
        ("attributes.age.hierarchy", "[40, 99] at level 2 begins inside a range", "level below"),
        intervals("ranges = [[[0, 49], [50, 99]], [[0, 39], [40, 99]]]"),
    ),
    Bad(
        "a range of three numbers",
        ("attributes.age.hierarchy", "ranges"),
        intervals("ranges = [[[0, 49, 99]]]"),
    ),
    Bad(
        "widths that do not nest",
        ("attributes.age.hierarchy", "widths", "25 is not a larger multiple of 10", "one before"),
        intervals("widths = [10, 25]"),
    ),
    Bad(
        "a width of zero",
        ("attributes.age.hierarchy", "widths", "0 is not positive"),
        intervals("widths = [0]"),
    ),
    Bad(
        "no widths",
        ("attributes.age.hierarchy", "widths", "at least one"),
        intervals("widths = []"),
    ),
    Bad(
        "neither widths nor ranges",
        ("attributes.age.hierarchy", "either widths or ranges"),
        intervals("decimals = 0"),
    ),
    Bad(
        "a bottom above the top",
        ("attributes.age.hierarchy", "bottom = 90 must be less than top = 20"),
        intervals("widths = [10], bottom = 90, top = 20"),
    ),
    Bad(
        "bases that do not nest",
        ("attributes.age.hierarchy", "bases", "25 is not a larger multiple of 10"),
        rounding("[10, 25]"),
    ),
    Bad(
        "a base that is no number",
        ("attributes.age.hierarchy", "bases", "number"),
        rounding('["ten"]'),
    ),
    Bad(
        "a two-digit year",
        ("attributes.born.hierarchy", "'%d.%m.%y' has a two-digit year", "century = 1900"),
        dates('formats = ["%d.%m.%y"]'),
    ),
    Bad(
        "a format without a day",
        ("attributes.born.hierarchy", "'%Y-%m' does not describe a day", "%d"),
        dates('formats = ["%Y-%m"]'),
    ),
    Bad(
        "an unknown span of time",
        ("attributes.born.hierarchy", "'decade' is not one of", '"N years"'),
        dates('steps = ["year", "decade"]'),
    ),
    Bad(
        "spans of time that do not nest",
        ("attributes.born.hierarchy", "'5 years' is not made of whole spans of '2 years'"),
        dates('steps = ["2 years", "5 years"]'),
    ),
    Bad(
        "dates that can be read in two ways",
        ("column 'born'", "read them as different days", "keep only the intended one"),
        dates('formats = ["%Y-%m-%d", "%Y-%d-%m"]'),
        files={"people.csv": lines(*(row.replace("1944-07-29", "1944-07-08") for row in ROWS))},
        shows="born",
    ),
    Bad(
        "ZIP codes that lost their zero",
        ("column 'zip'", "3 have 5, 1 have 4 characters", "zero_pad = 5", "length = 5"),
        files={"people.csv": lines(*(row.replace(",90211", ",1013") for row in ROWS))},
    ),
    Bad(
        "more steps than characters",
        ("column 'zip'", "steps = 7 is more than the 5 characters", "at most 5"),
        mask("steps = 7"),
    ),
    Bad(
        "no steps",
        ("attributes.zip.hierarchy", "steps must be at least 1, not 0"),
        mask("steps = 0"),
    ),
    Bad(
        "too few steps to one value",
        ("column 'zip'", "the top of the hierarchy must be one value", "suppression_level = true"),
        mask("steps = 1"),
        shows="zip",
    ),
    Bad(
        "values longer than the length",
        ("column 'zip'", "4 values", "raise length", "more than 3 characters"),
        mask("length = 3"),
        shows="zip",
    ),
    Bad(
        "a second top",
        ("attributes.zip.hierarchy", "leave suppression_level out"),
        mask("suppression_level = true"),
    ),
    Bad(
        "a leaf under two branches",
        ("attributes.region.hierarchy", "leaf 'Elbonia'", "'East'", "'West'", "one parent"),
        tree('{ East = ["Elbonia"], West = ["Elbonia"] }'),
    ),
    Bad(
        "leaves that are not text",
        ("attributes.region.hierarchy", "tree: 7 under 'East' is not text", '"7"'),
        tree("{ East = [7, 8] }"),
    ),
    Bad(
        "a leaf that is not in a list",
        ("attributes.region.hierarchy", "under 'East' there must be a table or a list"),
        tree('{ East = "Elbonia" }'),
    ),
    Bad("an empty tree", ("attributes.region.hierarchy", "tree is empty"), tree("{}")),
    Bad(
        "what to do with unknown values misspelt",
        ("attributes.zip.hierarchy", "unknown", "'error' or 'suppress'"),
        mask('unknown = "supress"'),
    ),
]
