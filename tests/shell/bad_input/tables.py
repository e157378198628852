"""Tables that cannot be read, or cannot be released."""

from .case import HEADER, ROWS, SPECIFICATION, Bad, lines

SOURCE = 'path = "people.csv"'
ILLNESS = '[attributes.illness]\nrole = "sensitive"'
NO_ATTRIBUTES = {SPECIFICATION[SPECIFICATION.index("[attributes.name]") :]: "[attributes]\n"}
EVERYTHING_SUPPRESSED = lines(*(f"{n},{n},19{n}-01-01,{n},Illyria,gout" for n in (21, 42, 63)))


def table(content: str | bytes, name: str = "people.csv") -> dict[str, str | bytes | None]:
    """Put something else in the place of the table."""
    return {"people.csv": None, name: content}


def where(condition: str) -> dict[str, str]:
    """Ask for some of the rows."""
    return {SOURCE: f'{SOURCE}\nwhere = """{condition}"""'}


def source(line: str) -> dict[str, str]:
    """Describe the source in another way."""
    return {SOURCE: line}


def roles(role: str) -> dict[str, str]:
    """Give the first attribute's role to all that were quasi-identifiers."""
    kinds = ('"mask" }', '"dates" }', '"intervals", widths = [10, 20] }')
    hierarchies = [f"hierarchy = {{ kind = {kind}" for kind in kinds]
    hierarchies.append('hierarchy = { kind = "file", path = "region.csv" }')
    return {'role = "quasi-identifier"': f'role = "{role}"', **dict.fromkeys(hierarchies, "")}


TABLES = [
    Bad("no such table", ("no file is found at", "people.csv"), files={"people.csv": None}),
    Bad("a folder", ("is a folder", "Parquet files only", "a glob such as"), source('path = "."')),
    Bad("an empty file", ("people.csv, line 1", "is empty", "column names"), files=table("")),
    Bad("a blank first line", ("people.csv, line 1", "column names"), files=table("\n" + HEADER)),
    Bad(
        "a header only",
        ("0 eligible rows", "fewer than k = 2", "lower k or collect more rows"),
        files=table(lines()),
        code=3,
    ),
    Bad(
        "a field too many",
        ("people.csv, line 4", "6 fields", "7", "quote the field, give the delimiter"),
        files=table(lines(*ROWS[:2], ROWS[2] + ",gangrene", *ROWS[3:])),
    ),
    Bad(
        "a field too few",
        ("people.csv, line 4", "6 fields", "5", "quote the field, give the delimiter"),
        files=table(lines(*ROWS[:2], ROWS[2].removesuffix(",scurvy"), *ROWS[3:])),
    ),
    Bad(
        "a quote that is not closed",
        ("people.csv, line 9", "a quoted field is not closed", 'write a quote inside as ""'),
        files=table(lines(*ROWS[:-1], '"' + ROWS[-1])),
    ),
    Bad(
        "a stray quote",
        ("people.csv, line 4", "quote", 'write a quote inside as ""'),
        files=table(lines(*ROWS[:2], '"Thistle" wood' + ROWS[2][11:], *ROWS[3:])),
    ),
    Bad(
        "a header that is not closed",
        ("people.csv", "line 1", "a quoted field is not closed"),
        files=table('"' + lines(*ROWS)),
    ),
    Bad(
        "Latin-1",
        ("people.csv, line 4", "not in the encoding utf-8", 'encoding = "cp1252"'),
        files=table(lines(*ROWS).replace("Syldavia", "Syldavía").encode("latin-1")),
    ),
    Bad(
        "Latin-1 in the header",
        ("people.csv, line 1", "not in the encoding utf-8", 'encoding = "cp1252"'),
        files=table(lines(*ROWS).replace("illness", "état").encode("latin-1")),
    ),
    Bad(
        "UTF-16",
        ("people.csv is UTF-16", 'encoding = "utf-16"'),
        files=table(lines(*ROWS).encode("utf-16")),
    ),
    Bad(
        "not in the encoding that was given",
        ("people.csv, line 4: not in the encoding ascii", 'encoding = "utf-8"'),
        source(f'{SOURCE}\nencoding = "ascii"'),
        files=table(lines(*ROWS).replace("Thistlewood", "Thistléwood")),
    ),
    Bad(
        "an encoding that does not exist",
        ("source", "encoding", "'latin-99'", "utf-8"),
        source(f'{SOURCE}\nencoding = "latin-99"'),
    ),
    Bad(
        "no header line",
        ("no column 'name', 'zip'", "the names of its 6 columns are not shown", "a header line"),
        files=table("\n".join(ROWS)),
    ),
    Bad(
        "no header line, and values twice",
        ("people.csv, line 1", "columns 2 and 7 have the same name", "add the header line"),
        files=table("\n".join(f"{row},{row.split(',')[1]}" for row in ROWS)),
    ),
    Bad(
        "no header line, and no column with a role",
        ("no role is given for any of the 6 columns", '"other" or "drop"'),
        NO_ATTRIBUTES,
        files=table("\n".join(ROWS)),
    ),
    Bad(
        "a glob with a file without a header line",
        ("part-*.csv", "column 1 of part-2.csv is not in part-1.csv", "the header line"),
        source('path = "part-*.csv"'),
        files={"part-1.csv": lines(*ROWS[:4]), "part-2.csv": "\n".join(ROWS[4:])},
    ),
    Bad(
        "a column with a name of ours",
        ("people.csv, line 1", "column 6 begins with 'lookalike '", "rename it"),
        files=table(lines(*ROWS, header=HEADER.replace("illness", "Lookalike label zip"))),
    ),
    Bad(
        "a query that makes a column with a name of ours",
        ("column 7 begins with 'lookalike '", "rename it"),
        source(
            'query = """SELECT *, 1 AS "lookalike label zip" FROM people"""\n'
            'tables = { people = "people.csv" }'
        ),
    ),
    Bad(
        "a codec that is no encoding",
        ("source", "encoding", "'base64'", "utf-8"),
        source(f'{SOURCE}\nencoding = "base64"'),
    ),
    Bad(
        "a column name twice",
        ("people.csv, line 1", "columns 3 and 4 have the same name", "rename one"),
        files=table(lines(*ROWS, header=HEADER.replace("born", "age"))),
    ),
    Bad(
        "column names that differ in case",
        ("people.csv, line 1", "columns 3 and 4", "differ only in case", "rename one"),
        files=table(lines(*ROWS, header=HEADER.replace("born", "AGE"))),
    ),
    Bad(
        "a column without a name",
        ("people.csv, line 1", "column 3 has no name"),
        files=table(lines(*ROWS, header=HEADER.replace("born", ""))),
    ),
    Bad(
        "a delimiter of two characters",
        ("source", "delimiter must be one character", "';;'"),
        source(f'{SOURCE}\ndelimiter = ";;"'),
    ),
    Bad(
        "a line end as the delimiter",
        ("source", "delimiter must be one character"),
        source(f'{SOURCE}\ndelimiter = "\\n"'),
    ),
    Bad(
        "another delimiter",
        ("no column 'name'", "its 1 columns are not shown", "is the delimiter right?"),
        source(f'{SOURCE}\ndelimiter = ";"'),
    ),
    Bad("a glob without files", ("no file is found", "part-*.csv"), source('path = "part-*.csv"')),
    Bad(
        "files with different columns",
        ("part-*.csv", "the same columns", "column 6 of part-2.csv is not in part-1.csv"),
        source('path = "part-*.csv"'),
        files={
            "part-1.csv": lines(*ROWS),
            "part-2.csv": lines(*ROWS, header=HEADER.replace("illness", "disease")),
        },
    ),
    Bad(
        "files of different kinds",
        ("part-*", "one of .csv, .tsv", "the same format"),
        source('path = "part-*"'),
        files={"part-1.csv": lines(*ROWS), "part-2.jsonl": "{}\n"},
    ),
    Bad(
        "an unknown suffix",
        ("people.pdf", "determines the format, one of .csv, .tsv"),
        source('path = "people.pdf"'),
        files=table(b"PK", "people.pdf"),
    ),
    Bad(
        "a line that is not JSON",
        ("people.jsonl, line 2", "one JSON object a line"),
        source('path = "people.jsonl"'),
        files=table('{"zip": "90211"}\n{"zip": "902\n{"zip": "90255"}\n', "people.jsonl"),
    ),
    Bad(
        "JSON that is an array",
        ("people.jsonl", "one JSON object a line"),
        source('path = "people.jsonl"'),
        files=table('[{"zip": "90211"}, {"zip": "90255"}]\n', "people.jsonl"),
    ),
    Bad(
        "JSON that is a number",
        ("people.jsonl", "one JSON object a line"),
        source('path = "people.jsonl"'),
        files=table("90211\n90255\n", "people.jsonl"),
    ),
    Bad(
        "JSON lines without a line",
        ("people.jsonl", "one JSON object a line"),
        source('path = "people.jsonl"'),
        files=table("", "people.jsonl"),
    ),
    Bad(
        "JSON in Latin-1",
        ("people.jsonl, line 1", "not in the encoding utf-8", 'encoding = "cp1252"'),
        source('path = "people.jsonl"'),
        files=table('{"zip": "é90211"}\n'.encode("latin-1"), "people.jsonl"),
    ),
    Bad(
        "a file that is not Parquet",
        ("people.parquet is not a Parquet file",),
        source('path = "people.parquet"'),
        files=table(lines(*ROWS), "people.parquet"),
    ),
    Bad(
        "a file that is not Arrow",
        ("people.arrow", "not an Arrow file"),
        source('path = "people.arrow"'),
        files=table(lines(*ROWS), "people.arrow"),
    ),
    Bad(
        "a column that the specification does not name",
        ("no role is given for 'illness'", "[attributes]", '"other" or "drop"'),
        {ILLNESS: ""},
    ),
    Bad(
        "a column that the table does not have",
        ("the table has no column 'disease'", "its columns are 'name', 'zip'"),
        {ILLNESS: f"{ILLNESS}\n[attributes.disease]\nrole = 'other'"},
    ),
    Bad(
        "no quasi-identifier",
        ('no attribute has the role "quasi-identifier"', "birth date, ZIP code or sex"),
        roles("sensitive"),
    ),
    Bad(
        "identifiers only",
        ('no attribute has the role "quasi-identifier"',),
        {**roles("identifier"), 'role = "sensitive"': 'role = "identifier"'},
    ),
    Bad("where an unknown column", ("where", '"agee" not found'), where("agee = '27'")),
    Bad("where with a mistake", ("where", "syntax error"), where("age = = '27'")),
    Bad(
        "where that ends the query",
        ("where", "DuckDB cannot process it"),
        where("1 = 1); DROP TABLE x; --"),
    ),
    Bad(
        "where an aggregate",
        ("where", "aggregates"),
        where("count(*) > 1"),
    ),
    Bad(
        "where text is compared with a number",
        ("where", "an explicit cast is required", "CAST(age AS INTEGER) >= 18"),
        where("region > 27"),
    ),
    Bad(
        "where a value cannot be cast",
        ("where", "cannot be converted", "TRY_CAST"),
        where("CAST(region AS INTEGER) > 27"),
    ),
    Bad("where a function fails", ("the table", "DuckDB cannot process it"), where("error(name)")),
    Bad(
        "where too few rows are left",
        ("1 eligible rows", "fewer than k = 2", "lower k or collect more rows"),
        where("name = 'Quillfeather'"),
        code=3,
    ),
    Bad(
        "a memory limit that is no amount",
        ("memory = 'plenty'", '"512MB"'),
        source(f'{SOURCE}\nmemory = "plenty"'),
    ),
    Bad(
        "a column that is nearly unique",
        ("column 'name'", "8 different values in 8 rows", "identifier", "unique = true"),
        {'role = "identifier"': 'role = "other"'},
    ),
    Bad(
        "fewer rows than k",
        ("8 eligible rows", "fewer than k = 9", "lower k or collect more rows"),
        command="release spec.toml --k 9",
        code=3,
    ),
    Bad(
        "everything suppressed",
        ("every one of the 3 rows would be suppressed", "max_suppressed = 0", "lower k"),
        files=table(EVERYTHING_SUPPRESSED),
        command="release spec.toml --method datafly --max-suppressed 1.0",
        code=3,
    ),
]
