"""The tables and hierarchies of Samarati's paper, as printed.

The paper is *Protecting respondents' identities in microdata release*.
"""

from lookalike import Dates, Mask, Suppress, Taxonomy

from ..small_tables import table_of

SAMARATI_FIGURE_4 = table_of(
    ("Race", "ZIP"),
    [
        (race, zip_)
        for race in ("asian", "black", "white")
        for zip_ in ("94138", "94139", "94141", "94142")
    ],
)

SAMARATI_FIGURE_2 = {
    "Race": Taxonomy({"person": ["asian", "black", "white"]}),
    "ZIP": Mask(steps=2),
}

SAMARATI_FIGURE_6 = table_of(
    ("Race", "DOB", "Sex", "ZIP", "MaritalStatus"),
    [
        ("asian", "09/27/64", "female", "94139", "divorced"),
        ("asian", "09/30/64", "female", "94139", "divorced"),
        ("asian", "04/18/64", "male", "94139", "married"),
        ("asian", "04/15/64", "male", "94139", "married"),
        ("black", "03/13/63", "male", "94138", "married"),
        ("black", "03/18/63", "male", "94138", "married"),
        ("black", "09/13/64", "female", "94141", "married"),
        ("black", "09/07/64", "female", "94141", "married"),
        ("white", "05/14/61", "male", "94138", "single"),
        ("white", "05/08/61", "male", "94138", "single"),
        ("white", "09/15/61", "female", "94142", "widow"),
    ],
)

SAMARATI_FIGURE_6_HIERARCHIES = {
    "Race": Taxonomy({"person": ["asian", "black", "white"]}),
    "DOB": Dates(formats=("%m/%d/%y",), century=1900),
    "Sex": Taxonomy({"not released": ["male", "female"]}),
    "ZIP": Mask(steps=2),
    "MaritalStatus": Taxonomy(
        {
            "not released": {
                "been married": ["married", "divorced", "widow"],
                "never married": ["single"],
            }
        }
    ),
}
"""Samarati, Figure 2, and section 4 for DOB, which goes on after ten years: here suppressed."""

SAMARATI_FIGURE_6_GT_0_2_1_2_2 = list(
    zip(
        ["asian"] * 4 + ["black"] * 4 + ["white"] * 3,
        ["1964"] * 4 + ["1963"] * 2 + ["1964"] * 2 + ["1961"] * 3,
        ["not released"] * 11,
        ["941**"] * 11,
        ["not released"] * 11,
        strict=True,
    )
)
"""Samarati, Figure 6; the figure writes the year 1964 as 64."""

SAMARATI_FIGURE_6_GT_1_3_0_1_1 = list(
    zip(
        ["person"] * 11,
        ["1960-1964"] * 11,
        ["female"] * 2 + ["male"] * 4 + ["female"] * 2 + ["male"] * 2 + ["female"],
        ["9413*"] * 6 + ["9414*"] * 2 + ["9413*"] * 2 + ["9414*"],
        ["been married"] * 8 + ["never married"] * 2 + ["been married"],
        strict=True,
    )
)
"""Samarati, Figure 6; the figure writes the span 1960-1964 as [60-64]."""

SAMARATI_FIGURE_7 = [
    ("asian", "1964-09", "female", "94139", "divorced"),
    ("asian", "1964-09", "female", "94139", "divorced"),
    ("asian", "1964-04", "male", "94139", "married"),
    ("asian", "1964-04", "male", "94139", "married"),
    ("black", "1963-03", "male", "94138", "married"),
    ("black", "1963-03", "male", "94138", "married"),
    ("black", "1964-09", "female", "94141", "married"),
    ("black", "1964-09", "female", "94141", "married"),
    ("white", "1961-05", "male", "94138", "single"),
    ("white", "1961-05", "male", "94138", "single"),
]
"""Samarati, Figure 7, GT[0,1,0,0,0]; the figure writes the month 1964-09 as 09/64."""

SAMARATI_FIGURE_8 = table_of(
    ("Race", "ZIP"),
    [
        ("asian", "94138"),
        ("asian", "94138"),
        ("asian", "94142"),
        ("asian", "94142"),
        ("black", "94138"),
        ("black", "94141"),
        ("black", "94142"),
        ("white", "94138"),
    ],
)

SAMARATI_FIGURE_11 = """
00000 01000 02101 02101 13111 13111 11021 11021 13112 13112 13021
01000 00000 02101 02101 13111 13111 11021 11021 13112 13112 13021
02101 02101 00000 01000 13010 13010 12120 12120 13012 13012 13121
02101 02101 01000 00000 13010 13010 12120 12120 13012 13012 13121
13111 13111 13010 13010 00000 01000 03120 03120 13002 13002 13121
13111 13111 13010 13010 01000 00000 03120 03120 13002 13002 13121
11021 11021 12120 12120 03120 03120 00000 01000 13122 13122 13011
11021 11021 12120 12120 03120 03120 01000 00000 13122 13122 13011
13112 13112 13012 13012 13002 13002 13122 13122 00000 01000 02122
13112 13112 13012 13012 13002 13002 13122 13122 01000 00000 02122
13021 13021 13121 13121 13121 13121 13011 13011 02122 02122 00000
"""
"""The distance vectors between t1 … t11 of Figure 6, their digits without brackets."""

SAMARATI_FIGURE_12 = table_of(
    ("SSN", "Race", "DOB", "Sex", "ZIP"),
    [
        ("819181496", "black", "09/20/65", "male", "94141"),
        ("195925972", "black", "02/14/65", "male", "94141"),
        ("902750852", "black", "10/23/65", "female", "94138"),
        ("985820581", "black", "08/24/65", "female", "94138"),
        ("209559459", "black", "11/07/64", "female", "94138"),
        ("679392975", "black", "12/01/64", "female", "94138"),
        ("819491049", "white", "10/23/64", "male", "94138"),
        ("749201844", "white", "03/15/65", "female", "94139"),
        ("985302952", "white", "08/13/64", "male", "94139"),
        ("874593560", "white", "05/05/64", "male", "94139"),
        ("703872052", "white", "02/13/67", "male", "94138"),
        ("963963603", "white", "03/21/67", "male", "94138"),
    ],
)

SAMARATI_FIGURE_12_HIERARCHIES = {
    "SSN": Suppress(),
    "Race": SAMARATI_FIGURE_2["Race"],
    "DOB": SAMARATI_FIGURE_6_HIERARCHIES["DOB"],
    "Sex": SAMARATI_FIGURE_6_HIERARCHIES["Sex"],
    "ZIP": SAMARATI_FIGURE_2["ZIP"],
}
"""The figure gives no hierarchies; these are from the paper, and the SSN can only be suppressed."""

SAMARATI_FIGURE_12_RELEASE = [
    ("*", "black", "1965", "male", "94141"),
    ("*", "black", "1965", "male", "94141"),
    ("*", "black", "1965", "female", "94138"),
    ("*", "black", "1965", "female", "94138"),
    ("*", "black", "1964", "female", "94138"),
    ("*", "black", "1964", "female", "94138"),
    ("*", "white", "1964", "male", "94138"),
    ("*", "*", "*", "female", "94139"),
    ("*", "white", "1964", "male", "94139"),
    ("*", "white", "1964", "male", "94139"),
    ("*", "white", "1967", "male", "94138"),
    ("*", "white", "1967", "male", "94138"),
]
"""Samarati, Figure 12, the release; the figure leaves suppressed cells empty."""
