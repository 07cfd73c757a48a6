"""Event streams, as a program reads them."""

from __future__ import annotations

import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.server.html_pages import Element, read


class StreamCutoff:
    """Disconnects from an event stream after a moment, so that a client without a network gets a complete response."""

    def __init__(self, app: Any, patience: float = 0.05) -> None:
        self.app: ASGIApp = app
        self.patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith("/stream"):
            await self.app(scope, receive, send)
            return
        import anyio

        asked = False

        async def leave() -> Message:
            nonlocal asked
            if not asked:
                asked = True
                return await receive()
            await anyio.sleep(self.patience)
            return {"type": "http.disconnect"}

        await self.app(scope, leave, send)


def messages(text: str) -> list[tuple[int, dict[str, Any]]]:
    """The numbers and the data of an event stream's messages."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "id" in fields:  # otherwise it is a heartbeat
            found.append((int(fields["id"]), json.loads(fields["data"])))
    return found


class OpenPage:
    """An open page, updated by messages as the browser's script would do it."""

    def __init__(self, html: str) -> None:
        self.page: Element = read(html)
        main = self.page.by_id()["main"]
        self.seen = int(main.attributes["data-seq"])

    def receive(self, message: dict[str, Any]) -> None:
        for name, html in message["parts"].items():
            self.page.put(name, html)
        log = self.page.by_id()["log"]
        for step in message["steps"]:
            assert step["seq"] == self.seen + 1, "a step came twice, or was left out"
            self.seen = step["seq"]
            for line in step["words"]:
                log.children.insert(0, Element("li", {"data-seq": str(step["seq"])}, [" ".join(line.split())]))
        assert self.seen == message["seq"]

    def shown(self) -> Element:
        """The page without what differs in a new page: the number and the time it was loaded at, and the length of its
        log."""
        parts = self.page.by_id()
        parts["main"].attributes |= {"data-seq": "", "data-now": ""}
        parts["log"].children[40:] = []
        return self.page
