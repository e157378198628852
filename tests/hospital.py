"""The synthetic hospital table that comes with lookalike, drawn with a fixed seed.

It has the flaws of real exports: several visits of a patient, birth dates in two formats, ZIP codes
without their leading zero, ``NA`` and quoted empty fields, free text, and Latin-1 instead of UTF-8.
All people are invented. ``python -m tests.hospital`` writes the file again.
"""

import random
from datetime import date, timedelta
from pathlib import Path

import lookalike

PLACE = Path(lookalike.__file__).parent / "shell" / "data" / "hospital" / "hospital.csv"
VISITS = 600
HEADER = (
    "visit_no,record_no,first_name,last_name,phone,birth_date,sex,zip,admission_date,ward,"
    "diagnosis,hba1c,amount_billed,notes"
)
FIRST = {
    "F": [
        "Anna",
        "Bärbel",
        "Chloé",
        "Dörte",
        "Élise",
        "Gül",
        "Hélène",
        "Irene",
        "Jülide",
        "Käthe",
        "Lucía",
        "Mónica",
    ],
    "M": [
        "Björn",
        "Cem",
        "Dario",
        "Götz",
        "Émile",
        "Jörg",
        "José",
        "Karl",
        "Límar",
        "Müjdat",
        "Noël",
        "Raúl",
    ],
}
LAST = [
    "Müller",
    "Größe",
    "Dubois",
    "García",
    "Núñez",
    "Weiß",
    "Schröder",
    "Lefèvre",
    "Öztürk",
    "Jäger",
    "Peña",
    "Köhler",
    "Brontë",
]
ZIPS = ("02138", "02139", "02141", "02446", "19104", "19103", "19121", "60614", "60615", "60637")
WARDS = ("cardiology", "internal medicine", "surgery", "neurology")
DIAGNOSES = ("asthma", "angina", "diabetes", "fracture", "hypertension", "migraine", "pneumonia")
SENTENCES = (
    "Came in with {}; family was informed.",
    "Seen for {} in spring, doing better.",
    "Referred because of {} by a colleague.",
    "Complains of the food; {} is stable.",
)


def make_hospital():
    """Return the text of the table."""
    draw = random.Random(1847)
    patients = [_make_patient(draw, number) for number in range(210)]
    lines = [HEADER]
    for number in range(VISITS):
        patient = patients[number] if number < len(patients) else draw.choice(patients)
        lines.append(_make_visit(draw, 500_000 + number * 7, patient))
    return "\n".join(lines) + "\n"


def _make_patient(draw, number):
    """Return what stays the same over the visits of a patient."""
    sex = draw.choice("FM")
    born = date(1930, 1, 1) + timedelta(days=draw.randrange(28_000))
    return {
        "record": f"R{70_000 + number * 13}",
        "first": draw.choice(FIRST[sex]),
        "last": draw.choice(LAST),
        "phone": f"555-{draw.randrange(200, 999)}-{draw.randrange(1000, 9999)}",
        "born": born.isoformat() if draw.random() < 0.6 else born.strftime("%d.%m.%Y"),
        "sex": sex,
        "zip": draw.choice(ZIPS).lstrip("0"),
        "ill": draw.choice(DIAGNOSES),
    }


def _make_visit(draw, number, patient):
    """Return the line of a visit."""
    ill = patient["ill"] if draw.random() < 0.6 else draw.choice(DIAGNOSES)
    admitted = date(2023, 1, 2) + timedelta(days=draw.randrange(700))
    result = "NA" if draw.random() < 0.15 else f"{draw.gauss(6, 0.8):.1f}"
    fields = (
        str(number),
        patient["record"],
        patient["first"],
        patient["last"],
        patient["phone"] if draw.random() < 0.9 else "",
        patient["born"] if draw.random() < 0.98 else "NA",
        patient["sex"] if draw.random() < 0.97 else '""',
        patient["zip"],
        admitted.isoformat(),
        draw.choice(WARDS),
        ill,
        result,
        f"{draw.lognormvariate(7, 0.6):.2f}",
        f'"{draw.choice(SENTENCES).format(ill)} Visit {draw.randrange(10_000)}"',
    )
    return ",".join(fields)


if __name__ == "__main__":
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_text(make_hospital(), encoding="latin-1", newline="\n")
