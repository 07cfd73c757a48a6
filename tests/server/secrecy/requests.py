"""Requests as they go to the application, and answers as they come from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

Headers = tuple[tuple[str, str], ...]
FORM = ("content-type", "application/x-www-form-urlencoded")
JSON = ("content-type", "application/json")
HOST = "table"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: bytes = b""

    def __str__(self) -> str:
        query = f"?{self.query}" if self.query else ""
        return f"{self.method} {self.path}{query} {self.body.decode(errors='replace')[:200]}".strip()

    def having(self, *headers: tuple[str, str]) -> Request:
        return replace(self, headers=(*self.headers, *headers))

    def scope(self) -> dict[str, Any]:
        headers = [("host", HOST), *self.headers, ("content-length", str(len(self.body)))]
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": quote(self.path).encode(),
            "query_string": self.query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers],
            "client": ("10.0.0.1", 1),
            "server": (HOST, 80),
        }


@dataclass(frozen=True)
class Answer:
    """``route`` is the path template of the route that answered; empty if there was none."""

    route: str
    status: int
    headers: Headers
    body: bytes


def get(path: str, **query: Any) -> Request:
    return Request("GET", path, urlencode({name: value for name, value in query.items() if value is not None}))


def send_json(method: str, path: str, body: Any) -> Request:
    return Request(method, path, headers=(JSON,), body=json.dumps(body).encode())


def send_form(path: str, **fields: Any) -> Request:
    return Request("POST", path, headers=(FORM,), body=urlencode(fields).encode())
