"""The tables and hierarchies of Sweeney's two papers, as printed.

Achieving is *Achieving k-anonymity privacy protection using generalization and suppression*, and
Model is *k-anonymity: a model for protecting privacy*.
"""

from lookalike import Dates, Mask, Taxonomy

from ..small_tables import table_of

RACE_BIRTH_GENDER_ZIP = ("Race", "Birth", "Gender", "ZIP")

ACHIEVING_FIGURE_1 = table_of(
    (*RACE_BIRTH_GENDER_ZIP, "Problem"),
    [
        ("Black", "1965", "m", "02141", "short breath"),
        ("Black", "1965", "m", "02141", "chest pain"),
        ("Black", "1964", "f", "02138", "obesity"),
        ("Black", "1964", "f", "02138", "chest pain"),
        ("White", "1964", "m", "02138", "chest pain"),
        ("White", "1964", "m", "02138", "obesity"),
        ("White", "1964", "m", "02138", "short breath"),
    ],
)

ZIP_OF_FIGURE_2 = Mask(steps=2, suppression_level=True)
RACE_OF_FIGURE_3 = Taxonomy({"Person": ["Asian", "Black", "White"]}, suppression_level=True)
ACHIEVING_RACE_ZIP = {"Race": RACE_OF_FIGURE_3, "ZIP": ZIP_OF_FIGURE_2}

ACHIEVING_FIGURE_4 = table_of(
    ("Race", "ZIP"),
    [(race, zip_) for race in ("Black", "White") for zip_ in ("02138", "02139", "02141", "02142")],
)

ACHIEVING_FIGURE_7 = table_of(
    ("Race", "BirthDate", "Gender", "ZIP", "Problem"),
    [
        ("black", "9/20/1965", "male", "02141", "short of breath"),
        ("black", "2/14/1965", "male", "02141", "chest pain"),
        ("black", "10/23/1965", "female", "02138", "painful eye"),
        ("black", "8/24/1965", "female", "02138", "wheezing"),
        ("black", "11/7/1964", "female", "02138", "obesity"),
        ("black", "12/1/1964", "female", "02138", "chest pain"),
        ("white", "10/23/1964", "male", "02138", "short of breath"),
        ("white", "3/15/1965", "female", "02139", "hypertension"),
        ("white", "8/13/1964", "male", "02139", "obesity"),
        ("white", "5/5/1964", "male", "02139", "fever"),
        ("white", "2/13/1967", "male", "02138", "vomiting"),
        ("white", "3/21/1967", "male", "02138", "back pain"),
    ],
)

ACHIEVING_FIGURE_7_HIERARCHIES = {
    "Race": Taxonomy({"person": ["asian", "black", "white"]}, suppression_level=True),
    "BirthDate": Dates(formats=("%m/%d/%Y",)),
    "Gender": Taxonomy({"human": ["male", "female"]}, suppression_level=True),
    "ZIP": ZIP_OF_FIGURE_2,
}

ACHIEVING_FIGURE_7_GT = table_of(
    ("Race", "BirthDate", "Gender", "ZIP"),
    [
        ("black", "1965", "male", "02141"),
        ("black", "1965", "male", "02141"),
        ("person", "1965", "female", "0213*"),
        ("person", "1965", "female", "0213*"),
        ("black", "1964", "female", "02138"),
        ("black", "1964", "female", "02138"),
        ("white", "1960-1969", "male", "02138"),
        ("person", "1965", "female", "0213*"),
        ("white", "1964", "male", "02139"),
        ("white", "1964", "male", "02139"),
        ("white", "1960-1969", "male", "02138"),
        ("white", "1960-1969", "male", "02138"),
    ],
)
"""Achieving, Figure 7, GT; the figure writes the span 1960-1969 as 1960-69."""

ACHIEVING_FIGURE_10 = [
    ("black", "1965", "male", "02141", "short of breath"),
    ("black", "1965", "male", "02141", "chest pain"),
    ("black", "1965", "female", "02138", "painful eye"),
    ("black", "1965", "female", "02138", "wheezing"),
    ("black", "1964", "female", "02138", "obesity"),
    ("black", "1964", "female", "02138", "chest pain"),
    ("white", "1964", "male", "02139", "obesity"),
    ("white", "1964", "male", "02139", "fever"),
    ("white", "1967", "male", "02138", "vomiting"),
    ("white", "1967", "male", "02138", "back pain"),
]

ACHIEVING_FIGURE_15_MT = [
    ("black", "1965", "male", "02141"),
    ("black", "1965", "male", "02141"),
    ("black", "1965", "female", "02138"),
    ("black", "1965", "female", "02138"),
    ("black", "1964", "female", "02138"),
    ("black", "1964", "female", "02138"),
    ("white", "*", "male", "02138"),
    ("white", "*", "*", "02139"),
    ("white", "1964", "male", "02139"),
    ("white", "1964", "male", "02139"),
    ("white", "1967", "male", "02138"),
    ("white", "1967", "male", "02138"),
]
"""Achieving, Figure 15, MT; the figure leaves suppressed cells empty."""

ACHIEVING_FIGURE_15_MT_ACTUAL = [
    *ACHIEVING_FIGURE_15_MT[:6],
    ("white", "1964", "male", "02138"),
    ("white", "*", "female", "02139"),
    *ACHIEVING_FIGURE_15_MT[8:],
]
"""Achieving, Figure 15: what the program released."""

MODEL_FIGURE_2 = table_of(
    (*RACE_BIRTH_GENDER_ZIP, "Problem"),
    [
        ("Black", "1965", "m", "0214*", "short breath"),
        ("Black", "1965", "m", "0214*", "chest pain"),
        ("Black", "1965", "f", "0213*", "hypertension"),
        ("Black", "1965", "f", "0213*", "hypertension"),
        ("Black", "1964", "f", "0213*", "obesity"),
        ("Black", "1964", "f", "0213*", "chest pain"),
        ("White", "1964", "m", "0213*", "chest pain"),
        ("White", "1964", "m", "0213*", "obesity"),
        ("White", "1964", "m", "0213*", "short breath"),
        ("White", "1967", "m", "0213*", "chest pain"),
        ("White", "1967", "m", "0213*", "chest pain"),
    ],
)

MODEL_FIGURE_3 = table_of(
    ("Race", "ZIP"),
    [
        (race, zip_)
        for race in ("Asian", "Black", "White")
        for zip_ in ("02138", "02139", "02141", "02142")
    ],
)

MODEL_FIGURE_3_HIERARCHIES = {
    "Race": Taxonomy({"Person": ["Asian", "Black", "White"]}),
    "ZIP": Taxonomy({"02130": ["02138", "02139"], "02140": ["02141", "02142"]}),
}

FULL = (*RACE_BIRTH_GENDER_ZIP, "Problem")

MODEL_FIGURE_5_GT1 = table_of(
    FULL,
    [
        ("black", "1965", "male", "02141", "short of breath"),
        ("black", "1965", "male", "02141", "chest pain"),
        ("person", "1965", "female", "0213*", "painful eye"),
        ("person", "1965", "female", "0213*", "wheezing"),
        ("black", "1964", "female", "02138", "obesity"),
        ("black", "1964", "female", "02138", "chest pain"),
        ("white", "1964", "male", "0213*", "short of breath"),
        ("person", "1965", "female", "0213*", "hypertension"),
        ("white", "1964", "male", "0213*", "obesity"),
        ("white", "1964", "male", "0213*", "fever"),
        ("white", "1967", "male", "02138", "vomiting"),
        ("white", "1967", "male", "02138", "back pain"),
    ],
)

MODEL_FIGURE_5_GT3 = table_of(
    FULL,
    [
        ("black", "1965", "male", "02141", "short of breath"),
        ("black", "1965", "male", "02141", "chest pain"),
        ("black", "1965", "female", "02138", "painful eye"),
        ("black", "1965", "female", "02138", "wheezing"),
        ("black", "1964", "female", "02138", "obesity"),
        ("black", "1964", "female", "02138", "chest pain"),
        ("white", "1960-1969", "male", "02138", "short of breath"),
        ("white", "1960-1969", "human", "02139", "hypertension"),
        ("white", "1960-1969", "human", "02139", "obesity"),
        ("white", "1960-1969", "human", "02139", "fever"),
        ("white", "1960-1969", "male", "02138", "vomiting"),
        ("white", "1960-1969", "male", "02138", "back pain"),
    ],
)
"""Model, Figure 5, GT3; the figure writes the span 1960-1969 as 1960-69."""

MODEL_FIGURE_4_LT = table_of(
    FULL,
    [
        ("black", "1965", "male", "02141", "short of breath"),
        ("black", "1965", "male", "02141", "chest pain"),
        ("black", "1965", "female", "02138", "painful eye"),
        ("black", "1965", "female", "02138", "wheezing"),
        ("black", "1964", "female", "02138", "obesity"),
        ("black", "1964", "female", "02138", "chest pain"),
        ("white", "1964", "male", "02138", "short of breath"),
        ("white", "1965", "female", "02139", "hypertension"),
        ("white", "1964", "male", "02139", "obesity"),
        ("white", "1964", "male", "02139", "fever"),
        ("white", "1967", "male", "02138", "vomiting"),
        ("white", "1967", "male", "02138", "back pain"),
    ],
)
"""Model, Figure 4, LT: GT1 and GT3 linked."""

MODEL_FIGURE_5_HIERARCHIES = {
    "Race": Taxonomy({"person": ["asian", "black", "white"]}, suppression_level=True),
    "Birth": Dates(formats=("%m/%d/%Y",)),
    "Gender": Taxonomy({"human": ["male", "female"]}, suppression_level=True),
    "ZIP": ZIP_OF_FIGURE_2,
}

MODEL_EXAMPLE_7_NEW = table_of(
    FULL,
    [
        ("black", "1965", "male", "02139", "headache"),
        ("black", "1965", "male", "02139", "rash"),
    ],
)
"""Model, Example 7: the rows of GTt1 that are not in GT3."""
