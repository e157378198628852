"""What the terms of the studio mean, in plain words, for *What is this?* on every screen."""

from collections.abc import Mapping

GLOSSARY: Mapping[str, str] = {
    "role": (
        "The role of a column decides what happens to it in the release: left out, made more "
        "general, or released as it is."
    ),
    "identifier": "Names one person, such as a name or a record number. It is never released.",
    "quasi-identifier": (
        "A fact that others may know about a person, such as birth date, sex or postal code. "
        "Together such facts single people out, so they are made more general until at least k "
        "rows share every combination."
    ),
    "sensitive": (
        "What a recipient wants to study and nobody should learn about one person, such as a "
        "diagnosis. It is released as it is, and classes are checked for it."
    ),
    "other": "Released as it is. Choose it only for what nobody else knows about a person.",
    "drop": "Left out of the release.",
    "hierarchy": (
        "How the values of a column become more general, level by level: 02138, 0213*, 021**. The "
        "highest level is one value for all."
    ),
    "k": (
        "The number of rows, or persons, that share every combination of quasi-identifiers. "
        "Whoever knows these values of a person finds k candidates, never fewer."
    ),
    "max_suppressed": (
        "How many rows may be left out because they are too rare: 20 means rows, 0.01 means 1 % "
        "of the rows."
    ),
    "person": (
        "The column that identifies persons. If persons have several rows, k counts persons and "
        "not rows. The column itself is never released."
    ),
    "distinct": (
        "How many different values every class must show, so that nobody learns the value of a "
        "person from the class alone (distinct l-diversity)."
    ),
    "share": (
        "The largest share that one value may have in a class: 0.6 means that no value has more "
        "than 60 % of the rows."
    ),
    "closeness": (
        "How far the values of a class may be from those of the whole table, from 0 to 1 "
        "(t-closeness)."
    ),
    "class": "The rows of a release that share all values of the quasi-identifiers.",
    "precision": (
        "The mean of what is kept of the quasi-identifiers: 1 is the private table, 0 is "
        "everything suppressed."
    ),
    "frontier": (
        "The settings that no other one beats: whoever wants to keep more detail than they do must "
        "accept a lower k, more rows lost, or more exposure."
    ),
    "bound": (
        "The most detail that any release of this kind can keep, proved by the search. If a "
        "release reaches it, no better one exists."
    ),
    "exposure": (
        "How much more a reader who knows the method can learn about a value of one person than "
        "the release shows. It is 0 if every column has one level."
    ),
    "weight": (
        "How much a column counts when the search decides what to keep. A column with weight 3 "
        "counts three times."
    ),
    "time limit": "The search ends after so many seconds. Settings that are left are listed.",
    "mingen-cells": "Each row is as exact as possible. Keeps most; with a proved bound.",
    "k-similar": "Groups similar rows, and shows what the rows of a group share.",
    "mingen": "The best level for each column, proved.",
    "samarati": "The lowest levels that suffice, by Samarati's rules.",
    "datafly": "Raises the column with most values, step by step. Quick, and keeps less.",
    "mu-argus": "Suppresses rare combinations. Not k-anonymous unless the release is repaired.",
    "missing": (
        "Texts that stand for a missing value, such as NA. Missing values are a value like any "
        "other: they never fall out of a count."
    ),
    "encoding": "How the characters of the file are stored. It was found by reading the file.",
    "where": (
        "A condition in SQL: other rows are not read, as if they were not in the table. In a text "
        "file a number needs a cast, as in CAST(age AS INTEGER) >= 18."
    ),
    "unique": "Rows whose value in this column no other row has.",
    "pre-flight": (
        "Checks of what the certificate does not promise and you should know before publishing. "
        "An error stops publishing unless you accept it by name."
    ),
    "dry run": "Makes and verifies the release in memory, and writes nothing.",
    "verify": (
        "Counts the published file again, independently of the search, and proves that every "
        "released row is a general form of a private row."
    ),
    "specification": (
        "Everything that you decide here, as a text file. The command line makes the same release "
        "from it."
    ),
}
