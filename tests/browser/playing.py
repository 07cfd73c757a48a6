"""Playing in a browser as a person does: by clicks on the board and by the buttons of the list."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, TimeoutError, expect

from skerry.games import find_game

# A point of one of some things where nothing else lies over it.
FREE_POINT = """
(things) => {
  for (const thing of things) {
    thing.scrollIntoView({ block: "nearest" });
    const box = thing.getBoundingClientRect();
    for (const across of [0.5, 0.2, 0.8, 0.35, 0.65, 0.05, 0.95])
      for (const down of [0.5, 0.2, 0.8, 0.35, 0.65, 0.1, 0.9]) {
        const [x, y] = [box.left + across * box.width, box.top + down * box.height];
        if (document.elementFromPoint(x, y)?.closest("[data-touch]") === thing) return [x, y];
      }
  }
  return null;
}
"""
# Expand the group of an action and fold the others: an expanded group hides what is not in it.
EXPAND = """one => {
  for (const group of document.querySelectorAll('#table-actions details')) group.open = group.contains(one);
}"""
# The step that the page shows, and the actions of the list with what each touches: read at once, since the match may
# go on between two reads.
LIST = """() => {
  const buttons = [...document.querySelectorAll('#table-actions [data-touches]')];
  const actions = buttons.map(one => [one.value, one.dataset.touches.split('|')]);
  return [document.getElementById('table-seq').value, actions];
}"""
AT_STEP = "seq => document.getElementById('table-seq').value === seq"
PAST_OR_AT = "seq => Number(document.getElementById('table-seq').value) >= seq"
# Either an action can be pressed, or the match has gone on from a step.
THERE_OR_PAST = """([action, seq]) => document.querySelector(`#table-actions button[value="${action}"]`)
  || document.getElementById('table-seq').value !== seq"""
# A click or a tap has had an effect: the browser may tell the page of a tap a moment after it was sent.
TOUCHED = """seq => document.getElementById('table-seq').value !== seq
  || document.querySelector('#confirmation[open], main .chosen')"""
DONE_OR_OFFERED = """seq => document.getElementById('table-seq').value !== seq
  || document.querySelector('#ring button')?.checkVisibility()"""
# Nothing has just begun that an action would end.
SETTLED = 'action => !document.querySelector(`#table-actions .settling[value="${action}"]`)'
PAST_STEP = "seq => document.getElementById('table-seq').value !== seq"
MY_TURN_OR_OVER = (
    "() => document.querySelector('#table-actions [data-touches]') || !document.getElementById('table-result').hidden"
)


def wait_for_match(page: Page) -> None:
    """Wait until the page of a match has loaded, to which a click leads. Before that its scripts do not listen."""
    page.wait_for_url(re.compile(r"/m/[\w-]{22}(\?|$)"))


def set_speed(page: Page, speed: str = "off") -> None:
    """Store the speed of playback unless the page has changed it; by default there is no playback."""
    page.add_init_script(f"localStorage.getItem('skerry-speed') ?? localStorage.setItem('skerry-speed', '{speed}')")


def create_match(
    page: Page, site: str, game: str, options: dict[str, Any], seats: list[str], *, by_hand: bool = True
) -> str:
    """Create a match without opening its page; its id. ``by_hand``: nothing goes by itself while a test looks at it."""
    while not page.context.cookies():  # a server that has just started may still be getting the game ready
        page.request.post(f"{site}/play/hashi", headers={"origin": site}, max_redirects=0)
    turn_cards_by_hand(page, site, by_hand)
    made = page.request.post(
        f"{site}/api/v1/matches",
        data={"game": game, "options": options, "seats": seats},
        headers={"origin": site},
    )
    assert made.status == 201, made.text()
    return str(made.json()["id"])


def show_match(page: Page, site: str, match: str) -> None:
    page.goto(f"{site}/m/{match}")
    open_curtain(page)


def open_match(
    page: Page, site: str, game: str, options: dict[str, Any], seats: list[str], *, by_hand: bool = True
) -> str:
    """Create a match and open its page; its id."""
    match = create_match(page, site, game, options, seats, by_hand=by_hand)
    show_match(page, site, match)
    return match


def turn_cards_by_hand(page: Page, site: str, by_hand: bool = True) -> None:
    """Let nothing go by itself at the seats of a page's reader, who is a guest already."""
    answer = page.request.patch(f"{site}/api/v1/me", data={"by_hand": by_hand}, headers={"origin": site})
    assert answer.ok, answer.text()


def stay_at_seat(page: Page) -> None:
    """Keep a page at its seat, though its reader plays others too."""
    page.add_init_script("""
      const stay = () => document.getElementById("main")?.removeAttribute("data-sharing");
      addEventListener("readystatechange", stay, true);
    """)


def open_curtain(page: Page) -> None:
    """Show the hand of whoever is to move, if several people share the device and hide their hands."""
    curtain = page.locator("#curtain a:visible")
    if curtain.count():
        curtain.first.click()
        page.wait_for_url("**?seat=*")


def deal_until(
    page: Page, site: str, game: str, options: dict[str, Any], seats: list[str], wanted: Callable[[list[str]], bool]
) -> str:
    """Create matches until the actions with which the first seat begins are those that are wanted, and open the page of
    that match; its id."""
    for _ in range(30):
        match = create_match(page, site, game, options, seats)
        if wanted(legal_actions(page, match, site=site)):
            show_match(page, site, match)
            assert wait_for_turn(page)
            return match
    raise AssertionError("no match begins with the wanted actions")


def options_with_first_turn(game: str, players: int = 2) -> dict[str, Any]:
    """Options with which the first seat begins, before bots can lose the game."""
    chosen = any(option.name == "first" for option in find_game(game).options)
    return {"players": players, **({"first": 0} if chosen else {})}


def wait_for_end_elsewhere(page: Page, match: str) -> None:
    """Leave the page of a match until it is over: bots pause between two steps only while somebody watches."""
    url, site = page.url, page.url.partition("/m/")[0]
    page.goto(site)
    limit = time.monotonic() + 60
    while page.request.get(f"{site}/api/v1/matches/{match}/view").json()["result"] is None:
        assert time.monotonic() < limit, "the bots do not finish the match"
        page.wait_for_timeout(50)
    page.goto(url)
    expect(page.locator("#table-result h2")).to_be_visible()


def set_option(page: Page, name: str, value: str) -> None:
    """Fill in an option of the form for a new match."""
    field = page.locator(f"[name=option-{name}]")
    field.select_option(value) if field.evaluate("one => one.tagName") == "SELECT" else field.fill(value)


def current_step(page: Page) -> str:
    """The number of the step that the page shows."""
    return page.locator("#table-seq").input_value()


def step_and_actions(page: Page) -> tuple[str, list[tuple[str, list[str]]]]:
    """The number of the step that the page shows, and the actions of the list at that step with what each touches."""
    step, actions = page.evaluate(LIST)
    return step, [(value, touches) for value, touches in actions]


def listed_actions(page: Page) -> list[tuple[str, list[str]]]:
    """The actions of the list, and what each touches."""
    return step_and_actions(page)[1]


def press(page: Page, value: str, step: str = "") -> None:
    """Press an action of the list, expanding its group. It may be gone only if the match has gone on by itself since
    the step at which the list was read; by default that is the present one."""
    step = step or current_step(page)
    button = page.locator(f'#table-actions button[value="{value}"]')
    page.wait_for_function(SETTLED, arg=value)
    page.wait_for_function(THERE_OR_PAST, arg=[value, step])
    try:
        if button.count():
            button.evaluate(EXPAND)
            button.click()
    except TimeoutError:
        assert current_step(page) != step, f"{value} cannot be pressed"
    confirm_reveal(page)


def confirm_reveal(page: Page) -> None:
    """Answer yes if the page asks whether hidden information shall be revealed."""
    yes = page.locator("#confirmation[open] [name=action]")
    if yes.count():
        yes.click()


def act_elsewhere(page: Page, match: str, action: str, seat: int = 0, site: str = "") -> None:
    """Act by the API, as on another device, unless the match has gone on by itself meanwhile."""
    site = site or page.url.partition("/m/")[0]
    seq = fetch_view(page, match, seat, site)["seq"]
    answer = page.request.post(
        f"{site}/api/v1/matches/{match}/actions",
        data={"seat": seat, "action": action, "seq": seq},
        headers={"origin": site},
    )
    assert answer.ok or answer.json()["error"]["code"] == "stale", answer.text()


def fetch_view(page: Page, match: str, seat: int = 0, site: str = "") -> dict[str, Any]:
    """The view of a seat, from the API of the site, by default that of the page."""
    site = site or page.url.partition("/m/")[0]
    found: dict[str, Any] = page.request.get(f"{site}/api/v1/matches/{match}/view?seat={seat}").json()
    return found


def legal_actions(page: Page, match: str, seat: int = 0, site: str = "") -> list[str]:
    """What a seat can do, from the API."""
    return [one["action"] for one in fetch_view(page, match, seat, site)["legal"]]


def wait_until_shown(page: Page, match: str) -> None:
    """Wait until the page shows the present of the match, and no playback is running."""
    page.wait_for_function(PAST_OR_AT, arg=fetch_view(page, match)["seq"])
    page.wait_for_function("() => !document.getElementById('caption').classList.contains('shown')")


def touch(page: Page, value: str, touches: list[str], step: str = "") -> int:
    """Act by clicking the things that an action touches as they begin to glow, then in the ring, else by the list. The
    action was listed at a step, by default the present one. How many things were clicked."""
    step = step or current_step(page)
    page.wait_for_function(SETTLED, arg=value)
    touched = 0
    wanted = list(touches)
    while (found := _next_touch(page, wanted)) is not None:
        name, point = found
        wanted.remove(name)
        page.mouse.click(*point)
        touched += 1
        if not _choosing(page):
            break
    offered = page.locator(f'#ring button[value="{value}"]')
    if _choosing(page) and offered.count():
        offered.click()
        confirm_reveal(page)
    elif not touched or _choosing(page):
        press(page, value, step)
    confirm_reveal(page)
    page.wait_for_function(PAST_STEP, arg=step)
    return touched


def _next_touch(page: Page, wanted: list[str]) -> tuple[str, tuple[float, float]] | None:
    """The first of some touches whose thing glows, and a point of it; None if it cannot be reached. Places are last."""
    for kind in (":not([role=gridcell])", "[role=gridcell]"):
        for name in wanted:
            things = page.locator(f'main :is([data-touch="{name}"], [data-also="{name}"]).can{kind}')
            if things.count():
                point = things.evaluate_all(FREE_POINT)
                return None if point is None else (name, (point[0], point[1]))
    return None


def _choosing(page: Page) -> bool:
    """Whether what was touched leaves more than one action."""
    return page.locator("main .chosen").count() > 0


def wait_for_turn(page: Page) -> bool:
    """Wait until it is the player's turn; False if the game is over."""
    page.wait_for_function(MY_TURN_OR_OVER)
    return page.locator("#table-result").is_hidden()
