"""The meanings that are recognized, with the words of column names that suggest them.

The words are common ones of English, German, French and Spanish. The eighteen identifiers of HIPAA
Safe Harbor are listed in 45 CFR 164.514(b)(2)(i), (A) to (R).
"""

from dataclasses import replace

from lookalike.draft.column import NEARLY_UNIQUE, ColumnProfile, measure_column
from lookalike.draft.meaning import WORDS_OR_NUMBERS, Meaning, Shape, means
from lookalike.tables.table import Role

NAMES = "names"
PLACES = "geographic subdivisions smaller than a state"
SHORT = 3
"""Shorter values are answers or codes, and no names, addresses or telephone numbers."""
DAYS = "dates of an individual, and ages over 89"


def _identifies(
    name: str,
    phrases: str,
    safe_harbor: str,
    *,
    role: Role = "identifier",
    key: bool = False,
    numbered: bool = True,
) -> Meaning:
    """Return the meaning of a column that identifies a person, perhaps by a short number."""
    shapes: tuple[Shape, ...] = (*WORDS_OR_NUMBERS, "e-mail", "url", "ip", "ssn", "phone")
    found = means(name, role, phrases, "code", safe_harbor, shapes=shapes, least=4, key=key)
    return found if numbered else replace(found, values=_are_long)


def _are_long(column: ColumnProfile) -> bool:
    """Return whether values are more than the short numbers of a scale, or codes of two letters."""
    return not all(len(value) < SHORT for value in column.values)


def _are_own(column: ColumnProfile) -> bool:
    """Return whether nearly every row has a value of its own."""
    return measure_column(column).distinct_share > NEARLY_UNIQUE


_PERSONS = (
    "subj(?:ect)?|pat(?:ient)?|pt|pers(?:on)?|individual|indiv|resp(?:ondent)?|case|participant"
    "|customer|cust|client|employee|emp|student|stud|pupil|user|member|mbr|voter|donor|worker"
    "|staff|record|row|officer|driver|borrower|applicant|owner|teacher|child|mother|twin|panelist|persona|paciente|cliente|kunde|adm(?:ission)?|stay|encounter|visit|episode"
)
"""Those who have a number, and the records of them."""
_NUMBER = "(?:ids?|no|nr|num|nbr|number|nummer|key|identifier|code)(?:hash(?:ed)?)?"

IDENTIFIERS = (
    _identifies(
        "name of a person",
        "=name|full name|patient name|person name|employee name|student name|customer name"
        "|=patient|nom complet|nombre completo|nombre y apellidos|manager name|doctor|physician"
        "|arzt|arztname|provider name|=manager|supervisor",
        NAMES,
        numbered=False,
    ),
    _identifies(
        "part of a name",
        "first name|last name|surname|family name|given name|middle name|maiden name|forename"
        "|=first|=last|=middle|maiden|name suffix|suffix|fname|lname|mname"
        "|initials|vorname|nachname|familienname|geburtsname|=nom|prenom"
        "|nom de famille|=nombre|apellido|apellidos|primer apellido",
        NAMES,
        numbered=False,
    ),
    _identifies(
        "e-mail address", "email|e mail|mail|courriel|correo", "e-mail addresses", numbered=False
    ),
    _identifies(
        "telephone number",
        "phone|telephone|tel|mobile|cell phone|telefon|handy|telefonnummer|telefono|movil",
        "telephone numbers",
        numbered=False,
    ),
    _identifies("fax number", "fax|telefax", "fax numbers", numbered=False),
    _identifies(
        "street address",
        "address|addr|street|street address|strasse|adresse|anschrift|hausnummer|rue|direccion"
        "|calle|domicilio|house number|house num",
        PLACES,
        numbered=False,
    ),
    _identifies(
        "social security number",
        "ssn|social security|social security number|sozialversicherungsnummer|svnr|ahv"
        "|numero de securite sociale|nir|nss|national insurance number|national id|tax id|dni|curp"
        "|personnummer|steuernummer|steuer id",
        "social security numbers",
        numbered=False,
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
    _identifies(
        "web address", "url|website|web site|homepage|profile url", "Web URLs", numbered=False
    ),
    _identifies("IP address", "ip|ip address|ip addr", "IP address numbers", numbered=False),
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
        numbered=False,
    ),
    _identifies(
        "identifying number",
        "id|ids|key|uuid|guid|nr|no|nbr|case number|case no|case id|encounter id|visit id"
        "|admission id|user id|username|user name|login|person id|employee id|emp id|student id"
        "|customer id"
        "|respondent|respondent id|participant|participant id|subject|subject id|record|record id"
        "|sample id|personalnummer|matrikelnummer|kundennummer|ausweisnr|identifiant|cedula"
        "|nummer|seqn|*id|docket|=index|row id|loan id|order id|transaction id",
        "any other unique identifying number",
        key=True,
    ),
    Meaning(
        "identifying number",
        "identifier",
        (
            *(
                "=id",
                "=ids",
                "=key",
                "=seqn",
                "=idno",
                "=no",
                "=nr",
                "=case",
                "=subject",
                "=patient",
            ),
            *("identifier", "identification number", "case identification", "sequence number"),
            *("registration number", "registration no", "reg num", "registration id"),
        ),
        kind="code",
        safe_harbor="any other unique identifying number",
        shapes=("integer", "decimal", "code", "phone", "ssn"),
        least=4,
        glued=f"(?:(?:[a-z]{{0,3}}|original|unique)(?:{_PERSONS})|[pru]){_NUMBER}[0-9]*"
        f"|id(?:{_PERSONS})|row(?:s|names?|num|no|nr|number|index)?|unnamed[0-9]*|serial|serialno",
    ),
    Meaning(
        "identifying number",
        "identifier",
        kind="code",
        safe_harbor="any other unique identifying number",
        shapes=("integer", "code"),
        glued=".*(?:id|key|number|num|nbr|nr|no|nummer|kennzeichen|identifier)|x|index|obs",
        values=_are_own,
    ),
    Meaning(
        "number of a household",
        "identifier",
        kind="code",
        safe_harbor="any other unique identifying number",
        shapes=("integer", "decimal", "code", "phone", "ssn"),
        least=4,
        glued=f"(?:[a-z]{{0,3}}|original|unique)(?:hh?|household|fam(?:ily)?|dwelling){_NUMBER}[0-9]*",
    ),
    means(
        "coordinates",
        "drop",
        "latitude|longitude|lat|lon|lng|=long|gps|coord*|coordinates|geolocation|breitengrad|laengengrad",
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
    replace(
        means("month or period", "quasi-identifier", "date|datum|fecha|month year|year month"),
        glued="[a-z]{0,2}date[0-9]*",
    ),
)
"""Days that relate to a person."""
