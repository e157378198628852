"""The command line of µ-Argus: what it refuses, what it tells, and what it asks."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import lookalike as la
from lookalike.publish.certificate_sentences import summarize_certificate

PROGRAM = str(Path(sys.executable).parent / "lookalike")
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
RELEASE = "release patients.toml --method mu-argus"
QUESTION = "Generalize which attribute?"
NOT_HOLDING = "k-anonymity does NOT hold: 2 rows of this release have a combination of "
END = "\x04"


@pytest.fixture(autouse=True)
def _at_work(folder):
    """Works in the folder of the patients."""


def names_in(folder):
    """List everything below a folder, hidden files too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def certificate_of(folder):
    return json.loads((folder / "released" / "certificate.json").read_text())


class TestUnsafe:
    """What does not satisfy k goes out only if that is said, and says so itself."""

    @pytest.mark.parametrize("extra", ["", " --json"])
    def test_without_a_word_nothing_is_written(self, folder, type_in, extra):
        before = names_in(folder)
        code, told, complaint = type_in(RELEASE + extra)
        assert code == 1
        message = json.loads(told)["error"] if extra else complaint
        assert "2 of 12 rows would still occur fewer than k = 2 times" in message
        assert "race, birth_date, gender, zip" in message
        assert "--repair" in message
        assert "--allow-unsafe" in message
        assert (complaint if extra else told) == ""
        assert names_in(folder) == before

    def test_with_it_the_folder_says_that_k_does_not_hold(self, folder, type_in):
        code, told, complaint = type_in(f"{RELEASE} --allow-unsafe")
        assert (code, complaint) == (0, "")
        assert told.startswith("NOT k-anonymous: 2 of 12 rows")
        assert "Verified and published: released\n" in told
        certificate = certificate_of(folder)
        assert next(iter(certificate)) == "statement"
        assert certificate["statement"].startswith(NOT_HOLDING)
        assert certificate["quasi_identifiers"][0]["rows_below_k"] == 2
        assert certificate["quasi_identifiers"][0]["k_reached"] == 1
        first, *_ = summarize_certificate(la.Certificate.read(folder / "released"))
        assert first.startswith(NOT_HOLDING)

    def test_verify_finds_that_k_does_not_hold(self, after, type_in):
        after(f"{RELEASE} --allow-unsafe")
        code, told, _ = type_in("verify released --json")
        assert code == 1
        failed = [one for one in json.loads(told)["findings"] if not one["holds"]]
        assert [one["claim"] for one in failed] == [
            "every combination of race, birth_date, gender, zip occurs at least 2 times"
        ]
        assert failed[0]["found"] == "2 rows have one that occurs fewer times"

    def test_allow_unsafe_changes_nothing_where_k_holds(self, folder, type_in):
        code, told, _ = type_in(f"{RELEASE} --repair --allow-unsafe")
        assert code == 0
        assert "NOT" not in told
        assert type_in("verify released")[0] == 0

    def test_json_tells_what_is_left_below_k(self, type_in):
        _, told, _ = type_in(f"{RELEASE} --allow-unsafe --json")
        answer = json.loads(told)
        expected = {
            "method": "mu-argus",
            "k": 2,
            "k_reached": 1,
            "rows_out": 12,
            "rows_suppressed": 0,
            "rows_below_k": 2,
            "cells_suppressed": 3,
            "levels": {"race": 0, "birth_date": 2, "gender": 0, "zip": 0},
            "k_minimal": None,
        }
        assert expected.items() <= answer.items()

    def test_the_certificate_tells_how_it_was_made(self, folder, after):
        after(f"{RELEASE} --allow-unsafe")
        certificate = certificate_of(folder)
        assert certificate["method"] == "mu-argus"
        assert certificate["parameters"] == {
            "combinations": "all",
            "dimension": "3",
            "suppress_by": "count",
            "repair": "false",
        }
        told = certificate["generalized"]
        assert {name: told[name]["cells_suppressed"] for name in told} == {
            "race": 0,
            "birth_date": 2,
            "gender": 1,
            "zip": 0,
        }
        words = summarize_certificate(la.Certificate.read(folder / "released"))
        assert (
            "birth_date was generalized 2 of 5 steps (dates); 2 of its values were suppressed."
            in words
        )
        assert "gender was not generalized; 1 of its values were suppressed." in words
        assert "race and zip are not generalized." in words


class TestOptions:
    def test_repair_gives_what_verifies(self, folder, type_in):
        code, told, complaint = type_in(f"{RELEASE} --repair --json")
        assert (code, complaint) == (0, "")
        answer = json.loads(told)
        assert (answer["rows_below_k"], answer["cells_suppressed"]) == (0, 8)
        assert certificate_of(folder)["parameters"]["repair"] == "true"
        assert type_in("verify released")[0] == 0

    def test_generalize_takes_the_place_of_asking(self, type_in):
        command = f"{RELEASE} --generalize birth_date --generalize birth_date --generalize race"
        code, told, _ = type_in(f"{command} --allow-unsafe --json")
        assert code == 0
        assert json.loads(told)["levels"] == {"race": 1, "birth_date": 4, "gender": 0, "zip": 0}

    def test_generalize_takes_the_place_of_the_files(self, folder, type_in):
        text = (folder / "patients.toml").read_text()
        listed = text.replace("k = 2", 'k = 2\ngeneralize = ["zip"]')
        (folder / "patients.toml").write_text(listed)
        _, told, _ = type_in(f"{RELEASE} --dry-run --json")
        assert json.loads(told)["levels"]["zip"] == 1
        _, told, _ = type_in(f"{RELEASE} --generalize gender --dry-run --json")
        assert json.loads(told)["levels"]["zip"] == 0
        assert json.loads(told)["levels"]["gender"] == 1

    def test_a_dry_run_tells_and_writes_nothing(self, folder, type_in):
        before = names_in(folder)
        code, told, complaint = type_in(f"{RELEASE} --dry-run")
        assert (code, complaint) == (1, "")
        assert told.startswith("NOT k-anonymous: 2 of 12 rows")
        assert told.endswith("Nothing was written (--dry-run).\n")
        assert type_in(f"{RELEASE} --dry-run --allow-unsafe")[0] == 0
        assert type_in(f"{RELEASE} --dry-run --repair")[0] == 0
        assert names_in(folder) == before


@dataclass(frozen=True)
class Talk:
    """What was said at a terminal."""

    code: int
    asked: str
    told: str

    @property
    def questions(self):
        return self.asked.count(QUESTION)

    def between(self, number):
        """Return what was shown before a question, after the one before it."""
        return self.asked.split(QUESTION)[number]


def talk(*arguments, answers=(), stdin="terminal", stderr="terminal", command=RELEASE):
    """Run the program with its input and complaints at a terminal; answer its questions."""
    master, end = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, *command.split(), *arguments],
        stdin=end if stdin == "terminal" else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=end if stderr == "terminal" else subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        text=True,
    ) as process:
        os.close(end)
        try:
            seen = answer_questions(master, list(answers))
            told, _ = process.communicate(timeout=600)
        finally:
            process.kill()
            os.close(master)
    asked = CONTROLS.sub("", seen).replace("\r\n", "\n")
    return Talk(process.returncode, asked, told)


def answer_questions(terminal, answers):
    """Answer one question after another, and return what was shown until the program ended."""
    seen, answered = b"", 0
    while select.select([terminal], [], [], 60)[0]:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            break
        seen += block
        if answers and seen.count(QUESTION.encode()) > answered:
            answered += 1
            answer = answers.pop(0)
            os.write(terminal, answer.encode() + (b"" if answer == END else b"\n"))
    return seen.decode()


@pytest.mark.slow
class TestQuestions:
    """Steps 4 and 5 of Figure 11, at a terminal."""

    def test_it_shows_what_is_unsafe_by_attribute_and_by_combination(self):
        said = talk("--dry-run", answers=[""])
        shown = [line.split() for line in said.between(0).splitlines()]
        assert "2 rows have values that occur fewer than 2 times in combination." in said.asked
        assert ["1", "race", "0", "of", "2", "6"] in shown
        assert ["2", "birth_date", "2", "of", "5", "7"] in shown
        assert ["3", "gender", "0", "of", "2", "6"] in shown
        assert ["4", "zip", "0", "of", "3", "7"] in shown
        assert ["race", "×", "birth_date", "×", "zip", "2", "2"] in shown
        assert ["gender", "×", "zip", "1", "1"] in shown

    def test_enter_goes_on_to_suppression(self):
        said = talk("--allow-unsafe", "--dry-run", answers=[""])
        assert (said.code, said.questions) == (0, 1)
        assert said.told.startswith("NOT k-anonymous: 2 of 12 rows")

    def test_it_is_answered_by_name_or_by_number_until_enter(self, folder):
        said = talk("--allow-unsafe", answers=["zip", "2", "birth_date", ""])
        assert (said.code, said.questions) == (0, 4)
        told = certificate_of(folder)["generalized"]
        assert {name: told[name]["level"] for name in told} == {
            "race": 0,
            "birth_date": 4,
            "gender": 0,
            "zip": 1,
        }
        assert "zip 1 of 3" in " ".join(said.between(1).split())

    def test_it_says_when_nothing_is_unsafe_any_more(self):
        answers = ["race", "gender", "2", "2", "2", "zip", ""]
        said = talk("--dry-run", answers=answers)
        assert said.code == 0
        assert "Every tested combination of values occurs at least 2 times." in said.asked

    def test_a_wrong_answer_is_asked_again(self):
        said = talk("--allow-unsafe", "--dry-run", answers=["name", "9", "[b]", "zip", ""])
        assert (said.code, said.questions) == (0, 5)
        assert "There is no attribute 'name'." in said.between(1)
        assert "There is no attribute '9'." in said.between(2)
        assert "There is no attribute '[b]'." in said.between(3)
        assert "rows have values" not in said.between(2)

    def test_an_attribute_at_the_top_is_asked_again(self):
        answers = ["gender", "gender", "gender", ""]
        said = talk("--allow-unsafe", "--dry-run", answers=answers)
        assert said.code == 0
        assert "gender is at the top of its hierarchy already." in said.between(3)

    def test_a_decision_can_be_undone(self, folder):
        said = talk("--allow-unsafe", answers=["zip", "u", "u", "race", ""])
        assert (said.code, said.questions) == (0, 5)
        told = certificate_of(folder)["generalized"]
        assert [told[name]["level"] for name in ("race", "zip")] == [1, 0]

    def test_the_end_of_input_stops_it_and_nothing_is_written(self, folder):
        before = names_in(folder)
        said = talk("--allow-unsafe", answers=["zip", END])
        assert (said.code, said.told) == (130, "")
        assert said.asked.rstrip().endswith("lookalike: interrupted; no incomplete release is left")
        assert names_in(folder) == before

    @pytest.mark.parametrize(
        "arguments", [["--json"], ["--generalize", "zip"]], ids=["json", "generalize"]
    )
    def test_it_asks_nothing_where_the_answer_is_known_or_a_program_listens(self, arguments):
        said = talk("--dry-run", "--allow-unsafe", *arguments)
        assert (said.code, said.questions) == (0, 0)

    @pytest.mark.parametrize("streams", [{"stdin": "none"}, {"stderr": "none"}])
    def test_it_asks_nothing_where_nobody_could_answer(self, streams):
        said = talk("--dry-run", "--allow-unsafe", **streams)
        assert (said.code, said.questions) == (0, 0)

    def test_other_methods_ask_nothing(self):
        said = talk("--dry-run", command="release patients.toml --method datafly")
        assert (said.code, said.questions) == (0, 0)
