"""The role that is expected for every column of the tables that come with lookalike."""

ADULT = {
    "sex": ("quasi-identifier", "sex"),
    "age": ("quasi-identifier", "age"),
    "race": ("quasi-identifier", "race or ethnicity"),
    "marital-status": ("quasi-identifier", "marital status"),
    "education": ("quasi-identifier", "education"),
    "native-country": ("quasi-identifier", "country"),
    "workclass": ("quasi-identifier", "workplace"),
    "occupation": ("quasi-identifier", "occupation"),
    "salary-class": ("sensitive", "income"),
}
HOSPITAL = {
    "visit_no": ("identifier", "identifying number"),
    "record_no": ("identifier", "medical record number"),
    "first_name": ("identifier", "part of a name"),
    "last_name": ("identifier", "part of a name"),
    "phone": ("identifier", "telephone number"),
    "birth_date": ("quasi-identifier", "birth date"),
    "sex": ("quasi-identifier", "sex"),
    "zip": ("quasi-identifier", "postal code"),
    "admission_date": ("quasi-identifier", "admission date"),
    "ward": ("quasi-identifier", "workplace"),
    "diagnosis": ("sensitive", "diagnosis"),
    "hba1c": ("sensitive", "test result"),
    "amount_billed": ("quasi-identifier", "amount of money"),
    "notes": ("drop", "free text"),
}
