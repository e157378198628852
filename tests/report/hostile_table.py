"""A table whose names and cells try to become more than text."""

import pyarrow as pa

ALARM = "HOSTILE"
"""What the scripts would say, were they run."""
SCRIPT = f"<script>console.error('{ALARM}')</script>"
HANDLER = f'"><img src=x onerror="console.error(\'{ALARM}\')">'
CLOSING = f"</code></style></title></svg>{SCRIPT}"
TEMPLATE = "{{ 7 * 191 }}{% raw %}"
FORMULA = '=HYPERLINK("http://example.org")'
TURNED = "\u202e\u0645\u0631\u064a\u0636 \u05d7\u05d5\u05dc\u05d4\u202c"
CONTROL = "bell\x07 escape\x1b[2J line\r\nend \x9b1m"
LONG = "x" * 10_000
HOSTILE = [SCRIPT, HANDLER, CLOSING, TEMPLATE, FORMULA, TURNED, CONTROL, LONG, "&lt;b&gt;", ""]

QUASI_IDENTIFIERS = [SCRIPT, f"name {LONG}"]
AS_THEY_ARE = [HANDLER, CLOSING, TEMPLATE, TURNED, FORMULA]


def hostile_table() -> pa.Table:
    """Return a table of 40 rows."""
    names = [*QUASI_IDENTIFIERS, *AS_THEY_ARE]
    return pa.table({name: [*HOSTILE, *HOSTILE] * 2 for name in names})


def hostile_roles() -> dict[str, dict[str, object]]:
    """Return the roles of its columns."""
    linkable = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    roles = dict.fromkeys(QUASI_IDENTIFIERS, linkable)
    return roles | {name: {"role": "other"} for name in AS_THEY_ARE}
