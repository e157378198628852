"""Mistakes in what is asked of mu-argus and of a comparison."""

from .case import Bad
from .specifications import MASK, PATIENT, K, add

DOCTOR = """[[quasi_identifiers]]
name = "doctor"
attributes = ["zip"]"""

ARGUS = [
    Bad(
        "policies for mu-argus",
        ("mu-argus does not take preferences", "use mingen or samarati"),
        command="release spec.toml --method mu-argus --prefer minimum-suppression",
    ),
    Bad(
        "constraints for mu-argus",
        ("mu-argus does not take bounds on levels", "mingen, mingen-cells or samarati"),
        command="release spec.toml --method mu-argus --constraint 'zip <= 2'",
    ),
    Bad(
        "several quasi-identifiers for mu-argus",
        ("mu-argus does not take several", "use datafly, mingen or samarati"),
        {"[release]": f"{PATIENT.replace('REST', 'region')}\n{DOCTOR}\n[release]"},
        command="release spec.toml --method mu-argus",
    ),
    Bad(
        "identification beyond 3",
        ("attributes.zip.identification", "less than or equal to 3"),
        {MASK: f"{MASK}\nidentification = 4"},
    ),
    Bad(
        "negative identification",
        ("attributes.zip.identification", "greater than or equal to 0"),
        {MASK: f"{MASK}\nidentification = -1"},
    ),
    Bad(
        "identification as text",
        ("attributes.zip.identification", "integer"),
        {MASK: f'{MASK}\nidentification = "most"'},
    ),
    Bad(
        "nothing that identifies",
        ("identification", "every attribute is at 0", "give at least one"),
        {"hierarchy =": "identification = 0\nhierarchy ="},
        command="release spec.toml --method mu-argus",
    ),
    *(
        Bad(
            f"dimension = {dimension}",
            ("release.dimension", "a number of attributes from 2 on", 'or "all"'),
            add(K, f"dimension = {dimension}"),
        )
        for dimension in ("1", "2.0", "true", '"some"')
    ),
    Bad(
        "a dimension for the program's combinations",
        ("dimension", "combinations of 2 and 3", "leave dimension out"),
        add(K, 'combinations = "program"\ndimension = 2'),
        command="release spec.toml --method mu-argus",
    ),
    Bad(
        "unknown word for combinations",
        ("release.combinations", "'all' or 'program'"),
        add(K, 'combinations = "some"'),
    ),
    Bad(
        "unknown word for suppress_by",
        ("release.suppress_by", "'count', 'weight' or 'entropy'"),
        add(K, 'suppress_by = "cost"'),
    ),
    Bad("repair as text", ("release.repair", "boolean"), add(K, 'repair = "yes"')),
    Bad("generalize as text", ("release.generalize",), add(K, 'generalize = "zip"')),
    Bad(
        "generalize of an unknown attribute",
        ("generalize", "no attribute is named 'zap'", "they are zip, born, age, region"),
        add(K, 'generalize = ["zap"]'),
        command="release spec.toml --method mu-argus",
    ),
    Bad(
        "generalize beyond the top",
        ("generalize", "'region' is already at the top of its hierarchy", "remove it once"),
        add(K, 'generalize = ["region", "region", "region"]'),
        command="release spec.toml --method mu-argus",
    ),
    Bad(
        "generalize of an unknown attribute on the command line",
        ("generalize", "no attribute is named 'illness'"),
        command="release spec.toml --method mu-argus --generalize illness",
    ),
    Bad(
        "comparison of an unknown method",
        ("method is one of datafly, mu-argus", "not 'argus'"),
        command="compare spec.toml --method argus",
    ),
]
