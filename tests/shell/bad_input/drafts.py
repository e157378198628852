"""What is typed wrongly after ``lookalike hierarchy``, or cannot be proposed."""

from .case import Bad

DRAFTS = [
    Bad(
        "a proposal for a column that is not there",
        ("no column 'zipp'", "did you mean 'zip'?"),
        command="hierarchy propose people.csv zipp",
    ),
    Bad(
        "a proposal for an unknown kind of values",
        ("kind is one of date, postal code", "not 'zip'"),
        command="hierarchy propose people.csv zip --kind zip",
    ),
    Bad(
        "dates that may be two days",
        ("column 'born'", 'formats = ["%d/%m/%Y"] or formats = ["%m/%d/%Y"]'),
        files={"people.csv": "born\n01/02/1931\n03/04/1944\n"},
        command="hierarchy propose people.csv born",
    ),
    Bad(
        "a proposal that would replace a file",
        ("region.csv exists already", "give another name"),
        command="hierarchy propose people.csv region --out region.csv",
        code=6,
    ),
    Bad(
        "a proposal for a folder that is not there",
        ("there/region.csv cannot be written",),
        command="hierarchy propose people.csv region --out there/region.csv",
    ),
    Bad(
        "a preview of no table of TOML",
        ("not an inline table of TOML", '{ kind = "intervals"'),
        command="hierarchy preview people.csv age intervals",
    ),
    Bad(
        "a preview of a field that is not there",
        ("hierarchy.widht", "did you mean 'widths'?"),
        command="""hierarchy preview people.csv age '{ kind = "intervals", widht = [5] }'""",
    ),
    Bad(
        "a preview that does not know the values",
        ("column 'region'", "add it to tree"),
        command="""hierarchy preview people.csv region '{ kind = "taxonomy", tree = { a = [] }}'""",
        shows="region",
    ),
    Bad(
        "the hierarchy of a column without one",
        ("column 'illness' has no hierarchy", "lookalike hierarchy propose"),
        command="hierarchy show spec.toml illness",
    ),
    Bad(
        "a check of a column that the specification does not name",
        ("no column 'regoin'", "did you mean 'region'?"),
        command="hierarchy check spec.toml regoin",
    ),
]
