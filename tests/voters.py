"""Draw the synthetic voter list that is part of the package's data."""

import csv
import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import lookalike

PATIENTS = Path(lookalike.__file__).parent / "shell" / "data" / "patients"
VOTERS = PATIENTS / "voters.csv"
HEADER = ("name", "address", "zip", "dob", "sex", "party")
SEED = 20021557
VOTERS_DRAWN = 400
ZIPS = ("02138", "02139", "02140", "02141", "02142")
SYLLABLES = ("Al", "Bor", "Cas", "Del", "Em", "Fin", "Gor", "Hal", "In", "Jor", "Kel", "Lom")
ENDINGS = ("by", "cott", "dale", "ford", "ham", "ley", "more", "ton", "well", "wick")
STREETS = ("Acorn St", "Birch Ave", "Cedar Rd", "Dogwood Ln", "Elm Ct")
PARTIES = ("oak", "pine", "none")

BORN_ON_HIS_DAY = (
    ("male", "02139"),
    ("male", "02141"),
    ("female", "02138"),
    ("female", "02139"),
    ("female", "02142"),
)
"""The others with K. King's birth date: six with him, three of them men, one in his ZIP code."""


def draw_voters() -> list[tuple[str, ...]]:
    """Draw the voters: the patients, people with K. King's birth date, and many others."""
    drawn = random.Random(SEED)
    with (PATIENTS / "patients.csv").open(encoding="utf-8") as file:
        patients = list(csv.DictReader(file))
    taken = {_read(patient["birth_date"]) for patient in patients}
    king = next(patient for patient in patients if patient["name"] == "K. King")
    voters = [
        (patient["name"], patient["zip"], _read(patient["birth_date"]), patient["gender"])
        for patient in patients
    ]
    day = _read(king["birth_date"])
    names = _draw_names(drawn)
    voters += [(next(names), zip_, day, sex) for sex, zip_ in BORN_ON_HIS_DAY]
    while len(voters) < VOTERS_DRAWN:
        day = date(1930, 1, 1) + timedelta(days=drawn.randrange(365 * 50))
        if day not in taken:
            sex = drawn.choice(("female", "male"))
            voters.append((next(names), drawn.choice(ZIPS), day, sex))
    drawn.shuffle(voters)
    return [_write(drawn, *voter) for voter in voters]


def _read(text: str) -> date:
    month, day, year = map(int, text.split("/"))
    return date(year, month, day)


def _draw_names(drawn: random.Random) -> Iterator[str]:
    """Invent names, each once."""
    letters = "ABCDEFGHIJKLMNOPRSTUVWY"
    names = [
        f"{initial}. {syllable}{ending}"
        for initial in letters
        for syllable in SYLLABLES
        for ending in ENDINGS
    ]
    yield from drawn.sample(names, len(names))


def _write(drawn: random.Random, name: str, zip_: str, day: date, sex: str) -> tuple[str, ...]:
    address = f"{drawn.randrange(1, 400)} {drawn.choice(STREETS)}"
    return name, address, zip_, day.strftime("%m/%d/%Y"), sex, drawn.choice(PARTIES)


def write_voters() -> str:
    """Return the content of the voter file."""
    return "".join(",".join(line) + "\n" for line in (HEADER, *draw_voters()))


if __name__ == "__main__":
    VOTERS.write_text(write_voters(), encoding="utf-8")
