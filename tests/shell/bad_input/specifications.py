"""Mistakes in a specification, in its fields and in what goes with them."""

from .case import SPECIFICATION, Bad

K = "k = 2"
OUT = 'out = "released/people.csv"'
SOURCE = 'path = "people.csv"'
MASK = 'hierarchy = { kind = "mask" }'
SENSITIVE = 'role = "sensitive"'
IDENTIFIER = 'role = "identifier"'
PSEUDONYM = f'{IDENTIFIER}\npseudonym = {{ key_file = "secret.key" }}'
WEIGHTLESS = {"hierarchy =": "weight = 0\nhierarchy ="}
PATIENT = """[[quasi_identifiers]]
name = "patient"
attributes = ["zip", "born", "age", "REST"]"""


def add(anchor: str, line: str) -> dict[str, str]:
    """Put a line below another."""
    return {anchor: f"{anchor}\n{line}"}


SPECIFICATIONS = [
    Bad("no such file", ("nowhere.toml", "No such file"), command="release nowhere.toml"),
    Bad("a folder as the file", (".", "Is a directory"), command="release ."),
    Bad("not TOML", ("spec.toml", "not TOML", "line 5"), {K: "k = = 2"}),
    Bad("not UTF-8", ("spec.toml", "UTF-8"), files={"spec.toml": b'[source]\npath = "\xe9.csv"'}),
    Bad("empty", ("spec.toml", "release: is required"), files={"spec.toml": ""}),
    Bad("unknown table", ("releese", "did you mean 'release'?"), {"[release]": "[releese]"}),
    Bad(
        "unknown field of the source",
        ("source.pth", "not a field", "did you mean 'path'?"),
        {SOURCE: 'pth = "people.csv"'},
    ),
    Bad(
        "unknown field of the release",
        ("release.max_supressed", "not a field", "did you mean 'max_suppressed'?"),
        add(K, "max_supressed = 1"),
    ),
    Bad(
        "unknown field of an attribute",
        ("attributes.zip.wieght", "not a field", "did you mean 'weight'?"),
        {MASK: f"{MASK}\nwieght = 2"},
    ),
    Bad(
        "unknown field of a hierarchy",
        ("attributes.zip.hierarchy", "stepps", "not a field", "did you mean 'steps'?"),
        {MASK: 'hierarchy = { kind = "mask", stepps = 2 }'},
    ),
    Bad(
        "unknown field of a pseudonym",
        ("attributes.name.pseudonym.keyfile", "not a field", "did you mean 'key_file'?"),
        {IDENTIFIER: f'{IDENTIFIER}\npseudonym = {{ keyfile = "secret.key" }}'},
    ),
    Bad(
        "a protection of a sensitive column in the wrong table",
        ("attributes.illness.distinct", "not a field of this table", "protect = { distinct = 3 }"),
        add(SENSITIVE, "distinct = 3"),
    ),
    Bad(
        "a protection by its name in papers",
        ("release.l", "write protect = { distinct = 3 } under [attributes.NAME]"),
        add(K, "l = 3"),
    ),
    Bad(
        "a protection by its name in papers, in its table",
        ("attributes.illness.protect.l", "did you mean 'distinct'?"),
        add(SENSITIVE, "protect = { l = 3 }"),
    ),
    Bad(
        "a table within another one",
        ("recipients.X.quasi_identifiers", "write [[quasi_identifiers]] as a table of its own"),
        {"[release]": '[recipients.X]\nquasi_identifiers = ["zip"]\n[release]'},
    ),
    Bad(
        "a field of the release in a table of a column",
        ("attributes.zip.suppressed_rows", 'write suppressed_rows = "drop" under [release]'),
        {MASK: f'{MASK}\nsuppressed_rows = "drop"'},
    ),
    Bad(
        "a field of two other tables",
        ("attributes.zip.k", "write k = 5 under [release] or k = 5 under [[quasi_identifiers]]"),
        {MASK: f"{MASK}\nk = 5"},
    ),
    Bad(
        "a kind of hierarchy that is nearly one",
        ("attributes.zip.hierarchy", "not 'interval'", "did you mean 'intervals'?"),
        {MASK: 'hierarchy = { kind = "interval" }'},
    ),
    Bad(
        "a table in the place of a specification",
        ("people.csv is a table", "lookalike init people.csv"),
        command="release people.csv",
    ),
    Bad(
        "a table that is not text in the place of a specification",
        ("people.xlsx is a table", "lookalike init people.xlsx"),
        files={"people.xlsx": b"PK\x03\x04\xff"},
        command="explore people.xlsx",
    ),
    Bad("no k", ("release.k is required", "k = 5", "or anonymity, a level from 0 to 1"), {K: ""}),
    Bad("k = 1", ("spec.toml: release.k: k must be at least 2", "not 1"), {K: "k = 1"}),
    Bad("k = 0", ("spec.toml: release.k: k must be at least 2", "not 0"), {K: "k = 0"}),
    Bad("negative k", ("spec.toml: release.k: k must be at least 2", "not -5"), {K: "k = -5"}),
    Bad("k as text", ("release.k", "integer"), {K: 'k = "2"'}),
    Bad("k as a decimal", ("release.k", "integer"), {K: "k = 2.0"}),
    Bad("k = 1 on the command line", ("k must be at least 2",), command="release spec.toml -k 1"),
    Bad(
        "k as text on the command line",
        ("--k", "a valid integer", "--help"),
        command="release spec.toml -k two",
    ),
    Bad(
        "unknown method",
        ("release", "method is one of datafly", "not 'datafli'"),
        add(K, 'method = "datafli"'),
    ),
    Bad(
        "unknown objective",
        ("release", "objective is one of precision, loss", "not 'prec'"),
        add(K, 'objective = "prec"'),
    ),
    Bad(
        "unknown policy",
        ("release", "prefer is one of", "minimum-suppression", "not 'cheapest'"),
        add(K, 'prefer = ["cheapest"]'),
    ),
    Bad(
        "constraint that is no comparison",
        ("release", "constraints", "'zip is low'", "'zip <= 2'"),
        add(K, 'constraints = ["zip is low"]'),
    ),
    Bad(
        "constraint on something unknown",
        ("constraints", "'zap'", "neither a quasi-identifier attribute", "suppressed"),
        command="minimal spec.toml --constraint 'zap <= 2'",
    ),
    Bad(
        "constraints that contradict each other",
        ("no vector lies between", "contradict"),
        command="minimal spec.toml --constraint 'zip <= 1' --constraint 'zip >= 2'",
        code=3,
    ),
    Bad(
        "bounds that leave too many rows below k",
        ("even the most general vector", "loosen the constraints"),
        command="minimal spec.toml -k 3 --constraint 'zip = 0' --constraint 'born = 0'",
        code=3,
    ),
    Bad(
        "conditions that no solution satisfies",
        ("none of the", "satisfies the constraints", "loosen them"),
        command="minimal spec.toml -k 3 --constraint 'precision >= 0.99'",
        code=3,
    ),
    Bad(
        "a condition for mingen",
        ("constraints", "mingen does not take conditions", "use samarati"),
        command="release spec.toml --method mingen --constraint 'height <= 2'",
    ),
    Bad(
        "policies for datafly",
        ("prefer", "datafly does not take preferences", "use mingen or samarati"),
        command="release spec.toml --method datafly --prefer minimum-suppression",
    ),
    Bad("no time", ("release.time_limit", "greater than 0"), add(K, "time_limit = 0")),
    Bad(
        "quasi-identifier of a column with another role",
        ("quasi_identifiers", "'illness' does not have the role", "give it that role"),
        {"[release]": f"{PATIENT.replace('REST', 'illness')}\n[release]"},
    ),
    Bad(
        "quasi-identifiers that leave an attribute out",
        ("quasi_identifiers", "'region' is in none of them"),
        {"[release]": f"{PATIENT.replace('REST', 'age')}\n[release]"},
    ),
    Bad(
        "quasi-identifier with k = 1",
        ("k must be at least 2", "not 1"),
        {"[release]": f"{PATIENT.replace('REST', 'region')}\nk = 1\n[release]"},
    ),
    Bad(
        "quasi-identifier with k = 0",
        ("k must be at least 2", "not 0"),
        {"[release]": f"{PATIENT.replace('REST', 'region')}\nk = 0\n[release]"},
    ),
    Bad(
        "respondent that is no column",
        ("quasi_identifiers", "no column is named 'person'"),
        {"[release]": f"{PATIENT.replace('REST', 'region')}\nrespondent = 'person'\n[release]"},
    ),
    Bad(
        "respondent that would be released",
        ("person: 'illness' must never be released", "identifier"),
        {"[release]": f"{PATIENT.replace('REST', 'region')}\nrespondent = 'illness'\n[release]"},
    ),
    Bad(
        "negative max_suppressed",
        ("release", "max_suppressed must not be negative", "-1"),
        add(K, "max_suppressed = -1"),
    ),
    Bad(
        "more than all rows suppressed",
        ("max_suppressed = 1.5", "between 0.0 and 1.0", "integer for a number of rows"),
        add(K, "max_suppressed = 1.5"),
    ),
    Bad(
        "max_suppressed as text",
        ("release.max_suppressed", "a number of rows such as 20", "such as 0.01"),
        add(K, 'max_suppressed = "some"'),
    ),
    Bad(
        "max_suppressed that is no number",
        ("release.max_suppressed", "a number of rows such as 20"),
        add(K, "max_suppressed = nan"),
    ),
    Bad(
        "max_suppressed as text on the command line",
        ("--max-suppressed 'some'", "not a number", "20 means rows"),
        command="release spec.toml --max-suppressed some",
    ),
    Bad(
        "max_suppressed that is no number on the command line",
        ("max_suppressed", "a number of rows such as 20"),
        command="release spec.toml --max-suppressed nan",
    ),
    Bad(
        "unknown word for suppressed rows",
        ("release.suppressed_rows", "'drop' or 'blank'"),
        add(K, 'suppressed_rows = "hide"'),
    ),
    Bad(
        "negative weight",
        ("attributes.zip.weight", "greater than or equal to 0"),
        {MASK: f"{MASK}\nweight = -1"},
    ),
    Bad(
        "weights that are all 0",
        ("attributes: every weight is 0", "at least one must be above 0"),
        WEIGHTLESS,
    ),
    Bad(
        "misspelt role",
        ("attributes.illness.role", "'sensitive'", "'quasi-identifier'"),
        {SENSITIVE: 'role = "sensitiv"'},
    ),
    Bad("no role", ("attributes.illness.role", "is required"), {SENSITIVE: "unique = true"}),
    Bad(
        "quasi-identifier without a hierarchy",
        ("attributes.zip", "needs a hierarchy", 'hierarchy = { kind = "suppress" }'),
        {MASK: ""},
    ),
    Bad(
        "hierarchy of a sensitive column",
        ("attributes.illness", "hierarchy is for quasi-identifiers, not for sensitive"),
        add(SENSITIVE, MASK),
    ),
    Bad(
        "weight of a sensitive column",
        ("attributes.illness", "weight is for quasi-identifiers, not for sensitive"),
        add(SENSITIVE, "weight = 1"),
    ),
    Bad(
        "identification of an identifier",
        ("attributes.name", "identification is for quasi-identifiers, not for identifier"),
        add(IDENTIFIER, "identification = 1"),
    ),
    Bad(
        "pseudonym of a sensitive column",
        ("attributes.illness", "pseudonym is for identifiers"),
        add(SENSITIVE, 'pseudonym = { key_file = "secret.key" }'),
    ),
    Bad(
        "unique quasi-identifier",
        ("attributes.zip", "unique is for columns released as they are"),
        {MASK: f"{MASK}\nunique = true"},
    ),
    Bad(
        "unknown kind of hierarchy",
        ("attributes.zip.hierarchy", "kind is one of mask, dates", "not 'mush'"),
        {MASK: 'hierarchy = { kind = "mush" }'},
    ),
    Bad(
        "hierarchy without a kind",
        ("attributes.zip.hierarchy", '{ kind = "mask" }', "the kinds are mask, dates"),
        {MASK: "hierarchy = { steps = 2 }"},
    ),
    Bad(
        "hierarchy as text",
        ("attributes.zip.hierarchy", '{ kind = "mask" }'),
        {MASK: 'hierarchy = "mask"'},
    ),
    Bad(
        "attribute as text",
        ("attributes.zip: must be a table", "write [attributes.zip]"),
        {'[attributes.zip]\nrole = "quasi-identifier"\n' + MASK: '[attributes]\nzip = "mask"'},
    ),
    Bad("no place to go", ('out = "released/table.csv"', "[release]", "--out"), {OUT: ""}),
    Bad(
        "no folder of its own",
        ("people.csv: a release needs a folder of its own", "such as released/people.csv"),
        {OUT: 'out = "people.csv"'},
    ),
    Bad(
        "a file as the folder",
        ("region.csv is a file", "choose another folder"),
        {OUT: 'out = "region.csv/people.csv"'},
    ),
    Bad(
        "unknown suffix of the release",
        ("people.xlsx", "suffix chooses the format", ".csv, .tsv"),
        {OUT: 'out = "released/people.xlsx"'},
    ),
    Bad(
        "the certificate's own name",
        ("certificate.json", "the suffix chooses the format"),
        {OUT: 'out = "released/certificate.json"'},
    ),
    Bad(
        "other files in the folder",
        ("released holds other files", "a folder of its own"),
        files={"released/letter.txt": "Dear all"},
    ),
    Bad(
        "a release in the folder",
        ("released holds a release already", "--replace"),
        first="release spec.toml",
        code=6,
    ),
    Bad(
        "a release with a file of someone else's",
        ("released holds other files", "a folder of its own"),
        files={"released/letter.txt": "Dear all"},
        first="release spec.toml",
        command="release spec.toml --replace",
    ),
    Bad(
        "empty suppressed label",
        ("release.suppressed_label", "at least 1 character"),
        add(K, 'suppressed_label = ""'),
    ),
    Bad(
        "suppressed label that is a value",
        ("column 'region'", "'Illyria' stands for suppressed", "another suppressed_label"),
        add(K, 'suppressed_label = "Illyria"'),
        shows="region",
    ),
    Bad(
        "no key",
        ("key_file", "secret.key does not exist", "head -c 32 /dev/urandom"),
        {IDENTIFIER: PSEUDONYM},
    ),
    Bad(
        "key that others may read",
        ("key_file", "is readable by other users", "secret.key", "chmod 600"),
        {IDENTIFIER: PSEUDONYM},
        files={"secret.key": b"0123456789abcdef0123456789abcdef"},
        modes={"secret.key": 0o644},
    ),
    Bad(
        "key that is too short",
        ("key_file", "secret.key", "fewer than 16 bytes", "head -c 32 /dev/urandom"),
        {IDENTIFIER: PSEUDONYM},
        files={"secret.key": b"short"},
        modes={"secret.key": 0o600},
    ),
    Bad(
        "no attributes at all",
        ("attributes", "is required"),
        {SPECIFICATION[SPECIFICATION.index("[attributes") :]: ""},
    ),
]
