"""Fill the template of a page: one file, without scripts, that loads nothing from elsewhere."""

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateNotFound

from lookalike.errors import InternalError
from lookalike.shown_text import show_text

LONGEST_SENTENCE = 2000
"""The most characters of a sentence that a page shows; names of columns may be long."""


def fill_page(template: str, **values: Any) -> str:
    """Fill a template of ``templates/`` with values, which are escaped.

    ``**values``: what the template shows. Text from data goes through the filter ``shown``, which
    removes control characters and cuts long values; sentences with such text through ``sentence``.
    """
    style = files("lookalike.report").joinpath("templates/style.css").read_text(encoding="utf-8")
    page = load_templates("lookalike.report").get_template(f"{template}.html")
    return page.render(style=style, **values)


@cache
def load_templates(package: str) -> Environment:
    """Return the templates of a package, which escape every value and refuse unknown names."""
    environment = Environment(
        loader=_Templates(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": show_text,
        "sentence": lambda text: show_text(text, LONGEST_SENTENCE),
        "number": lambda value: f"{value:,}",
        "percent": lambda share: f"{100 * share:.1f} %",
    }
    return environment


class _Templates(PackageLoader):
    """Templates of a package. A missing one is our fault; Jinja would say that of a user's file."""

    def get_source(self, environment: Environment, template: str) -> Any:
        """Return the text of a template."""
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:  # an OSError
            raise InternalError(f"the template {template} is missing") from None
