"""What tests check of every response."""

from __future__ import annotations

import httpx

from tests.server.conftest import Guest

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}


def cookie_of(guest: Guest) -> dict[str, str]:
    return {"cookie": f"skerry={guest.headers['authorization'].split()[1]}"}


def check_response(answer: httpx.Response) -> httpx.Response:
    """Check what holds for every response: no server error, no internals, the security headers."""
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text and "site-packages" not in answer.text and ".py" not in answer.text
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name].startswith(value)
    return answer
