"""What is wrong about a table whose risk is asked for, and about what a release is linked with."""

from .case import Bad

RELEASE = "release spec.toml"
LINK = "link released voters.csv --spec spec.toml --on"
VOTERS = {"voters.csv": "name,plz,dob\nA,90211,1931-03-17\n"}

RISK = [
    Bad(
        "risk of a sensitive column over nothing",
        ("--sensitive needs the columns that can be linked", "--quasi-identifier", "--help"),
        command="risk people.csv --sensitive illness",
    ),
    Bad(
        "rows are to be shown of a proposal",
        ("--show needs the columns that can be linked", "--quasi-identifier"),
        command="risk people.csv --show",
    ),
    Bad(
        "a share of rows that is none",
        ("share must be between 0 and 1, not 5.0",),
        command="risk people.csv --share 5",
    ),
    Bad(
        "a share beside the linkable columns",
        ("--share needs a proposal", "leave out -q"),
        command="risk people.csv -q zip --share 0.1",
    ),
    Bad(
        "risk over an unknown column",
        ("no column 'zipp'", "did you mean 'zip'?"),
        command="risk people.csv -q zipp",
    ),
    Bad(
        "risk of an unknown sensitive column",
        ("no column 'ilness'", "'illness'"),
        command="risk people.csv -q zip --sensitive ilness",
    ),
    Bad(
        "risk of a column that is linkable and sensitive",
        ("'zip' is both in the quasi-identifier and sensitive", "name it once"),
        command="risk people.csv -q zip --sensitive zip",
    ),
    Bad(
        "risk of text in order",
        ("column 'illness'", "only numbers, and dates", "without order"),
        command="risk people.csv -q zip --ordered illness",
    ),
    Bad(
        "risk with subsets of nothing",
        ("size must be at least 1, not 0",),
        command="risk people.csv -q zip --size 0",
    ),
    Bad(
        "risk with no population",
        ("no file is found at nobody.csv",),
        command="risk people.csv -q zip --population nobody.csv",
    ),
    Bad(
        "risk with a population of other columns",
        ("no column 'zip'", "the names of its 3 columns are not shown"),
        files=VOTERS,
        command="risk people.csv -q zip --population voters.csv",
    ),
    Bad("link of one table", ("external", "--help"), command="link people.csv --on zip"),
    Bad("link by nothing", ("--on", "--help"), command="link people.csv people.csv"),
    Bad(
        "link by an empty list",
        ("name at least one attribute to link by",),
        command="link people.csv people.csv --on ,",
    ),
    Bad(
        "link by a column twice",
        ("--on: 'zip' is named twice", "name it once"),
        command="link people.csv people.csv --on zip,zip=born",
    ),
    Bad(
        "link of a folder that is no release",
        (". is not a release", "certificate.json"),
        command="link . people.csv --on zip",
    ),
    Bad(
        "link by a column that the release lacks",
        ("the release has no column 'name'", "the names of its 5 columns are not shown"),
        files=VOTERS,
        first=RELEASE,
        command=f"{LINK} name",
    ),
    Bad(
        "link by a column that the external table lacks",
        ("the external table has no column 'zip'", "the names of its 3 columns are not shown"),
        files=VOTERS,
        first=RELEASE,
        command=f"{LINK} zip",
    ),
    Bad(
        "link without the specification",
        ("column 'zip' was generalized", "--spec"),
        files=VOTERS,
        first=RELEASE,
        command="link released voters.csv --on zip=plz",
    ),
    Bad(
        "link with the specification of another release",
        ("column 'zip'", "height 6, but the certificate states 5"),
        {'{ kind = "mask" }': '{ kind = "mask", length = 6 }'},
        files=VOTERS,
        first=RELEASE,
        command=f"{LINK} zip=plz",
    ),
    Bad(
        "link of the truth without who is who",
        ("identifies a person", "--identity"),
        files=VOTERS,
        first=RELEASE,
        command=f"{LINK} zip=plz --truth illness",
    ),
    Bad(
        "link of a row that is found",
        ("Not protected over zip, born", "matches only 1 person (k = 2)"),
        files=VOTERS,
        command="link people.csv voters.csv --on zip=plz,born=dob --spec spec.toml",
        code=1,
    ),
]
