"""How a person plays in a browser: by touching things on the board, by buttons, by keys."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page, TimeoutError, expect

from skerry.games import find_game

# A point of a thing where nothing lies over it, as a person would look for one.
FREE_POINT = """
(things, touch) => {
  for (const thing of things) {
    thing.scrollIntoView({ block: "nearest" });
    const box = thing.getBoundingClientRect();
    for (const across of [0.5, 0.2, 0.8, 0.35, 0.65, 0.05, 0.95])
      for (const down of [0.5, 0.2, 0.8, 0.35, 0.65, 0.1, 0.9]) {
        const [x, y] = [box.left + across * box.width, box.top + down * box.height];
        if (document.elementFromPoint(x, y)?.closest("[data-touch]")?.dataset.touch === touch) return [x, y];
      }
  }
  return null;
}
"""
UNFOLD = "one => { const group = one.closest('details'); if (group) group.open = true }"
WENT_TO = "seq => document.getElementById('table-seq').value === seq"
WENT_ON = "seq => document.getElementById('table-seq').value !== seq"
SETTLED = (
    "() => document.querySelector('#table-actions [data-touches]') || !document.getElementById('table-result').hidden"
)


def hurry(page: Page, speed: str = "off") -> None:
    """What the person has set before: nothing is shown slowly."""
    page.add_init_script(f"localStorage.getItem('skerry-speed') ?? localStorage.setItem('skerry-speed', '{speed}')")


def open_match(page: Page, table: str, game: str, options: dict[str, Any], seats: list[str]) -> str:
    """Sit down at a new table; what it is called."""
    if not page.context.cookies():
        page.request.post(f"{table}/play/hashi", headers={"origin": table})
    made = page.request.post(
        f"{table}/api/v1/matches",
        data={"game": game, "options": options, "seats": seats},
        headers={"origin": table},
    )
    assert made.status == 201, made.text()
    match = str(made.json()["id"])
    page.goto(f"{table}/m/{match}")
    return match


def deal_until(page: Page, table: str, game: str, options: dict[str, Any], seats: list[str], choices: str) -> None:
    """Open matches until one begins with the choices of a selector: in a corner there are few."""
    for _ in range(30):
        open_match(page, table, game, options, seats)
        assert wait_for_turn(page)
        if page.locator(choices).count():
            return
    raise AssertionError(f"no deal has {choices}")


def i_begin(game: str, players: int = 2) -> dict[str, Any]:
    """Options with which the first turn is that of the first seat: before bots can lose a game."""
    chosen = any(option.name == "first" for option in find_game(game).options)
    return {"players": players, **({"first": 0} if chosen else {})}


def look_away_until_the_end(page: Page, match: str) -> None:
    """Bots wait between two steps only for those who watch."""
    url, table = page.url, page.url.partition("/m/")[0]
    page.goto(table)
    limit = time.monotonic() + 60
    while page.request.get(f"{table}/api/v1/matches/{match}/view").json()["result"] is None:
        assert time.monotonic() < limit, "the bots do not come to an end"
        page.wait_for_timeout(50)
    page.goto(url)
    expect(page.locator("#table-result h2")).to_be_visible()


def set_option(page: Page, name: str, value: str) -> None:
    """Fill in an option of a new table."""
    field = page.locator(f"[name=option-{name}]")
    field.select_option(value) if field.evaluate("one => one.tagName") == "SELECT" else field.fill(value)


def seq_of(page: Page) -> str:
    return page.locator("#table-seq").input_value()


def offers(page: Page) -> list[tuple[str, list[str]]]:
    """The actions of the list, and what each touches."""
    found = page.locator("#table-actions [data-touches]").evaluate_all(
        "all => all.map(one => [one.value, one.dataset.touches.split('|')])"
    )
    return [(value, touches) for value, touches in found]


def press(page: Page, value: str, seq: str = "") -> None:
    """Take an action from the list, which may be folded; unless the game goes on by itself meanwhile, or has done so
    since the number at which the list was read."""
    seq = seq or seq_of(page)
    button = page.locator(f'#table-actions button[value="{value}"]')
    try:
        button.evaluate(UNFOLD, timeout=3_000)
        button.click(timeout=3_000)
    except TimeoutError:
        assert seq_of(page) != seq, f"{value} cannot be pressed"
    agree(page)


def agree(page: Page) -> None:
    """Where the page asks whether something hidden shall be shown: yes."""
    yes = page.locator("#asking[open] [name=action]")
    if yes.count():
        yes.click()


def play(page: Page, match: str, action: str, seat: int = 0) -> None:
    """Act from elsewhere; all that follows by itself has happened then."""
    seq = standing(page, match, seat)["seq"]
    table = page.url.partition("/m/")[0]
    answer = page.request.post(
        f"{table}/api/v1/matches/{match}/actions",
        data={"seat": seat, "action": action, "seq": seq},
        headers={"origin": table},
    )
    assert answer.ok, answer.text()


def standing(page: Page, match: str, seat: int = 0) -> dict[str, Any]:
    """How the match stands, as programs see it."""
    table = page.url.partition("/m/")[0]
    found: dict[str, Any] = page.request.get(f"{table}/api/v1/matches/{match}/view?seat={seat}").json()
    return found


def wait_until_shown(page: Page, match: str) -> None:
    """Until the page is where the game is, and nothing moves on it."""
    page.wait_for_function(WENT_TO, arg=str(standing(page, match)["seq"]))
    page.wait_for_function("() => !document.getElementById('caption').classList.contains('shown')")


def touch(page: Page, value: str, touches: list[str]) -> int:
    """Do something by touching the things it is done with, and by the list if that leaves more than one; how many."""
    seq, touched = seq_of(page), 0
    for one in [*touches[1:], touches[0]]:
        point = page.locator(f'main [data-touch="{one}"].can').evaluate_all(FREE_POINT, one)
        if point is None:
            continue
        page.mouse.click(*point)
        touched += 1
        if not _choosing(page):
            break
    if not touched or _choosing(page):
        press(page, value)
    agree(page)
    page.wait_for_function(WENT_ON, arg=seq)
    return touched


def _choosing(page: Page) -> bool:
    """Whether what was touched can still mean more than one thing."""
    return page.locator("main .chosen").count() > 0


def wait_for_turn(page: Page) -> bool:
    """Until it is my turn; False if the game is over."""
    page.wait_for_function(SETTLED)
    return page.locator("#table-result").is_hidden()
