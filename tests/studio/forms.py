"""The forms of a page: where each button sends its form, and with which fields."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """A form of a page."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """For each button that can be pressed, the address and the field that it adds."""


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []
        self.by_id = {}
        self.select = self.area = None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get")))
            self.by_id[given.get("id")] = self.forms[-1]
            return
        last = self.forms[-1] if self.forms else None
        form = self.by_id.get(given["form"]) if "form" in given else last
        if form is None:
            return
        name, value = given.get("name"), given.get("value") or ""
        if tag == "button" and "disabled" not in given and given.get("type") != "button":
            added = {name: value} if name else {}
            form.buttons.append((given.get("formaction", form.action), added))
        elif tag == "input" and name and self._is_sent(given):
            form.fields[name] = value
        elif tag == "select":
            self.select = form, name
        elif tag == "option" and self.select:
            self._choose(*self.select, value, "selected" in given)
        elif tag == "textarea":
            self.area = form, name
            form.fields[name] = ""

    @staticmethod
    def _is_sent(given):
        kind = given.get("type", "text")
        return kind != "file" and (kind not in ("radio", "checkbox") or "checked" in given)

    @staticmethod
    def _choose(form, name, value, selected):
        if selected or name not in form.fields:
            form.fields[name] = value

    def handle_endtag(self, tag):
        if tag == "select":
            self.select = None
        elif tag == "textarea":
            self.area = None

    def handle_data(self, data):
        if self.area:
            form, name = self.area
            form.fields[name] += data.removeprefix("\n")


def read_forms(page):
    """Return the forms of a page that change something."""
    reader = _Reader()
    reader.feed(page)
    return [form for form in reader.forms if form.method == "post"]
