"""The choices of the screen *Protection*, each with a line that says what it means."""

from collections.abc import Mapping

OBJECTIVE_WORDS: Mapping[str, str] = {
    "precision": "keep low levels (precision)",
    "loss": "keep few values under each released one (loss)",
    "discernibility": "keep classes small (discernibility)",
    "entropy": "keep information (entropy)",
    "average-class-size": "keep the average class small",
}
"""What each objective keeps."""
SUPPRESSED_ROWS_WORDS: Mapping[str, str] = {
    "drop": "left out",
    "blank": "kept, with every quasi-identifier value suppressed",
}
"""What happens to rows that are too rare."""
SECRECY_WORDS: Mapping[str, tuple[str, str]] = {
    "search": (
        "Look at sensitive values while choosing classes",
        "Keeps most and is seldom refused. Somebody who knows the method and the "
        "quasi-identifiers of everybody may conclude more than a class shows, up to certainty. "
        "For recipients who are trusted not to attack.",
    ),
    "blind": (
        "Do not look at them",
        "Classes are chosen by the quasi-identifiers alone; if one fails, the whole release is "
        "refused, which small classes often are. Somebody who knows the method learns no more "
        "than the share of a value in its class. A greater k helps.",
    ),
    "lottery": (
        "Merge some classes at random",
        "Nobody can give a value a greater probability than the largest share, even if they know "
        "the method. Keeps less. Only for the largest share, with mingen-cells or k-similar.",
    ),
    "": (
        "The safest of these that is possible",
        "A lottery if only largest shares are asked for and the method takes one, otherwise blind.",
    ),
}
"""The ways to satisfy protections of sensitive values: what is done, and its consequence."""
