"""The whole flow of a specification in one call, and the figures of a release for display."""

import pytest

from lookalike import AlreadyExists, InvalidInput, Specification
from lookalike.describe.attributes import AttributeFigures, describe_attributes
from lookalike.describe.bound import count_possible
from lookalike.flow.make_release import make_release
from lookalike.flow.release import prepare
from lookalike.flow.result import Release


def test_a_release_is_published_with_its_certificate(folder):
    made = make_release(Specification.load(folder / "patients.toml"))
    assert [file.name for file in made.files] == ["patients.csv", "certificate.json"]
    assert all(file.is_file() for file in made.files)
    assert made.certificate is not None
    assert (made.dossier, made.proof) == (None, None)


def test_a_dry_run_publishes_nothing(folder):
    made = make_release(Specification.load(folder / "patients.toml"), dry_run=True)
    assert (made.certificate, made.files) == (None, ())
    assert made.release.plan.rows_out == 10
    assert not (folder / "released").exists()


def test_a_place_that_is_taken_is_refused_before_the_search(folder):
    specification = Specification.load(folder / "patients.toml")
    make_release(specification)
    steps = []
    with pytest.raises(AlreadyExists, match="released"):
        make_release(specification, steps.append)
    assert steps == []


def test_a_specification_without_an_output_file_is_refused(folder):
    text = (folder / "patients.toml").read_text()
    (folder / "nowhere.toml").write_text(text.replace("out =", "# out ="))
    specification = Specification.load(folder / "nowhere.toml")
    with pytest.raises(InvalidInput, match="no output file: set out"):
        make_release(specification)
    assert make_release(specification, dry_run=True).release.plan.rows_out == 10


def test_the_figures_of_an_attribute(folder):
    made = make_release(Specification.load(folder / "patients.toml"), dry_run=True)
    race, birth, *_ = describe_attributes(made.release.specification, made.release.plan)
    assert race == AttributeFigures("race", "taxonomy", 5 / 6, 2, (0, 0), 2, 2, None)
    assert birth == AttributeFigures("birth_date", "dates", 1 - 14 / 33, 5, (2, 2), 12, 3, None)
    number, digits = count_possible(made.release.plan)
    assert number is None
    assert round(digits) == 28
    assert made.release.mean_class_size == 2.0


def test_a_release_does_not_change_by_being_looked_at(folder):
    heard = []
    made = prepare(Specification.load(folder / "patients.toml"), heard.append)
    known, seconds = [*heard], dict(made.stopwatch.seconds)
    looked_at = [name for name in dir(Release) if not name.startswith("__")]
    assert {"table", "certificate", "preflight", "exposure", "trail"} <= {*looked_at}
    for name in looked_at:
        getattr(made, name)
    assert (heard, made.stopwatch.seconds) == (known, seconds)
    made.verify()
    assert [*heard] == [*known, "recode", "verify"]
