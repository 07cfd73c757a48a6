"""One grammar of touch: what does not glow never acts, what glows does the plain thing; by mouse, finger and key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    AT_STEP,
    DONE_OR_OFFERED,
    FREE_POINT,
    PAST_STEP,
    act_elsewhere,
    confirm_reveal,
    create_match,
    current_step,
    deal_until,
    fetch_view,
    legal_actions,
    listed_actions,
    open_match,
    press,
    set_speed,
    show_match,
    wait_for_turn,
    wait_until_shown,
)

ISLAND = {"players": 2, "first": 0, "roles": "diver,messenger"}
DESERT = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}
PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
GLOWING = "all => all.map(one => one.dataset.touch)"

Touch = Callable[[Page, Locator], None]


def by_mouse(page: Page, thing: Locator) -> None:
    page.mouse.click(*free_point(thing))


def by_finger(page: Page, thing: Locator) -> None:
    page.touchscreen.tap(*free_point(thing))


def by_key(page: Page, thing: Locator) -> None:
    thing.first.evaluate("one => { one.tabIndex = Math.max(one.tabIndex, -1); one.focus(); }")
    page.keyboard.press("Enter")


def free_point(thing: Locator) -> tuple[float, float]:
    """A point of a thing where nothing else lies over it."""
    point = thing.evaluate_all(FREE_POINT)
    assert point is not None, f"{thing} cannot be reached"
    return point[0], point[1]


def thing(page: Page, touch: str) -> Locator:
    return page.locator(f'main :is([data-touch="{touch}"], [data-also="{touch}"]):visible')


@pytest.fixture(params=[by_mouse, by_finger, by_key], ids=["mouse", "finger", "keys"])
def touch(request: pytest.FixtureRequest) -> Touch:
    chosen: Touch = request.param
    return chosen


def page_for(browser: Browser, touch: Touch) -> Page:
    page = new_page(browser, has_touch=touch is by_finger)
    set_speed(page)
    return page


# Cards


def with_card_of_island(browser: Browser, site: str, touch: Touch, verb: str) -> Page:
    page = page_for(browser, touch)
    deal_until(page, site, "forbidden-island", ISLAND, ["me", "me"], lambda legal: has_verb(legal, verb))
    expect(page.locator(f"main [data-touch='verb:{verb}'].can")).to_be_visible()
    return page


def has_verb(actions: list[str], verb: str) -> bool:
    return any(action.split()[0] == verb for action in actions)


def test_with_a_lift_in_hand_a_tile_still_means_a_move(browser: Browser, site: str, touch: Touch) -> None:
    page = with_card_of_island(browser, site, touch, "lift")
    actions = listed_actions(page)
    plain = [value for value, _ in actions if value.startswith(("move ", "shore "))]
    move = next(value for value in plain if value.startswith("move ") and not _is_shored(value, plain))
    touch(page, thing(page, f"place:{move.split()[1]}"))
    expect(page.locator("#table-seq")).to_have_value("1")
    expect(page.locator("#log li").first).to_contain_text("moves")
    close_pages(page)


def _is_shored(move: str, plain: list[str]) -> bool:
    return any(move.split()[1] in value.split()[1:] for value in plain if value.startswith("shore "))


@pytest.mark.parametrize("verb", ["lift", "sandbags"])
def test_a_card_is_not_spent_by_a_touch_on_a_tile_that_does_not_glow(
    browser: Browser, site: str, touch: Touch, verb: str
) -> None:
    page = with_card_of_island(browser, site, touch, verb)
    act_elsewhere(page, page.url.rpartition("/")[2], "end")  # in the draw phase no tile glows
    expect(page.locator("#table-seq")).to_have_value("1")
    assert page.locator(".board [data-touch^='place:'].can").count() == 0
    targets = {name for value, touches in listed_actions(page) if value.startswith(verb) for name in touches}
    target = next(name for name in sorted(targets) if name.startswith("place:"))
    with page.expect_response("**/why"):
        touch(page, thing(page, target))
    expect(page.locator("#answer")).not_to_be_empty()
    assert current_step(page) == "1" and page.locator("main .chosen").count() == 0
    close_pages(page)


def test_a_second_touch_on_a_card_or_escape_puts_it_back(browser: Browser, site: str, touch: Touch) -> None:
    page = with_card_of_island(browser, site, touch, "lift")
    card, chosen = thing(page, "verb:lift"), page.locator("main [data-touch='verb:lift'].chosen")
    for by_escape in (False, True):
        page.wait_for_timeout(600)
        touch(page, card)
        expect(chosen).to_have_count(1)
        page.wait_for_timeout(600)  # or it would be a double click
        page.keyboard.press("Escape") if by_escape else touch(page, card)
        expect(chosen).to_have_count(0)
    assert current_step(page) == "0"
    close_pages(page)


def test_a_jet_pack_flies_only_after_it_was_touched(browser: Browser, site: str, touch: Touch) -> None:
    page = page_for(browser, touch)
    match = with_jet_pack(page, site)
    flights = {touches[1] for value, touches in listed_actions(page) if value.startswith("jet ")}
    lit = set(page.locator(".board [data-touch^='place:'].can").evaluate_all(GLOWING))
    far = sorted(flights - lit)[0]
    step = current_step(page)
    with page.expect_response("**/why"):
        touch(page, thing(page, far))
    assert current_step(page) == step
    touch(page, thing(page, "verb:jet"))
    touch(page, thing(page, far))
    expect(page.locator("#table-seq")).not_to_have_value(step)
    assert fetch_view(page, match)["view"]["seats"][0]["place"] == far.removeprefix("place:")
    close_pages(page)


def with_jet_pack(page: Page, site: str) -> str:
    """A turn in Forbidden Desert with a Jet Pack in hand."""
    for _ in range(60):
        match = create_match(page, site, "forbidden-desert", DESERT, ["me", "me"])
        if "excavate" not in legal_actions(page, match, site=site):  # a storm has begun on the crash tile
            continue
        act_elsewhere(page, match, "excavate", site=site)
        if has_verb(legal_actions(page, match, site=site), "jet"):
            show_match(page, site, match)
            assert wait_for_turn(page)
            return match
    raise AssertionError("no crash tile hides a Jet Pack")


def places_with_two_actions(actions: list[str]) -> list[str]:
    """The places to which the player can move, and which can be shored up as well."""
    moves, shores = ({one.partition(" ")[2] for one in actions if one.startswith(verb)} for verb in ("move ", "shore "))
    return sorted(moves & shores)


# The ring


def test_where_several_things_can_be_done_a_ring_offers_them(browser: Browser, site: str, touch: Touch) -> None:
    page = page_for(browser, touch)
    deal_until(page, site, "forbidden-island", ISLAND, ["me", "me"], lambda legal: bool(places_with_two_actions(legal)))
    place = places_with_two_actions([value for value, _ in listed_actions(page)])[0]
    ring = page.locator("#ring")
    touch(page, thing(page, f"place:{place}"))
    expect(ring.locator("button")).to_have_count(2)
    expect(ring).to_be_in_viewport(ratio=1)
    icons = ring.locator("button use").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert sorted(icons) == ["#icon-move", "#icon-shore"] and ring.locator("svg").first.is_visible()
    page.keyboard.press("Escape")
    expect(ring).to_be_hidden()
    page.wait_for_timeout(600)  # or it would be a double click
    touch(page, thing(page, f"place:{place}"))
    shore = ring.locator(f"button[value='shore {place}']")
    if touch is by_key:
        expect(ring.locator("button:focus")).to_have_count(1)
        shore.focus()
        page.keyboard.press("Enter")
    elif touch is by_finger:
        shore.tap()
    else:
        shore.click()
    expect(page.locator("#log li").first).to_contain_text("shore")
    expect(ring).to_be_hidden()
    close_pages(page)


def test_ones_own_tile_is_the_place_to_work(browser: Browser, site: str, touch: Touch) -> None:
    page = page_for(browser, touch)
    deal_until(page, site, "forbidden-desert", DESERT, ["me", "me"], lambda legal: "excavate" in legal)
    view = fetch_view(page, page.url.rpartition("/")[2])["view"]
    touch(page, thing(page, f"place:{view['seats'][0]['place']}"))
    expect(page.locator("#confirmation[open] [value=excavate]")).to_be_visible()
    confirm_reveal(page)
    expect(page.locator("#table-seq")).to_have_value("1")
    close_pages(page)


def test_a_double_click_moves_once(browser: Browser, site: str) -> None:
    page = page_for(browser, by_mouse)
    match = open_match(page, site, "forbidden-desert", DESERT, ["me", "me"])
    assert wait_for_turn(page)
    moves = [touches[1] for value, touches in listed_actions(page) if value.startswith("move ")]
    page.mouse.dblclick(*free_point(thing(page, moves[0])))
    expect(page.locator("#table-seq")).to_have_value("1")
    page.wait_for_timeout(300)
    assert fetch_view(page, match)["seq"] == 1 and not page.locator("#confirmation[open]").count()
    close_pages(page)


def test_a_pawn_is_dragged_to_a_tile(browser: Browser, site: str) -> None:
    page = page_for(browser, by_mouse)
    match = open_match(page, site, "forbidden-desert", DESERT, ["me", "me"])
    assert wait_for_turn(page)
    goal = next(touches[1] for value, touches in listed_actions(page) if value.startswith("move "))
    drag(page, page.locator(".board .pawn[data-drag]"), thing(page, goal))
    expect(page.locator("#table-seq")).to_have_value("1")
    assert fetch_view(page, match)["view"]["seats"][0]["place"] == goal.removeprefix("place:")
    close_pages(page)


def drag(page: Page, source: Locator, goal: Locator) -> None:
    page.mouse.move(*middle(source))
    page.mouse.down()
    x, y = middle(goal)
    page.mouse.move(x - 3, y - 3, steps=5)
    page.mouse.move(x, y)
    page.mouse.up()


def drag_by_finger(page: Page, source: Locator, goal: Locator) -> None:
    session = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle(source), middle(goal)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": across, "y": down} for across, down in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", (x, y))
    for share in (0.3, 0.6, 0.9, 1.0):
        send("touchMove", (x + share * (to_x - x), y + share * (to_y - y)))
    send("touchEnd")


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# Hints


def test_a_touch_on_a_hint_does_not_reach_what_lies_below(browser: Browser, site: str) -> None:
    """The hint lies over the hand on a phone."""
    page = new_page(browser, **PHONE)
    set_speed(page)
    deal_until(page, site, "cartagena", {"players": 2, "first": 0}, ["me", "me"], lambda legal: has_verb(legal, "play"))
    expect(page.locator(".seat.shown .card.can").first).to_be_visible()
    page.get_by_role("button", name="Hint").tap()
    page.locator("#advice summary").tap()
    expect(page.locator("#advice details .idea").first).to_be_visible()
    over = page.locator("#advice").evaluate(OVER_THINGS)
    assert over, "the hint lies over nothing that can be touched"
    page.touchscreen.tap(*over)
    expect(page.locator("main .chosen")).to_have_count(0)
    expect(page.locator("#advice .idea button").first).to_be_visible()
    close_pages(page)


# A point of a notice that is not near one of its controls, with something below it that can be touched.
OVER_THINGS = """(notice) => {
  const isControl = (x, y) => document.elementFromPoint(x, y)?.closest("button, summary, a");
  const near = (x, y) => [-16, 0, 16].some((over) => [-16, 0, 16].some((up) => isControl(x + over, y + up)));
  const { left, top, width, height } = notice.getBoundingClientRect();
  for (let down = 4; down < height; down += 6)
    for (let across = 4; across < width; across += 6) {
      const [x, y] = [left + across, top + down];
      const [hit, ...below] = document.elementsFromPoint(x, y);
      if (notice.contains(hit) && !near(x, y) && below.some((one) => one.closest(".can"))) return [x, y];
    }
  return null;
}"""


# Cartagena


def cartagena(browser: Browser, site: str, touch: Touch) -> tuple[Page, str, str]:
    """A turn in which a card takes a pirate out of prison, another could go on from a space: that space."""
    page = page_for(browser, touch)
    match = open_match(page, site, "cartagena", {"players": 2, "first": 0}, ["me", "me"])
    assert wait_for_turn(page)
    act_elsewhere(page, match, next(value for value, _ in listed_actions(page) if value.endswith(" prison")))
    wait_until_shown(page, match)
    place = next(where for where in fetch_view(page, match)["view"]["seats"][0]["where"] if where != "prison")
    return page, match, f"place:{place}"


def test_a_pirate_then_where_a_card_leads(browser: Browser, site: str, touch: Touch) -> None:
    page, match, place = cartagena(browser, site, touch)
    touch(page, thing(page, place))
    expect(thing(page, place)).to_have_class(re.compile("chosen"))
    signs = page.locator(f".trip [data-after='{place}'].can")
    expect(signs).not_to_have_count(0)
    goal = signs.first.get_attribute("data-at") or ""
    cards = (signs.first.get_attribute("data-leads") or "").split(",")
    expect(page.locator(".trip:has(.can) .fare").first).to_be_visible()
    expect(thing(page, goal)).to_have_class(re.compile("can"))
    if touch is by_mouse:
        page.mouse.click(*middle(signs.first))
    else:
        touch(page, thing(page, goal))
    page.wait_for_function(DONE_OR_OFFERED, arg="1")
    if page.locator("#ring button").count():  # a light card and a dark one lead there
        page.locator("#ring button").first.click()
    expect(page.locator("#table-seq")).to_have_value("2")
    where = fetch_view(page, match)["view"]["seats"][0]["where"]
    assert goal.removeprefix("place:") in where and cards
    close_pages(page)


def test_card_and_pirate_in_either_order(browser: Browser, site: str, touch: Touch) -> None:
    for first in (0, 1):
        page, _, place = cartagena(browser, site, touch)
        card = next(touches[1] for value, touches in listed_actions(page) if touches[-1] == place and "play" in value)
        order = (card, place) if first == 0 else (place, card)
        for one in order:
            touch(page, thing(page, one))
        expect(page.locator("#table-seq")).to_have_value("2")
        expect(page.locator("#log li").first).to_contain_text("from space")
        close_pages(page)


# Hashi


def hashi(browser: Browser, site: str, cards: int = 2, script: str = "", **more: Any) -> tuple[Page, str]:
    """A round of a game for one, in which two bridges of one line can be drawn. A script runs before the page's own."""
    page = new_page(browser, **more)
    if script:
        page.add_init_script(script)
    set_speed(page)
    for _ in range(60):
        match = create_match(page, site, "hashi", {"players": 1}, ["me"])
        legal = legal_actions(page, match, site=site)
        act_elsewhere(page, match, next(action for action in legal if action.startswith("start")), site=site)
        act_elsewhere(page, match, "confirm", site=site)
        view = fetch_view(page, match, site=site)["view"]
        if has_verb(legal_actions(page, match, site=site), "bridge") and int(view["shown"][-1][2]) >= cards:
            show_match(page, site, match)
            assert wait_for_turn(page)
            return page, match
    raise AssertionError("no first card has two bridges")


def bridges(page: Page, match: str, line: str) -> int:
    view = fetch_view(page, match)["view"]
    lines = [one["line"] for one in view["board"]["lines"]]
    count: int = view["papers"][0]["bridges"][lines.index(line)]
    return count


def expect_bridges(page: Page, match: str, line: str, count: int) -> None:
    for _ in range(100):
        if bridges(page, match, line) == count:
            wait_until_shown(page, match)
            return
        page.wait_for_timeout(50)
    assert bridges(page, match, line) == count


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_line_goes_through_one_two_and_no_bridges(browser: Browser, site: str, touch: Touch, size: str) -> None:
    more = PHONE if size == "phone" else {"has_touch": True}
    page, match = hashi(browser, site, **more)
    line = next(touches[1] for value, touches in listed_actions(page) if value.startswith("bridge "))
    for count in (1, 2, 0, 1):
        touch(page, thing(page, line))
        expect_bridges(page, match, line.removeprefix("line:"), count)
        assert page.locator("#ring").is_hidden()
    close_pages(page)


@pytest.mark.parametrize("by", [drag, drag_by_finger], ids=["mouse", "finger"])
def test_a_drag_from_island_to_island_is_a_bridge(browser: Browser, site: str, by: Any) -> None:
    page, match = hashi(browser, site, **({} if by is drag else PHONE))
    line = next(touches[1] for value, touches in listed_actions(page) if value.startswith("bridge "))
    one, other = line.removeprefix("line:").split("-")
    for count, (start, end) in ((1, (one, other)), (2, (other, one))):
        if count == 2 and f"bridge {line.removeprefix('line:')}" not in [value for value, _ in listed_actions(page)]:
            count = 0  # the islands have room for one
        by(page, thing(page, f"island:{start}"), thing(page, f"island:{end}"))
        expect_bridges(page, match, line.removeprefix("line:"), count)
    numbers = fetch_view(page, match)["view"]["draft"]
    assert numbers["island"] is None, "the drag has written a number"
    close_pages(page)


def write_a_number(page: Page, match: str) -> None:
    """Write the first number that is offered. The match knows of it a moment after it was pressed."""
    step = current_step(page)
    press(page, next(value for value, _ in listed_actions(page) if value.startswith("write ")), step)
    page.wait_for_function(PAST_STEP, arg=step)
    wait_until_shown(page, match)


def double_tap(page: Page, thing: Locator) -> None:
    x, y = middle(thing)
    for _ in range(2):
        page.touchscreen.tap(x, y)


@pytest.mark.parametrize("by", ["mouse", "finger", "list"])
def test_a_double_click_confirms_one_card_only(browser: Browser, site: str, by: str) -> None:
    page, match = hashi(browser, site, has_touch=True)
    write_a_number(page, match)
    before = fetch_view(page, match)["view"]["round"]
    seal = page.locator(".board [data-touch='verb:confirm']")
    if by == "mouse":
        page.mouse.dblclick(*middle(seal))
    elif by == "finger":
        double_tap(page, seal)
    else:
        page.locator("#table-actions [value=confirm]").dblclick()
    expect(page.locator("#flipped .round")).to_contain_text(str(before + 1))
    page.wait_for_timeout(500)  # a second card would follow
    assert fetch_view(page, match)["view"]["round"] == before + 1
    expect(page.locator("#confirmation[open]")).to_have_count(0)
    close_pages(page)


# The page's clock can be stopped: what its timers were to do then waits in a list.
CLOCK = """
  window.stopped = null;
  window.late = [];
  const [now, timeout] = [performance.now.bind(performance), window.setTimeout];
  performance.now = () => window.stopped ?? now();
  window.setTimeout = (act, time) => (window.stopped === null ? timeout(act, time) : window.late.push(act));
"""
STOP = "window.stopped = performance.now()"
A_SECOND_LATER = "window.stopped += 1000; for (const act of window.late.splice(0)) act()"


def test_no_confirmation_counts_in_the_first_moment_of_a_card(browser: Browser, site: str) -> None:
    page, match = hashi(browser, site, script=CLOCK)
    write_a_number(page, match)
    before = fetch_view(page, match)["view"]["round"]
    page.evaluate(STOP)
    act_elsewhere(page, match, "confirm")
    page.wait_for_function(AT_STEP, arg=str(fetch_view(page, match)["seq"]))
    button = page.locator("#table-actions [value=confirm]")
    expect(button).to_have_class(re.compile("settling"))
    button.dispatch_event("click")
    page.evaluate(A_SECOND_LATER)
    expect(button).not_to_have_class(re.compile("settling"))
    assert fetch_view(page, match)["view"]["round"] == before + 1
    expect(page.locator("#confirmation[open]")).to_have_count(0)
    close_pages(page)


def test_confirming_nothing_asks_while_something_could_be_written(browser: Browser, site: str, touch: Touch) -> None:
    page, match = hashi(browser, site, has_touch=True)
    before = fetch_view(page, match)["view"]["round"]
    question = page.locator("#confirmation[open]")
    seal = page.locator(".board [data-touch='verb:confirm']")
    touch(page, seal)
    expect(question).to_contain_text("nothing on this card")
    question.get_by_role("button", name="Cancel").click()
    assert fetch_view(page, match)["view"]["round"] == before
    page.wait_for_timeout(600)  # or it would be a double click
    touch(page, seal)
    question.get_by_role("button", name="Confirm").click()
    expect(page.locator("#flipped .round")).to_contain_text(str(before + 1))
    close_pages(page)


# Pieces over places


def test_a_glowing_pawn_does_not_block_the_plain_action_of_its_tile(browser: Browser, site: str, touch: Touch) -> None:
    """The Navigator can guide a pawn that stands where the Navigator can go."""
    page = page_for(browser, touch)
    options = {**ISLAND, "roles": "navigator,diver"}
    for _ in range(60):
        match = open_match(page, site, "forbidden-island", options, ["me", "me"])
        assert wait_for_turn(page)
        place = fetch_view(page, match)["view"]["seats"][1]["place"]
        if f"move {place}" in [value for value, _ in listed_actions(page)]:
            break
    pawn = page.locator(".board .pawn[data-touch='pawn:diver']")
    touch(page, pawn)
    expect(pawn).to_have_class(re.compile("chosen"))
    way = page.locator(f"#ring button[value='move {place}']")
    expect(way).to_be_in_viewport(ratio=1)
    guided = page.locator(".board [data-touch^='place:'].can")
    expect(guided.first).to_be_visible()
    if touch is by_finger:
        way.tap()
    else:
        way.click()
    expect(page.locator("#table-seq")).to_have_value("1")
    assert fetch_view(page, match)["view"]["seats"][0]["place"] == place
    close_pages(page)
