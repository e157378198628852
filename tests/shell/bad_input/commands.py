"""What is typed wrongly, and answers other than yes."""

from .case import Bad

RELEASE = "release spec.toml"
FILE = 'role = "quasi-identifier"\nhierarchy = { kind = "file", path = "region.csv" }'
SHORTER = "zip,born,age,region,illness\n*,*,*,*,gout\n"

COMMANDS = [
    Bad("unknown verb", ("'relaese'", "--help"), command="relaese spec.toml"),
    Bad("unknown option", ("--dryrun", "--dry-run"), command="release spec.toml --dryrun"),
    Bad("release of nothing", ("spec", "--help"), command="release"),
    Bad("check of nothing", ("table", "--help"), command="check -q zip"),
    Bad("check over nothing", ("--quasi-identifier", "--help"), command="check people.csv"),
    Bad(
        "check over an unknown column",
        ("no column 'zipp'", "its columns are 'name', 'zip'"),
        command="check people.csv -q zipp,age",
    ),
    Bad(
        "check over an empty list",
        ("name at least one column",),
        command="check people.csv -q ,",
    ),
    Bad(
        "check over a column twice",
        ("'zip' is named twice in the quasi-identifier", "name it once"),
        command="check people.csv -q zip,age,zip",
    ),
    Bad(
        "check with k = 0", ("k must be at least 1, not 0",), command="check people.csv -q zip -k 0"
    ),
    Bad(
        "check with k twice",
        ("--k is given several times", "give it once"),
        command="check people.csv -q zip -k 2 --k 5",
    ),
    Bad(
        "release with k twice",
        ("--k is given several times", "give it once"),
        command="release spec.toml --k 5 --k 2",
    ),
    Bad(
        "verify with two specifications",
        ("--spec is given several times", "give it once"),
        command="verify released --spec spec.toml --spec spec.toml",
    ),
    Bad(
        "the list of a ledger with two sources",
        ("--source is given several times", "give it once"),
        command="ledger list --ledger ledger.db --source a --source b",
    ),
    Bad(
        "a reason given twice",
        ("--reason is given several times", "give it once"),
        command="ledger accept-restore --ledger ledger.db --reason one --reason two",
    ),
    Bad(
        "check over a column twice, in two options",
        ("'zip' is named twice in the quasi-identifier",),
        command="check people.csv -q zip -q zip",
    ),
    Bad(
        "a place that cannot be written",
        ("/proc", "choose another place for the release"),
        command="release spec.toml --out /proc/released/people.csv",
    ),
    Bad(
        "a name that is too long",
        ("File name too long",),
        command=f"release spec.toml --out {'x' * 300}/people.csv",
    ),
    Bad(
        "a folder of the demo that cannot be made",
        ("/proc/demo cannot be used",),
        command="demo --folder /proc/demo",
    ),
    Bad(
        "two signs",
        ("--max-suppressed '--5' is not a number", "0.01 a fraction"),
        command="release spec.toml --max-suppressed=--5",
    ),
    Bad(
        "a digit that is none",
        ("--max-suppressed '²' is not a number", "0.01 a fraction"),
        command="release spec.toml --max-suppressed=²",
    ),
    Bad(
        "a number of too many digits",
        ("--max-suppressed", "is not a number"),
        command=f"release spec.toml --max-suppressed={'9' * 5000}",
    ),
    Bad("check of no file", ("no file is found at nobody.csv",), command="check nobody.csv -q zip"),
    Bad(
        "check with an unknown encoding",
        ("'latin-99'", "encoding"),
        command="check people.csv -q zip --encoding latin-99",
    ),
    Bad(
        "check of a table that does not satisfy k",
        ("Not 3-anonymous over zip, age.", "8 rows in 4 classes; the smallest has 2."),
        command="check people.csv -q zip,age -k 3",
        code=1,
    ),
    Bad("verify of no release", (". is not a release", "certificate.json"), command="verify ."),
    Bad("verify of no folder", ("nowhere is not a release",), command="verify nowhere"),
    Bad(
        "verify of a broken certificate",
        ("certificate.json", "JSON"),
        files={"released/certificate.json": "{"},
        first=RELEASE,
        command="verify released",
    ),
    Bad(
        "verify of a certificate with other fields",
        ("certificate.json", "statement", "required"),
        files={"released/certificate.json": "{}"},
        first=RELEASE,
        command="verify released",
    ),
    Bad(
        "verify with the specification of another release",
        ("not that of this release", "its quasi-identifier is zip, born, age, not zip, born"),
        {FILE: 'role = "other"'},
        first=RELEASE,
        command="verify released --spec spec.toml",
    ),
    Bad(
        "verify with a specification that is not there",
        ("nowhere.toml", "No such file"),
        first=RELEASE,
        command="verify released --spec nowhere.toml",
    ),
    Bad(
        "verify against a table without the specification",
        ("hierarchies are needed", "--spec"),
        first=RELEASE,
        command="verify released --table people.csv",
    ),
    Bad(
        "verify of a bound without the specification",
        ("to check a bound again the hierarchies are needed", "--spec"),
        first=RELEASE,
        command="verify released --optimality private",
    ),
    Bad(
        "verify of a bound without a dossier",
        ("nowhere has no optimality.json", "--dossier"),
        first=RELEASE,
        command="verify released --spec spec.toml --optimality nowhere",
    ),
    Bad(
        "verify of a bound by a broken proof",
        ("private/optimality.json", "JSON"),
        files={"private/optimality.json": "{"},
        first=RELEASE,
        command="verify released --spec spec.toml --optimality private",
    ),
    Bad(
        "verify of a bound by a proof with other fields",
        ("private/optimality.json", "method", "required"),
        files={"private/optimality.json": "{}"},
        first=RELEASE,
        command="verify released --spec spec.toml --optimality private",
    ),
    Bad(
        "dossier inside of the release",
        ("dossier: ", "released/mine", "neither inside nor around", "choose another folder"),
        {"k = 2\n": 'k = 2\ndossier = "released/mine"\n'},
    ),
    Bad(
        "dossier around the release",
        ("dossier: ", "neither inside nor around the release", "choose another folder"),
        {"k = 2\n": 'k = 2\ndossier = "."\n'},
    ),
    Bad(
        "spill inside of the release",
        ("spill: ", "released/mine", "neither inside nor around", "choose another folder"),
        {'path = "people.csv"\n': 'path = "people.csv"\nspill = "released/mine"\n'},
    ),
    Bad(
        "spill around the release",
        ("spill: ", "neither inside nor around the release", "choose another folder"),
        command="release spec.toml --spill .",
    ),
    Bad(
        "spill that is no folder",
        ("spill: ", "nowhere is no folder", "create it, or choose another one"),
        command="release spec.toml --spill nowhere",
    ),
    Bad(
        "check with a memory that is no amount",
        ("memory = 'half'", '"512MB"'),
        command="check people.csv -q zip --memory half",
    ),
    Bad(
        "check with too little memory",
        ("DuckDB needs more memory than it may use", "raise memory (--memory)"),
        command="check people.csv -q zip --memory 1KB",
    ),
    Bad(
        "dossier that others may enter",
        ("dossier: ", "private is accessible to other users", "chmod 700"),
        {"k = 2\n": 'k = 2\ndossier = "private"\n'},
        files={"private/notes.txt": "mine"},
        modes={"private": 0o755},
    ),
    Bad(
        "dossier of another release",
        ("dossier: ", "holds the optimality.json of a release already", "--replace"),
        {"k = 2\n": 'k = 2\ndossier = "private"\n'},
        files={"private/optimality.json": "{}"},
        modes={"private": 0o700},
        code=6,
    ),
    Bad(
        "dossier that is a number",
        ("release.dossier", "string"),
        {"k = 2\n": "k = 2\ndossier = 3\n"},
    ),
    Bad(
        "verify against a table without the columns",
        ("the table has no column 'born'", "its columns are 'zip'"),
        files={"others.csv": "zip\n12345\n"},
        first=RELEASE,
        command="verify released --spec spec.toml --table others.csv",
    ),
    Bad(
        "verify of a changed file",
        ("✗ people.csv has the digest", "changed after it was published", "FAILS verification"),
        files={"released/people.csv": SHORTER},
        first=RELEASE,
        command="verify released",
        code=1,
    ),
    Bad(
        "verify of a release without its file",
        ("✗ the folder holds every file", "missing, or a link: people.csv", "FAILS verification"),
        files={"released/people.csv": None},
        first=RELEASE,
        command="verify released",
        code=1,
    ),
    Bad(
        "verify of a release with a file too many",
        ("✗ the folder holds nothing else", "not of this release: notes.txt", "FAILS verification"),
        files={"released/notes.txt": "psst"},
        first=RELEASE,
        command="verify released",
        code=1,
    ),
    Bad(
        "verify of a release that is not a table any more",
        ("✗ people.csv has the digest", "✗ it can be read", "line 1", "FAILS verification"),
        files={"released/people.csv": ""},
        first=RELEASE,
        command="verify released",
        code=1,
    ),
    Bad(
        "verify against another table",
        ("✗ every released row generalizes a private row of its own", "rows do not"),
        files={"others.csv": "zip,born,age,region,illness\n10001,2001-01-01,12,Illyria,gout\n"},
        first=RELEASE,
        command="verify released --spec spec.toml --table others.csv",
        code=1,
    ),
    Bad(
        "verify of a release that lacks a column",
        (
            "✗ people.csv has the digest",
            "✗ it can be read",
            "no column 'zip'",
            "FAILS verification",
        ),
        files={"released/people.csv": SHORTER.replace("zip", "zap")},
        first=RELEASE,
        command="verify released --spec spec.toml",
        code=1,
    ),
]
