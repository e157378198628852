"""The meanings that are recognized, with the words of column names that suggest them.

The words are common ones of English, German, French and Spanish. The eighteen identifiers of HIPAA
Safe Harbor are listed in 45 CFR 164.514(b)(2)(i), (A) to (R).
"""

from lookalike.flow.draft.meaning import WORDS_OR_NUMBERS, Meaning, means
from lookalike.flow.draft.shape import Shape
from lookalike.tables.table import Role

NAMES = "names"
PLACES = "geographic subdivisions smaller than a state"
DAYS = "dates of an individual, and ages over 89"


def _identifies(
    name: str, phrases: str, safe_harbor: str, *, role: Role = "identifier", key: bool = False
) -> Meaning:
    """Return the meaning of a column that identifies a person."""
    shapes: tuple[Shape, ...] = (*WORDS_OR_NUMBERS, "e-mail", "url", "ip", "ssn", "phone")
    return means(name, role, phrases, "code", safe_harbor, shapes=shapes, least=4, key=key)


IDENTIFIERS = (
    _identifies(
        "name of a person",
        "=name|full name|patient name|person name|employee name|student name|customer name"
        "|=patient|nom complet|nombre completo|nombre y apellidos|manager name|doctor|physician"
        "|arzt|arztname|provider name|=manager|supervisor",
        NAMES,
    ),
    _identifies(
        "part of a name",
        "first name|last name|surname|family name|given name|middle name|maiden name|forename"
        "|=first|=last|=middle|initials|vorname|nachname|familienname|geburtsname|=nom|prenom"
        "|nom de famille|=nombre|apellido|apellidos|primer apellido",
        NAMES,
    ),
    _identifies("e-mail address", "email|e mail|mail|courriel|correo", "e-mail addresses"),
    _identifies(
        "telephone number",
        "phone|telephone|tel|mobile|cell phone|telefon|handy|telefonnummer|telefono|movil",
        "telephone numbers",
    ),
    _identifies("fax number", "fax|telefax", "fax numbers"),
    _identifies(
        "street address",
        "address|addr|street|street address|strasse|adresse|anschrift|hausnummer|rue|direccion"
        "|calle|domicilio|house number",
        PLACES,
    ),
    _identifies(
        "social security number",
        "ssn|social security|social security number|sozialversicherungsnummer|svnr|ahv"
        "|numero de securite sociale|nir|nss|national insurance number|national id|tax id|dni|curp"
        "|personnummer|steuernummer|steuer id",
        "social security numbers",
    ),
    _identifies(
        "medical record number",
        "mrn|medical record|medical record number|record no|record number|patient id|patient no"
        "|patient nr|patient nbr|patient num|patient number|chart number|hospital number|patid"
        "|nhs number|patientennummer|patienten nr|patienten id|fallnummer|fall nr|aktennummer"
        "|numero de dossier|numero de patient|historia clinica|pid",
        "medical record numbers",
    ),
    _identifies(
        "health plan number",
        "health plan|health plan number|insurance number|insurance id|member id|member number"
        "|policy number|beneficiary|beneficiary id|subscriber id|medicare number|medicaid number"
        "|versichertennummer|krankenkassennummer|numero de seguro",
        "health plan beneficiary numbers",
    ),
    _identifies(
        "account number",
        "account|account number|account no|account id|iban|card number|credit card|kontonummer"
        "|bank account|cuenta|numero de compte",
        "account numbers",
        key=True,
    ),
    _identifies(
        "certificate or license number",
        "license number|licence number|license no|driver license|drivers license|license id"
        "|certificate number|passport|passport number|fuehrerschein|ausweis|ausweisnummer"
        "|permis|passeport|pasaporte|licencia|npi",
        "certificate and license numbers",
        key=True,
    ),
    _identifies(
        "vehicle identifier",
        "vin|license plate|licence plate|plate number|vehicle id|kennzeichen|immatriculation"
        "|matricula",
        "vehicle identifiers, including license plates",
        key=True,
    ),
    _identifies(
        "device identifier",
        "device id|device identifier|device serial|serial number|serial no|imei|mac address"
        "|seriennummer|geraetenummer|numero de serie",
        "device identifiers and serial numbers",
        key=True,
    ),
    _identifies("web address", "url|website|web site|homepage|profile url", "Web URLs"),
    _identifies("IP address", "ip|ip address|ip addr", "IP address numbers"),
    _identifies(
        "biometric identifier",
        "fingerprint|finger print|voiceprint|voice print|biometric|retina|iris scan"
        "|fingerabdruck|empreinte",
        "biometric identifiers",
        key=True,
    ),
    _identifies(
        "photograph",
        "photo|photograph|picture|image|image file|foto|lichtbild|portrait",
        "full-face photographs",
        role="drop",
        key=True,
    ),
    _identifies(
        "identifying number",
        "id|ids|key|uuid|guid|nr|no|nbr|case number|case no|case id|encounter id|visit id"
        "|admission id|user id|username|user name|login|person id|employee id|emp id|student id"
        "|customer id"
        "|respondent|respondent id|participant|participant id|subject|subject id|record|record id"
        "|sample id|personalnummer|matrikelnummer|kundennummer|ausweisnr|identifiant|cedula"
        "|nummer|seqn|docket|=index|row id|loan id|order id|transaction id",
        "any other unique identifying number",
        key=True,
    ),
    means(
        "coordinates",
        "drop",
        "latitude|longitude|lat|lon|lng|gps|coordinates|geolocation|breitengrad|laengengrad",
        "number",
        PLACES,
        shapes=("decimal", "text"),
    ),
    means(
        "free text",
        "drop",
        "notes|note|comment|comments|remarks|remark|description|free text|narrative|memo|text"
        "|bemerkung|bemerkungen|notiz|notizen|kommentar|anmerkung|commentaire|remarque"
        "|observaciones|nota|comentario|feedback",
        shapes=("sentence", "text"),
        key=True,
    ),
)
"""Columns that are never released."""

DATES = (
    means(
        "birth date",
        "quasi-identifier",
        "birth date|birthdate|date of birth|dob|birth|born|birthday|geburtsdatum|geburtstag"
        "|geboren|geb datum|date de naissance|naissance|fecha de nacimiento|nacimiento",
        "date",
        DAYS,
        shapes=("date",),
    ),
    means(
        "year of birth",
        "quasi-identifier",
        "birth year|year of birth|yob|birth|born|geburtsjahr|annee de naissance|ano de nacimiento",
        "year",
        shapes=("integer",),
    ),
    means(
        "admission date",
        "quasi-identifier",
        "admission|admission date|admitted|admit date|aufnahme|aufnahmedatum|date d entree"
        "|admission fecha|fecha de ingreso|visit date|encounter date",
        "date",
        DAYS,
        shapes=("date",),
    ),
    means(
        "discharge date",
        "quasi-identifier",
        "discharge|discharge date|discharged|entlassung|entlassungsdatum|date de sortie"
        "|fecha de alta",
        "date",
        DAYS,
        shapes=("date",),
    ),
    means(
        "death date",
        "quasi-identifier",
        "death|death date|date of death|dod|deceased|died|sterbedatum|todesdatum|date de deces"
        "|fecha de defuncion",
        "date",
        DAYS,
        shapes=("date",),
    ),
    means(
        "date",
        "quasi-identifier",
        "date|datum|fecha|day|timestamp|time",
        "date",
        DAYS,
        shapes=("date",),
    ),
)
"""Days that relate to a person."""
