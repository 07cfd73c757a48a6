"""How many touches a turn costs a person who plays on the board: about as many as it has decisions."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Browser, Page

from skerry import bots
from skerry.games import find_game
from skerry.server.app import services_in
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import current_step, open_match, options_with_first_turn, set_speed, step_and_actions, touch
from tests.server.conftest import LocalServer

TURNS = 20
REACTION = 300  # milliseconds: nobody touches what is there for a moment only
MOST = {"forbidden-island": 7, "forbidden-desert": 6, "cartagena": 8, "hashi": 4}  # touches per turn

ENDS_A_TURN = ("end", "pass", "confirm")
# Every click and tap of the person, the answers to questions included.
COUNT_TOUCHES = """
  window.touches = 0;
  addEventListener('click', event => { if (event.isTrusted) touches++; }, true);
"""
# The game waits for the person, and nothing is about to go by itself.
ASKED_OR_OVER = """() => !document.getElementById('table-result').hidden ||
  !document.querySelector('#table-moment.timed:not(.over)') &&
  document.querySelector('#table-prompt[data-turn]') && document.querySelector('#table-actions [data-touches]')"""


class Person:
    """Somebody at the first seat who decides as a skilled player does, and plays by touching the board."""

    def __init__(self, page: Page, server: LocalServer, game: str) -> None:
        self.page = page
        self.sessions = services_in(server.app).sessions
        self.bot = bots.find(find_game(game), "skilled")
        self.turns = 0
        self.decisions: Counter[str] = Counter()  # by verb
        self.touches: Counter[str] = Counter()  # by verb

    def play(self, match: str) -> None:
        """Play a match until its end, or until there have been enough turns."""
        earlier = self.turns
        while self.turns < TURNS and self._wait_until_asked():
            before, (step, actions) = self.page.evaluate("touches"), step_and_actions(self.page)
            played = self.sessions.in_memory[match].match.copy()
            if step != current_step(self.page) or not actions:
                continue  # the match has gone on while it was read
            action = played.action(self.bot.choose(played, 0, seed=int(step)))
            listed = dict(actions)
            if action.text not in listed:
                continue
            touch(self.page, action.text, listed[action.text], step)
            self.decisions[action.verb] += 1
            self.touches[action.verb] += self.page.evaluate("touches") - before
            self.turns = earlier + self._turns_ended(match)

    def _wait_until_asked(self) -> bool:
        """Wait until the game waits for the person; False if it is over. Out of turn they let the others play."""
        step = ""
        while step != current_step(self.page):
            self.page.wait_for_function(ASKED_OR_OVER, timeout=60_000)
            step = current_step(self.page)
            self.page.wait_for_timeout(REACTION)
        return self.page.locator("#table-result").is_hidden()

    def _turns_ended(self, match: str) -> int:
        """How many turns of the person are over, ended by a touch or by themselves."""
        site = self.page.url.partition("/m/")[0]
        steps = self.page.request.get(f"{site}/api/v1/matches/{match}/steps?seat=0").json()
        return sum(step["seat"] == 0 and (step["action"] or "").split()[0] in ENDS_A_TURN for step in steps)


@pytest.mark.slow
@pytest.mark.parametrize("game", MOST)
def test_a_turn_costs_few_touches(browser: Browser, site: str, table_server: LocalServer, game: str) -> None:
    page = new_page(browser)
    set_speed(page)
    page.add_init_script(COUNT_TOUCHES)
    person = Person(page, table_server, game)
    while person.turns < TURNS:
        person.play(open_match(page, site, game, options_with_first_turn(game), ["me", "skilled"], by_hand=False))
    close_pages(page)

    touches, decisions = person.touches.total() / person.turns, person.decisions.total() / person.turns
    print(f"{game}: {touches:.1f} touches a turn for {decisions:.1f} decisions")
    print(f"touches {dict(person.touches)} for {dict(person.decisions)}")
    assert touches <= MOST[game], f"{person.touches} in {person.turns} turns for {person.decisions}"
