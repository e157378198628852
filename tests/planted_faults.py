"""The faults that `make mutants` plants, and the tests that must see each of them."""

from .draft_faults import DRAFT_FAULTS
from .forecast_faults import FORECAST_FAULTS
from .holder_faults import HOLDER_FAULTS
from .kernel_faults import KERNEL_FAULTS
from .linked_faults import LINKED_FAULTS
from .mutant import Mutant
from .notebook_faults import NOTEBOOK_FAULTS
from .pipeline_faults import PIPELINE_FAULTS
from .planted_protection_faults import PROTECTION_FAULTS
from .recipient_faults import RECIPIENT_FAULTS
from .recount_faults import RECOUNT_FAULTS
from .register_faults import REGISTER_FAULTS
from .risk_faults import RISK_FAULTS
from .rule_faults import RULE_FAULTS
from .search_faults import SEARCH_FAULTS
from .shell_faults import SHELL_FAULTS
from .studio_faults import STUDIO_FAULTS

MUTANTS = (
    Mutant(
        "the fraction of MaxSup is rounded up",
        "model/requirement.py",
        "return int(Fraction(self.max_suppressed) * rows)",
        "return -int(-Fraction(self.max_suppressed) * rows // 1)",
        ("tests/model/test_requirement.py",),
    ),
    Mutant(
        "an outlier occurs fewer than k - 1 times",
        "model/membership.py",
        "enough: Flags = sizes >= self.k",
        "enough: Flags = sizes >= self.k - 1",
        ("tests/conformance/test_several.py", "tests/flow/test_several_quasi_identifiers.py"),
    ),
    Mutant(
        "the written file is not counted again",
        "publish/publish.py",
        "require_declared(rows, declared))",
        "tuple(Verdict(declared.columns, declared.rows, 1, p.k, 0) for p in declared.promises))",
        ("tests/publish/test_publish.py",),
    ),
    Mutant(
        "the recount accepts classes of k - 1 rows",
        "verify/recount.py",
        "least = promise.k if promise.least is None else promise.least",
        "least = promise.k - 1 if promise.least is None else promise.least",
        ("tests/publish/test_publish.py",),
    ),
    Mutant(
        "the recount ignores the number of rows",
        "verify/recount.py",
        "if verdict.rows != declared.rows:",
        "if verdict.rows < declared.rows:",
        ("tests/publish/test_publish.py",),
    ),
    Mutant(
        "a frame keeps the order of its rows",
        "tables/engines/memory.py",
        "        if not plan.keep_order:\n            generator.shuffle(rows)",
        "        if plan.keep_order:\n            generator.shuffle(rows)",
        ("tests/tables/test_engines.py",),
    ),
    Mutant(
        "a query keeps the order of its rows",
        "tables/engines/duckdb.py",
        "if not plan.keep_order:",
        "if False:",
        ("tests/tables/test_drawn_once.py", "tests/tables/test_engines.py"),
    ),
    Mutant(
        "a map of values takes labels of suppressed rows",
        "tables/engines/duckdb.py",
        "kept = entries.filter(arrow_compute.invert(entries[GONE]))",
        "kept = entries",
        ("tests/tables/test_mapped_values.py",),
    ),
    Mutant(
        "suppressed cells are recoded by a map of values",
        "tables/plan.py",
        "if self.recoding.tuples is not None or self.blank or coded:",
        "if self.blank or coded:",
        ("tests/tables/test_mapped_values.py",),
    ),
    Mutant(
        "a source with other sequences than were counted is released",
        "verify/truth.py",
        "return not differences.any()",
        "return True",
        ("tests/tables/test_mapped_values.py",),
    ),
    Mutant(
        "every release draws the same",
        "tables/draw.py",
        "default_factory=lambda: secrets.token_bytes(SEED_BYTES)",
        "default=bytes(SEED_BYTES)",
        ("tests/tables/test_drawn_once.py",),
    ),
    Mutant(
        "a frame is drawn anew for each output",
        "tables/engines/memory.py",
        "generator = plan.draw.generator()",
        "generator = np.random.default_rng()",
        ("tests/tables/test_drawn_once.py",),
    ),
    Mutant(
        "queries are run anew for each output",
        "flow/source.py",
        "        return materialize(table, _find_place(specification))",
        "        return table",
        ("tests/tables/test_drawn_once.py",),
    ),
    Mutant(
        "the first of several equal rows is always the one that is kept",
        "tables/engines/duckdb.py",
        'choice = keyed_hash_sql(source, plan.draw.key("choice"), POSITION)',
        "choice = quote_name(POSITION)",
        ("tests/tables",),
    ),
    Mutant(
        "a staged release can be read by others",
        "tables/private_folders.py",
        "self.path.mkdir(mode=0o700)",
        "self.path.mkdir(mode=0o755)",
        ("tests/tables/test_private.py", "tests/publish/test_publish.py"),
    ),
    Mutant(
        "a release is replaced without being asked",
        "publish/place.py",
        "    if not replace:\n",
        "    if False:\n",
        ("tests/publish/test_place.py",),
    ),
    Mutant(
        "months are spans that begin one month late",
        "hierarchy/dates.py",
        "_climb_month(day.year * YEAR + day.month - 1,",
        "_climb_month(day.year * YEAR + day.month,",
        ("tests/hierarchy/test_dates.py",),
    ),
    Mutant(
        "the last year of a span of years is one too high",
        "hierarchy/dates.py",
        "{year + span // YEAR - 1:04}",
        "{year + span // YEAR:04}",
        ("tests/hierarchy/test_dates.py",),
    ),
    Mutant(
        "quarters are off by one month",
        "hierarchy/dates.py",
        "Q{(month + 2) // 3}",
        "Q{(month + 1) // 3}",
        ("tests/hierarchy/test_dates.py",),
    ),
    Mutant(
        "the top interval begins above its bound",
        "hierarchy/intervals.py",
        "if top is not None and units >= top:",
        "if top is not None and units > top:",
        ("tests/hierarchy/test_intervals.py", "tests/hierarchy/test_hierarchies_properties.py"),
    ),
    Mutant(
        "blank rows may number fewer than k",
        "model/complementary_suppression.py",
        "while given.sum() < needed:",
        "while given.sum() < needed - 1:",
        ("tests/model/test_recoding.py", "tests/conformance/test_algorithms.py"),
    ),
    Mutant(
        "fewer than k rows are released",
        "model/requirement.py",
        "if rows < self.largest_k:",
        "if rows < self.largest_k - 1:",
        ("tests/model/test_requirement.py", "tests/search/test_datafly.py"),
    ),
    Mutant(
        "columns that are shown anew are not part of a history",
        "ledger/policies/history.py",
        "anew = [one.differs for one in compared if one.differs.any()]",
        "anew: list[Flags] = []",
        ("tests/ledger/test_columns_shown.py", "tests/attacks/test_every_policy.py"),
    ),
    Mutant(
        "rows that moved show new values in the class that they stay in",
        "ledger/policies/based_on.py",
        "changed = plan.changed if plan.away is None else plan.changed & ~plan.away",
        "changed = plan.changed",
        ("tests/attacks/test_every_policy.py",),
    ),
    Mutant(
        "rows of people who withdrew stay with those who left",
        "ledger/policies/based_on.py",
        "stays = ~gone & (shown if left is not None else ~homeless)",
        "stays = shown if left is not None else ~homeless",
        ("tests/ledger/test_leavers.py",),
    ),
    Mutant(
        "recalled rows may have other labels than before",
        "ledger/policies/policy.py",
        "if labels[0][one] != labels[1][other]:",
        "if labels[0][one] != labels[0][one]:",
        ("tests/ledger/test_leavers.py",),
    ),
    Mutant(
        "an increment may show a row again",
        "ledger/policies/policy.py",
        "again = (history.steps[-1:] != ABSENT) & (history.steps[:-1] != ABSENT).any(axis=0)",
        "again = (history.steps[-1:] != ABSENT) & False",
        ("tests/ledger/test_increments.py",),
    ),
    Mutant(
        "increments are joined although a row may be in two of them",
        "examine/increments.py",
        "apart &= one.is_new and set(known) <= set(one.follows)",
        "apart &= one.is_new",
        ("tests/ledger/test_increments.py",),
    ),
    Mutant(
        "a row waits for better company without end",
        "flow/followup/select_new_rows.py",
        "must[sequence_of[self.waits >= patience]] = True",
        "must[sequence_of[self.waits >= patience]] = False",
        ("tests/ledger/test_increments.py",),
    ),
    Mutant(
        "the ledger hashes a recalled row as if it were new",
        "ledger/store/row_map.py",
        "column[here] = digests",
        "column[here[:0]] = digests[:0]",
        ("tests/ledger/test_leavers.py",),
    ),
    Mutant(
        "a release may follow others without the proof by history",
        "ledger/policies/policy.py",
        "    check_next(history, greatest_k(certificates), remedy)",
        "    greatest_k(certificates)",
        ("tests/ledger/test_policies.py",),
    ),
    Mutant(
        "the file is not compared with the row map",
        "ledger/store/published_file.py",
        "    if mapped != written:",
        "    if mapped[0] != written[0]:",
        ("tests/ledger/test_compare_staged_file.py",),
    ),
    Mutant(
        "a crash may lose a release that was recorded",
        "ledger/store/database.py",
        '    connection.execute("PRAGMA synchronous = FULL")\n',
        "",
        ("tests/ledger/test_ledger_key_and_files.py",),
    ),
    Mutant(
        "people who are not known again are released",
        "ledger/record.py",
        "        recognized_rows.check_rows_recognized(shared)",
        "        pass",
        ("tests/ledger/test_recognized_rows.py",),
    ),
    Mutant(
        "another hierarchy is accepted",
        "ledger/record.py",
        "    label_paths.refuse_other_hierarchies(relevant, paths)\n",
        "",
        ("tests/ledger/test_other_hierarchies.py",),
    ),
    Mutant(
        "an older database is accepted",
        "ledger/store/journal.py",
        "        if any(journal.lacks(head) for head in heads):\n            raise InvalidInput(\n"
        '                f"the ledger {session.name} lacks changes',
        "        if False:\n            raise InvalidInput(\n"
        '                f"the ledger {session.name} lacks changes',
        ("tests/ledger/test_journal.py",),
    ),
    Mutant(
        "released rows need not be true",
        "verify/truth.py",
        "    if false:\n",
        "    if False:\n",
        ("tests/verify/test_truth_at_publishing.py",),
    ),
    Mutant(
        "a source with more rows than were counted is taken for the same",
        "verify/truth.py",
        "    if rows_in not in (None, rows):",
        "    if rows_in is not None and rows < rows_in:",
        ("tests/tables/test_files.py",),
    ),
    Mutant(
        "the truth is proved by the copy of the rows, not by the source",
        "flow/claims.py",
        "source = table.frame if table.again is None else table.again",
        "source = table.frame",
        ("tests/verify/test_truth_at_publishing.py",),
    ),
    Mutant(
        "an estimate is taken where it does not decide how serious a finding is",
        "flow/preflight/facts.py",
        "alone >= FEWEST_DRAWN and grade(bounds[0], rows) == grade(bounds[1], rows)",
        "alone >= FEWEST_DRAWN",
        ("tests/flow/test_large_tables.py",),
    ),
    Mutant(
        "what is asked is read with k - 1",
        "examine/promises.py",
        "            return fields.k\n",
        "            return fields.k - 1\n",
        ("tests/verify/test_truth_at_publishing.py", "tests/publish/test_publish.py"),
    ),
    Mutant(
        "options that a method does not take are ignored",
        "search/takes.py",
        "    return next(ignored, None)",
        "    return None",
        ("tests/conformance/test_takes.py",),
    ),
    Mutant(
        "the engine counts rows that occur k times as outliers",
        "tables/engines/duckdb_sequences.py",
        "small = sizes < k",
        "small = sizes <= k",
        ("tests/tables/test_duckdb_sequences.py",),
    ),
    Mutant(
        "a list in memory serves vectors that are not above it",
        "model/stored_list.py",
        "one for one in self._held if dominates(vector, one.vector)",
        "one for one in self._held",
        ("tests/flow/test_beyond_memory_properties.py",),
    ),
    Mutant(
        "blank rows are left out of what a recipient sees",
        "model/recoding.py",
        "return add_blank(tuples, self.suppressed) if blank else tuples",
        "return tuples",
        ("tests/model/test_measures.py", "tests/conformance/test_both_ways.py"),
    ),
    Mutant(
        "a suppressed value counts as visible",
        "model/tuples.py::hidden",
        "hierarchy.hidden[level][hierarchy.levels[level]]",
        "~hierarchy.hidden[level][hierarchy.levels[level]]",
        ("tests/model/test_measures.py",),
    ),
    Mutant(
        "a mask keeps one character too many",
        "hierarchy/mask.py",
        'value[:kept] + "*" * hidden',
        'value[: kept + 1] + "*" * (hidden - 1)',
        ("tests/hierarchy/test_mask.py",),
    ),
    Mutant(
        "missing values are counted as the first value",
        "tables/labels.py",
        "codes = encoded.indices.fill_null(len(encoded.dictionary))",
        "codes = encoded.indices.fill_null(0)",
        ("tests/tables/test_count.py",),
    ),
    Mutant(
        "a certificate may name a file elsewhere",
        "publish/certificate.py",
        'if not Path(name).name or ".." in Path(name).parts or not _is_plain(name):',
        "if False:",
        ("tests/examine/test_verify_folder.py", "tests/risk/test_link.py"),
    ),
    Mutant(
        "the certificate's bound is rounded down",
        "verify/bound/proof.py",
        'Decimal("0.0001"), ROUND_CEILING',
        'Decimal("0.0001"), "ROUND_FLOOR"',
        ("tests/flow/test_certify.py",),
    ),
    Mutant(
        "the time limit is never over",
        "model/clock.py",
        "return deadline < math.inf and time.monotonic() >= deadline",
        "return False",
        ("tests/conformance/test_time_limit.py", "tests/search/test_branch.py"),
    ),
    Mutant(
        "columns with a name of ours are accepted",
        "tables/table.py",
        "        if name.lower().startswith(OWN_PREFIX):",
        "        if False:",
        ("tests/tables/test_files.py",),
    ),
    *(one for faults in (PROTECTION_FAULTS, RECIPIENT_FAULTS, RULE_FAULTS) for one in faults),
    *(one for faults in (STUDIO_FAULTS, HOLDER_FAULTS) for one in faults),
    *(Mutant(*fault) for fault in (*REGISTER_FAULTS, *DRAFT_FAULTS, *NOTEBOOK_FAULTS)),
    *(
        Mutant(*one)
        for one in (*PIPELINE_FAULTS, *FORECAST_FAULTS, *RECOUNT_FAULTS, *LINKED_FAULTS)
    ),
    *(Mutant(*fault) for fault in (*KERNEL_FAULTS, *SEARCH_FAULTS, *RISK_FAULTS, *SHELL_FAULTS)),
)
