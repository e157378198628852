"""The meanings of columns that describe a person: demographics, and what is sensitive.

The words are common ones of English, German, French and Spanish.
"""

from lookalike.draft.meaning import NUMBER_SHAPES, Meaning, means
from lookalike.draft.meanings import DATES, DAYS, IDENTIFIERS, PLACES
from lookalike.draft.number_meanings import CONFIRMED

DEMOGRAPHICS = (
    means(
        "age",
        "quasi-identifier",
        "age|ages|alter|altersgruppe|age group|age band|edad|age at|agegr*|agecat*|ageband*"
        "|senior citizen|elderly|minor child",
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
        "state|us state|usa state|=st",
        "us state",
    ),
    means(
        "country",
        "quasi-identifier",
        "country|countries|nation|nationality|native country|citizenship|citizen|country of birth"
        "|land|native|nativity|born|born*|foreign born|immig*|migrant|continent"
        "|staatsangehoerigkeit|staatsbuergerschaft|pays|nationalite|pais|nacionalidad|citizendesc",
        "country",
    ),
    means(
        "place",
        "quasi-identifier",
        "city|town|municipality|county|district|region|province|ort|wohnort|stadt|gemeinde|kreis"
        "|landkreis|bundesland|kanton|ville|commune|departement|ciudad|municipio|provincia"
        "|residence|birthplace|place|place of birth|location|neighborhood|census tract|borough"
        "|boro|origin|destination|embarked|port"
        "|geburtsort|lieu de naissance|lugar de nacimiento|reg|stratum|strata|*psu"
        "|sampling unit|zone|dist|urban"
        "|urb*|rural|rur|domicil*|village|metro|area|metropolitan|suburb|locality|parish|precinct"
        "|constituency|fips|msa|cbsa|cluster|enumeration area|station|munic|municip*"
        "|geoid|geocode|geogr*|tract|puma"
        "|imd|deprivation|pob*|north*|south*|=east|=eastern|=west|=western|midwest*|=northcen"
        "|smsa*|*fips|*fip|addr*|commut*|travel time|distance from home|arbeitsweg|trajet"
        "|norden|sueden|osten|westen|=nord|=sud|=est|=ouest|=norte|=sur|=este|=oeste|wohnlage",
        "place",
        PLACES,
    ),
    means(
        "sex",
        "quasi-identifier",
        "sex|gender|geschlecht|sexe|sexo|genre|genero|female|male|woman|man|men|women|*sex"
        "|gend*|*gendr|*gender|*gndr|weiblich|maennlich|femme|homme|mujer|hombre|salutation|anrede",
        "sex",
    ),
    means(
        "race or ethnicity",
        "quasi-identifier",
        "race|ethnicity|ethnic|ethnic group|hispanic|hispanic latino|ethnie|raza|etnia"
        "|skin color|race*|ethn*|*reth|raceth|rac|eth|indigenous|tribe|caste|minority|hisp*"
        "|latin*|black*|=white|white*|=asian|nonwhite|non white|afam*|afro*|african*|cauc*|amind*",
        "race",
    ),
    means(
        "marital status",
        "quasi-identifier",
        "marital|marital status|married|marriage|civil status|familienstand|etat civil"
        "|estado civil|marit*|marst*|marry*|*martl|*civil|mstat|unmarried|divorced"
        "|widow|widowed|cohabit*|mar stat|m status|=mar|single|=separated|divorc*|ledig|verheiratet"
        "|celibataire|soltero|soltera|casado|casada",
        "marital status",
    ),
    means(
        "education",
        "quasi-identifier",
        "education|education level|educ|degree|school|schooling|highest degree|bildung"
        "|schulabschluss|etudes|educacion|formal education|university|undergrad|major"
        "|undergrad major|edu*|*educ|ed level|*isced|*sced|literacy|literate|college|diploma"
        "|qualification|graduate|student|school grade|grade level|hschool|high school|dropout"
        "|pupil|schulbildung|schulart|etudiant|estudiante",
        "education",
    ),
    means(
        "occupation",
        "quasi-identifier",
        "occupation|job|job title|profession|beruf|position|metier|ocupacion|profesion|job role"
        "|dev type|work position|occ|occup|occupat*|*occ|isco|soc|craft|trade|rank|job level"
        "|collar|job category",
        "occupation",
    ),
    means(
        "workplace",
        "quasi-identifier",
        "employment|workclass|work class|employer|employed|company|company size|industry"
        "|department|employment status|organization|arbeitgeber|abteilung|employeur|empresa"
        "|=hospital|hospital name|=clinic|school name|medical specialty|=ward|=station"
        "|self employed|empl|emp|employ*|unemp*|empst*|wrk*|work status|labor force"
        "|isic|nace*|naics|indus*|sector|business unit|=site|site id|agency|agency id|agency ids"
        "|facility|facility id|provider id|provider|provider name|hospital id"
        "|center id|centre id|school id|class id"
        "|store id|branch|dept|org|org size|retired|selfemp*|self emp|labforce|lab force|classwkr"
        "|class of worker|class worker|worker|=ind|construc*|manufac*|full time|fulltime|part time"
        "|parttime|full or part time|employment contract|experience|exper|years of experience"
        "|years at company|seniority|job tenure|ward|=unit|unit type|unit id|center|centre|office"
        "|clinic|vollzeit|teilzeit|berufserfahrung|temps plein|temps partiel|anciennete|antiguedad"
        "|jornada",
        "category",
    ),
    means(
        "family or household",
        "quasi-identifier",
        "relationship|household|household size|children|number of children|kids|dependents"
        "|family size|siblings|kinder|haushalt|enfants|hijos|homeless|housing|home|rooms"
        "|relat|relation|relative|relship*|hh*|partner|spouse|husband|wife|child|childs|*child"
        "|*children|chld*|*kids|sibs|adult|adults|persons|hsize|family members|sibling|family"
        "|famsize|parent|parents|mother|father|twin|roof|wall|walls|floor|toilet|water"
        "|water supply|drinking water|electricity|electric*|electcon|dwelling|house|flat|flats"
        "|apartment|cooking fuel|tenure status|landlord|lives with|household members|birth order"
        "|parity|numdep|depend*|guardian|pstatus|parental status|legal guardian|nkids|vormund"
        "|tuteur|tutor legal|condomin*|condo|home owner|owns home|own home",
        "category",
    ),
    means(
        "language",
        "quasi-identifier",
        "language|lang|langn|mother tongue|native language|sprache|langue|idioma",
    ),
    means(
        "bodily feature",
        "quasi-identifier",
        "height|body height|blood type|blood group|eye color|hair color|groesse|taille|altura"
        "|=length|birth weight|birthweight|head circ|ht|hgt|handed|handedness|left handed"
        "|right handed|tattoo|scar",
        "number",
    ),
    means(
        "payer",
        "quasi-identifier",
        "payer|payer code|payment typology|payment source|coverage type"
        "|insurance|insurance type|insurer|krankenkasse|versicherung|assurance"
        "|seguro|veteran|military|insurance plan|health plan|plan name|medicaid|medicare|insured"
        "|uninsured|vetstat|veterans",
    ),
)
"""What others may know of a person."""

SENSITIVE = (
    means(
        "diagnosis",
        "sensitive",
        "diagnosis|diagnoses|diag|icd|icd9|icd10|icd code|disease|disorder|illness|problem"
        "|symptom|symptoms|comorbidity|diagnose|krankheit|maladie|diagnostic|diagnostico"
        "|enfermedad|family history"
        "|cause of death|mental health|medical condition|health condition|ill|chd"
        "|allergy|allergies|disability|disabled|mental illness|depressed|diabetes|hypertension"
        "|cancer|tumor|asthma*|stroke|angina|infarction|arthritis|depression|anxiety|dementia"
        "|epilepsy|hepatitis|pneumonia|infection|sepsis|injury|fracture|obesity|copd"
        "|chronic condition|handicap|hyperten*|hiperten*|*dx|=dx|=health|general health"
        "|self rated health|health status|*hlth|complication|complications|relapse|recurrence"
        "|metastasis|deaf|blind|erkrankung|krebs|schlaganfall|gesundheit|verletzung|behinderung"
        "|sante|handicape|blessure|salud|lesion|discapacidad|chronic|premature|preterm|premie"
        "|gestation|gestational|menopause|menopausal|lymph nodes|nodes|tumor size|suicide|suicidal"
        "|substance|addiction|alcoholism|pain|cough|nausea|vomiting|fever|fatigue|headache"
        "|migraine|bleeding|swelling|rash|insomnia|dizziness|schmerz|schmerzen|husten|fieber"
        "|uebelkeit|douleur|toux|fievre|dolor|tos|fiebre|hospitalization|hospitalizations"
        "|hospitalized|virus|cmv|medical history",
        "code",
    ),
    means(
        "test result",
        "sensitive",
        "result|test result|test|lab|lab result|lab value|glucose|glu|a1c|a1c result|hba1c"
        "|cholesterol|chol|blood pressure|bp|hemoglobin|hdl|ldl|creatinine|viral load|hiv|covid"
        "|befund|laborwert|resultat|resultado|bmi|pulse|heart rate|temperature|sodium|potassium"
        "|calcium|chloride|magnesium|phosphate|bicarbonate|albumin|bilirubin|urea|bun|creat|gfr"
        "|egfr|sgot|sgpt|alk phos|alkphos|ggt|triglyceride*|trig|platelet|platelets|hematocrit|hct"
        "|hgb|wbc|rbc|leukocyte*|neutrophil*|lymphocyte*|crp|esr|psa|tsh|ferritin|inr|protime"
        "|troponin|lactate|fibrinogen|copper|insulin level|serum|plasma|urine|antibody|titer|pcr"
        "|biopsy|ecg|ekg|restecg|thalach|systolic|diastolic|sbp|dbp|blood sugar|oxygen|saturation"
        "|spo2|respiratory rate|resp rate|ejection fraction|lvef|fev1|=stage|tumor stage"
        "|cancer stage|disease stage|white blood cells|lesions|karnofsky|ecog|apgar|gcs|apache"
        "|sofa|blutdruck|blutzucker|puls|temperatur|tension arterielle|glycemie|presion arterial"
        "|glucemia|pulso",
        "number",
    ),
    means(
        "treatment",
        "sensitive",
        "treatment|arm|actarm|therapy|medication|medications|drug|prescription|procedure"
        "|procedures|surgery|insulin|metformin|dose|behandlung|medikament|traitement|tratamiento"
        "|medicamento|diabetesmed|treatments|treat|treated|trt|intervention|placebo|randomized"
        "|randomization|treatment group|study arm|control group|regimen|dosage|chemotherapy|chemo"
        "|radiotherapy|radiation|transplant|vaccine|vaccination|vaccinated|ventilation|dialysis"
        "|transfusion|impfung|*formin|*glitazone|*gliptin|*glinide|*statin|*sartan|*cillin|*mycin"
        "|glipiz*|glimep*|glybur*|*butamide|*propamide|aspirin|heparin|steroid*|antibiotic*"
        "|hormone*|hormon|hormonal|bestrahlung|beatmung|beatmungsstunden|studienarm|vaccin|greffe"
        "|vacuna|cirugia",
        "code",
    ),
    means(
        "outcome",
        "sensitive",
        "outcome|readmitted|readmission|mortality|death|died|dead|survival|vital status|alive"
        "|deceased|discharge disposition|disposition|severity|expire*|dth*|admission location"
        "|admission type|admission source|discharge location|adverse event|survived|survivor"
        "|censored|type of admission|source of admission|admit source|*admitsource"
        "|discharge status|fdead|emergency|elective|urgent|pat status|patient status"
        "|follow up status|relapsed|improved|improvement|recovered|recovery|aufnahmeanlass"
        "|aufnahmegrund|aufnahmeart|entlassungsgrund|entlassungsart|verstorben|ueberlebt|genesen"
        "|deces|decede|gueri|fallecido|fallecimiento|mejoria",
    ),
    means(
        "income",
        "sensitive",
        "income|salary|wage|wages|pay|pay rate|earnings|salary class|income class|compensation"
        "|einkommen|gehalt|lohn|revenu|salaire|ingresos|salario|sueldo|wealth|net worth|poverty"
        "|*inc|hinc*|inctot|lwage|hourly wage|bonus|benefits|welfare|sozialhilfe",
        "amount",
    ),
    means(
        "amount of money",
        "sensitive",
        "amount|billed|amount billed|charge|charges|cost|costs|price|payment|bill|balance"
        "|betrag|rechnungsbetrag|kosten|montant|importe|capital gain|capital loss|fee|debt|loan"
        "|credit|kredit|umsatz|spending|expend*|expense|expenses|savings|paid|fare|tip"
        "|asset|assets|rent|mortgage|tax",
        "amount",
        shapes=(*NUMBER_SHAPES, "written number"),
    ),
    means(
        "offense or sentence",
        "sensitive",
        "offense|offence|crime|charge|charge desc|charge degree|conviction|convicted|arrest"
        "|sentence|verdict|recid|recidivism|felony|straftat|urteil|delit|delito|violent"
        "|priors|misdemeanor|prior arrests|prior convictions|contraband|contraband found"
        "|law category|fel|infraction|citation|rearrest|verurteilung|haft|prison|jail|condena"
        "|condamnation",
        shapes=("text", "code", "sentence", "integer"),
    ),
    means(
        "belief or orientation",
        "sensitive",
        "religion|religious|faith|konfession|church|political|politics|party|vote|voted"
        "|sexual orientation|sexual|trade union|=union|union member|partei|gewerkschaft|ideology"
        "|relig*|*relig|polviews|political views|lrscale|left right scale|liberal|conservative"
        "|syndicat|sindicato",
    ),
    means(
        "habit",
        "sensitive",
        "smoking|smoker|smoke|alcohol|drinking|drugs|marijuana|pregnant|pregnancy|pregnancies"
        "|abortion|rauchen|raucher|alkohol|fumeur|fumador|sex partners|=habit|cigarettes|cigs"
        "|tobacco|drinks|drinker|*smok|smok*|*alc|alcday*|exercise|physical activity|sleep"
        "|hours of sleep|diet|drug use|substance use|contracepti*|gambling|romantic|zigaretten"
        "|tabak|schlaf|tabac|sommeil|tabaco|sueno",
    ),
    means(
        "judgement of a person",
        "sensitive",
        "grade|grades|gpa|marks|performance|performance score|rating|satisfaction|score"
        "|zensur|termination reason|term reason|terminated|attrition|decile score|failures"
        "|exam|exam score|final grade|passed|math score|reading score|iq|note finale"
        "|schulnote|abschlussnote|pruefung|calificacion|examen|default|defaulted|delinquent"
        "|delinquency|loan status|creditworthiness|late payments|credit history|denial reason"
        "|action taken|bankruptcy|ausfall|impaye|impago|delinq*|bankrupt*|collections|lien|liens"
        "|deny|denied|denial|approved|rejected|public record|credit score|credit grade|sub grade",
    ),
)
"""What is meant to be learned from a release, and not about a single person."""

OPINION = "opinion or answer"
EVENTS = (
    means(
        OPINION,
        "other",
        "satisfaction|trust|opinion|attitude|agreement|importance|confidence|interest|concern"
        "|approval|preference|motivation|happiness|happy|wellbeing|well being|lifesat|stress|mood"
        "|feeling|intention|willingness|awareness|fear|worry|worries|anonymity|frequency|freq"
        "|recommendation|usefulness|ease of use|loyalty|priority|expectation"
        "|leisure|studytime|study time|freetime|free time|goout|going out"
        "|internet use|screen time|social media|seek help|likelihood|probability|=risk|risk score"
        "|risk group|risk level|zufriedenheit|lebenszufriedenheit|vertrauen|meinung|einstellung"
        "|wichtigkeit|interesse|stimmung|sorge|sorgen|haeufigkeit|empfehlung|confiance|avis"
        "|interet|bonheur|humeur|inquietude|frequence|satisfaccion|confianza|importancia|interes"
        "|felicidad|actitud|preocupacion|frecuencia",
    ),
    means(
        "use of a service",
        "other",
        "contract|plan|payment method|payment type|payment mode|paperless billing|paperless"
        "|internet service|phone service|online security|online backup|streaming|tech support"
        "|subscription|campaign|campaigns|channel|contact type|call|calls|message|messages|sms"
        "|sms received|appointment|no show|visit|visits|consultation|consultations|referral|session"
        "|sessions|click|clicks|page views|login count|purchase|purchases|order|orders|product"
        "|quantity|delivery|shipping|booking|reservation|cancellation|canceled|complaint|complaints"
        "|churn|user type|rate code|credit limit|credit cards|utilization|installment|installments"
        "|account|accounts|credit line|credit lines|inquiry|inquiries|application type"
        "|listing status|patient class|emergency visits|office visits|doctor visits|tariff|term"
        "|interest rate|int rate|verification status|encounter class|encounter type|visit type"
        "|length of stay|los|time in hospital|days in hospital|delay|waiting time|wait time"
        "|duration|trip duration|absence|absences|attendance|attempt|attempts|passenger count"
        "|vertrag|zahlungsart|zahlungsweise|kampagne|kanal|anruf|anrufe|nachricht|termin|besuch"
        "|besuche|sitzung|bestellung|bestellungen|produkt|menge|lieferung|buchung|beschwerde"
        "|verweildauer|liegedauer|wartezeit|dauer|fehltage|fehlzeiten|tarif|contrat"
        "|mode de paiement|moyen de paiement|campagne|canal|appel|appels|rendez vous|visite"
        "|visites|seance|commande|commandes|produit|quantite|livraison|plainte|duree"
        "|duree de sejour|attente|contrato|metodo de pago|forma de pago|campana|llamada|llamadas"
        "|cita|visita|visitas|sesion|pedido|pedidos|producto|cantidad|entrega|queja|duracion"
        "|estancia|espera|ausencias",
    ),
    means(
        "reason or circumstance",
        "other",
        "reason|purpose|motive|method|circumstance|circumstances|weather|weapon|armed"
        "|search conducted|stop outcome|interview mode|mode of interview|interview month"
        "|interview day|wave|survey wave|questionnaire|accident|collision|incident|event"
        "|event type|event count|speed|follow up|followup|follow up time|futime|survival time"
        "|time to event|days to event|hrs|hours|minutes|hours per week|hours worked|working hours"
        "|work hours|weeks worked|ratio|overtime|remote work|business travel|stock option level"
        "|grund|anlass|zweck|motiv|umstand|wetter|waffe|erhebungswelle|ueberstunden|unfall"
        "|ereignis|stunden|arbeitsstunden|arbeitszeit|heures|evenement|horas|evento|accidente"
        "|motif|raison|circonstance|arme|vague|motivo|razon|circunstancia|arma|ola",
    ),
)
"""What happens to people, is done for them, or is answered by them: nobody is found by it."""

ALL_MEANINGS: tuple[Meaning, ...] = (
    *(*IDENTIFIERS, *DATES, *CONFIRMED, *DEMOGRAPHICS, *SENSITIVE, *EVENTS),
)
"""All meanings; where two match equally well, the first counts."""
