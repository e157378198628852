"""A protection is one class and one formula of the verifier, and a method is one function.

Everything else that the package knows of them follows from what they declare.
"""

import inspect
import pickle
import re
import runpy
from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
import lookalike.search.takes
from lookalike.model.protections import PROTECTIONS, Parameter, Protection
from lookalike.model.recoding import recode_at
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.search.takes import Takes, method
from lookalike.shell.commands import release as release_command
from lookalike.studio.door import Gate
from lookalike.verify.protections import FORMULAS, Formula

from ..documentation.fields_page import write_fields
from ..studio.conftest import PORT, opening, write_people

ATTRIBUTES = {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}}
SPECIFICATION = """
[source]
path = "people.csv"
person = "row"

[release]
k = 2
method = "mingen"
secrecy = "search"
out = "released/people.csv"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }

[attributes.ill]
role = "sensitive"
protect = { minority = { rows = 2 } }
"""
SENTENCE = "at least 2 rows do not have the most frequent value of ill"


@dataclass(frozen=True)
class Minority(Protection):
    """At least some rows of each class do not have its most frequent value."""

    name: ClassVar[str] = "minority"
    meaning: ClassVar[str] = "How many rows of a class must differ from its most frequent value."
    grows: ClassVar[bool] = True
    rows: Annotated[int, Parameter("Rows that differ, at least", least=1)]
    strict: Annotated[
        bool,
        Parameter("One row more", choices={"true": "yes", "false": "no"}, meaning="One more."),
    ] = False

    def state(self, column):
        return (
            f"at least {self.rows + self.strict} rows do not have the most frequent value of "
            f"{column}"
        )

    def measure(self, values):
        most = np.maximum.reduceat(values.counts, values.starts[:-1])
        return (values.sizes - most).astype(np.float64)

    def failing(self, values):
        return self.measure(values) < self.rows + self.strict

    def least_distinct(self, reference):
        return 2

    def least_rows(self, reference):
        return 1 + self.rows + self.strict


FORMULA = Formula(
    lambda _: "sum(rows) - max(rows)",
    lambda given: f"figure < {int(given['rows']) + int(given['strict'])}",
    least=True,
)


@pytest.fixture
def minority(monkeypatch):
    """A protection that nothing but this file knows of."""
    monkeypatch.setitem(PROTECTIONS, "minority", Minority)
    monkeypatch.setitem(FORMULAS, "minority", FORMULA)


@pytest.fixture
def people():
    """Twelve people of four ZIP codes; those of the first two have the flu, but for one of them."""
    zips = ["02138", "02139", "02141", "02142"]
    ill = [*("flu",) * 5, "cold", *("flu", "cold", "gout") * 2]
    return pa.table({"zip": [zips[row // 3] for row in range(12)], "ill": ill})


def make(people, asked, **fields):
    ill = {"role": "sensitive", "protect": {"minority": asked}}
    attributes = ATTRIBUTES | {"ill": ill}
    return la.release(people, **{"k": 2, "attributes": attributes, "secrecy": "search"} | fields)


def test_every_protection_has_its_formula():
    assert PROTECTIONS.keys() == FORMULAS.keys()
    assert [one.name for one in PROTECTIONS.values()] == [*PROTECTIONS]


@pytest.mark.usefixtures("minority")
@pytest.mark.parametrize("method", ["mingen", "mingen-cells", "datafly", "samarati", "k-similar"])
def test_an_invented_protection_reaches_every_method_and_the_certificate(people, method):
    made = make(people, {"rows": 2}, method=method)
    classes = defaultdict(list)
    for zipcode, ill in zip(*made.table.to_pydict().values(), strict=True):
        classes[zipcode].append(ill)
    assert all(len(one) - max(map(one.count, one)) >= 2 for one in classes.values())
    [certified] = made.certificate.protections
    assert (certified.protection, certified.parameters) == (
        "minority",
        {"rows": 2, "strict": False},
    )
    assert certified.reached >= 2
    assert SENTENCE in made.certificate.statement
    assert la.Certificate.from_json(made.certificate.to_json(), "written") == made.certificate


@pytest.mark.usefixtures("minority")
def test_the_formula_of_the_verifier_judges_the_release(people, monkeypatch):
    monkeypatch.setattr(Minority, "failing", lambda _, values: np.zeros(values.classes, np.bool_))
    with pytest.raises(la.RequirementNotMet, match="do not satisfy minority of 'ill'"):
        make(people, {"rows": 2}, method="mingen")


@pytest.mark.usefixtures("minority")
@pytest.mark.parametrize(
    ("asked", "fields", "error", "message"),
    [
        (
            {"rows": 0},
            {},
            la.InvalidInput,
            "minority: rows must be an integer of at least 1",
        ),
        ({"row": 1}, {}, la.InvalidInput, r"minority\.row: not a field; did you mean 'rows'\?"),
        ({"rows": 1, "strict": 1}, {}, la.InvalidInput, r"minority\.strict: .*boolean"),
        (
            {"rows": 6},
            {"method": "mingen"},
            la.Infeasible,
            "the most general vector that is allowed leaves .* without k or minority of ill",
        ),
        ({"rows": 2}, {"secrecy": "blind", "method": "mingen"}, la.RequirementNotMet, "minority"),
        ({"rows": 2}, {"method": "mu-argus"}, la.InvalidInput, "protect: method mu-argus does not"),
        ({"rows": 2}, {"secrecy": "lottery"}, la.InvalidInput, "for protections by share alone"),
    ],
)
def test_an_invented_protection_is_refused_like_others(people, asked, fields, error, message):
    with pytest.raises(error, match=message):
        make(people, asked, **fields)


@pytest.mark.usefixtures("minority")
def test_one_that_the_column_cannot_satisfy_is_infeasible(people):
    with pytest.raises(la.Infeasible, match="minority of column 'ill' needs at least 2 different"):
        make(people.set_column(1, "ill", pa.array(["flu"] * 12)), {"rows": 1})


@pytest.fixture
def written(people, tmp_path, monkeypatch):
    """The people and a specification, in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")
    lines = [",".join(row) for row in zip(*people.to_pydict().values(), strict=True)]
    (tmp_path / "people.csv").write_text("\n".join(["zip,ill", *lines, ""]))
    (tmp_path / "people.toml").write_text(SPECIFICATION)
    return tmp_path


@pytest.mark.usefixtures("minority", "written")
def test_a_file_asks_for_it_and_the_command_line_states_it(type_in):
    code, printed, complaint = type_in("release people.toml")
    assert code == 0, printed + complaint
    code, printed, _ = type_in("verify released --spec people.toml")
    assert code == 0
    assert SENTENCE in printed
    assert "in the worst class" in printed


@pytest.mark.usefixtures("minority")
def test_a_misspelled_name_is_suggested(people):
    ill = {"role": "sensitive", "protect": {"minorty": {"rows": 1}}}
    with pytest.raises(la.InvalidInput, match="did you mean 'minority'"):
        make(people, {}, attributes=ATTRIBUTES | {"ill": ill})


@pytest.fixture
def studio(tmp_path):
    """A studio with a specification open, for a client that was let in."""
    write_people(tmp_path)
    with opening(tmp_path, Gate(PORT)) as opened:
        assert opened.get(f"/enter?token={opened.gate.token}").status_code == 200
        yield opened


@pytest.mark.usefixtures("minority")
def test_the_form_of_the_studio_asks_for_it(studio):
    page = studio.get("/protection").text
    for text in ("Rows that differ, at least", Minority.meaning, "One row more", "One more."):
        assert text in page
    given = {"minority-2": "1", "strict-2": "true"}
    assert studio.post("/protection/ask", given).status_code == 303
    assert "protect = { minority = { rows = 1, strict = true } }" in studio.project.text
    assert "at least 2 rows do not have the most frequent" in studio.get("/protection").text
    wrong = studio.post("/protection/ask", {"minority-2": "0"})
    assert 'id="minority-2-problem"' in wrong.text


@pytest.mark.usefixtures("minority")
def test_a_specification_with_it_goes_to_another_process(written):
    asked = la.Specification.load(written / "people.toml")
    assert pickle.loads(pickle.dumps(asked)) == asked
    assert [*asked.attributes["ill"].protect.protections()] == [Minority(2)]


@pytest.mark.usefixtures("minority")
def test_the_reference_describes_it():
    page = write_fields()
    assert "| `minority` | table `protect.minority` |  |" in page
    section = page.partition("## `protect.minority`")[2].partition("\n## ")[0]
    assert "See [protections: minority](../protections/minority.md)." in section
    assert "| `rows` | whole number | *required* |" in section
    assert "| `strict` | `true` or `false` | `false` |" in section


FLAT = "flat"


@pytest.fixture
def flat(monkeypatch):
    """A method that nothing but this file knows of: it generalizes everything to the top."""
    monkeypatch.setattr(lookalike.search.takes, "_DECLARED", {**lookalike.search.takes.declared()})

    @method(FLAT, Takes(result="tells nothing", meaning="All to the top.", tolerance=True))
    def generalize_all(frequency, requirement, _options):
        allowance = requirement.allowance(frequency.rows)
        return recode_at(frequency, frequency.heights, requirement, allowance)

    monkeypatch.setitem(ALGORITHMS, FLAT, generalize_all)
    monkeypatch.setitem(TAKES, FLAT, lookalike.search.takes.declared()[FLAT])


@pytest.mark.usefixtures("flat")
def test_an_invented_method_makes_a_release(people):
    attributes = ATTRIBUTES | {"ill": {"role": "sensitive"}}
    made = la.release(people, k=3, attributes=attributes, method=FLAT)
    assert {*made.table.column("zip").to_pylist()} == {"*"}
    assert made.certificate.method == FLAT
    with pytest.raises(
        la.InvalidInput, match="objective: method flat does not take the objective loss"
    ):
        la.release(people, k=3, attributes=attributes, method=FLAT, objective="loss")
    tolerant = {"zip": ATTRIBUTES["zip"] | {"tolerance": 0.5}, "ill": {"role": "sensitive"}}
    with pytest.raises(la.InvalidInput, match="tolerances; use datafly or flat, or leave"):
        la.release(people, k=3, attributes=tolerant, method="mingen")
    with pytest.raises(la.InvalidInput, match="did you mean 'flat'"):
        la.release(people, k=3, attributes=attributes, method="flatt")


@pytest.mark.usefixtures("flat")
def test_a_file_and_the_command_line_name_it(written, type_in, answer):
    plain = SPECIFICATION.replace("protect = { minority = { rows = 2 } }\n", "")
    (written / "people.toml").write_text(plain.replace('secrecy = "search"\n', ""))
    compared = answer("compare people.toml")["methods"]
    assert [one["method"] for one in compared] == [*ALGORITHMS]
    assert type_in("release people.toml --method flat")[0] == 0
    (written / "people.toml").write_text(plain.replace('"mingen"\nsecrecy = "search"', '"flat"'))
    code, printed, _ = type_in("verify released --spec people.toml --table people.csv")
    assert code == 0, printed


@pytest.mark.usefixtures("flat")
def test_the_help_lists_it():
    """The help is written when the command is imported, so a fresh copy of the module has it."""
    fresh = runpy.run_path(release_command.__file__)
    method = inspect.signature(fresh["release_command"]).parameters["method"]
    assert "k-similar, flat." in method.default.help


@pytest.mark.usefixtures("flat")
def test_the_studio_offers_it(studio):
    assert "flat: tells nothing" in studio.get("/protection").text
    assert "All to the top." in studio.get("/explore").text
    assert studio.post("/protection/ask", {"release.method": FLAT}).status_code == 303
    assert 'method = "flat"' in studio.project.text


@pytest.mark.usefixtures("flat")
def test_the_reference_lists_it():
    assert re.search(r"\| `method` \| .*`k-similar`, `flat` \|", write_fields())
