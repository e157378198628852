"""Forms sent to a specification that is wrong get an answer, never a fault."""

import pytest

from .test_screens import FAULTY

FORMS = [
    ("/protection/ask", {"release.k": "3", "release.preset": "cms", "distinct-2": "2"}),
    ("/protection/ask", {"release.preset": "", "source.person": "no", "release.secrecy": "blind"}),
    ("/argus/use", {}),
    ("/argus/leave", {}),
    ("/argus/back", {}),
    ("/argus/generalize", {"attribute": "zip"}),
    ("/argus/follow", {}),
    ("/argus/ask", {"release.dimension": "2"}),
]


@pytest.mark.parametrize(("path", "given"), FORMS)
@pytest.mark.parametrize("text", FAULTY)
def test_a_form_of_a_faulty_specification_is_answered(studio, people, text, path, given):
    (people / "people.toml").write_text(text)
    studio.post("/data/load")
    assert studio.post(path, given).status_code in (303, 422)
