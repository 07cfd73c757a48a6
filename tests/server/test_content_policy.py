"""Pages contain nothing that the content security policy blocks: no inline scripts or styles, no foreign links."""

from __future__ import annotations

import httpx
import pytest

from skerry.games import all_games
from tests.server.conftest import Guest
from tests.server.html_pages import Element, read
from tests.server.responses import cookie_of

pytestmark = pytest.mark.anyio


def check_policy(page: Element, where: str) -> None:
    """Check that a page has nothing that the policy would block."""
    for element in page:
        names = set(element.attributes)
        assert "style" not in names and element.tag != "style", where
        assert not [name for name in names if name.startswith("on")], where
        assert element.tag != "script" or (element.attributes["src"].startswith("/") and not element.children), where
        links = [element.attributes.get(name, "") for name in ("href", "src", "action", "formaction", "xlink:href")]
        assert not [link for link in links if link.strip().lower().startswith(("javascript:", "data:"))], where
        assert not [link for link in links if link.startswith(("http:", "https:", "//"))], where


@pytest.mark.parametrize("language", ["en", "es", "pt"])
async def test_no_page_has_inline_scripts_or_styles(client: httpx.AsyncClient, language: str) -> None:
    ana = await Guest.register(client, "<b onclick=x>&\"'", language)
    paths = ["/", "/me", "/nowhere", "/m/none"]
    for game in all_games():
        match = await ana.open(game.name, ["me", "me"], options={"players": 2}, listed=True)
        for _ in range(6):
            standing = (await ana.ask("GET", f"/matches/{match['id']}")).json()
            await ana.play_first(match["id"], standing["waiting"][0])
        here = f"/m/{match['id']}"
        paths += [
            f"/new/{game.name}",
            f"/rules/{game.name}",
            here,
            f"{here}?seat=0",
            f"{here}?seat=1",
            f"{here}/replay",
        ]
    link = httpx.URL((await ana.ask("POST", "/me/link")).json()["link"]).path
    for path in [*paths, link]:
        for headers in ({"accept-language": language, **cookie_of(ana)}, {"accept-language": language}):
            page = await client.get(path, headers=headers)
            assert page.headers["content-type"].startswith("text/html"), path
            check_policy(read(page.text), path)
            assert f'lang="{language}"' in page.text


async def test_finished_matches_and_replays_have_no_inline_scripts_or_styles(
    client: httpx.AsyncClient, ana: Guest
) -> None:
    match = (await ana.open("hashi", ["me"], options={"players": 1}))["id"]
    for _ in range(2000):
        standing = (await ana.ask("GET", f"/matches/{match}")).json()
        if standing["result"] is not None:
            break
        await ana.play_first(match, standing["waiting"][0])
    for path in (
        f"/m/{match}",
        f"/m/{match}/replay",
        f"/m/{match}/replay?at=2&seat=0",
        f"/m/{match}/replay?at={10**30}",
    ):
        page = await client.get(path, headers=cookie_of(ana))
        assert page.status_code == 200, path
        check_policy(read(page.text), path)
