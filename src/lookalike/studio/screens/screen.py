"""Screen: a page of the studio and the actions of its forms."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.session import Session

Action = Callable[[Session, FormData], None]
"""What a form does to the session; it raises :class:`InvalidInput` to refuse."""
Query = Mapping[str, str]
"""What the address of a page asks for after its ``?``: what to look at, never a change."""
Download = Callable[[Session, Query], tuple[str, bytes]]
"""Returns the name and the content of a file for the user to save."""


@dataclass(frozen=True)
class Screen(Discreet):
    """A page of the studio and the actions of its forms.

    Parameters
    ----------
    name
        The last part of its address, and the name of its template.
    title
        Its heading, and its name in the navigation.
    show
        Returns what the template shows of the session, for the query of the address. It raises
        :class:`InvalidInput` if the query asks for what does not exist.
    command
        Returns the command line that does the same.
    actions
        For each form its function, by the last part of its address.
    downloads
        Files for the user to save, by the last part of their address.
    needs_table
        Whether it is empty until a table was chosen.
    makes_release
        Whether its tasks make or count a release, so that it shows what must be decided first.
    has_style
        Whether it has a style sheet of its own name.
    step
        The name of the step of the navigation that it belongs to, if that is another screen.
    step_title
        The name of its step in the navigation, if that has several parts and another title.
    """

    name: str
    title: str
    show: Callable[[Session, Query], dict[str, Any]]
    command: Callable[[Session], str]
    actions: Mapping[str, Action] = field(default_factory=dict)
    downloads: Mapping[str, Download] = field(default_factory=dict, repr=False)
    needs_table: bool = True
    makes_release: bool = False
    has_style: bool = False
    step: str = ""
    step_title: str = ""

    @property
    def own_step(self) -> str:
        """The name of its step in the navigation."""
        return self.step or self.name


def read_text(form: FormData, name: str) -> str:
    """Return a text field of a form."""
    value = form.get(name)
    if not isinstance(value, str):
        raise InvalidInput(f"the form has no field {name!r}; reload the page")
    return value
