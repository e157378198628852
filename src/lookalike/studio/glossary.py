"""What the terms of the studio mean, in plain words, for *What is this?* on every screen."""

from collections.abc import Mapping

GLOSSARY: Mapping[str, str] = {
    "role": (
        "The role of a column decides what happens to it in the release: left out, made more "
        "general, or released as it is."
    ),
    "identifier": "Names one person, such as a name or a record number. It is never released.",
    "quasi-identifier": (
        "A fact that others may know about a person, such as birth date, sex or postal code. "
        "Together such facts single people out, so they are made more general until at least k "
        "rows share every combination."
    ),
    "sensitive": (
        "What a recipient wants to study and nobody should learn about one person, such as a "
        "diagnosis. It is released as it is, and classes are checked for it."
    ),
    "other": "Released as it is. Choose it only for what nobody else knows about a person.",
    "drop": "Left out of the release.",
    "hierarchy": (
        "How the values of a column become more general, level by level: 02138, 0213*, 021**. The "
        "highest level is one value for all."
    ),
    "level": (
        "Level 0 is the value itself, each further level is more general, and the highest level "
        "is one value for all. Rows below k share their label with fewer than k rows, in this "
        "column alone."
    ),
    "suppression level": (
        "Adds * above the top of the hierarchy, as one more level. It is an error if the top is * "
        "already."
    ),
    "kind mask": "Replaces more characters by * at each level, as for postal codes and codes.",
    "kind dates": "Replaces a day by its month, its year, and spans of years.",
    "kind intervals": "Replaces a number by an interval; all those of a level are equally wide.",
    "kind ranges": "Replaces a number by an interval; you choose where each one begins.",
    "kind rounding": "Rounds numbers to multiples of larger and larger numbers.",
    "kind taxonomy": "A tree of groups that is kept in the specification. You edit it below.",
    "kind file": "Reads the groups from a file with one line for each value.",
    "kind suppress": "Releases the value or *, with nothing in between.",
    "k": (
        "The number of rows, or persons, that share every combination of quasi-identifiers. "
        "Anyone who knows these values of a person finds k candidates, never fewer."
    ),
    "max_suppressed": (
        "How many rows may be left out because they are too rare: 20 means rows, 0.01 means 1 % "
        "of the rows."
    ),
    "person": (
        "Who the rows are about: each row is a person, or a column identifies persons, who may "
        "have several rows. Then k counts persons, not rows, and the column is never released."
    ),
    "secrecy": (
        "Choosing classes by their sensitive values can give these away to somebody who knows the "
        "method: what was avoided shows what was there."
    ),
    "lottery_rate": (
        "The probability with which classes are merged at random, from 0 to 1. Empty: a rate that "
        "suits the largest share."
    ),
    "preset": (
        "The figure of a named rule. It sets k or the highest risk; a stricter value of your own "
        "takes precedence."
    ),
    "highest_risk": (
        "The highest probability of finding a person's row. It is another way to write k: 0.09 "
        "means k = 12, because 1 of 12 is below 0.09. Give one of the two."
    ),
    "average_risk": (
        "The highest probability of finding a row, on average over all rows: classes divided by "
        "rows. k or the highest risk is needed as well."
    ),
    "method": "How the release is found. If you name none, the best one for what you ask is used.",
    "objective": "What the search tries to preserve.",
    "suppressed_rows": "What happens to rows that are too rare, up to the number that you allow.",
    "decoys": (
        "The probability that a level is drawn at random for a class that needs less, from the "
        "greatest one downwards, so that a generalized cell does not prove that its rows differ: "
        "with 0.02, it lowers the odds that they agree at most 50-fold."
    ),
    "max_exposure": (
        "How much more likely a value may become to somebody who knows the method; a release with "
        "more is refused. For methods in which each class has its own levels."
    ),
    "attacker": "Somebody who wants to learn about a person from the release, and what they know.",
    "class": "The rows of a release that share all values of the quasi-identifiers.",
    "precision": (
        "The mean of what is kept of the quasi-identifiers: 1 is the private table, 0 is "
        "everything suppressed."
    ),
    "frontier": (
        "The settings that no other setting beats: to keep more detail, you must accept a lower k, "
        "more rows lost, or more exposure."
    ),
    "bound": (
        "The most detail that any release of this kind can keep, proved by the search. If a "
        "release reaches it, no better one exists. Where each class has its own levels, it is "
        "proved for k rows alone: persons and protections make part of the difference."
    ),
    "exposure": (
        "How much more a reader who knows the method can learn about a value of one person than "
        "the release shows. It is 0 if every column has one level."
    ),
    "time limit": "The search ends after this many seconds. Settings not tried are listed.",
    "rare": (
        "Values that fewer than k rows have in some tested combination of attributes. Such rows "
        "could be recognized by them."
    ),
    "combination": "Two, three or more attributes together, such as zip × sex.",
    "dimension": (
        "The most attributes of a combination: 2, 3 …, or all. Larger combinations find more rare "
        "values and take longer."
    ),
    "combinations": (
        "The original program left out some combinations of less identifying attributes "
        "(Achieving, Figure 12)."
    ),
    "suppress_by": (
        "In each rare combination one value is suppressed: the one that occurs in most rare "
        "combinations of its row, relative to what it costs."
    ),
    "vector": (
        "The level of each attribute, such as 0,1,2: the first attribute as it is, the second at "
        "level 1, the third at level 2."
    ),
    "lattice": (
        "All vectors of levels. A line leads from a vector to one in which one attribute is one "
        "level more general."
    ),
    "k-minimal": (
        "A vector that satisfies the requirement while no vector below it does: every attribute "
        "is as detailed as the others allow."
    ),
    "weight": (
        "How much the detail of an attribute matters to you, compared with the others. An "
        "attribute of weight 0 may be generalized freely."
    ),
    "constraint": "A bound on the level of an attribute, such as zip <= 2.",
    "missing": (
        "Texts that stand for a missing value, such as NA. Missing values are a value like any "
        "other: they are never left out of a count."
    ),
    "encoding": "How the characters of the file are stored. It was found by reading the file.",
    "where": (
        "A condition in SQL: other rows are not read, as if they were not in the table. In a text "
        "file a number needs a cast, as in CAST(age AS INTEGER) >= 18."
    ),
    "unique": "Rows whose value in this column no other row has.",
    "pre-flight": (
        "Checks of what the certificate does not promise and you should know before publishing. "
        "An error stops publishing unless you accept it by name."
    ),
    "dry run": "Makes and verifies the release in memory, and writes nothing.",
    "verify": (
        "Counts the published file again, independently of the search, and proves that every "
        "released row is a general form of a private row."
    ),
    "specification": (
        "Everything that you decide here, as a text file. The command line makes the same release "
        "from it."
    ),
    "utility": (
        "What the release is still good for: how far the distributions of columns and of pairs of "
        "columns are from the private ones, from 0 (equal) to 1, and how well models learn from it."
    ),
    "target": (
        "A released column that models predict. They are trained on released rows and tested on "
        "private rows that were held out, beside models that were trained on private rows."
    ),
    "prosecutor": (
        "An attacker who knows that a person is in the table. The highest risk is that of the "
        "smallest class: one in as many as it has rows or persons."
    ),
    "marketer": (
        "An attacker who wants to find as many people as possible. The average risk is the share "
        "of the rows that such an attacker gets right."
    ),
    "journalist": (
        "An attacker who does not know who is in the table, and compares the release with a "
        "register. The risk is never above that of the prosecutor."
    ),
    "association": "Cramér's V: how strongly two columns depend on each other, from 0 to 1.",
    "ledger": (
        "A file that remembers every release of a source, so that releases together do not show "
        "more than each alone. It holds private data under a key of yours, and stays with you."
    ),
    "row_key": (
        "The column that identifies each row from release to release, such as a record number. It "
        "is never released; the ledger recognizes rows by it."
    ),
    "policy": (
        "How a release follows earlier ones. based-on keeps what they showed, and new rows join in "
        "classes of their own. check-only makes the release freely and refuses it if together they "
        "show too much. all-released-attributes protects every column that was ever released."
    ),
    "recipient": (
        "Who receives the release. Recipients may share what they have, unless contracts bind them."
    ),
    "contract": (
        "What binds a recipient not to share the release, such as an agreement number. Two "
        "recipients who are both bound are assumed to keep their releases apart."
    ),
    "dossier": (
        "A folder of yours, apart from the release, with a report for you: risk before and after, "
        "alternatives, and a proof of the bound on precision. Never give it away."
    ),
    "report": "A page that explains the release to its recipient, published beside the table.",
    "attack": (
        "Tries what somebody with several releases of one source could do: link their rows by "
        "values, or by position, until fewer than k rows remain possible for a person."
    ),
    "people": (
        "How many people the releases are about together, if some left the source between them. "
        "Empty: as many as the largest source has rows."
    ),
    "register": (
        "A table with one row per person that others have, such as a voter list. Linking counts "
        "how many of its persons match each released row; k_map asks that each class matches k "
        "of them, and presence bounds how likely it is that one of them is in the table."
    ),
    "identity": "The column of the register that names a person, different in each row.",
    "as_written": (
        "By default a missing or suppressed value matches any value, as a careful attacker "
        "assumes. With this option it matches only what is written the same."
    ),
    "out": (
        "The file that is published; its folder is the release, and its suffix chooses the format. "
        "{date} stands for today's date, {recipient} for the recipient."
    ),
    "source name": (
        "What the ledger calls this table. Use the same name for every release of the same people. "
        "Empty: the name of the column that identifies rows."
    ),
}
