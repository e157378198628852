"""ReleaseFields: the fields of ``[release]``, each declared once.

The table below has the type, the default and the help of every field, and the commands that take it
as an option. From it come the TOML model, the options of the command line, the signatures of the
library (``release_options.py``), the reference and the JSON schema.
"""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, StrictBool, StrictInt, StrictStr, model_validator

from lookalike.model.requirement import Secrecy
from lookalike.search.argus.options import SuppressBy
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import DEFAULTS, Effort
from lookalike.spec import model
from lookalike.spec.choose_method import DEFAULT_METHODS
from lookalike.spec.fields import KMapFields, PersonUnit, PresenceFields
from lookalike.spec.ledger_address import LedgerAddress
from lookalike.spec.policies import BASED_ON, POLICIES
from lookalike.spec.presets import PRESETS, list_presets
from lookalike.tables.name_options import Option, Shown

_requirement = partial(Option, phase="Requirement")
_search = partial(Option, phase="Search")
_output = partial(Option, phase="Output")
_earlier = partial(Option, phase="Earlier releases")


class ReleaseFields(model.SpecificationModel):
    """``[release]``: the requirement, the method, its options, and the output."""

    preset: Annotated[
        model.PresetName | None,
        Shown("Require what a rule asks for.", choices=(list_presets(),)),
        _requirement("init check release compare explore", metavar="NAME"),
    ] = None
    k: Annotated[
        model.LeastRows | None,
        Shown("Minimum number of rows with each combination of quasi-identifier values."),
        _requirement("release minimal compare", names="--k -k"),
    ] = None
    highest_risk: Annotated[
        model.Probability | None, Shown("Highest probability of re-identification, instead of k.")
    ] = None
    average_risk: Annotated[
        model.Probability | None,
        Shown("Greatest average probability of re-identification, in addition to k."),
    ] = None
    k_map: Annotated[
        KMapFields | None, Shown("Minimum number of people of a register that each class matches.")
    ] = None
    presence: Annotated[
        PresenceFields | None,
        Shown("Bounds on the probability that a person of a register is in the table."),
    ] = None
    knows_answers: Annotated[
        Annotated[StrictInt, Field(ge=1, le=3)] | None,
        Shown(
            "Number of answers, columns of role other, that an attacker may know as well; values "
            "that are rare in a class are left out there."
        ),
        _requirement("release", metavar="N", least=1),
    ] = None
    k_answers: Annotated[
        model.LeastRows | None,
        Shown("Minimum number of rows that knows_answers leaves; default: k."),
        _requirement("release", metavar="K"),
    ] = None
    anonymity: Annotated[
        model.Level | None, Shown("Level of anonymity from 0 to 1, instead of k.")
    ] = None
    anonymity_constant: Annotated[
        model.PositiveLevel, Shown("Fraction of the rows that anonymity = 1 stands for.")
    ] = Decimal("0.01")
    max_suppressed: Annotated[
        model.Amount | None,
        Shown("Maximum number of suppressed rows: 20 means rows, 0.01 a fraction of the rows."),
        _requirement("release minimal compare"),
    ] = None
    method: Annotated[
        model.MethodName, Shown("Method.", choices=ALGORITHMS), _search("release", metavar="METHOD")
    ] = DEFAULT_METHODS[0]
    suppressed_rows: Annotated[
        Literal["drop", "blank"],
        Shown(
            "Whether suppressed rows are left out, or kept with suppressed values.",
            choices={"drop": "leave out", "blank": "keep with suppressed values"},
        ),
    ] = "drop"
    suppressed_records: Annotated[
        Literal["persons", "drop"],
        Shown(
            "Whether persons of linked tables are left out with all their records, or released "
            "with those that enough others share.",
            choices={"persons": "leave out whole persons", "drop": "leave out single records"},
        ),
    ] = "persons"
    suppressed_label: Annotated[model.NonEmpty, Shown("Label of a suppressed value.")] = "*"
    keep_order: Annotated[
        StrictBool, Shown("Keep the order of the rows (unsafe)."), _output("release")
    ] = False
    neutralize_formulas: Annotated[
        StrictBool,
        Shown(
            "In CSV and TSV, write an apostrophe before cells that a spreadsheet would take for "
            "formulas."
        ),
        _output("release"),
    ] = False
    objective: Annotated[
        model.ObjectiveName,
        Shown(
            "Measure to optimize. Methods at the cell level take precision and loss.",
            choices={
                "precision": "keep levels low (precision)",
                "loss": "keep few values under each label (loss)",
                "discernibility": "keep classes small (discernibility)",
                "entropy": "keep information (entropy)",
                "average-class-size": "keep the average class small",
            },
        ),
        _search("release", metavar="MEASURE", methods="loss"),
    ] = "precision"
    keep: Annotated[
        Literal["balanced"] | None,
        Shown(
            "Keep as much as possible of the attribute of which least is kept.",
            choices={"balanced": "of all attributes alike"},
        ),
        _search("release", metavar="balanced", methods="keep"),
    ] = None
    prefer: Annotated[
        model.Preferences,
        Shown("Policy that chooses among solutions."),
        _search("release minimal", metavar="POLICY", methods="prefer", adds=True),
    ] = ()
    constraints: Annotated[
        model.ConstraintTexts,
        Shown('Bound on a level, or condition on solutions, such as "zip <= 2".'),
        _search(
            "release minimal",
            names="--constraint",
            metavar="TEXT",
            methods="level_bounds",
            adds=True,
        ),
    ] = ()
    time_limit: Annotated[
        Annotated[float | None, Field(gt=0)],
        Shown("Stop the search after this time and use the best found."),
        _search("release minimal compare", metavar="SECONDS"),
    ] = None
    max_sequences: Annotated[
        Annotated[StrictInt, Field(ge=1)] | None,
        Shown(
            "Distinct sequences that may come to memory; DuckDB counts if there are more. Default: "
            "what fits in half of --memory."
        ),
        _search("release check", metavar="N", least=1),
    ] = None
    effort: Annotated[
        Effort,
        Shown(
            "Search effort (mingen-cells; with --bound also k-similar): at most about 30 s, some "
            "minutes, or a proof for small tables.",
            choices=get_args(Effort),
        ),
        _search("release compare explore", metavar="EFFORT"),
    ] = DEFAULTS.effort
    bound: Annotated[
        StrictBool,
        Shown("Prove a bound on how much better a release can be."),
        _search("release compare", methods="bound"),
    ] = False
    combinations: Annotated[
        Literal["all", "program"],
        Shown(
            "Combinations that mu-argus tests: all, or those of the original program.",
            choices={"all": "all up to that size", "program": "those of the original program"},
        ),
    ] = "all"
    dimension: Annotated[
        model.Dimension,
        Shown("Number of attributes in the largest combinations that mu-argus tests."),
    ] = 3
    generalize: Annotated[
        tuple[StrictStr, ...] | None,
        Shown("Generalize this attribute by one level instead of asking."),
        _search("release", metavar="ATTRIBUTE", methods="argus"),
    ] = None
    suppress_by: Annotated[
        SuppressBy,
        Shown(
            "Cost of a cell that mu-argus suppresses.",
            choices={
                "count": "equal for all cells",
                "weight": "by the weight of the attribute",
                "entropy": "by the information that is lost",
            },
        ),
    ] = "count"
    repair: Annotated[
        StrictBool,
        Shown("Suppress more cells until k-anonymity holds."),
        _search("release", methods="argus"),
    ] = False
    link: Annotated[
        StrictBool, Shown("Whether a pseudonym links the rows of a person in linked tables.")
    ] = True
    unit: Annotated[
        PersonUnit,
        Shown("What a person of linked tables is called in the certificate and the report."),
    ] = "person"
    accept: Annotated[
        model.Accepted,
        Shown("Publish although the check of this name found an error."),
        _requirement("release", metavar="NAME", adds=True),
    ] = ()
    review: Annotated[
        str | None,
        Shown("Answer of a reviewer, whose acceptances and refusals of findings count."),
        _requirement("release", metavar="FILE"),
    ] = None
    purpose: Annotated[
        model.NonEmpty | None,
        Shown("What the recipient may use the release for, for the review and the dossier."),
    ] = None
    state_exposure: Annotated[
        StrictBool,
        Shown("Whether the certificate states in how many cells a finer value follows."),
    ] = True
    decoys: Annotated[
        model.Rate, Shown("Probability that a higher level is drawn for a class than it needs.")
    ] = Decimal(0)
    max_exposure: Annotated[
        model.Level | None,
        Shown("Greatest exposure of a release; one with a greater one is refused."),
    ] = None
    out: Annotated[
        model.OutputPath | None,
        Shown(
            "File to write, or an address that Spark writes to; its folder becomes the release. "
            "{date} stands for today's date, {recipient} for the recipient."
        ),
        _output("release", names="--out -o", metavar="PATH"),
    ] = None
    dossier: Annotated[
        model.OutputPath | None,
        Shown(
            "Private folder, outside the release, for the findings of the checks before publishing "
            "and the proof of the bound on precision."
        ),
        _output("release", metavar="FOLDER"),
    ] = None
    report: Annotated[
        StrictBool,
        Shown("Publish a report beside the table."),
        _output("release", names="--no-report"),
    ] = True
    recipient: Annotated[
        StrictStr | None,
        Shown("Recipient of the release, named in the specification."),
        _requirement("release minimal compare explore", metavar="NAME"),
    ] = None
    ledger: Annotated[
        Annotated[str | None, Field(repr=False)],
        Shown("Ledger that records the release: an SQLite file or a PostgreSQL URL."),
        _earlier("release verify", metavar="URL"),
    ] = None
    ledger_files: Annotated[
        str | None,
        Shown("Folder of the ledger's files; required for a ledger on a server."),
        _earlier("release verify ledger", metavar="FOLDER"),
    ] = None
    ledger_key: Annotated[
        str | None,
        Shown("Key file of the ledger, if not at its default place."),
        _earlier("release verify ledger", metavar="FILE"),
    ] = None
    policy: Annotated[
        model.PolicyName,
        Shown("How earlier releases are considered.", choices=POLICIES),
        _earlier("release", metavar="POLICY"),
    ] = BASED_ON
    leavers: Annotated[
        Literal["withdraw", "keep"],
        Shown(
            "What based-on does with rows that left the source, or whose quasi-identifier changed.",
            choices={
                "withdraw": "leave them out, with others that would be alone",
                "keep": "go on showing them as they were",
            },
        ),
        _earlier("release", metavar="CHOICE"),
    ] = "withdraw"
    withdrawn: Annotated[
        str | None,
        Shown("Table with the row keys of people who left and must not be shown any more."),
        _earlier("release", metavar="FILE"),
    ] = None
    withdrawn_where: Annotated[
        str | None,
        Shown("SQL condition on rows of the source, instead of where, of people who withdrew."),
        _earlier("release", metavar="CONDITION"),
    ] = None
    patience: Annotated[
        Annotated[StrictInt, Field(ge=0)],
        Shown("How many increments a new row may wait for others that resemble it more."),
        _earlier("release", metavar="N", least=0),
    ] = 0
    secrecy: Annotated[
        Secrecy | None,
        Shown(
            "How classes that fail a protection are avoided.",
            choices={
                "search": "Look at sensitive values while choosing classes",
                "blind": "Choose classes without sensitive values",
                "lottery": "Merge some classes at random",
            },
        ),
    ] = None
    lottery_rate: Annotated[
        Annotated[float, Field(gt=0, le=1)] | None,
        Shown("Probability with which a lottery merges classes without need."),
    ] = None
    contract: Annotated[
        model.NonEmpty | None, Shown("Contract that keeps the recipient from sharing the release.")
    ] = None

    @model_validator(mode="wrap")
    @classmethod
    def _fill_preset(cls, value: Any, read: Callable[[Any], Self]) -> Self:
        """Set what the preset asks for, which counts as not set by the specification itself."""
        fields = read(value)
        asked = (fields.k, fields.highest_risk, fields.anonymity)
        if fields.preset is None or any(one is not None for one in asked):
            return fields
        preset = PRESETS[fields.preset]
        filled = fields.model_copy(update={preset.field: preset.value})
        filled.model_fields_set.discard(preset.field)
        return filled

    @property
    def registers(self) -> tuple[KMapFields | PresenceFields, ...]:
        """The conditions on registers that are asked for."""
        return tuple(one for one in (self.k_map, self.presence) if one is not None)

    @property
    def address(self) -> LedgerAddress | None:
        """The address of the ledger, if there is one."""
        if self.ledger is None:
            return None
        return LedgerAddress.parse(self.ledger, self.ledger_files, self.ledger_key)

    def read_constraints(self) -> tuple[Constraint, ...]:
        """Return the constraints as objects."""
        return tuple(Constraint.parse(text) for text in self.constraints)
