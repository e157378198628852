"""Faults in what notebooks show, and in the transformer, that `make mutants` plants."""

NOTEBOOK_FAULTS = (
    (
        "names are not escaped in a notebook",
        "hierarchy/html_table.py",
        "    return escape(show_text(text, longest))",
        "    return show_text(text, longest)",
        ("tests/hierarchy/test_html_table.py",),
    ),
    (
        "a preview shows values of the table in a notebook",
        "draft/preview_hierarchy.py",
        'f"{self.kind} hierarchy of {self.column}"',
        'f"{self.kind} hierarchy of {self.column} {self.examples}"',
        ("tests/hierarchy/test_discreet.py",),
    ),
    (
        "a listing of values is shown in a notebook",
        "hierarchy/draw_hierarchy.py",
        'WRITTEN = ("taxonomy", "file")',
        'WRITTEN = ("taxonomy", "file", "listed")',
        ("tests/hierarchy/test_discreet.py",),
    ),
    (
        "new rows that fit no fitted class are released",
        "sklearn.py",
        "blank = [row not in self._sequences for row in rows]",
        "blank = [False for row in rows]",
        ("tests/test_sklearn.py",),
    ),
    (
        "the length of new values decides what a mask hides",
        "sklearn.py",
        "replace(rule.fit(_known(texts[name])), unknown",
        "replace(rule, unknown",
        ("tests/test_sklearn.py",),
    ),
    (
        "an option of the library is missing from the signatures",
        "spec/release_options.py",
        "    repair: bool\n",
        "",
        ("tests/spec/test_release_options.py",),
    ),
    (
        "the index of pandas is a column",
        "tables/engines/memory.py",
        "nw.maybe_reset_index(eager)",
        "eager",
        ("tests/tables/test_engines.py",),
    ),
)
