"""Releases that cannot be attacked together."""

from .case import Bad

RELEASE = "release spec.toml"
OTHER = "zip,born,age,region,illness\n99999,1901-01-01,1,Borduria,rickets\n"
GENERAL = "zip,born,age,region,illness\n9021*,1931,80-89,East,scurvy\n"

ATTACKS = [
    Bad("attack on nothing", ("RELEASE", "--help"), command="attack"),
    Bad(
        "attack on one release",
        ("at least two releases", "totals"),
        first=RELEASE,
        command="attack released",
    ),
    Bad(
        "attack on a table without roles",
        ("other.csv has no certificate", "--spec"),
        files={"other.csv": OTHER},
        first=RELEASE,
        command="attack released other.csv",
    ),
    Bad(
        "attack on no release",
        ("nowhere", "no file is found"),
        first=RELEASE,
        command="attack released nowhere --spec spec.toml",
    ),
    Bad(
        "attack on a column without a role",
        ("other.csv", "no role to 1 of the columns", "'blood'"),
        files={"other.csv": "zip,blood\n90211,A\n"},
        first=RELEASE,
        command="attack released other.csv --spec spec.toml",
    ),
    Bad(
        "attack on values of no level",
        ("other.csv: column 'age': released values that are not in the hierarchy", "specification"),
        files={"other.csv": GENERAL.replace("80-89", "eighty")},
        first=RELEASE,
        command="attack released other.csv --spec spec.toml",
    ),
    Bad(
        "attack on too few people",
        ("8 rows", "3 people are too few"),
        first=RELEASE,
        command="attack released released --people 3",
    ),
    Bad(
        "attack with another hierarchy",
        ("'age'", "height 3", "height 2"),
        change={"widths = [10, 20]": "widths = [10]"},
        first=RELEASE,
        command="attack released released --spec spec.toml",
    ),
    Bad(
        "attack with totals without numbers",
        ("totals.csv", "'total'", "number of people"),
        files={"totals.csv": "age\n83\n"},
        first=RELEASE,
        command="attack released --totals totals.csv --spec spec.toml",
    ),
    Bad(
        "attack with totals that are no numbers",
        ("totals.csv", "'total' must be a whole number in every line"),
        files={"totals.csv": "age,total\n83,many\n"},
        first=RELEASE,
        command="attack released --totals totals.csv --spec spec.toml",
    ),
    Bad(
        "attack with totals of another source",
        ("released and totals.csv contradict each other",),
        files={"totals.csv": "region,total\nBorduria,8\n"},
        first=RELEASE,
        command="attack released --totals totals.csv --spec spec.toml",
    ),
    Bad(
        "attack with totals of no column",
        ("totals.csv", "'blood'"),
        files={"totals.csv": "blood,total\nA,8\n"},
        first=RELEASE,
        command="attack released --totals totals.csv --spec spec.toml",
    ),
]
