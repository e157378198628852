"""Gate: lets one browser in, by a token that can be used once, and recognizes it afterwards."""

import secrets
from hmac import compare_digest


class Gate:
    """The secrets of one run of the studio.

    The token is part of the first address and becomes useless when it is used. The session is the
    value of a cookie that scripts cannot read. The form token is a hidden field of every form.

    Parameters
    ----------
    port
        The port of the studio. Cookies do not distinguish ports, so its name does.

    Examples
    --------
    >>> gate = Gate(8000)
    >>> token = gate.token
    >>> gate.enter("guessed"), gate.enter(token), gate.enter(token)
    (False, True, False)
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = f"lookalike-studio-{port}"
        self.token = secrets.token_urlsafe(32)
        self.session = secrets.token_urlsafe(32)
        self.form_token = secrets.token_urlsafe(32)
        self._is_open = True

    @property
    def address(self) -> str:
        """The address of the studio, without a secret."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def first_address(self) -> str:
        """The address that lets one browser in, once."""
        return f"{self.address}/enter?token={self.token}"

    def enter(self, token: str) -> bool:
        """Return whether a token lets its bearer in; it does so once."""
        admitted = self._is_open and _are_equal(token, self.token)
        self._is_open = self._is_open and not admitted
        return admitted

    def is_session(self, value: str) -> bool:
        """Return whether the value of the cookie is that of the browser that was let in."""
        return not self._is_open and _are_equal(value, self.session)

    def is_form(self, value: str) -> bool:
        """Return whether the hidden field of a form is ours."""
        return _are_equal(value, self.form_token)


def _are_equal(given: str, secret: str) -> bool:
    """Compare a text with a secret in a time that does not depend on where they differ."""
    return compare_digest(given.encode(errors="replace"), secret.encode())
