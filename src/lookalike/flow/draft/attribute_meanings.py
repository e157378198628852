"""The meanings of columns that describe a person: demographics, and what is sensitive.

The words are common ones of English, German, French and Spanish.
"""

from lookalike.flow.draft.meaning import NUMBER_SHAPES, Meaning, means
from lookalike.flow.draft.meanings import DATES, DAYS, IDENTIFIERS, PLACES

DEMOGRAPHICS = (
    means(
        "age",
        "quasi-identifier",
        "age|ages|alter|altersgruppe|age group|age band|edad|age at|agegroup|age cat",
        "age",
        DAYS,
    ),
    means(
        "postal code",
        "quasi-identifier",
        "zip|zip code|zipcode|postal code|postal|postcode|post code|plz|postleitzahl|code postal"
        "|codigo postal",
        "postal code",
        PLACES,
    ),
    means(
        "U.S. state",
        "quasi-identifier",
        "state|us state|usa state",
        "us state",
    ),
    means(
        "country",
        "quasi-identifier",
        "country|nation|nationality|native country|citizenship|citizen|country of birth|land"
        "|staatsangehoerigkeit|staatsbuergerschaft|pays|nationalite|pais|nacionalidad|citizendesc",
        "country",
    ),
    means(
        "place",
        "quasi-identifier",
        "city|town|municipality|county|district|region|province|ort|wohnort|stadt|gemeinde|kreis"
        "|landkreis|bundesland|kanton|ville|commune|departement|ciudad|municipio|provincia"
        "|residence|birthplace|place|place of birth|location|neighborhood|census tract|borough"
        "|geburtsort|lieu de naissance|lugar de nacimiento",
        "place",
        PLACES,
    ),
    means(
        "sex",
        "quasi-identifier",
        "sex|gender|geschlecht|sexe|sexo|genre|genero",
        "sex",
    ),
    means(
        "race or ethnicity",
        "quasi-identifier",
        "race|ethnicity|ethnic|ethnic group|hispanic|hispanic latino|ethnie|raza|etnia"
        "|skin color|racedesc|raceethnicity",
        "race",
    ),
    means(
        "marital status",
        "quasi-identifier",
        "marital|marital status|married|marriage|civil status|familienstand|etat civil"
        "|estado civil|maritaldesc",
        "marital status",
    ),
    means(
        "education",
        "quasi-identifier",
        "education|education level|educ|degree|school|schooling|highest degree|bildung"
        "|schulabschluss|etudes|educacion|formal education|university|undergrad|major"
        "|undergrad major",
        "education",
    ),
    means(
        "occupation",
        "quasi-identifier",
        "occupation|job|job title|profession|beruf|position|metier|ocupacion|profesion|job role"
        "|dev type|work position",
        "occupation",
    ),
    means(
        "workplace",
        "quasi-identifier",
        "employment|workclass|work class|employer|employed|company|company size|industry"
        "|department|employment status|organization|arbeitgeber|abteilung|employeur|empresa"
        "|=hospital|hospital name|=clinic|school name|medical specialty|=ward|=station"
        "|self employed",
        "category",
    ),
    means(
        "family or household",
        "quasi-identifier",
        "relationship|household|household size|children|number of children|kids|dependents"
        "|family size|siblings|kinder|haushalt|enfants|hijos|homeless|housing|home|rooms",
        "category",
    ),
    means(
        "language",
        "quasi-identifier",
        "language|mother tongue|native language|sprache|langue|idioma",
    ),
    means(
        "bodily feature",
        "quasi-identifier",
        "height|weight|body height|body weight|blood type|blood group|eye color|hair color"
        "|groesse|gewicht|taille|poids|altura|peso|length|head circ",
        "number",
    ),
    means(
        "payer",
        "quasi-identifier",
        "payer|payer code|insurance|insurance type|insurer|krankenkasse|versicherung|assurance"
        "|seguro|veteran|military",
    ),
)
"""What others may know of a person."""

SENSITIVE = (
    means(
        "diagnosis",
        "sensitive",
        "diagnosis|diagnoses|diag|icd|icd9|icd10|icd code|disease|disorder|illness|problem"
        "|symptom|symptoms|comorbidity|diagnose|krankheit|maladie|diagnostic|diagnostico"
        "|enfermedad|cause of death|mental health|medical condition|health condition|ill|chd"
        "|allergy|allergies|disability|disabled|mental illness|depressed|diabetes|hypertension",
        "code",
    ),
    means(
        "test result",
        "sensitive",
        "result|test result|test|lab|lab result|lab value|glucose|glu|a1c|hba1c|cholesterol|chol"
        "|blood pressure|bp|hemoglobin|hdl|ldl|creatinine|viral load|hiv|covid|befund"
        "|laborwert|resultat|resultado|bmi|pulse|heart rate|temperature",
        "number",
    ),
    means(
        "treatment",
        "sensitive",
        "treatment|therapy|medication|medications|drug|prescription|procedure|procedures|surgery"
        "|insulin|metformin|dose|behandlung|medikament|traitement|tratamiento|medicamento"
        "|diabetesmed|treatments",
        "code",
    ),
    means(
        "outcome",
        "sensitive",
        "outcome|readmitted|readmission|mortality|death|died|dead|survival|vital status|alive"
        "|deceased|discharge disposition|severity",
    ),
    means(
        "income",
        "sensitive",
        "income|salary|wage|wages|pay|pay rate|earnings|salary class|income class|compensation"
        "|einkommen|gehalt|lohn|revenu|salaire|ingresos|salario|sueldo|wealth|net worth|poverty",
        "amount",
    ),
    means(
        "amount of money",
        "sensitive",
        "amount|billed|amount billed|charge|charges|cost|costs|price|payment|bill|balance"
        "|betrag|rechnungsbetrag|kosten|montant|importe|capital gain|capital loss|fee|debt|loan"
        "|credit|kredit|umsatz|spending",
        "amount",
        shapes=(*NUMBER_SHAPES, "written number"),
    ),
    means(
        "offense or sentence",
        "sensitive",
        "offense|offence|crime|charge|charge desc|charge degree|conviction|convicted|arrest"
        "|sentence|verdict|recid|recidivism|felony|straftat|urteil|delit|delito|violent",
        shapes=("text", "code", "sentence", "integer"),
    ),
    means(
        "belief or orientation",
        "sensitive",
        "religion|religious|faith|konfession|church|political|politics|party|vote|voted"
        "|sexual orientation|sexual|trade union|union member|partei|gewerkschaft|ideology",
    ),
    means(
        "habit",
        "sensitive",
        "smoking|smoker|smoke|alcohol|drinking|drugs|marijuana|pregnant|pregnancy|pregnancies"
        "|abortion|rauchen|raucher|alkohol|fumeur|fumador|sex partners",
    ),
    means(
        "judgement of a person",
        "sensitive",
        "grade|grades|gpa|marks|performance|performance score|rating|satisfaction|score"
        "|zensur|termination reason|term reason|terminated|attrition|decile score",
    ),
)
"""What is meant to be learned from a release, and not about a single person."""

ALL_MEANINGS: tuple[Meaning, ...] = (*IDENTIFIERS, *DATES, *DEMOGRAPHICS, *SENSITIVE)
"""All meanings; where two match equally well, the first counts."""
